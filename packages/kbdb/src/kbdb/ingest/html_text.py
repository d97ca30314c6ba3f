"""A page's tree to readable text in the manner of Markdown, one list of blocks a section."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from kbdb.ingest import title as titles
from kbdb.ingest.permalink import is_permalink

_Kind = Literal["text", "item", "row", "fence"]

_DROPPED = frozenset(
    [
        "head",
        "script",
        "style",
        "template",
        "noscript",
        "svg",
        "iframe",
        "object",
        "canvas",
        "datalist",
    ]
)
_BLOCKS = frozenset(
    [
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "caption",
            "center",
            "dd",
            "details",
        ),
        *(
            "dialog",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "header",
        ),
        *("hgroup", "hr", "html", "legend", "main", "menu", "nav", "ol", "optgroup", "option", "p"),
        *("search", "section", "select", "summary", "table", "tbody", "tfoot", "thead", "ul"),
    ]
)
_LISTS = frozenset(["ul", "ol", "menu"])
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_WHITE_SPACE = re.compile(r"[ \t\n\f\r\xa0]+")
_SPACES = re.compile(r" +")
_LINES = re.compile(r"\n+")
_BACKTICKS = re.compile(r"`{3,}")
_MAX_INDENT = 8


@dataclass(slots=True)
class PageSection:
    """A heading and the blocks up to the next one; level 0 is what comes before any heading."""

    title: str
    level: int
    blocks: list[tuple[_Kind, str]] = field(default_factory=list)

    def text(self) -> str:
        """Return the blocks as one text: a blank line between them, items and rows on lines."""
        return "".join(f"{gap}{block}" for gap, _, block in self._placed())

    def borders(self) -> tuple[list[int], list[int], list[tuple[int, int]]]:
        """Return offsets into the text: of paragraphs, of items and rows, and fences' ranges."""
        paragraphs: list[int] = []
        smaller: list[int] = []
        fences: list[tuple[int, int]] = []
        at = 0
        for gap, kind, block in self._placed():
            at += len(gap)
            (smaller if gap == "\n" else paragraphs).append(at)
            if kind == "fence":
                fences.append((at, at + len(block)))
            at += len(block)
        return paragraphs, smaller, fences

    def _placed(self) -> Iterator[tuple[str, _Kind, str]]:
        before: _Kind | None = None
        for kind, block in self.blocks:
            if before is None:
                gap = ""
            else:
                gap = "\n" if kind == before and kind in ("item", "row") else "\n\n"
            yield gap, kind, block
            before = kind


@dataclass(slots=True)
class _Cell:
    """An open table cell and the blocks found in it."""

    owner: int
    blocks: list[tuple[_Kind, str]] = field(default_factory=list)


def read_page(tree: LexborHTMLParser) -> list[PageSection]:
    """Return the sections of a page in order; the first is the one before any heading."""
    reader = _Reader()
    if tree.root is not None:
        for entering, node in _walk(tree.root, reader):
            if entering:
                reader.enter(node)
            else:
                reader.leave(node)
    reader.finish()
    return reader.sections


def _walk(root: LexborNode, reader: "_Reader") -> Iterator[tuple[bool, LexborNode]]:
    """Yield each node when it is entered and left, without recursion."""
    node: LexborNode | None = root
    while node is not None:
        yield True, node
        child = node.first_child if reader.goes_into(node) else None
        if child is not None:
            node = child
            continue
        while node is not None:
            yield False, node
            following = None if node.mem_id == root.mem_id else node.next
            if following is not None:
                node = following
                break
            node = None if node.mem_id == root.mem_id else node.parent


class _Reader:
    """Collects text as the nodes pass by."""

    def __init__(self) -> None:
        self.sections = [PageSection("", 0)]
        self._inline: list[str] = []
        self._numbers: list[int | None] = []
        self._marker = ""
        self._cells: list[_Cell] = []
        self._rows: list[list[str]] = []

    def goes_into(self, node: LexborNode) -> bool:
        """Say whether the walk looks inside a node that was just entered."""
        return node.tag not in _DROPPED and node.tag != "pre"

    def enter(self, node: LexborNode) -> None:
        """Take a node's own text, and end the paragraph before it if it is a block."""
        tag = node.tag or ""
        if tag == "-text":
            if not is_permalink(node):
                self._inline.append(_WHITE_SPACE.sub(" ", node.text_content or ""))
        elif tag == "br":
            self._inline.append("\n")
        elif tag == "img":
            self._inline.append(_WHITE_SPACE.sub(" ", node.attributes.get("alt") or ""))
        elif tag in _HEADINGS:
            self._close_cells()
            self._flush()
        elif tag == "pre":
            self._flush()
            self._add("fence", _fence(node))
        elif tag in ("li", "tr", "td", "th"):
            self._enter_part(tag, node)
        elif tag in _BLOCKS:
            self._enter_block(tag)

    def leave(self, node: LexborNode) -> None:
        """End what the node began."""
        tag = node.tag or ""
        if tag in _HEADINGS:
            title = titles.tidy("".join(self._inline))
            self._inline.clear()
            self._marker = ""
            self.sections.append(PageSection(title, int(tag[1])))
        elif tag in ("td", "th"):
            self._leave_cell(node.mem_id)
        elif tag == "tr":
            self._flush()
            self._add_row(self._rows.pop() if self._rows else [])
        elif tag == "li" or tag in _BLOCKS:
            self._flush()
            if tag in _LISTS and self._numbers:
                self._numbers.pop()
            if tag == "li":
                self._marker = ""

    def finish(self) -> None:
        """End whatever is still open."""
        self._close_cells()
        self._flush()

    def _enter_block(self, tag: str) -> None:
        # A paragraph that opens a list item belongs on the item's line.
        self._flush()
        if tag in _LISTS:
            self._numbers.append(0 if tag == "ol" else None)

    def _enter_part(self, tag: str, node: LexborNode) -> None:
        self._flush()
        if tag == "tr":
            self._rows.append([])
        elif tag == "li":
            indent = "  " * min(max(len(self._numbers) - 1, 0), _MAX_INDENT)
            number = self._numbers[-1] if self._numbers else None
            if number is not None:
                self._numbers[-1] = number + 1
            self._marker = f"{indent}- " if number is None else f"{indent}{number + 1}. "
        else:
            self._cells.append(_Cell(node.mem_id))

    def _leave_cell(self, owner: int) -> None:
        self._flush()
        if not self._cells or self._cells[-1].owner != owner:
            return
        blocks = self._cells.pop().blocks
        if self._rows and all(kind == "text" for kind, _ in blocks):
            text = " ".join(block for _, block in blocks)
            self._rows[-1].append(_LINES.sub(" ", text))
            return
        # A cell with lists or tables in it lays out a page; its blocks are the page's.
        if self._rows:
            self._add_row(self._rows[-1])
            self._rows[-1] = []
        for kind, block in blocks:
            self._add(kind, block)

    def _close_cells(self) -> None:
        """Give what open cells hold to the section, because a heading ends it."""
        self._flush()
        cells, self._cells = self._cells, []
        rows, self._rows = self._rows, []
        for row in rows:
            self._add_row(row)
        for cell in cells:
            self.sections[-1].blocks += cell.blocks

    def _add_row(self, cells: list[str]) -> None:
        if any(cells):
            self._add("row", " | ".join(cells))

    def _flush(self) -> None:
        text = _SPACES.sub(" ", "".join(self._inline))
        text = _LINES.sub("\n", text.replace(" \n", "\n").replace("\n ", "\n")).strip()
        self._inline.clear()
        if text and self._marker:
            self._add("item", self._marker + text)
            self._marker = ""
        elif text:
            self._add("text", text)

    def _add(self, kind: _Kind, block: str) -> None:
        (self._cells[-1].blocks if self._cells else self.sections[-1].blocks).append((kind, block))


def _fence(node: LexborNode) -> str:
    code = _verbatim(node).strip("\n")
    longest = max((len(run) for run in _BACKTICKS.findall(code)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}\n{code}\n{mark}"


def _verbatim(node: LexborNode) -> str:
    pieces: list[str] = []
    inner = node.first_child
    if inner is None:
        return ""
    for each in node.traverse(include_text=True):
        if each.is_text_node:
            pieces.append(each.text_content or "")
        elif each.tag == "br":
            pieces.append("\n")
    return "".join(pieces)
