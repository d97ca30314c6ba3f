"""Docids from titles."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.ingest.slug import is_docid, slug


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Deploy: the *new* way!", "deploy-the-new-way"),
        ("Café à la crème", "cafe-a-la-creme"),
        ("Straße, Łódź & Smørrebrød", "strasse-lodz-smorrebrod"),
        ("Don’t panic", "dont-panic"),
        ("../../etc/passwd", "etc-passwd"),
        ("設計 2024", "設計-2024"),
        ("한국어 문서", "한국어-문서"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("ÜBER", "uber"),
        ("con", "con-doc"),
        ("LPT1", "lpt1-doc"),
        ("...", "the-fallback"),
        ("", "the-fallback"),
        ("🙂", "the-fallback"),
    ],
)
def test_slug_of_a_title(title: str, expected: str) -> None:
    assert slug(title, fallback="The fallback") == expected


def test_slug_is_never_empty_even_without_a_fallback() -> None:
    assert slug("", fallback="") == "document"


def test_long_title_is_cut_at_a_word() -> None:
    made = slug("word " * 40, fallback="x")

    assert len(made) <= 80
    assert set(made.split("-")) == {"word"}


@given(st.text(), st.text(max_size=5))
def test_slug_is_a_safe_docid_and_its_own_slug(text: str, fallback: str) -> None:
    made = slug(text, fallback=fallback)

    assert is_docid(made)
    assert len(made) <= 84
    assert slug(made, fallback="other") == made
    assert made == unicodedata.normalize("NFC", made)
    assert re.search(r"^-|--|-$|[A-Z]|\s", made) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".hidden",
        "a/b",
        "a\\b",
        "a\nb",
        "a\x00b",
        "x" * 201,
        "é" * 101,
        "nul",
        "Con.txt",
        "a:b",
        "a.",
        "a" + chr(0xD800),
    ],
)
def test_docid_that_no_file_could_have_is_refused(text: str) -> None:
    assert not is_docid(text)


@pytest.mark.parametrize("text", ["a", "agent-reviewer", "設計", "v1.2", "My Notes", "console"])
def test_docid_that_files_can_have_is_accepted(text: str) -> None:
    assert is_docid(text)
