"""One door to the parsers: any bytes of any type become sections.

Each parser, and the library behind it, is imported when its type is first met.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import cast

from kbdb.ingest import title as titles
from kbdb.ingest.decode import decode, decode_page
from kbdb.model import HTML, JSON, MARKDOWN, PLAIN, TOML, Parsed, Part, is_text_type

_TextParser = Callable[..., Parsed]

_PARSERS = {
    MARKDOWN: "parse_markdown",
    HTML: "parse_html",
    PLAIN: "parse_plain",
    TOML: "parse_toml",
    JSON: "parse_json",
}


def parse(data: bytes, *, type: str, name: str = "", title: str = "") -> Parsed:
    """Cut a source into sections; never raises, whatever the bytes are.

    What is not valid in its type becomes plain text, and a warning says why. Text of a type without
    a parser, such as a skill, is one part, as is an image, whose body is the bytes. Content of
    white space alone has no parts.

    Args:
        data: The source's bytes.
        type: A media type, parameters such as ``charset`` ignored, or ``skill`` or ``agent``.
        name: The file's name; its stem is the title of last resort.
        title: The document's title; wins over what the source says.
    """
    media_type = type.split(";", 1)[0].strip().lower()
    given = titles.tidy(title)
    if not is_text_type(media_type):
        return _one_part(data, media_type, title=given or titles.from_name(name))
    text, warnings = decode_page(data) if media_type == HTML else decode(data)
    parser = _parser_of(media_type)
    if parser is not None:
        parsed = parser(text, title=given, name=name)
    else:
        fallback = given or titles.from_name(name) or titles.from_first_line(text)
        body = text.encode() if text.strip() else b""
        parsed = _one_part(body, media_type, title=fallback)
    return replace(parsed, warnings=warnings + parsed.warnings) if warnings else parsed


def _parser_of(media_type: str) -> _TextParser | None:
    module = _PARSERS.get(media_type)
    if module is None:
        return None
    return cast("_TextParser", getattr(import_module(f"kbdb.ingest.{module}"), module))


def _one_part(body: bytes, media_type: str, *, title: str) -> Parsed:
    parts = (Part(title=title, body=body, type=media_type),) if body else ()
    return Parsed(title=title, type=media_type, parts=parts)
