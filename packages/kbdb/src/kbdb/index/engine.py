"""The derived half of a knowledge base: catalogue, main index and overlay, in step with records.

Everything here may be deleted at any time; it is built again from the records.
"""

import logging
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from kbdb.index.analysis import Analyzer
from kbdb.index.build import build, current_folder, is_usable, publish_folder, stamp
from kbdb.index.catalogue import Catalogue
from kbdb.index.debt import labels, pay, searchable
from kbdb.index.follow import Follower
from kbdb.index.lexical import LexicalIndex, lexical_errors
from kbdb.index.overlay import Overlay
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
        self._catalogues: list[Catalogue] = []
        self._early: list[Changes] = []
        self._is_open = False
        self._is_read_only = False
        self._stamp: tuple[int, ...] = ()
        self._mean_length = 1.0
        self._generation = -1
        self._last_seq = 0
        self._seen_version = -1

    def open(
        self,
        *,
        progress: Callable[[int, int], None] | None = None,
        to_write: bool = False,
    ) -> None:
        """Open the index; build it if it is missing, damaged or of another making.

        Args:
            progress: Called with sections done and sections in all while it is built.
            to_write: Build it too where the one there can be read and not written.
        """
        seen = stamp(self._records.root, read_only=True)
        found = self._found(to_write=to_write)
        if found is None:
            found = self._build(progress), False
            seen = stamp(self._records.root, read_only=True)
        folder, read_only = found
        self._attach(folder, seen if read_only else seen[:2], read_only=read_only)
        for changes in self._early:
            self.apply(changes)
        self._early.clear()

    def apply(self, changes: Changes) -> None:
        """Bring the catalogue up to what changed; the next search finds it."""
        if not self._is_open:
            self._early.append(changes)
            return
        if self._is_read_only:
            self.open(to_write=True)
        with self.catalogue.writing() as connection:
            Follower(connection, self._records, self.analyzer).apply(changes)

    def view(self) -> View:
        """Return the index as of now, with every acknowledged write."""
        self._follow_current()
        with self._mutex, lexical_errors():
            self._refresh()
            return View(
                catalogue=self._catalogue,
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
            with self._mutex:
                catalogue, index = self._catalogue, self._lexical
            if not catalogue.pending():
                return 0
            with lexical_errors():
                # Another process may have been the first to fold.
                is_new = index.reader().section_count == 0
            count = pay(catalogue, index, self.analyzer, bulk=is_new)
            logger.info("index folded", extra={"section_count": count})
            return count

    def close(self) -> None:
        """Close every file."""
        for catalogue in self._catalogues:
            catalogue.close()
        self._catalogues.clear()
        if self._temporary is not None:
            self._temporary.cleanup()

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue of the index in use, also after another process replaced it."""
        self._follow_current()
        return self._catalogue

    @property
    def pending_count(self) -> int:
        """Count the sections that the main index has not taken in yet."""
        return int(self._catalogue.connection.execute("SELECT count(*) FROM pending").fetchone()[0])

    @property
    def generation(self) -> int:
        """Count the commits of the main index."""
        return int(self._catalogue.meta("generation", "0"))

    @property
    def size_bytes(self) -> int:
        """Size of all index files."""
        return sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file())

    @property
    def _writable(self) -> bool:
        return self._records.is_writable

    def _found(self, *, to_write: bool) -> tuple[Path, bool] | None:
        """Return the folder of a usable index and whether it can only be read."""
        folder = current_folder(self._records.root)
        if folder is None:
            return None
        # What works for reading alone is sound: a full disk has no room for SQLite's own files.
        for read_only in (False, True):
            refused = to_write if read_only else not self._writable
            if not refused and is_usable(folder, self.analyzer, read_only=read_only):
                return folder, read_only
        return None

    def _build(self, progress: Callable[[int, int], None] | None) -> Path:
        if not self._writable:
            self._temporary = tempfile.TemporaryDirectory(prefix="kbdb-index-")
            folder = Path(self._temporary.name)
            build(folder, records=self._records, analyzer=self.analyzer, progress=progress)
            return folder
        with self._records.exclusive():
            built = current_folder(self._records.root)
            if built is not None and is_usable(built, self.analyzer, read_only=False):
                return built
            with publish_folder(self._records.root) as fresh:
                build(fresh, records=self._records, analyzer=self.analyzer, progress=progress)
            return fresh

    def _attach(self, folder: Path, seen: tuple[int, ...], *, read_only: bool) -> None:
        with self._mutex, lexical_errors():
            self._folder = folder
            self._stamp = seen
            self._is_read_only = read_only
            self._catalogue = Catalogue(folder / "catalogue.db", read_only=read_only)
            self._catalogues.append(self._catalogue)
            self._lexical = LexicalIndex(folder / "lexical")
            self._reader = self._lexical.reader()
            self._watch = self._catalogue.watch()
            self._generation = self._seen_version = -1
            self._is_open = True

    def _follow_current(self) -> None:
        """Go over to the index that another process has put in this one's place."""
        if stamp(self._records.root, read_only=self._is_read_only) != self._stamp:
            logger.info("the index was replaced")
            self.open()

    def _refresh(self) -> None:
        """Take in what this or another process has committed since the last look."""
        version = int(self._watch.execute("PRAGMA data_version").fetchone()[0])
        if version != self._seen_version:
            # As of one moment: a fold between two questions would hide what it has just taken in.
            with self._catalogue.reading():
                self._take_in()
            self._seen_version = version

    def _take_in(self) -> None:
        generation = self.generation
        if generation != self._generation:
            self._reader = self._lexical.reader()
            self._overlay = Overlay()
            self._last_seq = 0
            self._generation = generation
            self._mean_length = float(self._catalogue.meta("mean_length", "100"))
        pending = self._catalogue.pending(self._last_seq)
        idents = [ident for _, ident in pending]
        for row, terms in searchable(self._catalogue, self.analyzer, idents):
            if terms is None:
                self._overlay.hide(row.ident)
            else:
                self._overlay.put(row.ident, terms, labels(row))
        if pending:
            self._last_seq = pending[-1][0]
