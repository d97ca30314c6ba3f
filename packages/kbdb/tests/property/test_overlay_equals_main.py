"""Fresh sections are found and ranked as they will be once the main index has taken them in."""

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbdb.index.analysis import Analyzer
from kbdb.index.catalogue import Catalogue
from kbdb.index.lexical import Entry, LexicalIndex
from kbdb.index.matching import Lookup, labels_of
from kbdb.index.overlay import Overlay
from kbdb.index.text import body_terms, search_terms
from kbdb.index.view import View
from kbdb.model import MARKDOWN, PLAIN
from kbdb.search.query import read_query

ANALYZER = Analyzer("english")
# Words that meet each other in every way: wholes and parts, repeats, stop words, scripts.
VOCABULARY = """
alpha beta running run the of and getUserName get_user_name getusername user name get C++ C 38.101
38 101 1-1 src/utils/a.ts utils foo/foo foo café cafe é don't dont sha256 sha 256 a_a
東京都 東京 京都 都 日本語テスト テスト 서울시 서울 日本x1 😀 \u0301 !?
"""
WORDS = tuple(VOCABULARY.split())
tags = st.lists(st.sampled_from(("red", "green")), unique=True, max_size=2).map(tuple)
docids = st.lists(st.sampled_from(("d1", "d2")), unique=True, min_size=1, max_size=2).map(tuple)
label_sets = st.lists(
    st.sampled_from(("tag:red", "tag:green", "docid:d1", f"type:{PLAIN}", "tag:none")), max_size=2
)
Sections = list[tuple[str, str, str, tuple[str, ...], tuple[str, ...]]]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Sections, str]:
    """Draw sections and a query out of the same few words."""
    word = st.sampled_from(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)))
    words = st.lists(word, max_size=8).map(" ".join)
    phrase = st.lists(word, min_size=1, max_size=3).map(lambda some: f'"{" ".join(some)}"')
    sections = st.tuples(words, words, st.sampled_from((MARKDOWN, PLAIN)), docids, tags)
    query = st.lists(st.one_of(word, word, word, phrase), min_size=1, max_size=5).map(" ".join)
    return draw(st.lists(sections, min_size=1, max_size=8)), draw(query)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


def terms_of(title: str, body: str) -> str:
    title = " ".join(title.split())
    return search_terms(ANALYZER, title=title, extra="", body=body_terms(ANALYZER, body))


def entries_of(some: Sections) -> list[tuple[int, str, tuple[str, ...]]]:
    return [
        (
            ident,
            terms_of(title, body),
            labels_of(type=kind, docids=docids, tags=tags),
        )
        for ident, (title, body, kind, docids, tags) in enumerate(some, start=1)
    ]


def view_of(some: Sections, folder: Path, *, fresh: set[int]) -> View:
    """Return a view that holds the fresh sections beside the main index and the others in it."""
    overlay = Overlay()
    settled = []
    lengths = []
    for ident, terms, labels in entries_of(some):
        if ident in fresh:
            overlay.put(ident, terms, labels)
        else:
            settled.append(Entry(ident, terms, labels))
            lengths.append(len(terms.split()))
    with tempfile.TemporaryDirectory(dir=folder) as path:
        index = LexicalIndex(Path(path))
        if settled:
            index.write(settled, bulk=True)
        return View(
            catalogue=Catalogue(Path(path) / "unused.db", read_only=True),
            reader=index.reader(),
            overlay=overlay,
            mutex=threading.RLock(),
            mean_length=sum(lengths) / max(1, len(lengths)),
        )


def lookup_of(text: str, view: View, labels: list[str]) -> Lookup:
    reading = read_query(text, ANALYZER, with_prefix=view.with_prefix)
    return Lookup(
        units=reading.units,
        hints=reading.hints,
        phrases=reading.phrases,
        labels=tuple(dict.fromkeys(labels)),
        needs_hints=bool(reading.hints) and not reading.is_question,
    )


@settings(max_examples=150)
@given(case=cases(), labels=label_sets, need_all=st.booleans())
def test_overlay_and_main_index_agree_on_hits_and_scores(
    folder: Path, case: tuple[Sections, str], labels: list[str], need_all: bool
) -> None:
    some, text = case
    before = view_of(some, folder, fresh=set(range(1, len(some) + 1)))
    after = view_of(some, folder, fresh=set())
    asked = lookup_of(text, before, labels)
    assert asked == lookup_of(text, after, labels)
    if not asked.units:
        return

    fresh = {ident: score for score, ident in before.search(asked, need_all=need_all, limit=100)}
    settled = {ident: score for score, ident in after.search(asked, need_all=need_all, limit=100)}

    assert fresh == pytest.approx(settled, rel=0.02)


@settings(max_examples=50)
@given(
    case=cases(),
    labels=label_sets,
    need_all=st.booleans(),
    fresh=st.sets(st.integers(1, 8)),
)
def test_half_folded_index_finds_the_same_sections(
    folder: Path, case: tuple[Sections, str], labels: list[str], need_all: bool, fresh: set[int]
) -> None:
    some, text = case
    mixed = view_of(some, folder, fresh=fresh)
    whole = view_of(some, folder, fresh=set())
    asked = lookup_of(text, whole, labels)
    if not asked.units:
        return

    found = {ident for _, ident in mixed.search(asked, need_all=need_all, limit=100)}

    assert lookup_of(text, mixed, labels) == asked
    assert found == {ident for _, ident in whole.search(asked, need_all=need_all, limit=100)}
    assert [mixed.df(term) for unit in asked.units for term in unit.terms] == [
        whole.df(term) for unit in asked.units for term in unit.terms
    ]
