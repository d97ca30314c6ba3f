"""Front matter: the blocks of YAML or TOML that a Markdown file may begin with."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import yaml

from kbdb.ingest import title as titles

MAX_CHARACTERS = 64 * 1024
_MAX_BLOCKS = 4
_MAX_TAGS = 100
_OPENING = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)")
_CLOSING = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*(?:\r\n|\r|\n|\Z)", re.MULTILINE),
}
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*")
_FIRST_KEY = re.compile(r"\s*(?:#[^\r\n]*\s+)*[\"']?[A-Za-z_][\w.-]*[\"']?[ \t]*[:=](?:\s|$)")
_DESCRIPTION_KEYS = ("description", "summary")
_TAG_KEYS = ("tags", "keywords", "categories")
_KNOWN_KEYS = frozenset(
    ("title", "date", "layout", "author", "slug", "id", "name", *_DESCRIPTION_KEYS, *_TAG_KEYS)
)
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

_Values = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What the blocks say; ``raw`` is their text, verbatim.

    ``kept_from`` and ``end`` are offsets: the document's text goes on at ``kept_from``, which lies
    before ``end`` when a broken block has to stay in it, and Markdown begins at ``end``.
    """

    raw: str = ""
    title: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    kept_from: int = 0
    end: int = 0


class _BrokenBlockError(ValueError):
    """A block that was meant as front matter cannot be read."""


def read(text: str) -> FrontMatter:
    """Read the front matter of a Markdown file; never raises.

    A block that is neither mapping nor list is text between two thematic breaks and left alone. A
    list, and what looks like a mapping and cannot be read, or is larger than 64 kB, or has YAML
    aliases, stays in the text, and a warning says so.
    """
    blocks: list[_Values] = []
    warnings: tuple[str, ...] = ()
    at = end = 0
    for start, content, after in _blocks(text):
        try:
            values = _values(text[start:after], content, is_first=not blocks)
        except _BrokenBlockError as error:
            warnings = (f"the front matter was not read and stays in the text: {error}",)
            end = after
            break
        if values is None:
            break
        blocks.append(values)
        at = end = after
    return FrontMatter(
        raw=text[:at],
        title=_first(blocks, ("title",)),
        description=_first(blocks, _DESCRIPTION_KEYS),
        tags=_tags(blocks),
        warnings=warnings,
        kept_from=at,
        end=max(at, end),
    )


def _blocks(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield start, content and end of each delimited block at the beginning of the text."""
    at = 0
    for _ in range(_MAX_BLOCKS):
        gap = _BLANK_LINES.match(text, at) if at else None
        opening = _OPENING.match(text, gap.end() if gap else at)
        if opening is None:
            return
        closing = _CLOSING[opening[1]].search(text, opening.end())
        if closing is None:
            return
        yield opening.start(), text[opening.end() : closing.start()], closing.end()
        at = closing.end()


def _values(block: str, content: str, *, is_first: bool) -> _Values | None:
    """Return what the block says, or None if it is no front matter."""
    if not content.strip():
        return {} if is_first and not content else None
    looks_meant = _FIRST_KEY.match(content) is not None
    if len(content) > MAX_CHARACTERS:
        if looks_meant:
            raise _BrokenBlockError("it is larger than 64 kB")
        return None
    try:
        values: object = _load_toml(content) if block.startswith("+") else _load_yaml(content)
    except _BrokenBlockError:
        if looks_meant:
            raise
        return None
    if isinstance(values, list) and is_first and content[0] not in "\r\n":
        raise _BrokenBlockError("it is a list, not names with values")
    if not isinstance(values, dict):
        return None
    # After a thematic break comes a blank line, after a delimiter hardly ever.
    starts_blank = content[0] in "\r\n"
    return None if starts_blank and not _KNOWN_KEYS.intersection(values) else values


def _load_toml(content: str) -> _Values | None:
    try:
        return tomllib.loads(content.replace("\r\n", "\n").replace("\r", "\n"))
    except (ValueError, RecursionError) as error:
        raise _BrokenBlockError(titles.tidy(str(error))) from error


def _load_yaml(content: str) -> object:
    # The base loader makes strings, lists and mappings only: nothing is constructed from a tag, and
    # a version, a date or a "no" stays as it was written.
    loader = None
    try:
        loader = _LOADER(content)
        if "*" in content and _has_alias(content):
            raise _BrokenBlockError("it has aliases")
        values = loader.get_single_data()
    except yaml.YAMLError as error:
        raise _BrokenBlockError(_yaml_problem(error)) from error
    except (RecursionError, UnicodeError) as error:
        raise _BrokenBlockError("it is nested too deeply") from error
    finally:
        if loader is not None:
            loader.dispose()
    return values


def _has_alias(content: str) -> bool:
    return any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(content, Loader=_LOADER))


def _yaml_problem(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = titles.tidy(str(getattr(error, "problem", None) or "it is not valid YAML"))
    return f"{problem} (line {mark.line + 2})" if mark is not None else problem


def _first(blocks: list[_Values], keys: tuple[str, ...]) -> str:
    for values in blocks:
        for key in keys:
            value = values.get(key)
            if _is_scalar(value) and (text := titles.tidy(str(value))):
                return text
    return ""


def _tags(blocks: list[_Values]) -> tuple[str, ...]:
    for values in blocks:
        for key in _TAG_KEYS:
            tags = _as_tags(values.get(key))
            if tags:
                return tags
    return ()


def _as_tags(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        items: list[object] = list(value.split(","))
    elif isinstance(value, list):
        items = value
    else:
        items = [value]
    tidied = (titles.tidy(str(item)) for item in items if _is_scalar(item))
    return tuple(dict.fromkeys(tag for tag in tidied if tag))[:_MAX_TAGS]


def _is_scalar(value: object) -> bool:
    return value is not None and not isinstance(value, list | dict)
