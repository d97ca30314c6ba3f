"""How the catalogue follows the records: changes become rows, and visible ones a debt."""

import sqlite3
from collections.abc import Callable
from typing import TypeVar

from kbdb.errors import DamagedError
from kbdb.index.analysis import Analyzer
from kbdb.index.catalogue import join_names, split_names
from kbdb.index.text import body_terms
from kbdb.ingest.link import find_links
from kbdb.model import Document, Section
from kbdb.records.change import Changes
from kbdb.records.store import Records

T = TypeVar("T")


class Follower:
    """Applies changes within one transaction of the catalogue."""

    def __init__(
        self, connection: sqlite3.Connection, records: Records, analyzer: Analyzer
    ) -> None:
        """Take an open transaction."""
        self._execute = connection.execute
        self._records = records
        self._analyzer = analyzer
        self._affected: dict[int, None] = {}
        self._ids: dict[str, int] = {}

    def apply(self, changes: Changes) -> None:
        """Bring the catalogue up to the records for everything that changed."""
        for kbid, section in changes.sections.items():
            self._section(kbid, section)
        for docid in changes.docids:
            self._document(docid)
        for kbid in changes.tombstones:
            self._tombstone(kbid)
        for ident in self._affected:
            self._refresh(ident)

    def _section(self, kbid: str, section: Section | None) -> int | None:
        """Return a section's row id, made if it is new; None if its file is gone or damaged."""
        if (known := self._ids.get(kbid)) is not None:
            return known
        found = self._execute("SELECT id FROM section WHERE kbid = ?", (kbid,)).fetchone()
        if found:
            ident = int(found[0])
        else:
            section = section or _readable(self._records.section, kbid)
            if section is None:
                return None
            ident = self._insert(section)
        self._ids[kbid] = ident
        self._affected[ident] = None
        return ident

    def _insert(self, section: Section) -> int:
        cursor = self._execute(
            "INSERT INTO section (kbid, type, title, size) VALUES (?, ?, ?, ?)",
            (section.kbid, section.type, section.title, len(section.body)),
        )
        ident = int(cursor.lastrowid or 0)
        terms = body_terms(self._analyzer, section.text)
        self._execute("INSERT INTO body VALUES (?, ?)", (ident, terms))
        if b"$(link:" in section.body and section.is_text:
            for target in find_links(section.text):
                self._execute("INSERT OR IGNORE INTO link VALUES (?, ?)", (ident, target))
        return ident

    def _document(self, docid: str) -> None:
        for (ident,) in self._execute("SELECT section FROM holding WHERE docid = ?", (docid,)):
            self._affected[ident] = None
        self._execute("DELETE FROM holding WHERE docid = ?", (docid,))
        document = _readable(self._records.document, docid)
        if document is None:
            self._execute("DELETE FROM document WHERE docid = ?", (docid,))
        else:
            self._hold(document)

    def _hold(self, document: Document) -> None:
        source = document.source
        self._execute(
            "INSERT OR REPLACE INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                document.docid,
                document.title,
                document.description,
                document.type,
                join_names(document.tags),
                document.created,
                source.path if source else None,
                source.digest if source else None,
            ),
        )
        for position, ref in enumerate(document.sections):
            ident = self._section(ref.kbid, None)
            if ident is not None:
                self._affected[ident] = None
                self._execute(
                    "INSERT INTO holding VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        document.docid,
                        position,
                        ident,
                        ref.level,
                        ref.parent,
                        join_names(ref.tags),
                        ref.created,
                    ),
                )

    def _tombstone(self, kbid: str) -> None:
        ident = self._section(kbid, None)
        if ident is not None:
            retired = self._records.has_tombstone(kbid)
            self._execute("UPDATE section SET retired = ? WHERE id = ?", (retired, ident))
            self._affected[ident] = None

    def _refresh(self, ident: int) -> None:
        """Recompute what the holdings say of a section; a difference is owed to the index."""
        docids, tags, extra = self._held(ident)
        before = self._execute(
            "SELECT live, docids, tags, extra, retired FROM section WHERE id = ?", (ident,)
        ).fetchone()
        live = int(bool(docids) and not before[4])
        after = (live, join_names(docids), join_names(tags), extra)
        if after != before[:4]:
            self._execute(
                "UPDATE section SET live = ?, docids = ?, tags = ?, extra = ? WHERE id = ?",
                (*after, ident),
            )
            self._execute("INSERT INTO pending (section) VALUES (?)", (ident,))

    def _held(self, ident: int) -> tuple[list[str], list[str], str]:
        docids: dict[str, None] = {}
        tags: dict[str, None] = {}
        extra: list[str] = []
        for docid, position, own, shared, description in self._execute(
            "SELECT holding.docid, position, holding.tags, document.tags, description"
            " FROM holding JOIN document USING (docid) WHERE section = ?"
            " ORDER BY holding.created, holding.docid, position",
            (ident,),
        ):
            docids[docid] = None
            tags |= dict.fromkeys([*split_names(shared), *split_names(own)])
            if position == 0 and description:
                extra.append(description)
        return list(docids), list(tags), "\n".join(extra)


def _readable(read: Callable[[str], T | None], ident: str) -> T | None:
    """Return a record, or None when it is damaged: the rest of the base still works without it."""
    try:
        return read(ident)
    except DamagedError:
        return None
