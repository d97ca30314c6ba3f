"""The index damaged in every file: it heals or says what to do, and the records stay."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import DamagedError

RECORDS = ("sections", "documents", "retired", "format", "worker.toml")


def delete(path: Path) -> None:
    path.unlink()


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for position in range(7, len(data), max(1, len(data) // 40)):
        data[position] ^= 0x55
    path.write_bytes(data)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "kb"
    with KnowledgeBase.create(path) as kb:
        for number in range(30):
            kb.learn(f"The zebra and the number {number}", title=f"Zebra {number}")
    shutil.rmtree(path / "indexes")
    KnowledgeBase.open(path).close()
    return path


def records(path: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(path)): one.read_bytes()
        for one in path.rglob("*")
        if one.is_file() and one.relative_to(path).parts[0] in RECORDS
    }


def kind_of(path: Path) -> str:
    return path.suffix or path.name


@pytest.mark.parametrize("harm", [delete, truncate, zero, empty, flip])
def test_a_damaged_index_heals_or_says_what_to_do(
    template: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    names = [
        one.relative_to(template) for one in (template / "indexes").rglob("*") if one.is_file()
    ]
    kinds = {kind_of(name): name for name in names}
    assert {".db", "current", ".json", ".idx", ".term"} <= kinds.keys()

    for kind, name in kinds.items():
        path = tmp_path / kind.strip(".")
        shutil.copytree(template, path)
        before = records(path)
        harm(path / name)
        try:
            with KnowledgeBase.open(path) as kb:
                hits = kb.search("zebra", limit=100).hits
                assert len(hits) == 30, name
                kb.learn("The okapi", title="Okapi")
        except DamagedError as error:
            hint = error.hint or ""
        else:
            continue
        finally:
            assert before.items() <= records(path).items()
        assert "indexes" in hint, name
        shutil.rmtree(path / "indexes")
        with KnowledgeBase.open(path) as kb:
            assert len(kb.search("zebra", limit=100).hits) == 30


def test_an_index_deleted_under_an_open_base_is_built_again(template: Path, tmp_path: Path) -> None:
    path = tmp_path / "kb"
    shutil.copytree(template, path)
    with KnowledgeBase.open(path) as kb:
        shutil.rmtree(path / "indexes")

        assert len(kb.search("zebra", limit=100).hits) == 30
        shutil.rmtree(path / "indexes")
        kb.learn("The okapi", title="Okapi")
        assert kb.search("okapi").hits

    with KnowledgeBase.open(path) as kb:
        assert kb.search("okapi").hits


def test_two_bases_follow_each_other_when_the_index_is_replaced(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kb"
    shutil.copytree(template, path)
    with KnowledgeBase.open(path) as english:
        monkeypatch.setenv("KBDB_SEARCH_LANGUAGE", "german")
        with KnowledgeBase.open(path) as german:
            german.learn("The okapi", title="Okapi")
        english.learn("The tapir", title="Tapir")

        assert english.search("okapi").hits
        assert english.search("tapir").hits
    monkeypatch.delenv("KBDB_SEARCH_LANGUAGE")
    with KnowledgeBase.open(path) as kb:
        assert kb.search("okapi").hits
        assert kb.search("tapir").hits
