"""A base used where it cannot work, and records that were altered, are said to be so."""

import os
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import ClosedError, DamagedError, UnknownIdError


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forked_child_is_told_to_open_the_base_again(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        base.learn("before the fork")
        child = os.fork()
        if child == 0:
            code = 1
            try:
                base.learn("in the child")
            except ClosedError:
                base.close()
                code = 0
            finally:
                os._exit(code)

        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        base.learn("after the fork")
        assert base.status().sections == 2


def section_file(base: KnowledgeBase, kbid: str) -> Path:
    return base.path / "sections" / kbid[:2] / f"{kbid}.md"


def test_altered_section_is_not_taken_for_what_was_learned(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        kbid = base.learn("The port is 8443.").sections[0].kbid
        file = section_file(base, kbid)
        file.write_bytes(file.read_bytes().replace(b"8443", b"9443"))

        with pytest.raises(DamagedError) as refused:
            base.retrieve(kbid)

    assert refused.value.exit_code == 10
    assert kbid in str(refused.value)


def test_missing_section_file_is_damage_and_no_unknown_id(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        kbid = base.learn("The port is 8443.").sections[0].kbid
        section_file(base, kbid).unlink()

        with pytest.raises(DamagedError):
            base.retrieve(kbid)


def test_document_cannot_be_unlearned_and_its_sections_are_named(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        learned = base.learn("The port is 8443.", docid="ports")

        with pytest.raises(UnknownIdError) as refused:
            base.unlearn("ports")

    assert refused.value.hint
    assert learned.sections[0].kbid in refused.value.hint


def test_document_with_a_missing_section_file_is_damaged_not_shorter(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        learned = base.learn("# A\n\none\n\n# B\n\ntwo\n", docid="two")
        section_file(base, learned.sections[1].kbid).unlink()

        with pytest.raises(DamagedError):
            base.content(["two"])


def test_damaged_manifest_of_one_file_does_not_keep_a_folder_from_being_learned(
    tmp_path: Path,
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("alpha one", encoding="utf-8")
    (notes / "b.md").write_text("beta one", encoding="utf-8")
    with KnowledgeBase.create(tmp_path / "kb") as base:
        base.learn_folder(notes)
        (base.path / "documents" / "a.json").write_text("{", encoding="utf-8")
        (notes / "a.md").write_text("alpha two", encoding="utf-8")

        result = base.learn_folder(notes)

        assert result.updated == ("a",)
        assert base.search("alpha two").hits[0].docid == "a"
