"""The stretch of a section that answers a query best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

_MAX_CHARS = 240
_LEAD_CHARS = 60
_LONG_PIECE = 60
_WINDOW_WORDS = 28
# What each further occurrence of a term is worth beside the first.
_REPEAT = 0.2
_MAX_REPEATS = 2
_NOTHING = 1e-9
_ELLIPSIS = "\u2026"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A stretch of text on one line; ``highlights`` are half-open character ranges in it.

    ``window`` is the half-open range of pieces that it was made of.
    """

    text: str
    highlights: tuple[tuple[int, int], ...]
    window: tuple[int, int]


def best_snippet(
    pieces: Sequence[str], matches: Mapping[int, tuple[float, str]], surfaces: Sequence[str]
) -> Snippet:
    """Return the window that holds most of the weight, with what matched marked.

    Args:
        pieces: The section's text, cut at white space.
        matches: By position in ``pieces``, what a match there is worth, and the term that matches.
        surfaces: The query's words as folded text, to mark in pieces too long to mark whole.
    """
    start = _window_start(pieces, matches)
    end = _window_end(pieces, start)
    shown = pieces[start:end]
    marks = {at - start: [(0, len(pieces[at]))] for at in matches if start <= at < end}
    if max(map(len, shown), default=0) > _LONG_PIECE:
        shown, marks = _without_long(shown, marks, surfaces)
    before = _ELLIPSIS if start else ""
    after = f" {_ELLIPSIS}" if end < len(pieces) else ""
    highlights: list[tuple[int, int]] = []
    ends = [0, *accumulate(map(len, shown))]
    for at in sorted(marks):
        offset = len(before) + ends[at] + at
        highlights += [(offset + begin, offset + stop) for begin, stop in marks[at]]
    text = f"{before}{' '.join(shown)}{after}"
    return Snippet(text, tuple(highlights), (start, end))


def _window_start(pieces: Sequence[str], matches: Mapping[int, tuple[float, str]]) -> int:
    """Return the piece to begin with: a little before the densest run of matches."""
    if not matches:
        return 0
    positions = sorted(matches)
    counts: dict[str, int] = {}
    best, best_worth, worth, left = positions[0], 0.0, 0.0, 0
    for position in positions:
        value, term = matches[position]
        count = counts.get(term, 0)
        worth += value * _share(count)
        counts[term] = count + 1
        while position - positions[left] > _WINDOW_WORDS:
            value, term = matches[positions[left]]
            counts[term] -= 1
            worth -= value * _share(counts[term])
            left += 1
        if worth > best_worth + _NOTHING:
            best, best_worth = positions[left], worth
    return _with_lead(pieces, best)


def _share(before: int) -> float:
    """Return what an occurrence of a term is worth behind so many others."""
    return 1.0 if before == 0 else _REPEAT if before <= _MAX_REPEATS else 0.0


def _window_end(pieces: Sequence[str], start: int) -> int:
    room = _MAX_CHARS
    for end in range(start, len(pieces)):
        room -= len(pieces[end]) + 1
        if room < 0 and end > start:
            return end
    return len(pieces)


def _with_lead(pieces: Sequence[str], first: int) -> int:
    room = _LEAD_CHARS
    while first > 0 and room > len(pieces[first - 1]):
        first -= 1
        room -= len(pieces[first]) + 1
    return first


def _without_long(
    shown: Sequence[str], marks: Mapping[int, list[tuple[int, int]]], surfaces: Sequence[str]
) -> tuple[list[str], dict[int, list[tuple[int, int]]]]:
    """Cut pieces that are too long to show, and mark the words in them rather than the whole."""
    pieces, cut_marks = list(shown), dict(marks)
    for at, piece in enumerate(pieces):
        if len(piece) > _LONG_PIECE:
            pieces[at], found = _cut_long(piece, surfaces if at in marks else ())
            cut_marks[at] = found
    return pieces, cut_marks


def _cut_long(piece: str, surfaces: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Cut a piece without spaces around the first word of the query in it."""
    folded = _lowered(piece)
    found = [folded.find(surface) for surface in surfaces]
    first = min((at for at in found if at >= 0), default=0)
    start = max(0, first - _LEAD_CHARS)
    stop = start + _MAX_CHARS - _LEAD_CHARS
    before = _ELLIPSIS if start else ""
    after = _ELLIPSIS if stop < len(piece) else ""
    window = folded[start:stop]
    marks: list[tuple[int, int]] = []
    for begin, end in sorted(
        (at, at + len(surface)) for surface in surfaces if (at := window.find(surface)) >= 0
    ):
        if not marks or begin >= marks[-1][1]:
            marks.append((begin, end))
    shifted = [(begin + len(before), end + len(before)) for begin, end in marks]
    return before + piece[start:stop] + after, shifted


def _lowered(text: str) -> str:
    """Return the text in lower case, each character in its place."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := one.lower()) == 1 else one for one in text)
