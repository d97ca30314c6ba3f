"""TOML to sections: one a table, with its exact source."""

import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from kbdb.ingest import title as titles
from kbdb.ingest.outline import Outline
from kbdb.ingest.parse_plain import parse_plain
from kbdb.ingest.span import trim
from kbdb.ingest.split import split
from kbdb.model import TOML, Parsed

_MAX_KEY_DOTS = 64
_MAX_LEVEL = 6
# What can hold a bracket or a line end that means nothing, then the characters that mean something.
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']|'(?!''))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|#[^\n]*+"
    r"|[\[\]{}\n=]",
    re.DOTALL,
)
_HEADER = re.compile(r"[ \t]*(\[\[?)((?:\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[^\]\"'\n])*)\]")
_KEY_PART = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'([^'\n]*)'|([A-Za-z0-9_-]+)")
_COMMENT = re.compile(r"[ \t]*#")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A table header: where its source starts, and its dotted name in parts."""

    start: int
    keys: tuple[str, ...]
    is_array: bool


def parse_toml(text: str, *, title: str = "", name: str = "") -> Parsed:
    """Cut TOML at its table headers.

    The keys before the first header are a part of level 0; a table is a part whose title is its
    dotted name and whose level is the name's length. The tables of one array are one section, with
    whatever is nested in them. A body is the table's exact source, header and the comment above it
    included. What is not valid TOML is kept as plain text.
    """
    problem = _problem(text)
    if problem is not None:
        parsed = parse_plain(text, title=title, name=name)
        warning = f"not valid TOML, kept as plain text: {problem}"
        return Parsed(title=parsed.title, type=parsed.type, parts=parsed.parts, warnings=(warning,))
    tables = list(_tables(text))
    document_title = title or titles.from_name(name) or titles.from_first_line(text)
    outline = Outline(TOML)
    offsets = [table.start for table in tables]
    starts = _section_starts(tables)
    first = starts[0].start if starts else len(text)
    _add(outline, document_title, text, 0, first, level=0, cuts=[])
    for place, table in enumerate(starts):
        end = starts[place + 1].start if place + 1 < len(starts) else len(text)
        level = min(len(table.keys), _MAX_LEVEL)
        inner = offsets[bisect_right(offsets, table.start) : bisect_left(offsets, end)]
        cuts = inner if table.is_array else []
        _add(outline, ".".join(table.keys), text, table.start, end, level=level, cuts=cuts)
    return Parsed(title=document_title, type=TOML, parts=outline.parts())


def _add(
    outline: Outline, title: str, text: str, start: int, end: int, *, level: int, cuts: list[int]
) -> None:
    start, end = trim(text, start, end)
    if start < end and text[start:end].strip():
        borders = [at - start for at in cuts if start < at < end] or None
        outline.add(titles.tidy(title), split(text[start:end], borders=borders), level=level)


def _problem(text: str) -> str | None:
    # The standard parser compares each dotted key with all its beginnings.
    if any(
        _dots(line) > _MAX_KEY_DOTS for line in text.split("\n") if line.count(".") > _MAX_KEY_DOTS
    ):
        return f"a key has more than {_MAX_KEY_DOTS} dots"
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return titles.tidy(str(error)) or "it is nested too deeply"
    return None


def _dots(line: str) -> int:
    """Count the dots of a line's key, which ends at the first equals sign or bracket."""
    key = re.match(r"[^=\]#]*", line)
    return key[0].count(".") if key is not None else 0


def _tables(text: str) -> Iterator[_Table]:
    """Yield the headers of valid TOML."""
    for start in _statements(text):
        match = _HEADER.match(text, start)
        if match is not None:
            keys = tuple(
                part[1] or part[2] or part[3] or "" for part in _KEY_PART.finditer(match[2])
            )
            yield _Table(start=_with_comments(text, start), keys=keys, is_array=match[1] == "[[")


def _statements(text: str) -> Iterator[int]:
    """Yield the offset of each line that is not inside a value."""
    depth, is_value = 0, False
    yield 0
    for match in _TOKEN.finditer(text):
        found = match[0]
        if found == "=":
            is_value = True
        elif found in ("[", "{"):
            depth += is_value
        elif found in ("]", "}"):
            depth -= is_value
        elif found == "\n" and depth <= 0:
            depth, is_value = 0, False
            yield match.end()


def _with_comments(text: str, start: int) -> int:
    """Return where the comment lines directly above a header begin."""
    while start > 0:
        above = text.rfind("\n", 0, start - 1) + 1
        if _COMMENT.match(text, above) is None:
            break
        start = above
    return start


def _section_starts(tables: list[_Table]) -> list[_Table]:
    starts: list[_Table] = []
    for table in tables:
        opened = starts[-1] if starts else None
        is_inside = (
            opened is not None and opened.is_array and table.keys[: len(opened.keys)] == opened.keys
        )
        if not is_inside:
            starts.append(table)
    return starts
