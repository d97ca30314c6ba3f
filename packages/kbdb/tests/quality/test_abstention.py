"""A base of software notes knows what it does not know."""

from collections.abc import Callable, Mapping

import pytest
from quality.software_notes import OFF_TOPIC, ON_TOPIC, software_notes

from kbdb import KnowledgeBase
from kbdb.model import Verdict
from kbdb.search.verdict import ANSWERED_FROM

MakeBase = Callable[[Mapping[str, str]], KnowledgeBase]


@pytest.fixture(scope="module")
def base(learned_base: MakeBase) -> KnowledgeBase:
    return learned_base(dict(software_notes()))


def test_base_holds_three_hundred_notes(base: KnowledgeBase) -> None:
    assert base.status().sections == 300


@pytest.mark.parametrize(
    "query", ["how to bake sourdough bread", "qwxzv blorptang", "qwxzv", "блинчики с творогом"]
)
def test_what_no_note_is_about_is_unanswered(base: KnowledgeBase, query: str) -> None:
    assert base.search(query).verdict is Verdict.UNANSWERED


def test_one_foreign_word_among_common_ones_is_not_answered(base: KnowledgeBase) -> None:
    assert base.search("how to bake the server config").verdict is not Verdict.ANSWERED


@pytest.mark.parametrize("query", OFF_TOPIC)
def test_foreign_subject_gets_no_confident_hit(base: KnowledgeBase, query: str) -> None:
    result = base.search(query)

    assert result.verdict is not Verdict.ANSWERED
    assert [hit.title for hit in result.hits if hit.confidence >= ANSWERED_FROM] == []


@pytest.mark.parametrize(("query", "docid"), ON_TOPIC)
def test_question_on_a_note_is_answered_with_it_first(
    base: KnowledgeBase, query: str, docid: str
) -> None:
    result = base.search(query)

    assert result.verdict is Verdict.ANSWERED
    assert result.hits[0].docid == docid
