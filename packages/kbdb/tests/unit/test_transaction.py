"""Transactions over the records: all or nothing, whatever fails, and for whom the lock stays."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kbdb.errors import DamagedError, DiskFullError, KbdbError, ReadOnlyError
from kbdb.kbid import kbid_of
from kbdb.model import Document, Section, SectionRef, Tombstone, Why
from kbdb.records import folder as kb_folder
from kbdb.records.change import Changes
from kbdb.records.journal import Journal
from kbdb.records.store import Records

CALLS = ("write", "open", "replace", "link", "unlink", "fsync", "fdatasync", "ftruncate", "mkdir")


def section(text: str) -> Section:
    kbid = kbid_of(type="text/plain", title=text, body=text.encode())
    return Section(kbid=kbid, type="text/plain", title=text, body=text.encode())


def document(docid: str, *sections: Section) -> Document:
    return Document(
        docid=docid, title=docid, sections=tuple(SectionRef(kbid=s.kbid) for s in sections)
    )


def files(root: Path) -> dict[str, bytes]:
    """Return every record; what a writer leaves beside them is not one."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for folder in ("sections", "documents", "retired")
        for path in (root / folder).rglob("*")
        if path.is_file()
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    kb_folder.create(tmp_path / "kb", settings="")
    return tmp_path / "kb"


@pytest.fixture
def records(root: Path) -> Records:
    records = Records(root, publish=lambda _: None)
    one, two = section("one"), section("two")
    with records.transaction() as tx:
        tx.put_section(one)
        tx.put_section(two)
        tx.put_document(document("a", one))
        tx.put_document(document("b", two))
        tx.retire(Tombstone(kbid=two.kbid, at="", why=Why.UNLEARNED))
    records.settle()
    return records


def revise(records: Records) -> None:
    """Write, replace and delete something of each kind."""
    with records.transaction() as tx:
        tx.put_section(section("three"))
        tx.put_document(document("a", section("three")))
        tx.drop_document("b")
        tx.restore(section("two").kbid)
        tx.retire(Tombstone(kbid=section("one").kbid, at="", why=Why.REPLACED))


@contextmanager
def failing(call_number: int, code: int) -> Iterator[Callable[[], int]]:
    """Let every call that writes fail from one on, as on a disk that has filled up."""
    count = 0

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            nonlocal count
            count += 1
            # Giving back and letting go needs no room.
            if count >= call_number and real.__name__ not in {"unlink", "ftruncate", "replace"}:
                raise OSError(code, os.strerror(code))
            return real(*args, **kwargs)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, counted(getattr(os, name)))
        yield lambda: count


@pytest.mark.parametrize(
    ("code", "error"), [(errno.ENOSPC, DiskFullError), (errno.EACCES, ReadOnlyError)]
)
def test_a_disk_that_fails_at_any_call_leaves_the_records_as_they_were(
    records: Records, root: Path, code: int, error: type[KbdbError]
) -> None:
    before = files(root)
    number = failed = 0

    while True:
        number += 1
        with failing(number, code) as count:
            try:
                revise(records)
            except error:
                failed += 1
            else:
                break
            finally:
                calls = count()
        assert files(root) == before, number
        assert records.is_settled, number
        assert not records.journal_bytes, number

    assert failed > 5
    assert calls >= failed


def test_a_failure_in_the_index_undoes_the_files(records: Records, root: Path) -> None:
    before = files(root)

    def refuse(_: Changes) -> None:
        raise ValueError

    records._publish = refuse
    with pytest.raises(ValueError, match=r"^$"):
        revise(records)

    assert files(root) == before
    assert not records.journal_bytes


def test_a_document_put_twice_in_a_transaction_is_the_last_one(records: Records) -> None:
    with records.transaction() as tx:
        tx.put_document(document("c"))
        tx.put_document(document("c", section("one")))
        tx.put_document(document("d"))
        tx.drop_document("d")

    assert records.document("c") == document("c", section("one"))
    assert records.document("d") is None


def test_a_failed_transaction_lets_others_write(records: Records, root: Path) -> None:
    with pytest.raises(KeyError), records.transaction():
        raise KeyError

    other = Records(root, publish=lambda _: None)
    revise(other)
    assert records.document("b") is None


def test_recovery_that_the_disk_refuses_keeps_the_promise(records: Records, root: Path) -> None:
    revise(records)
    after = files(root)
    records.step_aside()
    (root / "documents" / "a.json").write_bytes(b"")

    with failing(1, errno.ENOSPC):
        Records(root, publish=lambda _: None).recover()
    Records(root, publish=lambda _: None).recover()

    assert files(root) == after


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "/tmp/x",
        "documents/../../x.json",
        "documents/a/b.json",
        "format",
        "documents/..\\x.json",
    ],
)
def test_a_journal_that_names_another_path_is_refused_with_a_hint(
    records: Records, root: Path, path: str
) -> None:
    before = files(root)
    journal = Journal(root / "journal")
    journal.begin()
    journal.put("documents/good.json", b"{}")
    journal.put(path, b"evil")
    journal.commit()
    journal.close()
    outside = sorted(root.parent.iterdir())

    again = Records(root, publish=lambda _: None)
    with pytest.raises(DamagedError) as caught:
        again.recover()
    with pytest.raises(DamagedError):
        revise(again)

    assert "journal" in (caught.value.hint or "")
    assert files(root) == before
    assert sorted(root.parent.iterdir()) == outside
    (root / "journal").unlink()
    revise(again)
