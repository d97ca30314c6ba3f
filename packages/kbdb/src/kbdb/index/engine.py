"""The derived half of a knowledge base: catalogue, main index and overlay, kept in step with the records.

Everything here may be deleted at any time; it is built again from the records.
"""

import logging
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from kbdb.errors import DamagedError
from kbdb.index.analysis import Analyzer
from kbdb.index.build import build, current_folder, finish, is_usable, labels, publish_folder
from kbdb.index.catalogue import Catalogue, Row
from kbdb.index.follow import Follower
from kbdb.index.lexical import Entry, LexicalIndex
from kbdb.index.overlay import Overlay
from kbdb.index.text import search_terms
from kbdb.index.view import View
from kbdb.records.change import Changes
from kbdb.records.store import Records

logger = logging.getLogger(__name__)


class Index:
    """Follows the records and answers for them.

    One instance serves all threads of a process; other processes may read and write the same files,
    one of them writing at a time.
    """

    def __init__(self, records: Records, analyzer: Analyzer) -> None:
        """Take the records to follow; nothing is opened yet."""
        self.analyzer = analyzer
        self._records = records
        self._mutex = threading.RLock()
        self._fold_mutex = threading.Lock()
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._overlay = Overlay()
        self._lexical_is_new = False
        self._mean_length = 1.0
        self._generation = -1
        self._last_seq = 0
        self._seen_version = -1

    def open(self, *, progress: Callable[[int, int], None] | None = None) -> None:
        """Open the index; build it if it is missing, damaged or of another making.

        Args:
            progress: Called with sections done and sections in all while it is built.
        """
        folder = current_folder(self._records.root)
        if folder is None or not is_usable(folder, self.analyzer, read_only=not self._writable):
            folder = self._build(progress)
        self._attach(folder)

    def apply(self, changes: Changes) -> None:
        """Bring the catalogue up to what changed; the next search finds it."""
        with self.catalogue.writing() as connection:
            Follower(connection, self._records).apply(changes)

    def view(self) -> View:
        """Return the index as of now, with every acknowledged write."""
        with self._mutex:
            self._refresh()
            return View(
                reader=self._reader,
                overlay=self._overlay,
                mutex=self._mutex,
                mean_length=self._mean_length,
            )

    def fold(self) -> int:
        """Move what is pending into the main index, and return how many sections that were.

        Searches go on meanwhile. The caller holds the records' write lock.
        """
        with self._fold_mutex:
            pending = self.catalogue.pending()
            if not pending:
                return 0
            lengths: list[tuple[int, int]] = []
            entries = self._entries([ident for _, ident in pending], lengths)
            count = self._lexical.write(entries, bulk=self._lexical_is_new)
            self._lexical_is_new = False
            self._settle_debt(pending[-1][0], lengths)
            self.catalogue.checkpoint()
            logger.info("index folded", extra={"section_count": count})
            return count

    def close(self) -> None:
        """Close every file."""
        if hasattr(self, "catalogue"):
            self.catalogue.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    @property
    def pending_count(self) -> int:
        """Count the sections that the main index has not taken in yet."""
        return int(self.catalogue.connection.execute("SELECT count(*) FROM pending").fetchone()[0])

    @property
    def generation(self) -> int:
        """Count the commits of the main index."""
        return int(self.catalogue.meta("generation", "0"))

    @property
    def size_bytes(self) -> int:
        """Size of all index files."""
        return sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file())

    @property
    def _writable(self) -> bool:
        return self._records.is_writable

    def _build(self, progress: Callable[[int, int], None] | None) -> Path:
        if not self._writable:
            self._temporary = tempfile.TemporaryDirectory(prefix="kbdb-index-")
            folder = Path(self._temporary.name)
            build(folder, records=self._records, analyzer=self.analyzer, progress=progress)
            return folder
        self._records.lock()
        built = current_folder(self._records.root)
        if built is not None and is_usable(built, self.analyzer, read_only=False):
            return built
        with publish_folder(self._records.root) as fresh:
            build(fresh, records=self._records, analyzer=self.analyzer, progress=progress)
        return fresh

    def _attach(self, folder: Path) -> None:
        read_only = not self._writable and self._temporary is None
        self._folder = folder
        self.catalogue = Catalogue(folder / "catalogue.db", read_only=read_only)
        self._lexical = LexicalIndex(folder / "lexical")
        self._reader = self._lexical.reader()
        self._lexical_is_new = self._reader.section_count == 0
        self._watch = self.catalogue.watch()

    def _refresh(self) -> None:
        """Take in what this or another process has committed since the last look."""
        version = int(self._watch.execute("PRAGMA data_version").fetchone()[0])
        if version == self._seen_version:
            return
        generation = self.generation
        if generation != self._generation:
            self._reader = self._lexical.reader()
            self._overlay = Overlay()
            self._last_seq = 0
            self._generation = generation
            self._mean_length = float(self.catalogue.meta("mean_length", "100"))
        pending = self.catalogue.pending(self._last_seq)
        for row, terms in self._searchable([ident for _, ident in pending]):
            if terms is None:
                self._overlay.hide(row.ident)
            else:
                self._overlay.put(row.ident, terms, labels(row))
        if pending:
            self._last_seq = pending[-1][0]
        self._seen_version = version

    def _entries(self, idents: list[int], lengths: list[tuple[int, int]]) -> Iterator[Entry]:
        for row, terms in self._searchable(idents):
            lengths.append((0 if terms is None else terms.count(" ") + 1, row.ident))
            yield Entry(row.ident, terms, labels(row))

    def _searchable(self, idents: list[int]) -> Iterator[tuple[Row, str | None]]:
        """Yield each section with its terms, or with None if it must not be found."""
        for start in range(0, len(idents), 500):
            for row in self.catalogue.rows(idents[start : start + 500]).values():
                yield row, self._terms(row)

    def _terms(self, row: Row) -> str | None:
        if not row.is_live:
            return None
        try:
            section = self._records.section(row.kbid)
        except DamagedError:
            section = None
        return search_terms(self.analyzer, section, row.extra) if section else None

    def _settle_debt(self, last_seq: int, lengths: list[tuple[int, int]]) -> None:
        with self.catalogue.writing() as connection:
            connection.executemany("UPDATE section SET length = ? WHERE id = ?", lengths)
            connection.execute("DELETE FROM pending WHERE seq <= ?", (last_seq,))
            finish(connection, generation=self.generation + 1)
