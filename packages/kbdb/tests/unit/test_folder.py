"""A folder learned again: what asks first, what stays away, what moves."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import (
    CancelledError,
    ConfirmationNeededError,
    KbdbError,
    PathNotFoundError,
    UsageError,
)
from kbdb.model import SectionView, Why

SHARED = "# Shared\n\nthe shared text\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    return made


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path / "kb") as opened:
        yield opened


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def view(base: KnowledgeBase, kbid: str) -> SectionView:
    found = base.retrieve(kbid)
    assert isinstance(found, SectionView)
    return found


def only_hit(base: KnowledgeBase, query: str) -> str:
    (hit,) = base.search(query).hits
    return hit.kbid


def test_retiring_more_than_a_fifth_asks_and_changes_nothing_when_refused(
    base: KnowledgeBase, folder: Path
) -> None:
    write(folder, **{f"n{number}": f"# N\n\nnumber{number}\n" for number in range(5)})
    base.learn_folder(folder)
    before = base.status().sections
    (folder / "n0.md").unlink()
    assert base.learn_folder(folder).retired == ("n0",)
    (folder / "n1.md").unlink()
    write(folder, n2="# N\n\nchanged text\n", n9="# N\n\nnew text\n")
    asked: list[tuple[int, int]] = []

    def refuse(vanished: int, known: int) -> bool:
        asked.append((vanished, known))
        return False

    with pytest.raises(CancelledError):
        base.learn_folder(folder, confirm=refuse)
    with pytest.raises(ConfirmationNeededError) as refused:
        base.learn_folder(folder)

    assert asked == [(1, 4)]
    assert refused.value.hint
    assert base.status().sections == before - 1
    assert not base.search("changed").hits
    assert base.search("number1").hits
    agreed = base.learn_folder(folder, confirm=lambda *_: True)
    assert (agreed.retired, agreed.updated, agreed.added) == (("n1",), ("n2",), ("n9",))


def test_unlearned_section_stays_away_while_its_text_remains(
    base: KnowledgeBase, folder: Path
) -> None:
    write(folder, a=f"{SHARED}\n# Own\n\nold words\n")
    base.learn_folder(folder)
    kbid = only_hit(base, "shared text")
    base.unlearn(kbid)

    assert base.learn_folder(folder).unchanged == ("a",)
    write(folder, a=f"{SHARED}\n# Own\n\nfresh words\n")
    result = base.learn_folder(folder)

    assert (result.updated, result.kept_retired) == (("a",), (kbid,))
    assert not base.search("shared text").hits
    assert view(base, kbid).tombstone is not None
    base.learn(SHARED)
    assert only_hit(base, "shared text") == kbid


def test_superseded_section_stays_away_from_the_folder_that_still_holds_it(
    base: KnowledgeBase, folder: Path
) -> None:
    write(folder, a=f"{SHARED}\n# Own\n\nold words\n")
    base.learn_folder(folder)
    old = only_hit(base, "shared text")
    new = base.learn("# Shared\n\nthe better text", replaces=old)

    write(folder, a=f"{SHARED}\n# Own\n\nfresh words\n")
    result = base.learn_folder(folder)

    assert result.kept_retired == (old,)
    tombstone = view(base, old).tombstone
    assert tombstone is not None
    assert (tombstone.why, tombstone.by) == (Why.SUPERSEDED, new.sections[0].kbid)
    assert view(base, new.sections[0].kbid).docids == (new.docid,)


@pytest.mark.parametrize(("source", "target"), [("a", "b"), ("b", "a")])
def test_section_that_moves_to_another_file_stays_live(
    base: KnowledgeBase, folder: Path, source: str, target: str
) -> None:
    write(folder, **{source: f"{SHARED}\n# Stays\n\nin its place\n", target: "# Else\n\nmore\n"})
    base.learn_folder(folder)
    kbid = only_hit(base, "shared text")

    write(folder, **{source: "# Stays\n\nin its place\n", target: f"# Else\n\nmore\n\n{SHARED}"})
    result = base.learn_folder(folder)

    assert sorted(result.updated) == ["a", "b"]
    assert result.new_section_count == 0
    assert view(base, kbid).docids == (target,)
    assert view(base, kbid).tombstone is None
    assert only_hit(base, "shared text") == kbid


def test_text_in_two_files_stays_live_when_one_goes(base: KnowledgeBase, folder: Path) -> None:
    write(folder, a=SHARED, b=f"{SHARED}\n# Own\n\nwords\n")
    base.learn_folder(folder)
    kbid = only_hit(base, "shared text")
    assert set(view(base, kbid).docids) == {"a", "b"}

    (folder / "a.md").unlink()
    base.learn_folder(folder, confirm=lambda *_: True)
    assert view(base, kbid).docids == ("b",)
    (folder / "b.md").unlink()
    base.learn_folder(folder, confirm=lambda *_: True)

    tombstone = view(base, kbid).tombstone
    assert tombstone is not None
    assert tombstone.why is Why.VANISHED


def test_moved_file_keeps_its_docid_and_what_was_said_of_it(
    base: KnowledgeBase, folder: Path
) -> None:
    write(folder, a=SHARED)
    base.learn_folder(folder, tags=["red"])
    (folder / "deep").mkdir()
    (folder / "a.md").rename(folder / "deep" / "z.md")

    result = base.learn_folder(folder)

    assert (result.moved, result.retired, result.added) == (("a",), (), ())
    assert base.search("shared", tags=["red"]).hits[0].docid == "a"
    assert base.learn_folder(folder).unchanged == ("a",)


def test_moved_folder_keeps_its_documents(base: KnowledgeBase, folder: Path) -> None:
    write(folder, a=SHARED, b=SHARED, c="# C\n\nown words\n")
    base.learn_folder(folder)
    new = folder.rename(folder.parent / "moved")

    result = base.learn_folder(new)

    assert (sorted(result.moved), result.added, result.retired) == (["a", "b", "c"], (), ())
    assert base.status().documents == 3
    for name in "abc":
        document = base._records.document(name)
        assert document is not None
        assert document.source is not None
        assert document.source.path == f"moved/{name}.md"
    assert sorted(base.learn_folder(new).unchanged) == ["a", "b", "c"]


def test_copied_folder_is_learned_beside_the_first(base: KnowledgeBase, folder: Path) -> None:
    odd = "caf\udce9" if os.name == "posix" else "cafe"
    write(folder, a=SHARED)
    try:
        write(folder, **{odd: "# Odd\n\nodd words\n"})
    except OSError:
        odd = ""
    base.learn_folder(folder)
    shutil.copytree(folder, folder.parent / "copy")

    result = base.learn_folder(folder.parent / "copy")

    assert (len(result.added), result.moved) == (2 if odd else 1, ())


def test_folder_that_is_gone_has_its_documents_retired_when_confirmed(
    base: KnowledgeBase, folder: Path
) -> None:
    write(folder, a=SHARED)
    base.learn_folder(folder)
    shutil.rmtree(folder)

    with pytest.raises(PathNotFoundError) as refused:
        base.learn_file(folder / "a.md")
    assert f"kbdb learn {folder}" in (refused.value.hint or "")
    with pytest.raises(PathNotFoundError) as refused:
        base.learn_folder(folder / "a.md")
    assert f"kbdb learn {folder}" in (refused.value.hint or "")
    with pytest.raises(ConfirmationNeededError):
        base.learn_folder(folder)
    assert base.search("shared text").hits

    result = base.learn_folder(folder, confirm=lambda *_: True)
    assert (result.retired, result.skipped) == (("a",), ())
    assert base.status().documents == 0
    with pytest.raises(PathNotFoundError):
        base.learn_folder(folder, confirm=lambda *_: True)


def test_tags_given_to_an_unchanged_folder_are_added(base: KnowledgeBase, folder: Path) -> None:
    write(folder, a=f"{SHARED}\n# Own\n\nown words\n")
    base.learn_folder(folder, tags=["red"])

    result = base.learn_folder(folder, tags=["blue"])

    assert (result.updated, result.new_section_count) == (("a",), 0)
    for query in ("shared text", "own words"):
        assert base.search(query, tags=["red", "blue"]).hits
    assert base.learn_folder(folder, tags=["blue"]).unchanged == ("a",)
    assert base.learn_folder(folder).unchanged == ("a",)


def test_type_given_to_an_unchanged_folder_is_taken(base: KnowledgeBase, folder: Path) -> None:
    write(folder, a=SHARED)
    base.learn_folder(folder, tags=["red"])

    result = base.learn_folder(folder, type="text/plain")

    assert result.updated == ("a",)
    (hit,) = base.search("shared text", tags=["red"]).hits
    assert hit.type == "text/plain"
    assert base.learn_folder(folder, type="text/plain").unchanged == ("a",)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_folder_that_may_not_be_read_keeps_its_documents(base: KnowledgeBase, folder: Path) -> None:
    write(folder, a=SHARED)
    base.learn_folder(folder)
    folder.chmod(0)
    try:
        result = base.learn_folder(folder)
    finally:
        folder.chmod(0o700)

    assert (result.retired, len(result.skipped)) == ((), 1)
    assert base.status().documents == 1


def test_file_that_loses_its_text_retires_its_document(base: KnowledgeBase, folder: Path) -> None:
    write(folder, a=SHARED, b="# B\n\nstays\n")
    base.learn_folder(folder)
    write(folder, a="---\ntitle: nothing left\n---\n")

    result = base.learn_folder(folder)

    assert result.retired == ("a",)
    assert [one.path for one in result.skipped] == ["a.md"]
    assert not base.search("shared").hits


def test_files_of_one_name_in_two_folders_are_two_documents(
    base: KnowledgeBase, folder: Path
) -> None:
    for name in ("x-y", "x"):
        (folder / name).mkdir()
    write(folder / "x-y", z="# One\n\nfirst\n")
    (folder / "x" / "y-z.md").write_text("# Two\n\nsecond\n", encoding="utf-8")

    added = base.learn_folder(folder).added

    assert len(set(added)) == 2
    assert sorted(base.learn_folder(folder).unchanged) == sorted(added)


def test_names_that_are_no_utf8_are_learned_and_known_again(
    base: KnowledgeBase, folder: Path
) -> None:
    odd = folder / "d\udce9"
    try:
        odd.mkdir()
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (odd / "caf\udce9.md").write_text(SHARED, encoding="utf-8")

    assert len(base.learn_folder(odd).added) == 1
    assert len(base.learn_folder(folder).unchanged) == 1
    learned = base.learn_file(odd / "caf\udce9.md")

    document = base._records.document(learned.docid)
    assert document is not None
    assert document.source is not None
    assert document.source.path == r"docs/d\xe9/caf\xe9.md"
    assert base.status().documents == 1


def test_paths_that_cannot_be_learned_are_explained(base: KnowledgeBase, folder: Path) -> None:
    (folder / "x.bin").write_bytes(b"\x00\x01")
    (folder / "big.md").write_text("word " * 100, encoding="utf-8")
    for path, kind in (
        (folder / "none.md", PathNotFoundError),
        (folder / ("x" * 5000), PathNotFoundError),
        (folder / "a\0b", PathNotFoundError),
        (folder, UsageError),
        (folder / "x.bin", UsageError),
    ):
        with pytest.raises(kind) as refused:
            base.learn_file(path)
        assert refused.value.hint
    with pytest.raises(UsageError):
        base.learn_file(folder / "big.md", max_bytes=10)
    with pytest.raises(KbdbError):
        base.learn_folder(folder, type="nonsense")

    assert base.status().documents == 0
