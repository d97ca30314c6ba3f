"""HTML to sections: headings open them, the page's text becomes paragraphs, lists and fences."""

from selectolax.lexbor import LexborHTMLParser

from kbdb.ingest import title as titles
from kbdb.ingest.html_text import PageSection, read_page
from kbdb.ingest.html_tree import parse_tree
from kbdb.ingest.outline import Outline
from kbdb.ingest.split import split
from kbdb.model import HTML, Parsed

_DESCRIPTION_NAMES = ("description", "og:description")
_MAX_TAGS = 100


def parse_html(text: str, *, title: str = "", name: str = "") -> Parsed:
    """Cut a page at its headings, wherever they stand.

    A part's body is readable text in the manner of Markdown: paragraphs between blank lines, lists
    with hyphens, preformatted text in fences, table rows with bars; scripts, styles and templates
    are dropped. The title is the given one, else the page's, else that of its first heading.
    """
    tree = parse_tree(text)
    sections = read_page(tree)
    document_title = (
        title or _page_title(tree) or _title_among(sections) or titles.from_name(name)
    ) or titles.from_first_line(sections[0].text())
    outline = Outline(HTML)
    for section in sections:
        body = section.text()
        if section.level or body:
            borders, finer, whole = section.borders()
            pieces = split(body, borders=borders, finer=finer, whole=whole)
            outline.add(section.title or document_title, pieces, level=section.level)
    description, tags = _meta(tree)
    return Parsed(
        title=document_title,
        type=HTML,
        description=description,
        tags=tags,
        parts=outline.parts(),
    )


def _page_title(tree: LexborHTMLParser) -> str:
    node = tree.head.css_first("title") if tree.head is not None else None
    return titles.tidy(node.text()) if node is not None else ""


def _title_among(sections: list[PageSection]) -> str:
    titled = [section for section in sections if section.title]
    top = next((section.title for section in titled if section.level == 1), "")
    return top or (titled[0].title if titled else "")


def _meta(tree: LexborHTMLParser) -> tuple[str, tuple[str, ...]]:
    """Return the description and the keywords of the page's ``meta`` elements."""
    content_by_name: dict[str, str] = {}
    for node in tree.css("meta"):
        attributes = node.attributes
        key = (attributes.get("name") or attributes.get("property") or "").lower()
        content_by_name.setdefault(key, attributes.get("content") or "")
    found = (titles.tidy(content_by_name.get(key, "")) for key in _DESCRIPTION_NAMES)
    description = next((text for text in found if text), "")
    words = (titles.tidy(word) for word in content_by_name.get("keywords", "").split(","))
    return description, tuple(dict.fromkeys(word for word in words if word))[:_MAX_TAGS]
