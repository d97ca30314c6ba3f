"""Near duplicates: live sections whose set of terms is nearly that of a given one, found exactly.

If the sets overlap by Jaccard >= t, the other set misses at most ``|x| - ceil(t|x|)`` terms of x;
it holds nearly all of any choice of them; asking for the rarest makes candidates few. Every
candidate is then compared in full.
"""

from collections.abc import Callable, Iterator, Set
from math import ceil

from kbdb.errors import DamagedError
from kbdb.index.catalogue import Row
from kbdb.index.engine import Index
from kbdb.model import NearDuplicate, Section, is_text_type

THRESHOLD = 0.85
# Where more sections than this are near, the nearest of them say enough.
_CANDIDATES = 200
# Terms asked for beyond those that may be missing: more make fewer candidates and a longer query.
_SHARED = 10


def term_set(index: Index, section: Section) -> frozenset[str]:
    """Return the terms of a section's title and text, each once."""
    return frozenset(index.analyzer.terms(f"{section.title}\n{section.text}").split())


class NearDuplicates:
    """Finds near duplicates for the sections of one text.

    They are often near the same others, so what was read of those is kept.
    """

    def __init__(
        self,
        *,
        index: Index,
        read: Callable[[str], Section | None],
        without: Set[str] = frozenset(),
    ) -> None:
        """Say where to look.

        Args:
            index: Of the knowledge base.
            read: Returns a section by kb-id.
            without: kb-ids to leave out.
        """
        self._index = index
        self._read = read
        self._without = without
        self._term_sets: dict[str, frozenset[str]] = {}

    def of(self, section: Section) -> tuple[NearDuplicate, ...]:
        """Return the live near duplicates of a section, most similar first; never itself."""
        terms = term_set(self._index, section) if section.is_text else frozenset()
        found = self._compared(section.kbid, terms) if terms else ()
        return tuple(sorted(found, key=lambda one: (-one.similarity, one.kbid)))

    def _compared(self, kbid: str, terms: frozenset[str]) -> Iterator[NearDuplicate]:
        for row in self._candidates(terms):
            if row.kbid == kbid or row.kbid in self._without or not is_text_type(row.type):
                continue
            theirs = self._terms_of(row.kbid)
            similarity = len(terms & theirs) / len(terms | theirs)
            if similarity >= THRESHOLD:
                yield NearDuplicate(kbid=row.kbid, title=row.title, similarity=round(similarity, 4))

    def _candidates(self, terms: frozenset[str]) -> list[Row]:
        view = self._index.view()
        may_miss = len(terms) - ceil(THRESHOLD * len(terms))
        shared = min(_SHARED, len(terms) - may_miss)
        rarest = sorted(terms, key=lambda term: (view.df(term), term))[: may_miss + shared]
        idents = view.sharing(rarest, at_least=shared, limit=_CANDIDATES)
        return [row for row in view.catalogue.rows(idents).values() if row.is_live]

    def _terms_of(self, kbid: str) -> frozenset[str]:
        known = self._term_sets.get(kbid)
        if known is None:
            try:
                other = self._read(kbid)
            except DamagedError:
                other = None
            known = term_set(self._index, other) if other else frozenset()
            self._term_sets[kbid] = known
        return known
