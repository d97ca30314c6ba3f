"""How much of a query a section covers, and whether that is an answer.

A word weighs what it tells: its inverse document frequency, and the most there is for a word that
no section holds. The share of the query's weight that a section covers is its confidence. Of a long
query nobody expects every word: the weight of its ten weightiest words is enough.
"""

from collections.abc import Iterable, Set
from dataclasses import dataclass

from kbdb.index.matching import Unit
from kbdb.model import Verdict

ANSWERED_FROM = 0.7
WEAK_FROM = 0.33
FLOOR = 0.1
# A base of five notes says little of which words are common; it is judged as if it held some more.
PRIOR_SECTIONS = 100
# How much of the confidence is for words that stand together rather than anywhere in the section.
TOGETHER = 0.25
# What finding only some parts of an identifier is worth beside finding it.
_PARTIAL = 0.7
ENOUGH_WORDS = 10


@dataclass(frozen=True, slots=True)
class Weighed:
    """A word of the query with its weight."""

    unit: Unit
    weight: float


def covered(weighed: Weighed, terms: Set[str]) -> float:
    """Return what a section with these terms covers of a word's weight."""
    best = 0.0
    for alternative in weighed.unit.alternatives:
        present = sum(term in terms for term in alternative)
        if present == len(alternative):
            return weighed.weight
        best = max(best, _PARTIAL * present / len(alternative))
    return best * weighed.weight


def verdict_of(confidences: Iterable[float]) -> Verdict:
    """Return the verdict for the confidences of an answer's hits."""
    best = max(confidences, default=0.0)
    if best >= ANSWERED_FROM:
        return Verdict.ANSWERED
    return Verdict.WEAK if best >= WEAK_FROM else Verdict.UNANSWERED
