"""Keyword search ranks judged documents and finds known passages, no worse than the floors."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.judged import LOADERS
from bench.known_items import Kind, known_items
from bench.metrics import mean
from bench.suites.known_item import (
    FLOORS as KNOWN_ITEM_FLOORS,
)
from bench.suites.known_item import (
    PAGES,
    SEED,
    Asker,
    Outcome,
    describe,
    hits,
)
from bench.suites.quality import FLOORS, Answer, ask, judge, learn_collection, nonsense

from kbdb import KnowledgeBase
from kbdb.model import Verdict


@pytest.fixture(scope="module", params=sorted(LOADERS))
def judged_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def judged_base(
    judged_name: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path_factory.mktemp("judged") / "kb") as base:
        learn_collection(base, LOADERS[judged_name]())
        yield base


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_judged_documents_rank_above_the_floor(
    judged_name: str, judged_base: KnowledgeBase
) -> None:
    collection = LOADERS[judged_name]()

    answers: list[Answer] = [ask(judged_base, query, depth=10) for query in collection.queries]

    by_metric = {record.metric: record.value for record in judge(collection, answers)}
    assert by_metric["nDCG@10"] >= FLOORS[judged_name], by_metric


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_foreign_queries_are_never_answered(judged_name: str, judged_base: KnowledgeBase) -> None:
    (other,) = LOADERS.keys() - {judged_name}

    answers = [ask(judged_base, query, depth=10) for query in LOADERS[other]().queries]

    answered = [answer for answer in answers if answer.first.verdict is Verdict.ANSWERED]
    assert [answer.query.text for answer in answered] == []


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nonsense_is_unanswered(judged_base: KnowledgeBase) -> None:
    answers = [ask(judged_base, query, depth=10) for query in nonsense(50)]

    assert {answer.first.verdict for answer in answers} == {Verdict.UNANSWERED}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    home = tmp_path_factory.mktemp("pages")
    with KnowledgeBase.create(home / ".kbdb") as base:
        base.learn_folder(PAGES)
        asker = Asker(base, home=home)
        items = known_items(sorted(PAGES.rglob("*.md")), count=150, seed=SEED)
        return [asker.ask(item) for item in items]


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_known_items_are_found_as_often_as_the_floor_says(
    outcomes: list[Outcome], kind: Kind
) -> None:
    found = hits(outcomes, kind)

    missed = [describe(outcome) for outcome in outcomes if (outcome.rank or 99) > 5]
    assert len(found) == 150
    assert mean(found) >= KNOWN_ITEM_FLOORS[kind], "\n".join(missed)


def test_learning_the_pages_leaves_them_untouched(tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in PAGES.rglob("*") if path.is_file()}

    with KnowledgeBase.create(tmp_path / "kb") as base:
        base.learn_folder(PAGES)

    assert {path: path.read_bytes() for path in PAGES.rglob("*") if path.is_file()} == before
