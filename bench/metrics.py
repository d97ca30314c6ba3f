"""Measures of a ranking against judgements, each of one query, and their means with an interval.

A ranking is the ids in the order they were returned. Judgements map an id to its gain, a positive
number; an id that is missing was judged worthless or was not judged.
"""

from collections.abc import Mapping, Sequence
from math import log2

from bench.stream import Stream

Gains = Mapping[str, float]


def dcg(gains: Sequence[float]) -> float:
    """Return the discounted cumulative gain of gains in ranked order.

    Source: Järvelin & Kekäläinen 2002, with the usual discount of ``log2(rank + 1)``.
    """
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def ndcg(ranking: Sequence[str], judged: Gains, *, k: int) -> float:
    """Return nDCG at ``k``, 0 to 1; the ideal ranking is made of everything judged."""
    ideal = dcg(sorted(judged.values(), reverse=True)[:k])
    return dcg([judged.get(found, 0.0) for found in ranking[:k]]) / ideal if ideal else 0.0


def average_precision(ranking: Sequence[str], judged: Gains) -> float:
    """Return the mean over everything relevant of the precision where it was found, or of 0."""
    found = 0
    total = 0.0
    for rank, document in enumerate(ranking, start=1):
        if document in judged:
            found += 1
            total += found / rank
    return total / len(judged) if judged else 0.0


def reciprocal_rank(ranking: Sequence[str], judged: Gains) -> float:
    """Return one over the rank of the first relevant document, or 0."""
    ranks = (rank for rank, document in enumerate(ranking, start=1) if document in judged)
    first = next(ranks, None)
    return 1 / first if first else 0.0


def recall(ranking: Sequence[str], judged: Gains, *, k: int) -> float:
    """Return the share of everything relevant that is among the first ``k``."""
    return len(judged.keys() & set(ranking[:k])) / len(judged) if judged else 0.0


def hit(ranking: Sequence[str], judged: Gains, *, k: int) -> float:
    """Return 1 if anything relevant is among the first ``k``, else 0."""
    return float(any(document in judged for document in ranking[:k]))


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean; 0 for no values."""
    return sum(values) / len(values) if values else 0.0


def bootstrap_interval(
    values: Sequence[float], *, seed: int, resample_count: int = 1_000, coverage: float = 0.95
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of the mean.

    Args:
        values: One measure a query; queries are what is drawn anew.
        seed: Names the stream, so that the same values give the same interval.
        resample_count: Resamples.
        coverage: The share of resampled means that the interval holds.

    Source: Efron & Tibshirani 1993, section 13.3.
    """
    if not values:
        return (0.0, 0.0)
    stream = Stream(seed, "bootstrap", len(values))
    count = len(values)
    means = sorted(
        sum(values[draw * count >> 32] for draw in stream.words(count)) / count
        for _ in range(resample_count)
    )
    outside = round((1 - coverage) / 2 * resample_count)
    return (means[outside], means[-1 - outside])


def percentile(values: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile; ``share`` is 0.99 for p99."""
    ordered = sorted(values)
    rank = max(1, -int(-share * len(ordered) // 1))
    return ordered[min(rank, len(ordered)) - 1]
