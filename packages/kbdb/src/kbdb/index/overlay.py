"""Fresh sections, searched beside the main index until it has taken them in.

A plain inverted index in memory that scores as the main index does, with the statistics of both.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from kbdb.index.matching import HINT_WEIGHT, Lookup, Unit, idf

_K1 = 1.2
_B = 0.75


@dataclass(slots=True)
class _Entry:
    terms: str
    labels: frozenset[str]
    counts: Counter[str] = field(default_factory=Counter)
    length: int = 0


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 needs to know of all sections, fresh ones included.

    ``df`` answers how many sections hold a term.
    """

    section_count: int
    mean_length: float
    df: Callable[[str], int]

    def rarity(self, term: str) -> float:
        """Return a term's inverse document frequency."""
        return idf(self.df(term), self.section_count)


class Overlay:
    """Sections by row id; an id without terms hides what the main index still holds under it.

    Not thread-safe: its owner holds a lock around each call.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._entries: dict[int, _Entry | None] = {}
        self._unread: dict[int, None] = {}
        self._postings: dict[str, dict[int, int]] = {}
        self._token_count = 0
        self._live_count = 0

    def __len__(self) -> int:
        """Count the ids that are fresh or hidden."""
        return len(self._entries)

    def __contains__(self, ident: int) -> bool:
        """Say whether the main index's own answer for this id is out of date."""
        return ident in self._entries

    @property
    def live_count(self) -> int:
        """Count the sections that can be found here."""
        return self._live_count

    @property
    def token_count(self) -> int:
        """Count the terms of all sections here, with repeats."""
        self._read()
        return self._token_count

    def put(self, ident: int, terms: str, labels: Iterable[str]) -> None:
        """Add or replace a section."""
        self.hide(ident)
        self._entries[ident] = _Entry(terms, frozenset(labels))
        self._live_count += 1
        self._unread[ident] = None

    def hide(self, ident: int) -> None:
        """Make a section impossible to find, here and in the main index."""
        entry = self._entries.get(ident)
        if entry is not None and ident not in self._unread:
            self._token_count -= entry.length
            for term in entry.counts:
                del self._postings[term][ident]
        self._live_count -= entry is not None
        self._unread.pop(ident, None)
        self._entries[ident] = None

    def df(self, term: str) -> int:
        """Count the fresh sections that hold a term."""
        self._read()
        return len(self._postings.get(term, ()))

    def with_prefix(self, prefix: str) -> set[str]:
        """Return the terms that start with a prefix."""
        self._read()
        return {term for term, ids in self._postings.items() if ids and term.startswith(prefix)}

    def search(
        self, lookup: Lookup, *, need_all: bool, statistics: Statistics
    ) -> list[tuple[float, int]]:
        """Return score and id of every fresh section that matches, in no order."""
        self._read()
        found: Counter[int] = Counter()
        for unit in lookup.units:
            found.update(self._matching(unit, need_all=need_all))
        needed = len(lookup.units) if need_all else 1
        groups = [
            {term: weight * statistics.rarity(term) for term, weight in group.items()}
            for group in _groups(lookup, need_all=need_all)
        ]
        return [
            (self._score(ident, groups, statistics.mean_length), ident)
            for ident, count in found.items()
            if count >= needed and self._admits(ident, lookup)
        ]

    def sharing(self, terms: Iterable[str], *, at_least: int) -> list[int]:
        """Return the ids of sections that hold at least so many of the terms."""
        self._read()
        shared: Counter[int] = Counter()
        for term in terms:
            # A counter adds a mapping's values; each section holds a term once here.
            shared.update(self._postings.get(term, {}).keys())
        return [ident for ident, count in shared.items() if count >= at_least]

    def _read(self) -> None:
        """Invert what was put since the last look; a bulk nobody searches never pays for it."""
        for ident in self._unread:
            entry = self._entries[ident]
            if entry is None:
                continue
            entry.counts.update(entry.terms.split())
            entry.length = entry.counts.total()
            self._token_count += entry.length
            for term, count in entry.counts.items():
                self._postings.setdefault(term, {})[ident] = count
        self._unread.clear()

    def _matching(self, unit: Unit, *, need_all: bool) -> set[int]:
        if not need_all:
            return {ident for term in unit.terms for ident in self._postings.get(term, ())}
        found: set[int] = set()
        for terms in unit.alternatives:
            holders = [self._postings.get(term, {}).keys() for term in terms]
            found |= set(holders[0]).intersection(*holders[1:])
        return found

    def _admits(self, ident: int, lookup: Lookup) -> bool:
        entry = self._entries[ident]
        if entry is None or not entry.labels.issuperset(lookup.labels):
            return False
        if lookup.needs_hints and not all(term in entry.counts for term in lookup.hints):
            return False
        text = f" {' '.join(entry.terms.split())} " if lookup.phrases else ""
        return all(f" {' '.join(phrase)} " in text for phrase in lookup.phrases)

    def _score(self, ident: int, groups: Iterable[dict[str, float]], mean_length: float) -> float:
        entry = self._entries[ident]
        if entry is None:
            return 0.0
        norm = _K1 * (1 - _B + _B * entry.length / max(mean_length, 1e-9))
        counts = entry.counts
        score = 0.0
        for weights in groups:
            if weights.keys() <= counts.keys():
                for term, weight in weights.items():
                    tf = counts[term]
                    score += weight * tf * (_K1 + 1) / (tf + norm)
        return score


def _groups(lookup: Lookup, *, need_all: bool) -> Iterator[dict[str, float]]:
    """Yield terms with their weights; a group counts for a section that holds all of it."""
    for unit in lookup.units:
        weights = unit.weights
        if need_all:
            for terms in unit.alternatives:
                repeats = Counter(terms)
                yield {term: weights[term] * count for term, count in repeats.items()}
        else:
            yield from ({term: weight} for term, weight in weights.items())
    yield from ({term: HINT_WEIGHT} for term in lookup.hints)
