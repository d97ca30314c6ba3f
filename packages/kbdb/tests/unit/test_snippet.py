"""Snippets: the stretch that answers best, with marks that lie where they say."""

from hypothesis import given
from hypothesis import strategies as st

from kbdb.search.snippet import best_snippet

pieces = st.lists(
    st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=120), max_size=60
)


@given(
    some=pieces,
    hits=st.dictionaries(st.integers(0, 59), st.sampled_from(("a", "b")), max_size=8),
    surfaces=st.lists(st.text("aiİß", min_size=1, max_size=4), max_size=3),
)
def test_marks_lie_in_the_snippet_one_behind_the_other(
    some: list[str], hits: dict[int, str], surfaces: list[str]
) -> None:
    matches = {at: (1.0, term) for at, term in hits.items() if at < len(some)}

    snippet = best_snippet(some, matches, surfaces)

    assert "\n" not in snippet.text
    edges = [edge for mark in snippet.highlights for edge in mark]
    assert edges == sorted(edges)
    assert all(0 <= begin < end <= len(snippet.text) for begin, end in snippet.highlights)


def test_window_holds_the_densest_run_of_matches() -> None:
    words = [f"w{number}" for number in range(300)]

    snippet = best_snippet(words, {3: (1.0, "a"), 200: (1.0, "a"), 202: (2.0, "b")}, ["x"])

    marked = [snippet.text[begin:end] for begin, end in snippet.highlights]
    assert marked == ["w200", "w202"]
    assert snippet.text.startswith("…")
    assert snippet.text.endswith(" …")
    assert len(snippet.text) < 300


def test_short_text_is_shown_whole() -> None:
    assert best_snippet(["one", "two"], {}, []).text == "one two"
    assert best_snippet([], {}, []).text == ""


def test_long_run_without_spaces_is_cut_around_the_word() -> None:
    piece = "x" * 500 + "needle" + "y" * 500

    snippet = best_snippet([piece], {0: (1.0, "needle")}, ["needle"])

    ((begin, end),) = snippet.highlights
    assert snippet.text[begin:end] == "needle"
    assert len(snippet.text) < 260


def test_letters_that_grow_in_lower_case_do_not_move_the_marks() -> None:
    snippet = best_snippet(["İ" * 40 + "needle" + "z" * 40], {0: (1.0, "needle")}, ["needle"])

    ((begin, end),) = snippet.highlights
    assert snippet.text[begin:end] == "needle"


def test_words_of_a_query_that_overlap_are_marked_once() -> None:
    snippet = best_snippet(["x" * 70 + "foobar"], {0: (1.0, "foobar")}, ["foo", "foobar", "bar"])

    edges = [edge for mark in snippet.highlights for edge in mark]
    assert edges == sorted(edges)
