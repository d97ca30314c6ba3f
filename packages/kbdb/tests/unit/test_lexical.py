"""The main lexical index: replaced, deleted and found, with readers that stay where they are."""

from pathlib import Path

import pytest

from kbdb.index.lexical import Entry, LexicalIndex, LexicalReader
from kbdb.index.matching import Lookup, Unit


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    return LexicalIndex(tmp_path / "lexical")


def found(reader: LexicalReader, *terms: str, need_all: bool = True, limit: int = 10) -> set[int]:
    lookup = Lookup(units=tuple(Unit(term, ((term,),)) for term in terms))
    return {ident for _, ident in reader.search(lookup, need_all=need_all, limit=limit)}


def test_empty_index_answers_nothing(index: LexicalIndex) -> None:
    reader = index.reader()

    assert found(reader, "a") == set()
    assert reader.sharing(["a"], at_least=1, limit=10) == []
    assert (reader.section_count, reader.df("a"), reader.with_prefix("a")) == (0, 0, [])


def test_entry_replaces_the_one_of_its_id_and_no_terms_delete_it(index: LexicalIndex) -> None:
    index.write([Entry(1, "a b"), Entry(2, "b c"), Entry(3, "")], bulk=True)
    assert found(index.reader(), "b") == {1, 2}

    index.write([Entry(1, "c d"), Entry(2, None), Entry(9, None)])

    reader = index.reader()
    assert found(reader, "b") == set()
    assert found(reader, "c") == {1}
    assert reader.section_count == 2


def test_reader_keeps_the_commit_it_was_made_from(index: LexicalIndex) -> None:
    index.write([Entry(1, "a")])
    before = index.reader()

    index.write([Entry(2, "a")])

    assert found(before, "a") == {1}
    assert found(index.reader(), "a") == {1, 2}


def test_sections_that_share_enough_terms_are_named(index: LexicalIndex) -> None:
    index.write([Entry(1, "a b c"), Entry(2, "a b"), Entry(3, "a")])
    reader = index.reader()

    assert set(reader.sharing(["a", "b", "c"], at_least=2, limit=10)) == {1, 2}
    assert len(reader.sharing(["a"], at_least=1, limit=2)) == 2


def test_any_word_under_a_filter_still_needs_a_word(index: LexicalIndex) -> None:
    index.write([Entry(1, "a", ("tag:red",)), Entry(2, "b", ("tag:red",)), Entry(3, "a")])
    lookup = Lookup(units=(Unit("a", (("a",),)), Unit("z", (("z",),))), labels=("tag:red",))

    hits = index.reader().search(lookup, need_all=False, limit=10)

    assert [ident for _, ident in hits] == [1]


def test_index_survives_being_opened_again(index: LexicalIndex, tmp_path: Path) -> None:
    index.write([Entry(1, "a")])

    assert found(LexicalIndex(tmp_path / "lexical").reader(), "a") == {1}
