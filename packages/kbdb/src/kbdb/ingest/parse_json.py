"""JSON to sections: one a key of the top level, or one a group of elements, with exact source."""

import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from typing import NoReturn

from kbdb.ingest import title as titles
from kbdb.ingest.outline import Outline
from kbdb.ingest.parse_plain import parse_plain
from kbdb.ingest.split import split
from kbdb.model import JSON, Parsed

_SMALL_CHARACTERS = 2000
_WHITE_SPACE = re.compile(r"[ \t\n\r]*")


def _refuse(constant: str) -> NoReturn:
    message = f"{constant} is not JSON"
    raise ValueError(message)


# Numbers stay text: a very long one is slow to convert, and its value is of no use here.
_DECODER = JSONDecoder(parse_int=str, parse_float=str, parse_constant=_refuse)


def parse_json(text: str, *, title: str = "", name: str = "") -> Parsed:
    """Cut JSON at its top level.

    Up to 2,000 characters it is one part. Else an object gives a part of level 1 for each key,
    titled by the key, and an array is cut between its elements; bodies are exact slices of the
    source. What is not valid JSON, or nested too deeply, is kept as plain text.
    """
    document_title = title or titles.from_name(name) or titles.from_first_line(text)
    body = text.strip(" \t\n\r")
    if not body.strip():
        return Parsed(title=document_title, type=JSON)
    outline = Outline(JSON)
    try:
        _fill(outline, body, document_title)
    except (ValueError, RecursionError) as error:
        parsed = parse_plain(text, title=title, name=name)
        warning = f"not valid JSON, kept as plain text: {_problem(error)}"
        return Parsed(title=parsed.title, type=parsed.type, parts=parsed.parts, warnings=(warning,))
    return Parsed(title=document_title, type=JSON, parts=outline.parts())


def _fill(outline: Outline, body: str, document_title: str) -> None:
    if len(body) <= _SMALL_CHARACTERS or body[0] not in "{[":
        if _DECODER.raw_decode(body)[1] != len(body):
            raise JSONDecodeError("Extra data", body, 0)
        outline.add(document_title, split(body), level=0)
    elif body[0] == "{":
        for key, start, end in list(_members(body)):
            outline.add(titles.tidy(key) or document_title, split(body[start:end]), level=1)
    else:
        spans = list(_elements(body))
        if spans:
            first, last = spans[0][0], spans[-1][1]
            borders = [start - first for start, _ in spans[1:]]
            outline.add(document_title, split(body[first:last], borders=borders), level=0)


def _members(body: str) -> Iterator[tuple[str, int, int]]:
    """Yield key, start and end of each value of the object that is the whole text."""
    at = _skip(body, 1)
    while body[at : at + 1] != "}":
        if body[at : at + 1] != '"':
            raise JSONDecodeError("Expecting property name enclosed in double quotes", body, at)
        key, at = _DECODER.raw_decode(body, at)
        at = _skip(body, at)
        if body[at : at + 1] != ":":
            raise JSONDecodeError("Expecting ':' delimiter", body, at)
        start = _skip(body, at + 1)
        end = _DECODER.raw_decode(body, start)[1]
        yield str(key), start, end
        at = _after_comma(body, end, closing="}")
    _expect_end(body, at + 1)


def _elements(body: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each element of the array that is the whole text."""
    at = _skip(body, 1)
    while body[at : at + 1] != "]":
        end = _DECODER.raw_decode(body, at)[1]
        yield at, end
        at = _after_comma(body, end, closing="]")
    _expect_end(body, at + 1)


def _after_comma(body: str, end: int, *, closing: str) -> int:
    """Return where the next member or the closing bracket is."""
    at = _skip(body, end)
    if body[at : at + 1] == closing:
        return at
    if body[at : at + 1] != ",":
        raise JSONDecodeError("Expecting ',' delimiter", body, at)
    following = _skip(body, at + 1)
    if body[following : following + 1] == closing:
        raise JSONDecodeError("Illegal trailing comma", body, at)
    return following


def _expect_end(body: str, at: int) -> None:
    if at != len(body):
        raise JSONDecodeError("Extra data", body, at)


def _skip(body: str, at: int) -> int:
    match = _WHITE_SPACE.match(body, at)
    return match.end() if match is not None else at


def _problem(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return titles.tidy(str(error))
