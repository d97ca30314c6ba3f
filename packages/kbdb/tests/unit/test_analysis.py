"""Text to terms: one way for sections and queries, whatever the script."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.errors import UnknownValueError
from kbdb.index.analysis import NO_LANGUAGE, Analyzer, is_single_character

ENGLISH = Analyzer("english")
PLAIN = Analyzer(NO_LANGUAGE)
MARKS = "\u0301\u0651\u05b0\u0e31\u200d\u00ad"
odd_text = st.text(
    st.one_of(
        st.characters(), st.sampled_from(f"{MARKS}.-_'/#+:&@ \n"), st.sampled_from("aZ09東京한é😀")
    ),
    max_size=30,
)


def words(text: str) -> list[str]:
    return [word.whole for word in ENGLISH.words(text)]


@given(text=odd_text)
def test_terms_are_single_non_empty_words_of_bounded_length(text: str) -> None:
    terms = ENGLISH.terms(text)

    assert terms == " ".join(terms.split())
    assert "\n" not in terms
    assert all(len(term) <= 140 for term in terms.split())
    terms.encode("utf-8")


@given(text=odd_text)
def test_a_query_asks_for_nothing_that_the_text_itself_would_not_hold(text: str) -> None:
    held = set(ENGLISH.terms(text).split())

    asked = [term for word in ENGLISH.words(text) for term in word.terms]

    assert set(asked) <= held
    assert all(asked)


@given(parts=st.lists(odd_text, max_size=4))
def test_terms_of_a_text_are_those_of_its_pieces(parts: list[str]) -> None:
    together = ENGLISH.terms("\n".join(parts))

    assert together == " ".join(filter(None, map(ENGLISH.terms, parts)))
    pieces = "\n".join(parts).split()
    assert [ENGLISH.terms(piece) for piece in pieces] == list(ENGLISH.terms_of_pieces(pieces))


@given(text=odd_text)
def test_case_does_not_matter_where_it_marks_no_border(text: str) -> None:
    lower = re.sub(r"[^a-z0-9 ]", "", text.lower())

    assert PLAIN.terms(lower) == PLAIN.terms(lower.upper())


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("getUserName", "getusernam", ("get", "user", "name")),
        ("get_user_name", "getusernam", ("get", "user", "name")),
        ("--no-worker", "nowork", ("no", "worker")),
        ("HTTPServer", "httpserver", ("http", "server")),
        ("38.101", "38.101", ("38", "101")),
        ("sha256", "sha256", ("sha", "256")),
        ("C++", "c++", ("c",)),
        ("C#", "c#", ("c",)),
        ("don't", "dont", ()),
        ("server's", "server", ()),
        ("Café", "cafe", ()),
        ("Straße", "strass", ()),
        ("ﬁle", "file", ()),
    ],
)
def test_word_is_indexed_whole_and_in_its_parts(
    text: str, whole: str, parts: tuple[str, ...]
) -> None:
    (word,) = ENGLISH.words(text)

    assert word.whole == whole
    assert set(word.parts) >= set(ENGLISH.terms(" ".join(parts)).split())


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("東京都", ["東京", "京都", "都"]),
        ("東", ["東"]),
        ("サーバー再起動", ["サー", "ーバ", "バー", "ー再", "再起", "起動", "動"]),
        ("서울시", ["서울", "울시", "시"]),
        ("x東京y", ["x", "東京", "京", "y"]),
    ],
)
def test_unspaced_scripts_become_bigrams_and_a_last_character(text: str, terms: list[str]) -> None:
    assert ENGLISH.terms(text).split() == terms


def test_query_for_an_unspaced_run_does_not_ask_where_it_ends() -> None:
    assert words("東京都") == ["東京", "京都"]
    assert words("都") == ["都"]


def test_single_characters_are_told_from_other_terms() -> None:
    assert is_single_character("都")
    assert not is_single_character("東京")
    assert not is_single_character("a")


@pytest.mark.parametrize("text", ["\u0301", "\u0651 \u05b0", "!?", "\u200d", "' _ -"])
def test_text_without_letters_has_no_terms(text: str) -> None:
    assert ENGLISH.terms(text) == ""
    assert words(text) == []


def test_runs_of_any_length_are_cut() -> None:
    for text in ("a" * 100_000, "a" * 100_000 + "++", "a-" * 50_000, "1" * 100_000, "漢" * 10_000):
        assert all(len(term.encode()) < 1_000 for term in ENGLISH.terms(text).split())


def test_language_chooses_the_stemmer() -> None:
    assert Analyzer("german").terms("Häuser Haus") == "haus haus"
    assert PLAIN.terms("running") == "running"
    assert ENGLISH.terms("running runs") == "run run"
    assert ENGLISH.signature != PLAIN.signature
    with pytest.raises(UnknownValueError) as refused:
        Analyzer("englsh")
    assert "'english'" in (refused.value.hint or "")


def test_operator_on_its_own_is_a_term_and_rules_and_fences_are_not() -> None:
    assert Analyzer("english").terms("a -> b => ()*^~").split() == ["a", "->", "b", "=>", "()*^~"]
    assert Analyzer("english").terms("--- ``` |---| ** ... ?! ===").split() == []
