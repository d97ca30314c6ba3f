import base64
from dataclasses import fields

import pytest

from kbdb.cli.json_view import FIELDS, view
from kbdb.cli.output import json_text
from kbdb.model import (
    Document,
    DocumentView,
    Hit,
    Mode,
    SearchResult,
    Section,
    SectionRef,
    SectionView,
    Tombstone,
    Verdict,
    Why,
)

KBID = "3f7k2m9q4r8s5t6v7w8x9y0z1a"
# Fields that are shown under other names, or with the value that holds them.
ELSEWHERE = {
    Section: {"body"},
    SectionRef: {"kbid"},
    SectionView: {"section"},
    Document: {"sections"},
}


@pytest.mark.parametrize("kind", FIELDS, ids=lambda kind: kind.__name__)
def test_every_field_of_a_value_is_documented(kind: type) -> None:
    names = {field.name for field in fields(kind)} - ELSEWHERE.get(kind, set())

    assert names == set(FIELDS[kind]) - {"text", "body_base64"}


def section_view(section: Section) -> SectionView:
    return SectionView(
        section=section,
        docids=(),
        tags=(),
        level=1,
        parent=None,
        created="2026-01-31T08:30:00Z",
        tombstone=Tombstone(kbid=KBID, at="2026-01-31T08:30:00Z", why=Why.SUPERSEDED),
    )


def test_image_is_shown_in_base64_and_text_as_text() -> None:
    image = view(section_view(Section(kbid=KBID, type="image/png", title="", body=b"\x89PNG")))
    text = view(section_view(Section(kbid=KBID, type="text/plain", title="", body=b"caf\xc3\xa9")))

    assert base64.b64decode(str(image["body_base64"])) == b"\x89PNG"
    assert "text" not in image
    assert text["text"] == "café"
    assert "body_base64" not in text


def test_section_shows_why_it_was_retired() -> None:
    shown = view(section_view(Section(kbid=KBID, type="text/plain", title="", body=b"")))

    tombstone = shown["tombstone"]
    assert isinstance(tombstone, dict)
    assert tombstone["why"] == "superseded"


def test_document_shows_each_section_with_its_place() -> None:
    document = Document(
        docid="d", title="D", sections=(SectionRef(kbid=KBID, level=2, tags=("t",)),)
    )
    section = Section(kbid=KBID, type="text/plain", title="S", body=b"text")

    shown = view(DocumentView(document=document, sections=(section,)))

    assert shown["kind"] == "document"
    sections = shown["sections"]
    assert isinstance(sections, list)
    assert sections[0] == {
        "kbid": KBID,
        "type": "text/plain",
        "title": "S",
        "text": "text",
        "level": 2,
        "parent": None,
        "tags": ["t"],
        "created": "",
    }


def test_answer_nests_hits_as_objects_and_enums_as_words() -> None:
    hit = Hit(
        kbid=KBID,
        docid="d",
        title="T",
        score=1.5,
        confidence=0.5,
        matched_terms=("a",),
        snippet="a b",
        tags=(),
        type="text/plain",
        highlights=((0, 1),),
    )

    shown = view(SearchResult(query="a", mode=Mode.LEXICAL, hits=(hit,), verdict=Verdict.WEAK))

    assert shown["mode"] == "lexical"
    assert shown["verdict"] == "weak"
    hits = shown["hits"]
    assert isinstance(hits, list)
    assert hits[0]["highlights"] == [[0, 1]]


def test_json_keeps_letters_and_escapes_what_would_break_a_terminal_or_encoder() -> None:
    text = json_text({"a": "é漢\x1b\x9b\u202e\ud800"})

    assert "é漢" in text
    assert "\\u001b\\u009b\\u202e\\ud800" in text
    assert text.encode()
