"""The measures, against values worked out by hand and against laws."""

from math import log2

import pytest
from bench.metrics import (
    average_precision,
    bootstrap_interval,
    dcg,
    hit,
    mean,
    ndcg,
    percentile,
    recall,
    reciprocal_rank,
)
from hypothesis import given
from hypothesis import strategies as st

IDS = st.sampled_from("abcdefghij")
RANKINGS = st.lists(IDS, unique=True)
GAINS = st.dictionaries(IDS, st.sampled_from([1.0, 2.0, 3.0, 4.0]), min_size=1)


def test_dcg_halves_a_gain_at_rank_three() -> None:
    assert dcg([3, 0, 2]) == pytest.approx(3 + 2 / 2)


def test_ndcg_of_a_ranking_worked_out_by_hand() -> None:
    judged = {"a": 4.0, "b": 2.0, "c": 1.0}

    found = ndcg(["b", "x", "a"], judged, k=10)

    ideal = 4 + 2 / log2(3) + 1 / 2
    assert found == pytest.approx((2 + 4 / 2) / ideal)


def test_ndcg_counts_what_was_judged_and_not_found() -> None:
    assert ndcg(["a"], {"a": 1.0, "b": 1.0}, k=2) == pytest.approx(1 / (1 + 1 / log2(3)))


def test_average_precision_worked_out_by_hand() -> None:
    found = average_precision(["a", "x", "b", "y"], {"a": 1.0, "b": 4.0, "c": 1.0})

    assert found == pytest.approx((1 / 1 + 2 / 3) / 3)


def test_reciprocal_rank_is_of_the_first_relevant_document() -> None:
    assert reciprocal_rank(["x", "y", "b", "a"], {"a": 4.0, "b": 1.0}) == pytest.approx(1 / 3)
    assert reciprocal_rank(["x"], {"a": 1.0}) == 0


def test_recall_is_the_share_of_the_relevant_among_the_first() -> None:
    judged = {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}

    assert recall(["a", "x", "b"], judged, k=2) == 0.25
    assert recall(["a", "x", "b"], judged, k=3) == 0.5


def test_hit_asks_for_any_relevant_document_among_the_first() -> None:
    assert hit(["x", "a"], {"a": 1.0}, k=2) == 1
    assert hit(["x", "a"], {"a": 1.0}, k=1) == 0


def test_percentile_is_a_value_that_was_measured() -> None:
    values = [float(number) for number in range(1, 101)]

    assert [percentile(values, share) for share in (0.0, 0.5, 0.99, 1.0)] == [1, 50, 99, 100]


@given(judged=GAINS, rest=RANKINGS)
def test_ranking_by_gain_is_perfect(judged: dict[str, float], rest: list[str]) -> None:
    best = sorted(judged, key=lambda document: -judged[document])
    ranking = best + [document for document in rest if document not in judged]

    assert ndcg(ranking, judged, k=10) == pytest.approx(1)
    assert average_precision(ranking, judged) == pytest.approx(1)
    assert reciprocal_rank(ranking, judged) == 1
    assert recall(ranking, judged, k=10) == 1


@given(ranking=RANKINGS, judged=GAINS, k=st.integers(1, 12))
def test_every_measure_lies_between_zero_and_one(
    ranking: list[str], judged: dict[str, float], k: int
) -> None:
    measures = [
        ndcg(ranking, judged, k=k),
        average_precision(ranking, judged),
        reciprocal_rank(ranking, judged),
        recall(ranking, judged, k=k),
        hit(ranking, judged, k=k),
    ]

    assert all(0 <= measure <= 1 + 1e-12 for measure in measures)


@given(ranking=RANKINGS.filter(lambda ids: len(ids) > 1), judged=GAINS, data=st.data())
def test_moving_a_better_document_up_never_lowers_a_measure(
    ranking: list[str], judged: dict[str, float], data: st.DataObject
) -> None:
    upper = data.draw(st.integers(0, len(ranking) - 2))
    lower = data.draw(st.integers(upper + 1, len(ranking) - 1))
    swapped = list(ranking)
    swapped[upper], swapped[lower] = ranking[lower], ranking[upper]
    worse, better = sorted((ranking, swapped), key=lambda ids: judged.get(ids[upper], 0.0))

    assert ndcg(better, judged, k=5) >= ndcg(worse, judged, k=5) - 1e-12
    assert average_precision(better, judged) >= average_precision(worse, judged) - 1e-12
    assert reciprocal_rank(better, judged) >= reciprocal_rank(worse, judged)


@given(values=st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_bootstrap_interval_holds_the_mean_and_is_reproducible(values: list[float]) -> None:
    low, high = bootstrap_interval(values, seed=1, resample_count=200)

    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert bootstrap_interval(values, seed=1, resample_count=200) == (low, high)


def test_bootstrap_interval_is_that_of_the_normal_law_for_many_values() -> None:
    values = [float(number % 2) for number in range(400)]

    low, high = bootstrap_interval(values, seed=1)

    assert mean(values) == 0.5
    assert low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.006)
    assert high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.006)
