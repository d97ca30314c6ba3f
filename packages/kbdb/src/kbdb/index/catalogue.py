"""The catalogue: sections, documents, links and what the lexical index still owes, in SQLite.

Derived from the records, and follows them change by change. Commits are not synced: after a power
cut the records' journal replays what is missing, and a file that is damaged is rebuilt.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from kbdb.records.durable import sync_paths

VERSION = 3
_BUSY_TIMEOUT_S = 10.0
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Row:
    """A section as the catalogue knows it; ``extra`` is searched with the section's own text."""

    ident: int
    kbid: str
    type: str
    title: str
    is_live: bool
    docids: tuple[str, ...]
    tags: tuple[str, ...]
    extra: str


@dataclass(frozen=True, slots=True)
class Holding:
    """A section's place in one document."""

    docid: str
    level: int
    parent: str | None
    created: str


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A document that was learned from a file."""

    docid: str
    path: str
    digest: str


class Catalogue:
    """One SQLite file; each thread has its own connection, and writes go through one more."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open the file, or make it where there is none.

        Raises:
            sqlite3.DatabaseError: The file is damaged.
        """
        self._path = path
        self._read_only = read_only
        self._local = threading.local()
        self._open: list[tuple[threading.Thread | None, sqlite3.Connection]] = []
        self._mutex = threading.Lock()
        if not read_only and not path.exists():
            self._create()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run the block in one transaction."""
        connection = self.connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            # Where the disk is full, SQLite has rolled back by itself.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Let this thread's questions inside the block all be answered as of one moment."""
        connection = self.connection
        connection.execute("BEGIN")
        try:
            yield
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection."""
        existing: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if existing is None:
            existing = self._connect(threading.current_thread())
            self._local.connection = existing
        return existing

    def watch(self) -> sqlite3.Connection:
        """Return a connection whose ``PRAGMA data_version`` changes with each commit of others."""
        return self._connect(None)

    def checkpoint(self) -> None:
        """Make what was committed durable: in the file or, if readers are in the way, its log."""
        if self._read_only:
            return
        busy, logged, moved = self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if busy or moved < logged:
            log = self._path.with_name(self._path.name + "-wal")
            sync_paths([log, log.parent], root=log.parent)

    def close(self) -> None:
        """Close every thread's connection."""
        with self._mutex:
            for _, connection in self._open:
                connection.close()
            self._open.clear()
        self._local = threading.local()

    def meta(self, key: str, default: str = "") -> str:
        """Return a value that belongs to the whole index."""
        found = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(found[0]) if found else default

    def rows(self, idents: Sequence[int]) -> dict[int, Row]:
        """Return the sections with these row ids; unknown ids are left out."""
        found: dict[int, Row] = {}
        for start in range(0, len(idents), _CHUNK):
            chunk = idents[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            for raw in self.connection.execute(
                f"{_SELECT_ROW} WHERE id IN ({marks})",
                chunk,
            ):
                found[raw[0]] = _row(raw)
        return found

    def body_terms(self, idents: Sequence[int]) -> dict[int, str]:
        """Return the terms of the sections' texts, a line for each piece between white space."""
        found: dict[int, str] = {}
        for start in range(0, len(idents), _CHUNK):
            chunk = idents[start : start + _CHUNK]
            marks = ",".join("?" * len(chunk))
            query = f"SELECT section, terms FROM body WHERE section IN ({marks})"  # noqa: S608 - question marks
            found.update(self.connection.execute(query, chunk).fetchall())
        return found

    def row(self, kbid: str) -> Row | None:
        """Return the section with this kb-id."""
        raw = self.connection.execute(f"{_SELECT_ROW} WHERE kbid = ?", (kbid,)).fetchone()
        return _row(raw) if raw else None

    def live(self, kbids: Iterable[str]) -> set[str]:
        """Return those of the kb-ids that are live."""
        execute = self.connection.execute
        query = "SELECT 1 FROM section WHERE kbid = ? AND live"
        return {kbid for kbid in kbids if execute(query, (kbid,)).fetchone()}

    def holdings(self, kbid: str) -> tuple[Holding, ...]:
        """Return the places of a section, oldest first."""
        return tuple(
            Holding(*raw)
            for raw in self.connection.execute(
                "SELECT docid, level, parent, created FROM holding"
                " WHERE section = (SELECT id FROM section WHERE kbid = ?) ORDER BY created, docid",
                (kbid,),
            )
        )

    def links(self, kbid: str) -> tuple[str, ...]:
        """Return the ids that a section's text links to."""
        return tuple(
            str(raw[0])
            for raw in self.connection.execute(
                "SELECT target FROM link WHERE section = (SELECT id FROM section WHERE kbid = ?)"
                " ORDER BY target",
                (kbid,),
            )
        )

    def backlinks(self, targets: Sequence[str]) -> tuple[str, ...]:
        """Return the live sections that link to any of the ids."""
        marks = ",".join("?" * len(targets))
        return tuple(
            str(raw[0])
            for raw in self.connection.execute(
                "SELECT DISTINCT kbid FROM link"  # noqa: S608 -- question marks alone
                " JOIN section ON section.id = link.section"
                f" WHERE live AND target IN ({marks}) ORDER BY kbid",
                targets,
            )
        )

    def has_document(self, docid: str) -> bool:
        """Say whether there is a document with this docid."""
        query = "SELECT 1 FROM document WHERE docid = ?"
        return self.connection.execute(query, (docid,)).fetchone() is not None

    def docids(self, *, type: str = "") -> tuple[str, ...]:
        """Return the docids of all documents, or of those of a type."""
        query = "SELECT docid FROM document WHERE ? IN ('', type) ORDER BY docid"
        return tuple(str(raw[0]) for raw in self.connection.execute(query, (type,)))

    def held_count(self, docids: Iterable[str]) -> int:
        """Count the places of sections in these documents."""
        query = "SELECT count(*) FROM holding WHERE docid = ?"
        return sum(int(self.connection.execute(query, (one,)).fetchone()[0]) for one in docids)

    def source(self, path: str) -> KnownSource | None:
        """Return the document that was learned from a file."""
        query = "SELECT docid, source, digest FROM document WHERE source = ?"
        raw = self.connection.execute(query, (path,)).fetchone()
        return KnownSource(*raw) if raw else None

    def sources(self) -> Iterator[KnownSource]:
        """Yield every document that was learned from a file."""
        query = "SELECT docid, source, digest FROM document WHERE source IS NOT NULL"
        for raw in self.connection.execute(query):
            yield KnownSource(*raw)

    def near_ids(self, start: str, limit: int) -> tuple[str, ...]:
        """Return kb-ids and docids that begin with ``start``."""
        end = start + "\U0010ffff"
        found: list[str] = []
        for query in (
            "SELECT kbid FROM section WHERE kbid >= ? AND kbid < ? ORDER BY kbid LIMIT ?",
            "SELECT docid FROM document WHERE docid >= ? AND docid < ? ORDER BY docid LIMIT ?",
        ):
            rows = self.connection.execute(query, (start, end, limit))
            found += [str(raw[0]) for raw in rows]
        return tuple(found)

    def counts(self) -> dict[str, int]:
        """Count documents, live and retired sections, skills, agents and what is pending."""
        queries = {
            "documents": "SELECT count(*) FROM document",
            "sections": "SELECT count(*) FROM section WHERE live",
            "retired": "SELECT count(*) FROM section WHERE retired",
            "skills": "SELECT count(*) FROM document WHERE type = 'skill'",
            "agents": "SELECT count(*) FROM document WHERE type = 'agent'",
            "pending": "SELECT count(*) FROM pending",
        }
        execute = self.connection.execute
        return {name: int(execute(query).fetchone()[0]) for name, query in queries.items()}

    def pending(self, after: int = 0) -> list[tuple[int, int]]:
        """Return sequence number and row id of what the lexical index owes, oldest first."""
        query = "SELECT seq, section FROM pending WHERE seq > ? ORDER BY seq"
        return self.connection.execute(query, (after,)).fetchall()

    def _create(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = self.connection
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        schema = files("kbdb.index").joinpath("schema.sql").read_text("utf-8")
        connection.executescript(f"BEGIN;{schema};COMMIT;")

    def _connect(self, owner: threading.Thread | None) -> sqlite3.Connection:
        with self._mutex:
            for thread, connection in self._open:
                if thread is not None and not thread.is_alive():
                    connection.close()
            self._open = [one for one in self._open if one[0] is None or one[0].is_alive()]
            connection = self._new_connection()
            self._open.append((owner, connection))
            return connection

    def _new_connection(self) -> sqlite3.Connection:
        mode = "ro" if self._read_only else "rwc"
        # A folder that may not be written has no log beside the file, and no writer of one.
        if self._read_only and not has_log(self._path):
            mode = "ro&immutable=1"
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=_BUSY_TIMEOUT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -16000")
        # A checkpoint syncs, and no write should wait for it; whoever folds runs it.
        connection.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
        return connection


_SELECT_ROW = "SELECT id, kbid, type, title, live, docids, tags, extra FROM section"


def has_log(path: Path) -> bool:
    """Say whether a catalogue's log holds anything."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def join_names(names: Iterable[str]) -> str:
    """Put docids or tags into one column; neither holds a line end."""
    return "\n".join(names)


def split_names(column: str) -> tuple[str, ...]:
    """Return the docids or tags of a column."""
    return tuple(column.split("\n")) if column else ()


def _row(raw: tuple[int, str, str, str, int, str, str, str]) -> Row:
    ident, kbid, type_, title, live, docids, tags, extra = raw
    return Row(
        ident,
        kbid,
        type_,
        title,
        bool(live),
        split_names(docids),
        split_names(tags),
        extra,
    )
