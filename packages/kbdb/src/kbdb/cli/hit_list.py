"""How search hits look to a person."""

from collections.abc import Iterator

from kbdb.cli.output import painted
from kbdb.cli.text import harmless_line, plural, wrap_spans
from kbdb.model import Hit, SearchResult, Verdict

_INDENT = "   "
_VERDICTS = {
    Verdict.WEAK: "weak: what was found covers only part of the query",
    Verdict.UNANSWERED: "unanswered: this knowledge base does not seem to hold what was asked",
}


def hit_list(result: SearchResult, *, width: int | None) -> str:
    """Return the hits with rank, title, ids, confidence and snippet, wrapped to ``width`` cells.

    Without a width every snippet is one line, which suits ``grep``.
    """
    blocks = [
        "\n".join(_hit_lines(rank, hit, width=width)) for rank, hit in enumerate(result.hits, 1)
    ]
    closing = _closing_lines(result)
    if closing:
        blocks.append("\n".join(closing))
    return "\n\n".join(blocks)


def _hit_lines(rank: int, hit: Hit, *, width: int | None) -> Iterator[str]:
    title = harmless_line(hit.title) or "(untitled)"
    yield f"{rank}. {painted(title, bold=True)}"
    facts = [harmless_line(hit.docid), hit.kbid, f"{hit.confidence:.0%}"]
    if hit.tags:
        facts.append(harmless_line("#" + " #".join(hit.tags)))
    yield _INDENT + painted(" · ".join(facts), dim=True)
    snippet = harmless_line(hit.snippet)
    available = len(snippet) * 2 + 1 if width is None else max(10, width - len(_INDENT))
    for start, end in wrap_spans(snippet, available) if snippet else ():
        yield _INDENT + _highlighted(snippet, start, end, hit.highlights)


def _highlighted(text: str, start: int, end: int, ranges: tuple[tuple[int, int], ...]) -> str:
    pieces: list[str] = []
    at = start
    for range_start, range_end in sorted(ranges):
        first, last = max(range_start, at), min(range_end, end)
        if first < last:
            pieces += [text[at:first], painted(text[first:last], fg="yellow", bold=True)]
            at = last
    return "".join([*pieces, text[at:end]])


def _closing_lines(result: SearchResult) -> list[str]:
    lines: list[str] = []
    if not result.hits and not result.more:
        lines.append(f"nothing found for {harmless_line(result.query)!r}")
    if result.verdict in _VERDICTS:
        lines.append(painted(_VERDICTS[result.verdict], fg="yellow"))
    if result.more:
        lines.append(f"{plural(result.more, 'more hit')} left out by --max-tokens")
    if result.hidden_below_floor:
        lines.append(f"{plural(result.hidden_below_floor, 'section')} hidden below the floor")
    return lines
