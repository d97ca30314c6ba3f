"""Near duplicates: live sections whose set of terms is nearly that of a given one, found exactly.

If the sets overlap by Jaccard >= t, the other set misses at most ``|x| - ceil(t|x|)`` terms of x;
it holds nearly all of any choice of them; asking for the rarest makes candidates few. Every candidate
is then compared in full.
"""

from collections.abc import Callable, Iterator, Set
from math import ceil

from kbdb.errors import DamagedError
from kbdb.index.engine import Index
from kbdb.model import NearDuplicate, Section

THRESHOLD = 0.85
# Where more sections than this are near, the nearest of them say enough.
_CANDIDATES = 200
# Terms asked for beyond those that may be missing: more make fewer candidates and a longer query.
_SHARED = 10


def term_set(index: Index, section: Section) -> frozenset[str]:
    """Return the terms of a section's title and text, each once."""
    return frozenset(index.analyzer.terms(f"{section.title}\n{section.text}").split())


def near_duplicates(
    section: Section,
    *,
    index: Index,
    read: Callable[[str], Section | None],
    without: Set[str] = frozenset(),
) -> tuple[NearDuplicate, ...]:
    """Return the live near duplicates of a section, most similar first.

    Args:
        section: Stored or not; itself never among the answers.
        index: Where to look.
        read: Returns a section by kb-id.
        without: kb-ids to leave out.
    """
    terms = term_set(index, section) if section.is_text else frozenset()
    found = [] if not terms else list(_compared(section, terms, index, read, without))
    return tuple(sorted(found, key=lambda one: (-one.similarity, one.kbid)))


def _compared(
    section: Section,
    terms: frozenset[str],
    index: Index,
    read: Callable[[str], Section | None],
    without: Set[str],
) -> Iterator[NearDuplicate]:
    for kbid in _candidates(terms, index):
        if kbid == section.kbid or kbid in without:
            continue
        try:
            other = read(kbid)
        except DamagedError:
            continue
        if other is None or not other.is_text:
            continue
        theirs = term_set(index, other)
        similarity = len(terms & theirs) / len(terms | theirs)
        if similarity >= THRESHOLD:
            yield NearDuplicate(kbid=kbid, title=other.title, similarity=round(similarity, 4))


def _candidates(terms: frozenset[str], index: Index) -> list[str]:
    view = index.view()
    may_miss = len(terms) - ceil(THRESHOLD * len(terms))
    shared = min(_SHARED, len(terms) - may_miss)
    rarest = sorted(terms, key=lambda term: (view.df(term), term))[: may_miss + shared]
    idents = view.sharing(rarest, at_least=shared, limit=_CANDIDATES)
    return [row.kbid for row in index.catalogue.rows(idents).values() if row.is_live]
