"""Near duplicates are exactly those that comparing every pair would find."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbdb import KnowledgeBase
from kbdb.index.duplicates import THRESHOLD, NearDuplicates, term_set
from kbdb.learn.revise import section_of
from kbdb.model import MARKDOWN, BatchItem, Section

NUMBERS = count()
# How many words of a text of so many are swapped for others: around the border of 0.85.
sizes = st.integers(1, 70)
changes = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path_factory.mktemp("near") / "kb") as opened:
        yield opened


def copies_of(size: int, some: list[tuple[int, int]]) -> tuple[str, list[str]]:
    """Return a text of ``size`` different words, and copies with words left out and added."""
    number = next(NUMBERS)
    words = [f"w{number}x{place}" for place in range(size)]
    copies = {
        " ".join([*words[left_out:], *(f"n{number}x{place}" for place in range(added))])
        for left_out, added in some
    }
    return " ".join(words), sorted(filter(None, copies))


def by_comparison(base: KnowledgeBase, text: str, among: set[str]) -> dict[str, float]:
    terms = term_set(base._index, note(text))
    found = {}
    for other in map(note, among):
        theirs = term_set(base._index, other)
        similarity = len(terms & theirs) / len(terms | theirs)
        if similarity >= THRESHOLD and other.kbid != note(text).kbid:
            found[other.kbid] = round(similarity, 4)
    return found


def note(text: str) -> Section:
    return section_of(type=MARKDOWN, title="note", body=text.encode())


def learn(base: KnowledgeBase, texts: list[str]) -> None:
    base.learn_batch([BatchItem(content=text, title="note") for text in texts])


@settings(max_examples=60)
@given(
    size=sizes,
    some=changes,
    settled=st.integers(0, 8),
    gone=st.sets(st.integers(0, 7), max_size=2),
    is_known=st.booleans(),
)
def test_near_duplicates_are_those_that_a_comparison_of_all_finds(
    base: KnowledgeBase,
    size: int,
    some: list[tuple[int, int]],
    settled: int,
    gone: set[int],
    is_known: bool,
) -> None:
    text, copies = copies_of(size, some)
    live = set(copies)
    learn(base, copies[:settled])
    base._index.fold()
    learn(base, [*copies[settled:], *([text] if is_known else [])])
    for place in gone & set(range(len(copies))):
        base.unlearn(note(copies[place]).kbid)
        live.discard(copies[place])

    found = NearDuplicates(index=base._index, read=base._records.section).of(note(text))

    assert {one.kbid: one.similarity for one in found} == by_comparison(base, text, live)
    assert [one.similarity for one in found] == sorted(
        (one.similarity for one in found), reverse=True
    )


def test_a_text_that_replaces_its_near_duplicate_does_not_report_it(base: KnowledgeBase) -> None:
    text, copies = copies_of(40, [(1, 1), (1, 2)])
    first, second = (base.learn(one, docid=f"near-{n}") for n, one in enumerate(copies))

    superseding = base.learn(text, replaces=first.sections[0].kbid)
    near = {one.kbid for one in superseding.sections[0].near_duplicates}
    assert near == {second.sections[0].kbid}

    replacing = base.learn(f"{text} once more", docid="near-1", replace=True)
    near = {one.kbid for one in replacing.sections[0].near_duplicates}
    assert near == {superseding.sections[0].kbid}


def test_retired_copies_do_not_hide_live_ones(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as base:
        text, _ = copies_of(60, [(0, 0)])
        copies = [f"{text} extra{number}" for number in range(260)]
        result = base.learn_batch([BatchItem(content=one, docid="copies") for one in copies])
        base._index.fold()
        base.learn(f"{text} extra259", docid="kept")
        base.learn("something else", docid="copies", replace=True)

        found = NearDuplicates(index=base._index, read=base._records.section).of(note(text))

        assert [one.kbid for one in found] == [result.documents[-1].sections[0].kbid]
