"""JSON lines -> batch items, one line at a time; every refusal names the line and the field."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import BinaryIO

from kbdb.cli.params import LEARNABLE_TYPES, media_type, split_tags
from kbdb.errors import UnknownValueError, UsageError
from kbdb.ingest.media import may_be
from kbdb.model import MARKDOWN, BatchItem

MAX_LINE_BYTES = 64 * 2**20
_FIELDS = tuple(field.name for field in fields(BatchItem))
_HINT = "nothing was stored; mend the line and run the same command again"


@dataclass(slots=True)
class Place:
    """Where the item that was read last stands, in the words of an error."""

    words: str = ""


def batch_items(name: str, lines: BinaryIO, place: Place | None = None) -> Iterator[BatchItem]:
    """Yield the item of each line that is not blank.

    Args:
        name: What errors call the source.
        lines: The source.
        place: Is told where each item stands before it is yielded.

    Raises:
        UsageError: A line is too long, not UTF-8, not a JSON object, or has a wrong field.
    """
    for number, line in _numbered(lines):
        where = f"line {number} of {name}"
        if len(line) > MAX_LINE_BYTES:
            raise UsageError(f"{where} is longer than {MAX_LINE_BYTES >> 20} MiB", hint=_HINT)
        text = _decoded(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, where)
        if text.strip():
            item = _item(_object(text, where), where)
            if place is not None:
                place.words = where
            yield item


def _numbered(lines: BinaryIO) -> Iterable[tuple[int, bytes]]:
    return enumerate(iter(lambda: lines.readline(MAX_LINE_BYTES + 1), b""), 1)


def _decoded(line: bytes, place: str) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{place} is not UTF-8 (byte {error.start + 1})", hint=_HINT) from error


def _object(text: str, place: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise UsageError(f"{place} is nested too deeply", hint=_HINT) from error
    except ValueError as error:
        # The error's own line counts from the start of this one.
        raise UsageError(f"{place} is not JSON: {_problem(error)}", hint=_HINT) from error
    if not isinstance(value, dict):
        raise UsageError(f"{place} is no JSON object", hint=f"{_HINT}; one object stands on a line")
    return value


def _problem(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg[:1].lower()}{error.msg[1:]} (character {error.pos + 1})"
    return str(error)


def _item(given: dict[str, object], place: str) -> BatchItem:
    for name in given:
        if name not in _FIELDS:
            raise UsageError(f"{place}: unknown field {name!r}", hint=_hint_for_field(name))
    if "content" not in given:
        raise UsageError(f"{place}: field 'content' is missing", hint=_HINT)
    values: dict[str, object] = {name: _value(name, value, place) for name, value in given.items()}
    if not str(values["content"]).strip():
        raise UsageError(f"{place}: field 'content' is empty", hint=_HINT)
    item = BatchItem(**values)  # type: ignore[arg-type]  # _value has checked each field's type
    if not may_be(item.content.encode(), item.type):
        raise UsageError(f"{place}: field 'content' is no image of type {item.type}", hint=_HINT)
    return item


def _value(name: str, value: object, place: str) -> object:
    if name == "replace":
        if not isinstance(value, bool):
            raise _wrong_type(place, name, "true or false")
        return value
    if name == "tags":
        return _tags(value, place)
    text = _text(name, value, place)
    if name == "type":
        return _type(text, place)
    return text


def _tags(value: object, place: str) -> tuple[str, ...]:
    wanted = "a list of texts, or one text with commas"
    if isinstance(value, str):
        return split_tags([_text("tags", value, place)])
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise _wrong_type(place, "tags", wanted)
    return split_tags([_text("tags", tag, place) for tag in value])


def _type(text: str, place: str) -> str:
    try:
        return media_type(LEARNABLE_TYPES, text) or MARKDOWN
    except UnknownValueError as error:
        raise UsageError(f"{place}: field 'type': {error}", hint=error.hint) from error


def _text(name: str, value: object, place: str) -> str:
    if not isinstance(value, str):
        raise _wrong_type(place, name, "text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"{place}: field {name!r} holds half of a surrogate pair", hint=_HINT
        ) from error
    return value


def _wrong_type(place: str, name: str, wanted: str) -> UsageError:
    return UsageError(f"{place}: field {name!r} must be {wanted}", hint=_HINT)


def _hint_for_field(name: str) -> str:
    close = get_close_matches(name, _FIELDS, n=1)
    nearest = f"did you mean {close[0]!r}? " if close else ""
    return f"{nearest}known fields: {', '.join(_FIELDS)}; nothing was stored"
