"""The stretch of a section that answers a query best, and which terms of the query the section holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_MAX_CHARS = 240
_LEAD_CHARS = 60
_LONG_PIECE = 60
_WINDOW_WORDS = 28
# What the earlier occurrences of a term are still worth beside its last one.
_REPEAT = 0.2
_ELLIPSIS = "\u2026"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A stretch of text on one line; ``highlights`` are half-open character ranges in it."""

    text: str
    highlights: tuple[tuple[int, int], ...]


def best_snippet(
    pieces: Sequence[str], matches: Mapping[int, tuple[str, float]], surfaces: Sequence[str]
) -> Snippet:
    """Return the window that holds most of the weight, with what matched marked.

    Args:
        pieces: The section's text, cut at white space.
        matches: By position in ``pieces``, the term that matches there and what it is worth.
        surfaces: The query's words as folded text, to mark in pieces too long to mark whole.
    """
    start = _window_start(pieces, matches)
    text = _ELLIPSIS if start else ""
    highlights: list[tuple[int, int]] = []
    for position in range(start, len(pieces)):
        piece = pieces[position]
        marks: list[tuple[int, int]] = [(0, len(piece))] if position in matches else []
        if len(piece) > _LONG_PIECE:
            piece, marks = _cut_long(piece, surfaces if marks else ())
        gap = " " if text and text != _ELLIPSIS else ""
        if len(text) + len(gap) + len(piece) > _MAX_CHARS and text not in ("", _ELLIPSIS):
            text += f" {_ELLIPSIS}"
            break
        offset = len(text) + len(gap)
        highlights += [(offset + begin, offset + end) for begin, end in marks]
        text += gap + piece
    return Snippet(text, tuple(highlights))


def _window_start(pieces: Sequence[str], matches: Mapping[int, tuple[str, float]]) -> int:
    """Return the piece to begin with: a little before the densest run of matches."""
    if not matches:
        return 0
    positions = sorted(matches)
    best, best_value = positions[0], -1.0
    for index, first in enumerate(positions):
        worth: dict[str, float] = {}
        for position in positions[index : index + _WINDOW_WORDS]:
            if position - first > _WINDOW_WORDS:
                break
            term, value = matches[position]
            worth[term] = worth.get(term, 0.0) * _REPEAT + value
        value = sum(worth.values())
        if value > best_value + 1e-9:
            best, best_value = first, value
    return _with_lead(pieces, best)


def _with_lead(pieces: Sequence[str], first: int) -> int:
    room = _LEAD_CHARS
    while first > 0 and room > len(pieces[first - 1]):
        first -= 1
        room -= len(pieces[first]) + 1
    return first


def _cut_long(piece: str, surfaces: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Cut a piece without spaces around the first word of the query in it."""
    folded = piece.lower()
    found = [folded.find(surface) for surface in surfaces]
    first = min((at for at in found if at >= 0), default=0)
    start = max(0, first - _LEAD_CHARS)
    cut = piece[start : start + _MAX_CHARS - _LEAD_CHARS]
    marks = {
        (at, at + len(surface)) for surface in surfaces if (at := cut.lower().find(surface)) >= 0
    }
    before = _ELLIPSIS if start else ""
    after = _ELLIPSIS if start + len(cut) < len(piece) else ""
    shifted = [(begin + len(before), end + len(before)) for begin, end in sorted(marks)]
    return before + cut + after, shifted
