"""What a power cut takes away: everything that was not synced, but never the journal."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from crash.steps import all_words, look, random_script

from kbdb import KnowledgeBase
from kbdb.learn import settle


def truncate(path: Path) -> None:
    path.write_bytes(b"")


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def drop(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("harm", [truncate, zero, drop])
@pytest.mark.parametrize("seed", [4, 5])
def test_the_journal_brings_back_all_that_was_not_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, harm: Callable[[Path], None]
) -> None:
    monkeypatch.setattr(settle, "_IDLE_S", 3_600.0)
    path = tmp_path / "kb"
    steps = [step for step in random_script(seed, 30) if step.name != "reopen"]
    with KnowledgeBase.create(path) as kb:
        for step in steps[:10]:
            step.run(kb, tmp_path / "docs")
    shutil.copytree(path, tmp_path / "synced")
    with KnowledgeBase.open(path) as kb:
        for step in steps[10:]:
            step.run(kb, tmp_path / "docs")
        shutil.copytree(path, tmp_path / "cut")
    cut = tmp_path / "cut"
    shutil.rmtree(cut / "indexes")
    shutil.copytree(tmp_path / "synced" / "indexes", cut / "indexes")
    for file in [
        one for folder in ("sections", "documents", "retired") for one in (cut / folder).rglob("*")
    ]:
        before = tmp_path / "synced" / file.relative_to(cut)
        if file.is_file() and not (before.exists() and before.read_bytes() == file.read_bytes()):
            harm(file)

    words = all_words(steps)
    with KnowledgeBase.open(cut) as kb:
        found = look(kb, words)
    shutil.rmtree(cut / "indexes")
    with KnowledgeBase.open(cut) as kb:
        rebuilt = look(kb, words)

    assert found.problems(steps[-1].after) == []
    assert rebuilt == found


def test_a_journal_is_replayed_into_an_index_that_has_to_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settle, "_IDLE_S", 3_600.0)
    with KnowledgeBase.create(tmp_path / "kb") as kb:
        kb.learn("The quick zebra", title="Zebra")
        shutil.copytree(tmp_path / "kb", tmp_path / "cut")
    shutil.rmtree(tmp_path / "cut" / "indexes")
    shutil.rmtree(tmp_path / "cut" / "sections")

    with KnowledgeBase.open(tmp_path / "cut") as kb:
        assert kb.search("zebra").hits
        assert kb.status().sections == 1
