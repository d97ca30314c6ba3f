"""How a section or a document looks to a person."""

from collections.abc import Iterator

from kbdb.cli.output import painted
from kbdb.cli.text import harmless_block, harmless_line
from kbdb.ingest.size import human_size
from kbdb.model import DocumentView, Section, SectionView, Tombstone


def page(found: SectionView | DocumentView) -> str:
    """Return what is known about the section or document, then its text."""
    lines = _section_lines(found) if isinstance(found, SectionView) else _document_lines(found)
    return "\n".join(lines)


def _section_lines(view: SectionView) -> Iterator[str]:
    section = view.section
    yield painted(harmless_line(section.title) or "(untitled)", bold=True)
    yield _fact("id", section.kbid)
    yield _fact("type", section.type)
    yield from _facts("in", view.docids)
    yield from _facts("tags", view.tags)
    yield from _facts("within", (view.parent,) if view.parent else ())
    yield from _facts("learned", (view.created,) if view.created else ())
    yield from _facts("links to", view.links)
    yield from _facts("linked from", view.backlinks)
    if view.tombstone is not None:
        yield painted(_retired(view.tombstone), fg="yellow")
    yield ""
    yield _body(section)


def _document_lines(view: DocumentView) -> Iterator[str]:
    document = view.document
    yield painted(harmless_line(document.title) or "(untitled)", bold=True)
    yield _fact("id", document.docid)
    yield from _document_facts(view)
    yield _fact("sections", str(len(view.sections)))
    for section in view.sections:
        yield ""
        title = painted(harmless_line(section.title) or "(untitled)", bold=True)
        yield f"{title}  {painted(section.kbid, dim=True)}"
        yield _body(section)


def _document_facts(view: DocumentView) -> Iterator[str]:
    document = view.document
    yield from _facts("about", (document.description,) if document.description else ())
    yield _fact("type", document.type)
    yield from _facts("tags", view.tags)
    yield from _facts("source", (document.source.path,) if document.source else ())
    yield from _facts("learned", (document.updated,) if document.updated else ())


def _body(section: Section) -> str:
    if section.is_text:
        return harmless_block(section.text).strip("\n")
    size = human_size(len(section.body))
    return f"({section.type}, {size}; save it with `kbdb retrieve {section.kbid} --output FILE`)"


def _retired(tombstone: Tombstone) -> str:
    text = f"retired {tombstone.at}: {tombstone.why}"
    return f"{text} by {tombstone.by}; see `kbdb retrieve {tombstone.by}`" if tombstone.by else text


def _facts(name: str, values: tuple[str, ...]) -> Iterator[str]:
    if values:
        yield _fact(name, ", ".join(values))


def _fact(name: str, value: str) -> str:
    return painted(f"{name}: {harmless_line(value)}", dim=True)
