"""What a section has of a query: which words, how much that is, and where it shows best.

This runs for every hit of every search, so what depends on the query alone is worked out once.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from kbdb.index.analysis import Analyzer
from kbdb.search.snippet import Snippet, best_snippet
from kbdb.search.verdict import ENOUGH_WORDS, Weighed, covered


@dataclass(frozen=True, slots=True)
class Marked:
    """One section marked up; ``confidence`` is the share of the query it covers, 0 to 1."""

    confidence: float
    matched: tuple[str, ...]
    snippet: Snippet


class Marker:
    """Marks sections for one query."""

    def __init__(self, words: Sequence[Weighed], analyzer: Analyzer) -> None:
        """Take the query's words with their weights; at least one."""
        self._words = words
        self._analyzer = analyzer
        self._surfaces = [word.unit.surface for word in words]
        self._enough = sum(heapq.nlargest(ENOUGH_WORDS, (word.weight for word in words)))
        self._weights: dict[str, float] = {}
        for word in words:
            for term in word.unit.terms:
                self._weights[term] = max(word.weight, self._weights.get(term, 0.0))

    def mark(self, text: str, *, heading: str) -> Marked:
        """Mark a section.

        Args:
            text: Its body, from which the snippet is taken.
            heading: What else of it is searched.
        """
        pieces = text.split()
        matches = self._matches(self._analyzer.terms_of_pieces(pieces))
        present = {term for found in matches.values() for term in found}
        present |= self._weights.keys() & self._analyzer.terms(heading).split()
        weighed = {
            position: max((self._weights[term], term) for term in found)
            for position, found in matches.items()
        }
        parts = [covered(word, present) for word in self._words]
        return Marked(
            confidence=min(1.0, sum(parts) / self._enough) if self._enough else 0.0,
            matched=tuple(
                surface for surface, part in zip(self._surfaces, parts, strict=True) if part
            ),
            snippet=best_snippet(pieces, weighed, self._surfaces),
        )

    def _matches(self, terms_of_pieces: Sequence[str]) -> dict[int, list[str]]:
        """Return, by position, the terms of the query that each piece holds."""
        weights = self._weights
        matches: dict[int, list[str]] = {}
        for position, terms in enumerate(terms_of_pieces):
            if terms in weights:
                matches[position] = [terms]
            elif " " in terms and (found := [term for term in terms.split() if term in weights]):
                matches[position] = found
        return matches
