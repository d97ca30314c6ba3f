"""HTML source to a tree of bounded depth."""

import re

from selectolax.lexbor import LexborHTMLParser

# Far deeper than pages that people make; the cost of parsing grows with depth times size.
MAX_DEPTH = 500
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*+)[^<>]*+>")
# These never stay open inside one another: void elements, and those whose end tag may be left out.
_FLAT = frozenset(
    [
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"),
        *("source", "track", "wbr", "p", "li", "dt", "dd", "option", "optgroup", "colgroup"),
        *("tr", "td", "th", "thead", "tbody", "tfoot", "rt", "rp"),
    ]
)


def parse_tree(text: str) -> LexborHTMLParser:
    """Parse a page; tags nested deeper than 500 are dropped, their text is not."""
    return LexborHTMLParser(_flattened(text))


def _flattened(text: str) -> str:
    depth = deepest = 0
    for match in _TAG.finditer(text):
        if match[2].lower() not in _FLAT:
            depth = max(depth + (-1 if match[1] else 1), 0)
            deepest = max(deepest, depth)
    return _without_inner_tags(text) if deepest > MAX_DEPTH else text


def _without_inner_tags(text: str) -> str:
    depth = 0

    def keep(match: re.Match[str]) -> str:
        nonlocal depth
        if match[2].lower() in _FLAT:
            return match[0]
        if match[1]:
            is_kept = depth <= MAX_DEPTH
            depth = max(depth - 1, 0)
        else:
            depth += 1
            is_kept = depth <= MAX_DEPTH
        # A space keeps the words on both sides apart.
        return match[0] if is_kept else " "

    return _TAG.sub(keep, text)
