"""The marks beside a page's headings that link to the heading itself."""

from selectolax.lexbor import LexborNode

_MARKS = frozenset(["#", "§", "¶", "🔗"])
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


def is_permalink(text: LexborNode) -> bool:
    """Say whether a text node is such a mark: all there is in a heading's link to a fragment."""
    if (text.text_content or "").strip() not in _MARKS:
        return False
    is_linked = False
    node = text.parent
    while node is not None and node.tag not in _HEADINGS:
        if node.tag == "a":
            is_linked = "#" in (node.attributes.get("href") or "")
            if not is_linked or node.text().strip() not in _MARKS:
                return False
        node = node.parent
    return is_linked and node is not None
