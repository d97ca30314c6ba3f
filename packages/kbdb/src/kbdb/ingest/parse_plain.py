"""Plain text to sections: one, or several by size."""

from kbdb.ingest import title as titles
from kbdb.ingest.outline import Outline
from kbdb.ingest.span import trim
from kbdb.ingest.split import split
from kbdb.model import PLAIN, Parsed


def parse_plain(text: str, *, title: str = "", name: str = "") -> Parsed:
    """Cut plain text by size only; the title is given, or the file's stem, or the first line."""
    document_title = title or titles.from_name(name) or titles.from_first_line(text)
    start, end = trim(text, 0, len(text))
    outline = Outline(PLAIN)
    if text[start:end].strip():
        outline.add(document_title, split(text[start:end]), level=0)
    return Parsed(title=document_title, type=PLAIN, parts=outline.parts())
