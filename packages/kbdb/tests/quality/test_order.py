"""Among sections with every word, those where the words mean something together come first."""

from pathlib import Path

from kbdb import KnowledgeBase

FILLER = "one two three four five six seven eight nine ten " * 8


def test_heading_without_a_text_comes_after_the_section_with_the_answer(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        base.learn("# Guide\n\n## Rotating keys\n\n### Steps\n\nRotating keys is done monthly.\n")

        titles = [hit.title for hit in base.search("rotating keys").hits]

    assert titles == ["Steps", "Rotating keys"]


def test_words_that_stand_together_come_before_words_apart(tmp_path: Path) -> None:
    apart = f"A promise to the baker. {FILLER} The javascript file is old. {FILLER}"
    together = f"{FILLER} A javascript promise settles once. {FILLER}"
    with KnowledgeBase.create(tmp_path / "kb") as base:
        base.learn(apart, title="Apart", docid="apart")
        base.learn(together, title="Together", docid="together")

        hits = base.search("javascript promise").hits

    assert [hit.docid for hit in hits] == ["together", "apart"]
    assert hits[0].confidence == 1
    assert hits[1].confidence < 1


def test_note_that_is_all_punctuation_is_found_by_it(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        base.learn("Keys and locks.", title="Keys")
        base.learn("()*^~", title="Marks")

        found = base.search("()*^~")

    assert [hit.title for hit in found.hits] == ["Marks"]
