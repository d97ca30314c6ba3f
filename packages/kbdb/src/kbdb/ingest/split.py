"""Very long sections in pieces, by a rule that is stable under edits elsewhere in the section.

Knows offsets and digests, nothing of Markdown: the parsers say where paragraphs begin.
"""

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

MAX_CHARACTERS = 8000
MIN_CHARACTERS = 2000
_DIGESTED_CHARACTERS = 1000
_PARAGRAPH_END = re.compile(r"\n(?:[ \t\r]*\n)+")
# From coarse to fine: after a line, after a sentence, after a word.
_FINER = (
    re.compile(r"\n"),
    re.compile(r"[.!?][\"')\]]*\s+|[。！？]"),
    re.compile(r"\s+"),
)


def split(
    text: str,
    *,
    borders: Sequence[int] | None = None,
    finer: Sequence[int] = (),
    whole: Sequence[tuple[int, int]] = (),
) -> tuple[str, ...]:
    """Cut a text into pieces of 2,000 to 8,000 characters; joined, they are the text again.

    The cuts are content-defined: of the paragraph borders in the window of 2,000 to 8,000
    characters after the last cut, the one whose following paragraph has the smallest digest. A rule
    that counts from the start (the last border before the limit, say) moves every later cut when a
    word is added near the top, and so gives every later piece a new address. Here an edit moves the
    cuts whose windows see it; within a few windows the old smallest digests win again and the
    pieces after that are the old ones.

    Where a window holds no paragraph border, list items serve, then lines, sentences and words in
    the same way; a run without any white space is cut at the limit. A paragraph that fits the limit
    but straddles the window is kept whole by a cut before it, which leaves a piece under the
    minimum.

    Args:
        text: A section.
        borders: Offsets at which paragraphs begin, ascending; found by blank lines if not given.
        finer: Offsets at which smaller blocks begin (list items), ascending.
        whole: Half-open ranges that are never cut (fences), ascending. One that is longer than the
            limit makes a piece that is longer than the limit.
    """
    if len(text) <= MAX_CHARACTERS:
        return (text,)
    if borders is None:
        borders = [match.end() for match in _PARAGRAPH_END.finditer(text)]
    cutter = _Cutter(text, (borders, finer), whole)
    cuts = [0, *cutter.cuts(), len(text)]
    return tuple(text[a:b] for a, b in pairwise(cuts))


class _Cutter:
    """Chooses the cuts of one text."""

    def __init__(
        self, text: str, levels: Sequence[Sequence[int]], whole: Sequence[tuple[int, int]]
    ) -> None:
        self._text = text
        self._whole = whole
        self._whole_starts = [start for start, _ in whole]
        self._levels = [[at for at in level if self._keeping_whole(at) == at] for level in levels]

    def cuts(self) -> Iterator[int]:
        """Yield the offsets of the cuts, ascending, neither 0 nor the text's end."""
        start, end = 0, len(self._text)
        while end - start > MAX_CHARACTERS:
            start = self._next(start)
            if start >= end:
                return
            yield start

    def _next(self, start: int) -> int:
        # The upper bound keeps the last piece from being a scrap.
        low = start + MIN_CHARACTERS
        high = min(start + MAX_CHARACTERS, len(self._text) - MIN_CHARACTERS)
        borders = self._levels[0]
        inside = borders[bisect_left(borders, low) : bisect_right(borders, high)]
        if inside:
            return self._smallest(inside, borders)
        before = self._border_before_a_paragraph_that_fits(start, low)
        if before is not None:
            return before
        return self._within_paragraph(start, low, high)

    def _border_before_a_paragraph_that_fits(self, start: int, low: int) -> int | None:
        borders = self._levels[0]
        at = bisect_left(borders, low)
        if at == 0 or borders[at - 1] <= start:
            return None
        after = borders[at] if at < len(borders) else len(self._text)
        fits = after - borders[at - 1] <= MAX_CHARACTERS
        return borders[at - 1] if fits or self._is_whole(borders[at - 1]) else None

    def _within_paragraph(self, start: int, low: int, high: int) -> int:
        finer = self._levels[1]
        inside = finer[bisect_left(finer, low) : bisect_right(finer, high)]
        if inside:
            return self._smallest(inside, finer)
        for pattern in _FINER:
            ends = [match.end() for match in pattern.finditer(self._text, low, high)]
            inside = [at for at in ends if at < high and self._keeping_whole(at) == at]
            if inside:
                return self._smallest(inside, inside)
        at = self._keeping_whole(high)
        return at if at > start else self._end_of_whole(start)

    def _smallest(self, candidates: Sequence[int], borders: Sequence[int]) -> int:
        return min(candidates, key=lambda at: self._digest(at, borders))

    def _digest(self, at: int, borders: Sequence[int]) -> bytes:
        following = bisect_right(borders, at)
        end = borders[following] if following < len(borders) else len(self._text)
        paragraph = self._text[at : min(end, at + _DIGESTED_CHARACTERS)]
        return hashlib.blake2b(paragraph.encode("utf-8", "replace"), digest_size=8).digest()

    def _keeping_whole(self, at: int) -> int:
        """Return ``at``, or the start of the range around it that must not be cut."""
        place = bisect_left(self._whole_starts, at) - 1
        return self._whole[place][0] if place >= 0 and at < self._whole[place][1] else at

    def _is_whole(self, at: int) -> bool:
        place = bisect_left(self._whole_starts, at)
        return place < len(self._whole) and self._whole_starts[place] == at

    def _end_of_whole(self, start: int) -> int:
        place = bisect_right(self._whole_starts, start) - 1
        return self._whole[place][1]
