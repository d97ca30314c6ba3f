"""Markdown to sections: headings at top level open them, front matter describes the document."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kbdb.ingest import front_matter, heading
from kbdb.ingest import title as titles
from kbdb.ingest.outline import Outline
from kbdb.ingest.span import trim
from kbdb.ingest.split import MAX_CHARACTERS, split
from kbdb.model import MARKDOWN, Parsed

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heading:
    """A heading at top level; ``start`` and ``end`` are the offsets of its lines.

    ``is_cut_short`` says that the title holds less than the heading does.
    """

    title: str
    is_cut_short: bool
    level: int
    start: int
    end: int


def parse_markdown(text: str, *, title: str = "", name: str = "") -> Parsed:
    """Cut Markdown at the headings of its top level.

    A part's body is the exact source between its heading and the next, without outer blank lines.
    A heading always makes a part, so that it can be found; its body may be empty. Text before the
    first heading is a part of level 0 that has the document's title, unless it is comments alone. A
    heading of more than 500 characters gives a shortened title and stays in the body.
    """
    matter = front_matter.read(text)
    source = _Source(text, start=matter.end)
    headings = source.headings()
    document_title = (
        title
        or matter.title
        or _title_among(headings)
        or titles.from_name(name)
        or _opening_line(source)
    )
    outline = Outline(MARKDOWN)
    first = headings[0].start if headings else len(text)
    pieces = source.pieces(matter.kept_from, first)
    if pieces and not _is_comments("".join(pieces)):
        outline.add(document_title, pieces, level=0)
    ends = [found.start for found in headings[1:]] + [len(text)]
    for found, end in zip(headings, ends, strict=False):
        body = source.pieces(found.start if found.is_cut_short else found.end, end)
        outline.add(found.title or document_title, body or ("",), level=found.level)
    return Parsed(
        title=document_title,
        type=MARKDOWN,
        description=matter.description,
        tags=matter.tags,
        front_matter=matter.raw,
        parts=outline.parts(),
        warnings=matter.warnings,
    )


class _Source:
    """One text and what the block parser found in it from ``start`` on."""

    def __init__(self, text: str, *, start: int) -> None:
        self.text = text
        self.start = start
        self._env: dict[str, Any] = {}
        self._tokens = _blocks().parse(text[start:], self._env)
        self._placed = [token for token in self._tokens if token.map is not None]
        self._lines = [start, *(m.end() for m in _LINE_END.finditer(text, start)), len(text)]
        self._starts = [self._offset(token, 0) for token in self._placed]

    def headings(self) -> list[_Heading]:
        """Return the headings at top level in order."""
        return list(self._headings())

    def _headings(self) -> Iterator[_Heading]:
        tokens = self._tokens
        for place, token in enumerate(tokens):
            if token.type == "heading_open" and token.level == 0 and token.map is not None:
                plain = heading.plain_text(
                    tokens[place + 1].content, markdown=_inlines(), env=self._env
                )
                yield _Heading(
                    title=titles.tidy(plain),
                    is_cut_short=titles.is_too_long(plain),
                    level=int(token.tag[1]),
                    start=self._lines[token.map[0]],
                    end=self._lines[token.map[1]],
                )

    def pieces(self, start: int, end: int) -> tuple[str, ...]:
        """Return the range without outer blank lines, cut if it is very long; () if it is blank."""
        start, end = trim(self.text, start, end)
        if start == end:
            return ()
        if end - start <= MAX_CHARACTERS:
            return (self.text[start:end],)
        tokens = self._tokens_within(start, end)
        return split(
            self.text[start:end],
            borders=self._offsets((token for token in tokens if token.level == 0), start),
            finer=self._offsets((token for token in tokens if token.level > 0), start),
            whole=[
                (self._offset(token, 0) - start, min(self._offset(token, 1), end) - start)
                for token in tokens
                if token.type == "fence"
            ],
        )

    def _tokens_within(self, start: int, end: int) -> Sequence[Token]:
        low, high = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return self._placed[low:high]

    def _offsets(self, tokens: Iterable[Token], base: int) -> list[int]:
        return sorted({self._offset(token, 0) - base for token in tokens})

    def _offset(self, token: Token, edge: int) -> int:
        return self._lines[token.map[edge]] if token.map is not None else 0


def _is_comments(text: str) -> bool:
    """Say whether a text holds nothing but HTML comments."""
    text = text.strip()
    while text.startswith("<!--"):
        end = text.find("-->", len("<!--"))
        if end < 0:
            return False
        text = text[end + len("-->") :].lstrip()
    return not text


def _title_among(headings: Sequence[_Heading]) -> str:
    titled = [found for found in headings if found.title]
    top = next((found.title for found in titled if found.level == 1), "")
    return top or (titled[0].title if titled else "")


def _opening_line(source: _Source) -> str:
    return titles.from_first_line(source.text[source.start :])


@cache
def _blocks() -> MarkdownIt:
    """Return a parser that stops before inline markup, which costs most and is not needed."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


@cache
def _inlines() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("strikethrough")
