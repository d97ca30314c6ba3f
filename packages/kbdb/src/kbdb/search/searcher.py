"""A query answered: all words first, then fewer; every hit with what it covers and where."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from kbdb.errors import DamagedError, ModeUnavailableError, UnknownValueError, UsageError
from kbdb.index.catalogue import Row
from kbdb.index.engine import Index
from kbdb.index.matching import Lookup, Unit, idf
from kbdb.index.view import View
from kbdb.model import Hit, Mode, SearchResult, Verdict
from kbdb.search.budget import within_budget
from kbdb.search.mark import Marker
from kbdb.search.query import Reading, read_query
from kbdb.search.verdict import FLOOR, PRIOR_SECTIONS, TOGETHER, Weighed, verdict_of

MAX_LIMIT = 1_000
_MOST = 0.66
_ROUNDING = 1e-9
# Words that stand together add so much to a score; a heading without a text keeps so much of it.
CLOSE_BONUS = 0.25
HEADING_ALONE = 0.5


@dataclass(frozen=True, slots=True)
class Request:
    """What is searched for, and among what: every tag must be there, docid and type if given."""

    query: str
    mode: str = Mode.AUTO
    limit: int = 10
    tags: tuple[str, ...] = ()
    docid: str = ""
    type: str = ""
    max_tokens: int | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels a section must carry."""
        kinds = (("docid", self.docid), ("type", self.type))
        labels = (
            *(f"{kind}:{value}" for kind, value in kinds if value),
            *(f"tag:{tag}" for tag in self.tags),
        )
        # A lone surrogate is stored nowhere, and the engine takes none.
        return tuple(label.encode("utf-8", "replace").decode() for label in labels)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A section as the index ranked it, and the stage of loosening that found it."""

    stage: int
    score: float
    ident: int


@dataclass(frozen=True, slots=True)
class _Found:
    """A hit, what to order it by, and the share of the query that its section covers."""

    order: tuple[int, float]
    hit: Hit
    coverage: float


def search(
    request: Request, *, index: Index, read_text: Callable[[str], str | None]
) -> SearchResult:
    """Answer a request.

    Args:
        request: The query and its limits.
        index: Where to look.
        read_text: Returns a section's text by kb-id; empty for an image.
    """
    mode = _mode(request)
    view = index.view()
    reading = read_query(request.query, index.analyzer, with_prefix=view.with_prefix)
    words = _weigh(reading.units, view)
    empty = SearchResult(query=request.query, mode=mode, hits=(), verdict=Verdict.UNANSWERED)
    if not words:
        return empty
    ranked = _ranked(request, reading, view)
    idents = [one.ident for one in ranked]
    rows = view.catalogue.rows(idents)
    bodies = view.catalogue.body_terms(idents)
    marker = Marker(words, index.analyzer)
    found: list[_Found] = []
    for one in ranked:
        row = rows.get(one.ident)
        if row is not None and row.is_live:
            terms = bodies.get(one.ident, "")
            found += _marked(one, row, terms, marker=marker, read_text=read_text)
    found.sort(key=lambda each: each.order)
    shown = [each for each in found if each.hit.confidence >= FLOOR]
    kept, more = within_budget([each.hit for each in shown], request.max_tokens)
    return replace(
        empty,
        hits=tuple(kept),
        verdict=verdict_of(each.hit.confidence for each in shown),
        hidden_below_floor=len(found) - len(shown),
        more=more,
        matching=_matching([each.coverage for each in shown[: len(kept)]]),
    )


def _mode(request: Request) -> Mode:
    known = [mode.value for mode in Mode]
    if request.mode not in known:
        raise UnknownValueError("mode", request.mode, known)
    if not 1 <= request.limit <= MAX_LIMIT:
        raise UsageError(
            f"the limit is {request.limit}", hint=f"give a number from 1 to {MAX_LIMIT}"
        )
    if request.max_tokens is not None and request.max_tokens < 1:
        raise UsageError(f"max_tokens is {request.max_tokens}", hint="give a number of 1 or more")
    mode = Mode(request.mode)
    if mode in {Mode.VECTOR, Mode.HYBRID}:
        raise ModeUnavailableError(
            f"the mode {mode.value!r} needs an embedding provider, and none is configured",
            hint="search with the mode lexical or auto",
        )
    return Mode.LEXICAL


def _weigh(units: Sequence[Unit], view: View) -> list[Weighed]:
    count = view.section_count
    weighed = []
    for unit in units:
        df = max(min(view.df(term) for term in terms) for terms in unit.alternatives)
        weighed.append(Weighed(unit, idf(min(df, count), count + PRIOR_SECTIONS)))
    return weighed


def _ranked(request: Request, reading: Reading, view: View) -> list[_Ranked]:
    """Return sections with every word first, then those with any; each stage best first."""
    lookup = Lookup(
        units=reading.units,
        hints=reading.hints,
        phrases=reading.phrases,
        labels=request.labels,
        needs_hints=bool(reading.hints) and not reading.is_question,
    )
    ranked = _loosened(lookup, view, request.limit)
    if not ranked and reading.phrases:
        ranked = _loosened(replace(lookup, phrases=()), view, request.limit)
    return ranked


def _loosened(lookup: Lookup, view: View, limit: int) -> list[_Ranked]:
    ranked: dict[int, _Ranked] = {}
    for number, (stage, need_all) in enumerate(_stages(lookup)):
        for score, ident in view.search(stage, need_all=need_all, limit=limit):
            ranked.setdefault(ident, _Ranked(number, score, ident))
        if len(ranked) >= limit:
            break
    return list(ranked.values())[:limit]


def _stages(lookup: Lookup) -> Iterator[tuple[Lookup, bool]]:
    """Yield what to ask for, strictest first, and whether every word must be there."""
    if lookup.needs_hints:
        yield lookup, True
        lookup = replace(lookup, needs_hints=False)
    yield lookup, True
    if len(lookup.units) > 1 or len(lookup.units[0].alternatives) > 1:
        yield lookup, False


def _marked(
    ranked: _Ranked,
    row: Row,
    terms: str,
    *,
    marker: Marker,
    read_text: Callable[[str], str | None],
) -> Iterator[_Found]:
    """Yield the hit, unless its section cannot be read."""
    try:
        text = read_text(row.kbid)
    except DamagedError:
        return
    if text is None:
        return
    marked = marker.mark(text, terms, title=row.title, extra=row.extra)
    weight = 1 + CLOSE_BONUS * marked.closeness
    if not marked.snippet.text:
        weight *= HEADING_ALONE
    confidence = (1 - TOGETHER) * marked.coverage + TOGETHER * marked.closeness
    hit = Hit(
        kbid=row.kbid,
        docid=row.docids[0],
        title=row.title,
        score=round(ranked.score * weight, 4),
        confidence=round(confidence, 3),
        matched_terms=marked.matched,
        snippet=marked.snippet.text,
        highlights=marked.snippet.highlights,
        tags=row.tags,
        type=row.type,
    )
    yield _Found((ranked.stage, -ranked.score * weight), hit, marked.coverage)


def _matching(coverages: Sequence[float]) -> str:
    """Say how far the query had to be loosened for the hits shown."""
    lowest = min(coverages, default=0.0)
    return "all" if lowest >= 1 - _ROUNDING else "most" if lowest >= _MOST else "any"
