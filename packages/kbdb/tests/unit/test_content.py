"""Content learned: which document it goes to, and what becomes of what was there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import UsageError
from kbdb.model import BatchItem, Document, SectionView, Why


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path / "kb") as opened:
        yield opened


def stored(base: KnowledgeBase, docid: str) -> Document:
    document = base._records.document(docid)
    assert document is not None
    return document


def view(base: KnowledgeBase, kbid: str) -> SectionView:
    found = base.retrieve(kbid)
    assert isinstance(found, SectionView)
    return found


def test_same_text_is_the_same_document_and_another_is_not(base: KnowledgeBase) -> None:
    first, again = base.learn("# A\n\nx\n\n# B\n\ny"), base.learn("# A\n\nx\n\n# B\n\ny")
    other = base.learn("# A\n\nx\n\n# B\n\nz")

    assert first.docid == again.docid != other.docid
    assert [one.new for one in first.sections] == [True, True]
    assert [one.new for one in again.sections] == [False, False]
    assert [one.new for one in other.sections] == [False, True]


def test_text_added_to_a_document_stands_behind_what_it_has(base: KnowledgeBase) -> None:
    base.learn("# A\n\nx", docid="d", title="First", description="one", tags=["red"])
    base.learn("# B\n\ny", docid="d", tags=["green"])
    base.learn("# A\n\nx", docid="d", tags=["blue"])

    document = stored(base, "d")
    assert [ref.tags for ref in document.sections] == [("red", "blue"), ("green",)]
    assert (document.title, document.description) == ("First", "one")


def test_text_put_in_place_of_a_document_retires_the_rest(base: KnowledgeBase) -> None:
    first = base.learn("# A\n\nx\n\n# B\n\ny", docid="d")
    second = base.learn("# B\n\ny\n\n# C\n\nz", docid="d", replace=True)

    assert second.retired == (first.sections[0].kbid,)
    tombstone = view(base, first.sections[0].kbid).tombstone
    assert tombstone is not None
    assert (tombstone.why, tombstone.docids) == (Why.REPLACED, ("d",))
    assert stored(base, "d").created == stored(base, "d").sections[0].created


def test_superseded_section_leaves_its_place_tags_and_level_to_the_new(
    base: KnowledgeBase,
) -> None:
    old = base.learn("# A\n\nx\n\n## B\n\ny\n\n### C\n\nz", docid="d", tags=["red"])
    new = base.learn("# Better\n\nyy", replaces=old.sections[1].kbid)

    a, b, c = stored(base, "d").sections
    assert (b.kbid, b.level, b.parent, b.tags) == (new.sections[0].kbid, 2, a.kbid, ("red",))
    assert c.parent == b.kbid
    assert new.retired == (old.sections[1].kbid,)


def test_file_learned_again_keeps_its_document_under_either_docid(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    file = tmp_path / "notes.md"
    file.write_text("# A\n\nx\n", encoding="utf-8")
    first = base.learn_file(file)
    file.write_text("# A\n\nxx\n", encoding="utf-8")
    second = base.learn_file(file)
    renamed = base.learn_file(file, docid="other")

    assert first.docid == second.docid == "notes"
    assert second.retired == (first.sections[0].kbid,)
    assert renamed.docid == "other"
    assert base.status().documents == 1
    assert view(base, second.sections[0].kbid).docids == ("other",)


def test_file_that_supersedes_a_section_goes_on_following_its_file(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "better.md").write_text("# A\n\nbetter\n", encoding="utf-8")
    (folder / "old.md").write_text("# A\n\nfirst\n\n# B\n\ny\n", encoding="utf-8")
    old = base.learn_file(folder / "old.md")
    kbid = old.sections[0].kbid
    base.learn("# A\n\nfirst\n\n# C\n\nz", docid="text", tags=["red"])

    new = base.learn_file(folder / "better.md", replaces=kbid)

    tombstone = view(base, kbid).tombstone
    assert tombstone is not None
    assert (tombstone.why, tombstone.by) == (Why.SUPERSEDED, new.sections[0].kbid)
    assert new.retired == (kbid,)
    assert view(base, new.sections[0].kbid).tags == ("red",)
    assert stored(base, "text").sections[0].kbid != kbid
    assert set(base.learn_folder(folder).unchanged) == {"better", "old"}
    assert base.status().documents == 3


def test_file_that_supersedes_a_section_of_its_own_is_one_document(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    file = tmp_path / "notes.md"
    file.write_text("# A\n\nx\n\n# B\n\ny\n", encoding="utf-8")
    first = base.learn_file(file)
    kbid = first.sections[0].kbid
    with pytest.raises(UsageError):
        base.learn_file(file, replaces=kbid)
    file.write_text("# A\n\nxx\n\n# B\n\ny\n", encoding="utf-8")

    second = base.learn_file(file, replaces=kbid)

    tombstone = view(base, kbid).tombstone
    assert tombstone is not None
    assert (tombstone.by, tombstone.docids) == (second.sections[0].kbid, ("notes",))
    assert len(stored(base, "notes").sections) == 2
    assert base.status().documents == 1


def test_file_does_not_supersede_a_skill(base: KnowledgeBase, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text("# A\n\nx\n", encoding="utf-8")
    skill = base.skill_learn("review", "", "Review.")

    with pytest.raises(UsageError):
        base.learn_file(file, replaces=skill.kbid)
    assert base.skill_list() == (skill,)
    assert base.status().documents == 1


def test_file_and_text_do_not_mix_in_one_document(base: KnowledgeBase, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text("# A\n\nx\n", encoding="utf-8")
    base.learn("some text", docid="notes")

    with pytest.raises(UsageError):
        base.learn_file(file, docid="notes")
    assert base.learn_file(file).docid != "notes"
    assert base.learn_file(file, docid="notes", replace=True).docid == "notes"
    assert stored(base, "notes").source is not None


def test_batch_counts_a_section_as_new_once(base: KnowledgeBase) -> None:
    base.learn("known text", title="t")
    items = [
        BatchItem(content=text, title="t", docid=docid)
        for text, docid in (("known text", "a"), ("new text", "b"), ("new text", "c"))
    ]

    result = base.learn_batch(items)

    assert (result.section_count, result.new_section_count) == (3, 1)
    assert [one.docid for one in result.documents] == ["a", "b", "c"]


def test_batch_may_add_to_and_replace_one_document(base: KnowledgeBase) -> None:
    base.learn_batch(
        [
            BatchItem(content="# A\n\nx", docid="d"),
            BatchItem(content="# B\n\ny", docid="d"),
            BatchItem(content="# C\n\nz", docid="d", replace=True),
            BatchItem(content="# A\n\nx", docid="d"),
        ]
    )

    assert base.content(["d"]) == "# C\n\nz\n\n# A\n\nx\n"
    assert base.search("y").hits == ()
    assert base.status().retired == 1
