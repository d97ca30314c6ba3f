"""Whole hits within a budget of tokens."""

from hypothesis import given
from hypothesis import strategies as st

from kbdb.model import MARKDOWN, Hit
from kbdb.search.budget import estimate_tokens, within_budget

texts = st.text(max_size=200)


def hit(snippet: str) -> Hit:
    return Hit(
        kbid="0" * 26,
        docid="d",
        title="A title",
        score=1.0,
        confidence=1.0,
        matched_terms=(),
        snippet=snippet,
        tags=("red",),
        type=MARKDOWN,
    )


@given(one=texts, other=texts)
def test_estimate_grows_with_the_text(one: str, other: str) -> None:
    assert estimate_tokens(one) <= estimate_tokens(one + other)
    assert estimate_tokens(one + other) <= estimate_tokens(one) + estimate_tokens(other)


def test_four_ascii_characters_or_one_other_are_a_token() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("abcd") == 1
    assert estimate_tokens("abcde") == 2
    assert estimate_tokens("東京") == 2
    assert estimate_tokens("\ud800") == 1


@given(snippets=st.lists(texts, max_size=6), budget=st.integers(1, 600))
def test_hits_within_a_budget_are_the_first_ones_and_the_rest_is_counted(
    snippets: list[str], budget: int
) -> None:
    hits = [hit(snippet) for snippet in snippets]

    kept, more = within_budget(hits, budget)

    assert kept == hits[: len(kept)]
    assert len(kept) + more == len(hits)
    assert sum(estimate_tokens(one.snippet) for one in kept) <= budget
    wider, _ = within_budget(hits, budget + 100)
    assert len(wider) >= len(kept)


def test_no_budget_keeps_everything() -> None:
    hits = [hit("x" * 1_000)] * 3

    assert within_budget(hits, None) == (hits, 0)
