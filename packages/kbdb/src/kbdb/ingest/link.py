"""Links between sections: ``$(link:<kb-id or docid>)`` markers in text.

Knows the marker only; whether its target exists is for others to say.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from kbdb.ingest.slug import is_docid

_OPENING = "$(link:"
_MARKER = re.compile(r"\$\(link:([^()\r\n]{1,220})\)")
_FENCE = re.compile(
    r"^ {0,3}(?:>[ ]?|[-*+] +|\d{1,9}[.)] +)*[ ]*(`{3,}|~{3,})([^\r\n]*)", re.MULTILINE
)
_BACKTICKS_OR_BREAK = re.compile(r"`+|\n[ \t\r]*\n")


def find_links(text: str) -> tuple[str, ...]:
    """Return the targets of the markers in a section, in order, each once.

    Markers inside fenced code and inline code are no links: there they are shown, as in a page that
    explains the marker. A target that could not be a docid is no link either.
    """
    return tuple(dict.fromkeys(match[1].strip() for match in _markers(text)))


def render_links(text: str, resolve: Callable[[str], str | None]) -> str:
    """Replace each marker that ``find_links`` would report.

    Args:
        text: A section's text.
        resolve: Takes a target; returns what stands in the marker's place, or None to leave it.
    """
    pieces: list[str] = []
    done = 0
    for match in _markers(text):
        replacement = resolve(match[1].strip())
        if replacement is not None:
            pieces += (text[done : match.start()], replacement)
            done = match.end()
    return "".join(pieces) + text[done:]


def _markers(text: str) -> Iterator[re.Match[str]]:
    if _OPENING not in text:
        return
    code = sorted(_code_ranges(text))
    starts = [start for start, _ in code]
    for match in _MARKER.finditer(text):
        at = bisect_right(starts, match.start()) - 1
        if (at < 0 or match.start() >= code[at][1]) and is_docid(match[1].strip()):
            yield match


def _code_ranges(text: str) -> Iterator[tuple[int, int]]:
    done = 0
    for start, end in _fences(text):
        yield start, end
        yield from _code_spans(text, done, start)
        done = end
    yield from _code_spans(text, done, len(text))


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield fenced blocks; one that is never closed reaches the end of the text."""
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(text):
        mark, rest = match[1], match[2]
        if opened is None:
            if mark[0] == "~" or "`" not in rest:
                opened = match.start(), mark
        elif mark[0] == opened[1][0] and len(mark) >= len(opened[1]) and not rest.strip():
            yield opened[0], match.end()
            opened = None
    if opened is not None:
        yield opened[0], len(text)


def _code_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield inline code: a run of backticks up to the next run of that length in its paragraph."""
    paragraph: list[tuple[int, int]] = []
    for match in _BACKTICKS_OR_BREAK.finditer(text, start, end):
        if match[0][0] == "`":
            paragraph.append(match.span())
        else:
            yield from _paired(paragraph)
            paragraph = []
    yield from _paired(paragraph)


def _paired(runs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    places_by_length: dict[int, list[int]] = {}
    for place in range(len(runs) - 1, -1, -1):
        start, end = runs[place]
        places_by_length.setdefault(end - start, []).append(place)
    place = 0
    while place < len(runs):
        start, end = runs[place]
        places = places_by_length[end - start]
        while places and places[-1] <= place:
            places.pop()
        if places:
            place = places[-1]
            yield start, runs[place][1]
        place += 1
