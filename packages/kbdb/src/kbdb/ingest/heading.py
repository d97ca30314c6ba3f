"""A Markdown heading as plain text: markup gone, labels, code and characters kept."""

import re
from collections.abc import Iterable, MutableMapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKUP = re.compile(r"[\\`*_\[\]!<&~\n]")
_TAG_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)|<[!?]")
_LOOKED_AT_CHARACTERS = 2000
_HTML_TAGS = frozenset(
    [
        *("a", "abbr", "b", "bdi", "bdo", "big", "br", "button"),
        *("center", "cite", "code", "data", "del", "dfn", "div", "em"),
        *("font", "h1", "h2", "h3", "h4", "h5", "h6", "i"),
        *("img", "input", "ins", "kbd", "label", "mark", "p", "q"),
        *("rp", "rt", "ruby", "s", "samp", "small", "span", "strike"),
        *("strong", "sub", "summary", "sup", "svg", "path", "time", "tt"),
        *("u", "var", "wbr"),
    ]
)


def plain_text(source: str, *, markdown: MarkdownIt, env: MutableMapping[str, Any]) -> str:
    """Return a heading's text with its inline markup rendered to text.

    Links become their label, images their alternative text; entities and escapes are resolved. HTML
    tags are dropped, but a tag that HTML does not know is text: ``Vec<T>`` stays as it is. Only the
    first 2,000 characters are read.

    Args:
        source: The heading's content as the block parser found it.
        markdown: A parser with the inline rules.
        env: The block parser's environment, which holds the link definitions.
    """
    if _MARKUP.search(source) is None:
        return source
    tokens: list[Token] = []
    markdown.inline.parse(source[:_LOOKED_AT_CHARACTERS], markdown, env, tokens)
    return _text_of(tokens)


def _text_of(tokens: Iterable[Token]) -> str:
    pieces: list[str] = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            pieces.append(" ")
        elif token.type == "image":
            pieces.append(_text_of(token.children or ()))
        elif token.type == "html_inline":
            pieces.append("" if _is_html(token.content) else token.content)
        else:
            pieces.append(token.content)
    return "".join(pieces)


def _is_html(tag: str) -> bool:
    match = _TAG_NAME.match(tag)
    return match is not None and (match[1] is None or match[1].lower() in _HTML_TAGS)
