"""One consistent look at the index: the main one's last commit, and the fresh sections."""

import threading
from collections.abc import Iterable

from kbdb.index.catalogue import Catalogue
from kbdb.index.lexical import LexicalReader
from kbdb.index.matching import Lookup
from kbdb.index.overlay import Overlay, Statistics

# Asked for beyond the limit when some of the main index's answers may be out of date.
_SLACK = 16


class View:
    """Answers queries over both halves; safe to use from many threads.

    Later writes may show up in it; later commits of the main index do not.
    """

    def __init__(
        self,
        *,
        catalogue: Catalogue,
        reader: LexicalReader,
        overlay: Overlay,
        mutex: threading.RLock,
        mean_length: float,
    ) -> None:
        """Take both halves, the catalogue of their row ids, and the lock of the overlay."""
        self.catalogue = catalogue
        self._reader = reader
        self._overlay = overlay
        self._mutex = mutex
        self._mean_length = mean_length

    @property
    def section_count(self) -> int:
        """Count the sections that can be found, nearly: some may just be replaced."""
        return self._reader.section_count + self._overlay.live_count

    def df(self, term: str) -> int:
        """Count the sections that hold a term."""
        fresh = 0
        if self._overlay:
            with self._mutex:
                fresh = self._overlay.df(term)
        return self._reader.df(term) + fresh

    def with_prefix(self, prefix: str) -> tuple[str, ...]:
        """Return terms that start with a prefix."""
        terms = set(self._reader.with_prefix(prefix))
        with self._mutex:
            terms |= self._overlay.with_prefix(prefix)
        return tuple(sorted(terms))

    def search(self, lookup: Lookup, *, need_all: bool, limit: int) -> list[tuple[float, int]]:
        """Return score and row id of the best sections, best first.

        Args:
            lookup: What to look for.
            need_all: Whether a section must match every word, or any.
            limit: How many to return at most.
        """
        if not self._overlay:
            return self._reader.search(lookup, need_all=need_all, limit=limit)
        found = self._settled(lookup, need_all=need_all, limit=limit)
        with self._mutex:
            statistics = Statistics(self.section_count, self._mean_of_both(), self.df)
            found += self._overlay.search(lookup, need_all=need_all, statistics=statistics)
        found.sort(key=lambda hit: (-hit[0], hit[1]))
        return found[:limit]

    def sharing(self, terms: Iterable[str], *, at_least: int, limit: int) -> list[int]:
        """Return row ids of sections that hold at least so many of the terms.

        Args:
            terms: What to look for, each once.
            at_least: How many of them a section must hold.
            limit: Of the main index at least so many are returned where there are so many.
        """
        wanted = list(terms)
        asked = limit
        while True:
            found = self._reader.sharing(wanted, at_least=at_least, limit=asked)
            with self._mutex:
                settled = [ident for ident in found if ident not in self._overlay]
                if len(settled) >= limit or len(found) < asked:
                    return settled + self._overlay.sharing(wanted, at_least=at_least)
            asked *= 4

    def _mean_of_both(self) -> float:
        """Return the mean length of a section in terms, fresh ones included."""
        settled = self._reader.section_count * self._mean_length
        return (settled + self._overlay.token_count) / max(1, self.section_count)

    def _settled(self, lookup: Lookup, *, need_all: bool, limit: int) -> list[tuple[float, int]]:
        """Ask the main index until enough of its answers are up to date, or it has no more."""
        asked = limit + _SLACK
        while True:
            found = self._reader.search(lookup, need_all=need_all, limit=asked)
            with self._mutex:
                valid = [hit for hit in found if hit[1] not in self._overlay]
            if len(valid) >= limit or len(found) < asked:
                return valid
            asked *= 4
