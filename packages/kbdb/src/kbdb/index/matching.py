"""What a query asks of the index, free of any engine: words with alternatives, phrases, labels."""

from dataclasses import dataclass
from math import log1p

# A word that its parts match too would count twice; the whole must still rank first.
_WHOLE_WEIGHT = 0.8
_PART_WEIGHT = 0.3
HINT_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class Unit:
    """One word of a query.

    A section matches when it holds every term of one alternative; the first alternative is the word
    as it stands. ``count`` is how often the query repeats the word.
    """

    surface: str
    alternatives: tuple[tuple[str, ...], ...]
    count: int = 1

    @property
    def terms(self) -> tuple[str, ...]:
        """Every term of every alternative, each once."""
        return tuple(dict.fromkeys(term for terms in self.alternatives for term in terms))

    @property
    def weights(self) -> dict[str, float]:
        """What each term's score counts for, the query's repeats included."""
        has_parts = len(self.alternatives) > 1 and len(self.alternatives[1]) > 1
        weights = dict.fromkeys(self.terms, self.count * (_PART_WEIGHT if has_parts else 1.0))
        weights[self.alternatives[0][0]] = self.count * (_WHOLE_WEIGHT if has_parts else 1.0)
        return weights


@dataclass(frozen=True, slots=True)
class Lookup:
    """A whole query.

    ``hints`` are terms that add a little to the score, and that a section must hold only where
    ``needs_hints`` says so; ``phrases`` are runs of terms in order; ``labels`` filter before
    anything ranks.
    """

    units: tuple[Unit, ...]
    hints: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    labels: tuple[str, ...] = ()
    needs_hints: bool = False


def labels_of(*, type: str, docids: tuple[str, ...], tags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels that a section is filtered by."""
    return (
        f"type:{type}",
        *(f"docid:{docid}" for docid in docids),
        *(f"tag:{tag}" for tag in tags),
    )


def idf(df: int, count: int) -> float:
    """Return the inverse document frequency of a term that ``df`` of ``count`` sections hold.

    Source: Robertson & Zaragoza 2009, section 3; the +1 inside the logarithm keeps it positive.
    """
    return log1p((count - df + 0.5) / (df + 0.5))
