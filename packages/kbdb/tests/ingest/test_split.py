"""Very long sections in pieces."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from kbdb.ingest.split import MAX_CHARACTERS, MIN_CHARACTERS, split

seeds = st.integers(0, 10_000)


def paragraphs(seed: int, count: int) -> list[str]:
    """Return different paragraphs of 40 to 400 characters."""
    return [f"{seed} {n} " + "word " * (8 + (n * 7 + seed) % 72) + "\n\n" for n in range(count)]


def test_short_text_is_one_piece() -> None:
    assert split("a\n\nb") == ("a\n\nb",)


@given(seeds, st.integers(0, 200))
def test_pieces_joined_are_the_text_and_within_the_limits(seed: int, count: int) -> None:
    text = "".join(paragraphs(seed, count))

    pieces = split(text)

    assert "".join(pieces) == text
    assert all(len(piece) <= MAX_CHARACTERS for piece in pieces)
    assert len(pieces) == 1 or min(map(len, pieces)) >= MIN_CHARACTERS
    assert all(piece.endswith("\n\n") for piece in pieces[:-1])


@settings(max_examples=50)
@given(seeds, st.integers(0, 299))
def test_editing_one_paragraph_changes_few_pieces(seed: int, edited: int) -> None:
    blocks = paragraphs(seed, 300)
    before = split("".join(blocks))
    blocks[edited] = "an edit of another length altogether\n\n"

    after = split("".join(blocks))

    # Counting from the start would change every piece after the edit: half of about 14 on average.
    assert sum((Counter(after) - Counter(before)).values()) <= 6


@settings(max_examples=20)
@given(seeds)
def test_edit_at_the_top_leaves_most_pieces_of_a_long_text_alone(seed: int) -> None:
    blocks = paragraphs(seed, 1500)
    before = split("".join(blocks))

    after = split("new\n\n" + "".join(blocks))

    assert len(set(before) & set(after)) > 0.8 * len(before)


@given(st.text(st.sampled_from("ab .\n"), min_size=0, max_size=50), st.integers(1, 2000))
def test_any_text_is_given_back_within_the_limit(unit: str, times: int) -> None:
    text = unit * times

    pieces = split(text)

    assert "".join(pieces) == text
    assert all(0 < len(piece) <= MAX_CHARACTERS for piece in pieces) or text == ""


def test_run_without_white_space_is_cut_at_the_limit() -> None:
    assert [len(piece) for piece in split("x" * 20_000)] == [8000, 8000, 4000]


def test_line_of_sentences_is_cut_after_a_sentence() -> None:
    pieces = split("A sentence of some words. " * 1000)

    assert all(piece.endswith(". ") for piece in pieces)


def test_paragraph_that_fits_is_not_torn_to_fill_the_piece_before_it() -> None:
    intro, long = "intro " * 50 + "\n\n", "word " * 1590 + "\n\n"

    assert split(intro + long + "after " * 500)[:1] == (intro,)


@given(st.integers(0, 12_000), st.integers(1, 30_000), st.integers(0, 12_000))
def test_whole_range_is_never_cut(before: int, inside: int, after: int) -> None:
    text = "a\n\n" * (before // 3) + "f\n\n" * (inside // 3) + "b\n\n" * (after // 3)
    start, end = before // 3 * 3, before // 3 * 3 + inside // 3 * 3

    pieces = split(text, whole=[(start, end)] if end > start else [])

    assert "".join(pieces) == text
    at = 0
    for piece in pieces[:-1]:
        at += len(piece)
        assert not start < at < end
