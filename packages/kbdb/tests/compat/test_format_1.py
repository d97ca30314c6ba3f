"""The frozen sample of format 1 opens, holds what it held, and would be written the same today."""

import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.kbid import kbid_of
from kbdb.model import DocumentView, SectionView, Verdict, Why
from kbdb.records import layout

HERE = Path(__file__).parent
SAMPLE = HERE / "format-1"
RECORDS = (layout.SECTIONS, layout.DOCUMENTS, layout.RETIRED)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    copy = tmp_path_factory.mktemp("compat") / "kb"
    shutil.copytree(SAMPLE, copy)
    with KnowledgeBase.open(copy) as opened:
        yield opened


def document(base: KnowledgeBase, docid: str) -> DocumentView:
    found = base.retrieve(docid)
    assert isinstance(found, DocumentView)
    return found


def section(base: KnowledgeBase, kbid: str) -> SectionView:
    found = base.retrieve(kbid)
    assert isinstance(found, SectionView)
    return found


def first_hit(base: KnowledgeBase, query: str) -> SectionView:
    found = base.search(query)
    assert found.verdict is Verdict.ANSWERED
    return section(base, found.hits[0].kbid)


def records_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for name in RECORDS
        for path in (folder / name).rglob("*")
        if path.is_file()
    }


def test_same_operations_write_the_same_bytes(tmp_path: Path) -> None:
    runpy.run_path(str(HERE / "make_sample.py"))["make_sample"](tmp_path / "made")

    made, frozen = records_of(tmp_path / "made"), records_of(SAMPLE)
    assert made.keys() == frozen.keys()
    assert [path for path, data in made.items() if data != frozen[path]] == []
    format_file = (SAMPLE / layout.FORMAT_FILE).read_bytes()
    assert (tmp_path / "made" / layout.FORMAT_FILE).read_bytes() == format_file == b"kbdb 1\n"


def test_counts_are_what_they_were(base: KnowledgeBase) -> None:
    status = base.status()

    counts = (status.documents, status.sections, status.retired, status.skills, status.agents)
    assert counts == (18, 19, 5, 3, 1)


def test_every_section_file_has_the_name_of_its_content(base: KnowledgeBase) -> None:
    for kbid in base._records.kbids():
        one = section(base, kbid).section
        assert kbid_of(type=one.type, title=one.title, body=one.body) == kbid


def test_document_from_a_file_keeps_structure_source_and_tags(base: KnowledgeBase) -> None:
    found = document(base, "keys")

    assert [one.title for one in found.sections] == ["Keys", "Rotate the keys", "By hand"]
    assert [ref.level for ref in found.document.sections] == [0, 1, 2]
    assert found.document.sections[2].parent == found.sections[1].kbid
    assert found.document.source is not None
    assert found.document.source.path == "docs/keys.md"
    assert found.document.tags == ("operations", "security")
    assert found.document.description == "How keys are kept"
    assert found.document.front_matter.startswith("---\ntitle: Keys\n")
    assert found.document.created == "2026-01-31T12:00:00Z"
    assert first_hit(base, "ninety days").tags == ("operations", "security", "by hand")


@pytest.mark.parametrize(
    ("query", "docid"),
    [
        ("東京", "tokyo"),
        ("首都", "tokyo"),
        ("cafe naive", "accents"),
        ("one pixel", "dot"),
        ("8080 port settings", "settings"),
        ("body alone", "no-title"),
    ],
)
def test_sections_of_every_kind_are_found(base: KnowledgeBase, query: str, docid: str) -> None:
    assert first_hit(base, query).docids == (docid,)


def test_bodies_are_kept_byte_for_byte(base: KnowledgeBase) -> None:
    assert document(base, "line-ends").sections[0].body == b"one\r\ntwo"
    image = document(base, "dot").sections[0]
    assert (image.type, image.body[:4], len(image.body)) == ("image/png", b"\x89PNG", 70)


def test_retired_sections_say_why_and_are_found_no_more(base: KnowledgeBase) -> None:
    port = kbid_of(type="text/markdown", title="Port", body=b"The port is 80.")
    tombstone = section(base, port).tombstone
    assert tombstone is not None
    assert tombstone.why is Why.SUPERSEDED
    assert tombstone.by is not None
    assert section(base, tombstone.by).section.body == b"The port is 8080."

    whys = sorted(
        found.why
        for kbid in base._records.tombstone_ids()
        if (found := base._records.tombstone(kbid))
    )
    assert whys == ["replaced", "superseded", "superseded", "unlearned", "unlearned"]
    for query in ("earlier", "nobody needs", "it does not"):
        hits = [section(base, hit.kbid) for hit in base.search(query).hits]
        assert all(hit.tombstone is None for hit in hits)


def test_links_skills_and_agents_hold(base: KnowledgeBase) -> None:
    links = document(base, "links").sections[0]
    assert section(base, links.kbid).links == ("keys", "tokyo")
    assert section(base, links.kbid).backlinks == (document(base, "back").sections[0].kbid,)
    assert "[Keys](kbdb://document/keys)" in base.content(["links"])

    assert [skill.name for skill in base.skill_list()] == ["C", "C++", "reviewer"]
    reviewer = base.skill_get(name="reviewer")
    assert reviewer.body == "Review {{file}} with care."
    assert reviewer.arguments[0].required
    agent = base.agent_get("agent-editor")
    assert [one.skill and one.skill.name for one in agent.skills] == ["reviewer", "C"]
    assert set(section(base, first_hit(base, "text of two documents").section.kbid).docids) == {
        "twice-a",
        "twice-b",
    }
