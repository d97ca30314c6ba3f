"""How much of a query a section covers, and what that is called."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.index.matching import Unit
from kbdb.model import Verdict
from kbdb.search.verdict import ANSWERED_FROM, WEAK_FROM, Weighed, covered, verdict_of

TERMS = ("a", "b", "c", "d")
alternatives = st.lists(
    st.lists(st.sampled_from(TERMS), min_size=1, max_size=3).map(tuple), min_size=1, max_size=3
).map(tuple)


@given(
    alternatives=alternatives,
    weight=st.floats(0.1, 10),
    held=st.sets(st.sampled_from(TERMS)),
    more=st.sets(st.sampled_from(TERMS)),
)
def test_more_terms_never_cover_less_and_all_of_them_cover_the_word(
    alternatives: tuple[tuple[str, ...], ...], weight: float, held: set[str], more: set[str]
) -> None:
    word = Weighed(Unit("x", alternatives), weight)

    assert 0 <= covered(word, held) <= covered(word, held | more) <= weight
    assert covered(word, set(TERMS)) == weight
    assert covered(word, set()) == 0


def test_some_parts_of_an_identifier_cover_less_than_all() -> None:
    word = Weighed(Unit("getUserName", (("getusernam",), ("get", "user", "name"))), 3.0)

    assert covered(word, {"getusernam"}) == covered(word, {"get", "user", "name"}) == 3.0
    assert 0 < covered(word, {"get"}) < covered(word, {"get", "user"}) < 3.0


@pytest.mark.parametrize(
    ("confidences", "verdict"),
    [
        ([], Verdict.UNANSWERED),
        ([WEAK_FROM - 0.01], Verdict.UNANSWERED),
        ([0.1, WEAK_FROM], Verdict.WEAK),
        ([ANSWERED_FROM - 0.01], Verdict.WEAK),
        ([0.1, ANSWERED_FROM], Verdict.ANSWERED),
        ([1.0], Verdict.ANSWERED),
    ],
)
def test_best_hit_decides_the_verdict(confidences: list[float], verdict: Verdict) -> None:
    assert verdict_of(confidences) is verdict
