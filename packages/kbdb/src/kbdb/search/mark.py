"""What a section has of a query: which words, how much that is, and where it shows best.

This runs for every hit of every search, so what depends on the query alone is worked out once.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from kbdb.index.analysis import Analyzer
from kbdb.index.text import body_terms as make_body_terms
from kbdb.search.snippet import Snippet, best_snippet
from kbdb.search.verdict import ENOUGH_WORDS, Weighed, covered

# What a term ends at: the next term, the next piece, or the end.
_AROUND = " \n"


@dataclass(frozen=True, slots=True)
class Marked:
    """One section marked up; all but the words are shares of the query, 0 to 1.

    ``coverage`` is what the section holds, ``closeness`` what its title and the snippet hold.
    """

    coverage: float
    closeness: float
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
            for terms in word.unit.alternatives:
                # Parts of an identifier are everywhere; all of them together are worth the whole.
                share = word.weight / len(terms)
                for term in terms:
                    self._weights[term] = max(share, self._weights.get(term, 0.0))

    def mark(self, text: str, body_terms: str, *, title: str, extra: str) -> Marked:
        """Mark a section.

        Args:
            text: Its body, from which the snippet is taken; of an image, ``extra`` is.
            body_terms: The terms of the text, a line for each piece between white space.
            title: Its title.
            extra: What its documents add to it.
        """
        if not text and extra:
            text, body_terms = extra, make_body_terms(self._analyzer, extra)
        pieces = text.split()
        matches = self._matches(body_terms)
        best = {at: max(found) for at, found in matches.items() if at < len(pieces)}
        snippet = best_snippet(pieces, best, self._surfaces)
        start, stop = snippet.window
        head = self._weights.keys() & self._analyzer.terms(f"{title} {extra}").split()
        near = head.union(
            term for at, found in matches.items() if start <= at < stop for _, term in found
        )
        present = near.union(term for found in matches.values() for _, term in found)
        parts = [covered(word, present) for word in self._words]
        coverage = self._share(parts)
        closeness = coverage
        if len(near) < len(present):
            closeness = self._share([covered(word, near) for word in self._words])
        return Marked(
            coverage=coverage,
            closeness=closeness,
            matched=tuple(
                surface for surface, part in zip(self._surfaces, parts, strict=True) if part
            ),
            snippet=snippet,
        )

    def _share(self, parts: Sequence[float]) -> float:
        return min(1.0, sum(parts) / self._enough) if self._enough else 0.0

    def _matches(self, terms: str) -> dict[int, list[tuple[float, str]]]:
        """Return, by the position of a piece, the weight and name of each term it has."""
        matches: dict[int, list[tuple[float, str]]] = {}
        for term, weight in self._weights.items():
            at = terms.find(term)
            while at >= 0:
                end = at + len(term)
                if (not at or terms[at - 1] in _AROUND) and terms[end : end + 1] in _AROUND:
                    matches.setdefault(terms.count("\n", 0, at), []).append((weight, term))
                at = terms.find(term, end)
        return matches
