"""How search hits look to a person."""

from collections.abc import Iterator

from kbdb.cli.output import painted
from kbdb.cli.text import harmless_line, plural, wrap_spans
from kbdb.model import Hit, SearchResult, Verdict

_INDENT = "   "
# What stands around a word rather than in it; C++, #tag and .env keep theirs.
_BEFORE_WORD = "`'\"([{<*:;,!?|=“‘«„"
_AFTER_WORD = "`'\")]}>*:;,!?|=”’»“."
_VERDICTS = {
    Verdict.WEAK: "weak: what was found covers only part of the query",
    Verdict.UNANSWERED: "unanswered: this knowledge base does not seem to hold what was asked",
}


def hit_list(result: SearchResult, *, width: int | None, instead: str = "") -> str:
    """Return the verdict, then the hits with rank, title, ids, confidence and snippet.

    Args:
        result: What the search found.
        width: Cells to wrap snippets to; without it each is one line, which suits ``grep``.
        instead: Why nothing was found, where that says more than the verdict.
    """
    hits = [
        "\n".join(_hit_lines(rank, hit, width=width)) for rank, hit in enumerate(result.hits, 1)
    ]
    opening, closing = _opening_lines(result, instead), _closing_lines(result)
    blocks = ["\n".join(opening), *hits, "\n".join(closing)]
    if not hits:
        return "\n".join([*opening, *closing])
    return "\n\n".join(block for block in blocks if block)


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
        word_start, word_end = _word(text, range_start, range_end)
        first, last = max(word_start, at), min(word_end, end)
        if first < last:
            pieces += [text[at:first], painted(text[first:last], fg="yellow", bold=True)]
            at = last
    return "".join([*pieces, text[at:end]])


def _word(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range without the marks around the word; a range of marks alone stays as it is."""
    piece = text[start:end]
    first = start + len(piece) - len(piece.lstrip(_BEFORE_WORD))
    last = start + len(piece.rstrip(_AFTER_WORD))
    return (first, last) if first < last else (start, end)


def _opening_lines(result: SearchResult, instead: str) -> list[str]:
    lines: list[str] = []
    if not result.hits and not result.more:
        lines.append(f"nothing found for {harmless_line(result.query)!r}")
    if not result.hits and result.more:
        # Nothing is shown that a verdict could be on.
        lines.append(f"no hit fits in --max-tokens: {plural(result.more, 'hit')} left out")
    elif instead:
        lines.append(painted(harmless_line(instead), fg="yellow"))
    elif result.verdict in _VERDICTS:
        lines.append(painted(_VERDICTS[result.verdict], fg="yellow"))
    return lines


def _closing_lines(result: SearchResult) -> list[str]:
    lines: list[str] = []
    if result.hits and result.more:
        lines.append(f"{plural(result.more, 'more hit')} left out by --max-tokens")
    if result.hidden_below_floor:
        lines.append(f"{plural(result.hidden_below_floor, 'section')} hidden below the floor")
    return lines
