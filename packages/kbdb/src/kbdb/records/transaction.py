"""One transaction: what is to be written, in an order that does no harm when half is seen."""

from dataclasses import dataclass
from pathlib import Path

from kbdb.model import Document, Section, Tombstone
from kbdb.records import codec, durable, layout
from kbdb.records.change import Changes
from kbdb.records.journal import Journal


@dataclass(frozen=True, slots=True)
class Placed:
    """A path that was written or deleted; ``before`` is the second name of what it held."""

    target: Path
    before: Path | None


class Transaction:
    """Collects writes into the journal, sections before what refers to them."""

    def __init__(self, root: Path, journal: Journal) -> None:
        """Open a transaction of the journal."""
        self.changes = Changes()
        self.is_empty = True
        self._root = root
        self._journal = journal
        journal.begin()

    def put_section(self, section: Section) -> bool:
        """Store a section; say whether its file was not there yet.

        A section that is there is left alone: its file depends on its id only.
        """
        if section.kbid in self.changes.sections:
            return False
        path = layout.section_path(section.kbid)
        if self._has(section):
            self.changes.touch_section(section.kbid, section)
            return False
        self.is_empty = False
        body = section.body
        if not section.is_text:
            self._journal.put(layout.binary_path(section.kbid, section.type), body)
            body = b""
        data = codec.encode_section(type=section.type, title=section.title, body=body)
        self._journal.put(path, data)
        self.changes.touch_section(section.kbid, section)
        return True

    def put_document(self, document: Document) -> None:
        """Store or replace a document's manifest."""
        self.is_empty = False
        self.changes.docids[document.docid] = None
        self._journal.put(layout.document_path(document.docid), codec.encode_document(document))

    def drop_document(self, docid: str) -> None:
        """Delete a document's manifest."""
        self.is_empty = False
        self.changes.docids[docid] = None
        self._journal.delete(layout.document_path(docid))

    def retire(self, tombstone: Tombstone) -> None:
        """Note that a section was retired."""
        self.is_empty = False
        self.changes.tombstones[tombstone.kbid] = None
        self._journal.put(layout.tombstone_path(tombstone.kbid), codec.encode_tombstone(tombstone))

    def restore(self, kbid: str) -> None:
        """Take a section's tombstone away."""
        self.is_empty = False
        self.changes.tombstones[kbid] = None
        self._journal.delete(layout.tombstone_path(kbid))

    def _has(self, section: Section) -> bool:
        path = self._root / layout.section_path(section.kbid)
        if not path.exists():
            return False
        sibling = self._root / layout.binary_path(section.kbid, section.type)
        return section.is_text or sibling.exists()


def undo(done: list[Placed]) -> None:
    """Give each path back what it held before, last change first, durably."""
    for placed in reversed(done):
        if placed.before is None:
            placed.target.unlink(missing_ok=True)
        else:
            placed.before.replace(placed.target)
    for folder in {placed.target.parent for placed in done}:
        durable.sync_path(folder)


def forget(done: list[Placed]) -> None:
    """Drop what would have undone a transaction."""
    for placed in done:
        if placed.before is not None:
            placed.before.unlink(missing_ok=True)
