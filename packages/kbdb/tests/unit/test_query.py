"""A user's text read as a query: whatever it holds, it is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.index.analysis import Analyzer
from kbdb.search.query import Reading, read_query

ENGLISH = Analyzer("english")


def read(text: str) -> Reading:
    return read_query(text, ENGLISH, with_prefix=lambda prefix: (f"{prefix}京", prefix))


@given(text=st.text(st.one_of(st.characters(), st.sampled_from('"“”「」 ab')), max_size=60))
def test_any_text_is_read(text: str) -> None:
    reading = read(text)

    for unit in reading.units:
        assert unit.count >= 1
        assert unit.alternatives
        assert all(terms and all(terms) for terms in unit.alternatives)
        assert unit.weights.keys() == set(unit.terms)
    assert len({unit.alternatives for unit in reading.units}) == len(reading.units)
    assert all(len(phrase) > 1 for phrase in reading.phrases)


def test_words_are_counted_and_stop_words_only_hint() -> None:
    reading = read("rotate the keys and rotate the locks")

    assert [(unit.surface, unit.count) for unit in reading.units] == [
        ("rotate", 2),
        ("keys", 1),
        ("locks", 1),
    ]
    assert reading.hints == ("the", "and")
    assert not reading.is_question


def test_stop_words_alone_are_words() -> None:
    reading = read("to be or not to be")

    assert [unit.surface for unit in reading.units] == ["to", "be", "or", "not"]
    assert reading.hints == ()


def test_question_is_told_from_a_quotation() -> None:
    assert read("how do I rotate keys").is_question
    assert not read("rotate how keys").is_question


@pytest.mark.parametrize("quotes", ['""', "“”", "„“", "«»", "»«", "「」"])
def test_quotes_of_any_kind_ask_for_a_phrase(quotes: str) -> None:
    assert read(f"{quotes[0]}open doors{quotes[1]} now").phrases == (("open", "door"),)


def test_open_quote_and_quoted_word_ask_for_no_phrase() -> None:
    for text in ('"rotate keys', 'rotate "keys" now', '""', '" "', '"'):
        assert read(text).phrases == ()


def test_identifier_may_be_matched_by_its_parts_but_a_name_with_signs_may_not() -> None:
    (unit,) = read("getUserName").units
    assert unit.alternatives == (("getusernam",), ("get", "user", "name"))
    assert unit.weights["getusernam"] > unit.weights["get"]
    (unit,) = read("C++").units
    assert unit.alternatives == (("c++",),)


def test_single_character_stands_for_all_bigrams_that_begin_with_it() -> None:
    (unit,) = read("東").units

    assert unit.alternatives == (("東",), ("東京",))


def test_query_of_ten_thousand_words_is_read_as_far_as_its_first_hundreds() -> None:
    reading = read(" ".join(f"word{chr(97 + n % 26)}{n}" for n in range(10_000)))

    assert 1 < len(reading.units) <= 256
