"""The records of one knowledge base: sections, documents and tombstones as files.

Reading needs no lock. Writing goes through one transaction at a time: journal first and synced,
then the files, then whoever follows (the index), and only then is it acknowledged.
"""

import contextlib
import logging
import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from kbdb.errors import (
    DamagedError,
    ReadOnlyError,
    StorageError,
)
from kbdb.kbid import is_kbid, kbid_of
from kbdb.model import Document, Section, Tombstone, is_text_type
from kbdb.records import codec, durable, layout
from kbdb.records.change import Changes
from kbdb.records.folder import names_in
from kbdb.records.journal import Journal, Operation
from kbdb.records.lock import WriteLock
from kbdb.records.transaction import Placed, Transaction, forget, undo

logger = logging.getLogger(__name__)

LOCK_TIMEOUT_S = 10.0
_PATH = re.compile(
    r"(sections/[0-9a-z]{2}/[0-9a-z]{26}\.[a-z]{2,4}|(documents|retired)/[^/\\\0]+\.json)"
)


class Records:
    """The durable half of a knowledge base."""

    def __init__(self, root: Path, *, publish: Callable[[Changes], None]) -> None:
        """Take a folder that ``check_format`` accepted; nothing is read yet.

        Args:
            root: The knowledge base's own folder.
            publish: Called with each transaction's changes after its files are in place and before
                it is acknowledged; raising undoes the transaction.
        """
        self.root = root
        self._folder = str(root)
        self._publish = publish
        self._lock = WriteLock(root / layout.LOCK_FILE)
        self._journal = Journal(root / layout.JOURNAL_FILE)
        self._unsynced: set[Path] = set()
        self._interrupted = False
        self._threads = threading.RLock()

    @property
    def is_writable(self) -> bool:
        """Say whether this process may write in the folder."""
        return os.access(self.root, os.W_OK)

    def section(self, kbid: str) -> Section | None:
        """Return a section, live or retired, or None if there is no such file."""
        if not is_kbid(kbid):
            return None
        name = layout.section_path(kbid)
        data = self._read(name)
        if data is None:
            return None
        type_, title, body = codec.decode_section(data, name=name)
        if not is_text_type(type_):
            name = layout.binary_path(kbid, type_)
            binary = self._read(name)
            if binary is None:
                raise codec.damaged(name, "the file is missing")
            body = binary
        if kbid_of(type=type_, title=title, body=body) != kbid:
            raise codec.damaged(name, "its content is not what its id was made from")
        return Section(kbid=kbid, type=type_, title=title, body=body)

    def text(self, kbid: str) -> str | None:
        """Return a section's text without its head; empty for an image, None if it is gone.

        For a caller that has the rest from elsewhere, and is in a hurry.
        """
        name = layout.section_path(kbid)
        data = self._read(name)
        if data is None:
            return None
        return codec.body_of(data, name=name).decode("utf-8", "replace")

    def document(self, docid: str) -> Document | None:
        """Return a document's manifest, or None if there is none."""
        if not docid or docid.startswith(".") or any(one in docid for one in "/\\\0"):
            return None
        name = layout.document_path(docid)
        data = self._read(name)
        return None if data is None else codec.decode_document(data, docid=docid, name=name)

    def has_document(self, docid: str) -> bool:
        """Say whether there is a manifest, also where it is damaged."""
        return (self.root / layout.document_path(docid)).exists()

    def tombstone(self, kbid: str) -> Tombstone | None:
        """Return the note that a section was retired, or None if it was not."""
        name = layout.tombstone_path(kbid)
        data = self._read(name)
        return None if data is None else codec.decode_tombstone(data, kbid=kbid, name=name)

    def has_tombstone(self, kbid: str) -> bool:
        """Say whether a section was retired, also where the tombstone itself is damaged."""
        return (self.root / layout.tombstone_path(kbid)).exists()

    def kbids(self) -> Iterator[str]:
        """Yield the kb-id of every section file."""
        for folder in sorted(names_in(self.root / layout.SECTIONS)):
            for name in sorted(names_in(self.root / layout.SECTIONS / folder)):
                if name.endswith(".md") and is_kbid(name[:-3]):
                    yield name[:-3]

    def docids(self) -> Iterator[str]:
        """Yield the docid of every manifest."""
        yield from _stems(self.root / layout.DOCUMENTS)

    def tombstone_ids(self) -> Iterator[str]:
        """Yield the kb-id of every tombstone."""
        yield from _stems(self.root / layout.RETIRED)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Collect writes and commit them, all or none, when the block ends without an error.

        Raises:
            LockedError: Another process is writing.
            ReadOnlyError: The folder may not be written.
            DiskFullError: There is no room; nothing was changed.
        """
        with self._threads, durable.storage_errors("write the knowledge base"):
            self.lock()
            try:
                tx = Transaction(self.root, self._journal)
                try:
                    yield tx
                    if tx.is_empty:
                        self._journal.cancel()
                        return
                    self._journal.commit()
                except BaseException:
                    self._journal.cancel()
                    raise
                self._apply_current(tx)
            finally:
                if not self._journal.size_bytes:
                    self._let_go()

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep every other writer out of the block; let them in afterwards unless this one goes on.

        Raises:
            LockedError: Another process is writing.
        """
        with self._threads:
            goes_on = self._lock.is_held
            self.lock()
            try:
                yield
            finally:
                if not goes_on:
                    self.settle()

    def lock(self) -> None:
        """Become the writer; finish what a killed writer had promised."""
        if not self.is_writable:
            raise ReadOnlyError(
                f"{self.root} may be read but not written",
                hint="check who owns the folder and whether it may be written",
            )
        if not self._lock.is_held:
            self._lock.acquire(timeout_s=LOCK_TIMEOUT_S)
            self._interrupted = self._journal.size_bytes > 0
        if self._interrupted:
            try:
                self._replay()
            except BaseException:
                self._let_go()
                raise

    def recover(self) -> None:
        """Finish what a killed writer had promised, if there is such a thing and nobody writes now.

        Where the operating system refuses, the promise stays in the journal for the next writer.

        Raises:
            DamagedError: The journal holds what kbdb never writes.
        """
        if not self._journal.size_bytes or not self.is_writable:
            return
        try:
            with durable.storage_errors("finish the last write"):
                if not self._lock.try_acquire():
                    return
                self._replay()
        except StorageError as error:
            logger.warning("the last write is not finished: %s", error)
        finally:
            self._let_go()

    def settle(self) -> None:
        """Make the files durable in their own right, empty the journal and let others write."""
        with self._threads:
            if not self._lock.is_held:
                return
            try:
                with durable.storage_errors("sync the knowledge base"):
                    if self._interrupted:
                        self._replay()
                    durable.sync_paths(self._unsynced, root=self.root)
                    self._journal.clear()
                    self._unsynced.clear()
            finally:
                self._let_go()

    def step_aside(self) -> None:
        """Let others write; what is not settled stays in the journal for whoever writes next."""
        with self._threads:
            self._let_go()

    @property
    def journal_bytes(self) -> int:
        """Size of what could be replayed."""
        return self._journal.size_bytes

    def size_bytes(self) -> int:
        """Size of all records."""
        folders = (layout.SECTIONS, layout.DOCUMENTS, layout.RETIRED)
        return sum(_folder_bytes(self.root / folder) for folder in folders)

    @property
    def is_settled(self) -> bool:
        """Say whether nothing waits to be synced and the lock is free."""
        return not self._lock.is_held

    def _let_go(self) -> None:
        self._journal.close()
        self._lock.release()

    def _apply_current(self, tx: Transaction) -> None:
        done: list[Placed] = []
        # Until this is over, one way or the other, the journal must be replayed before all else.
        self._interrupted = True
        try:
            self._place(self._journal.current(), done)
            self._publish(tx.changes)
        except Exception:
            undo(done)
            self._journal.cancel()
            self._interrupted = False
            raise
        self._interrupted = False
        with contextlib.suppress(OSError):
            forget(done)

    def _replay(self) -> None:
        changes = Changes()
        for operation in self._journal.committed():
            _check_path(operation.path)
        for operation in self._journal.committed():
            self._place(iter([operation]), None)
            durable.aside_name(self.root / operation.path).unlink(missing_ok=True)
            changes.touch_path(operation.path)
        self._publish(changes)
        durable.sync_paths(self._unsynced, root=self.root)
        self._unsynced.clear()
        self._journal.clear()
        self._interrupted = False

    def _place(self, operations: Iterator[Operation], done: list[Placed] | None) -> None:
        """Put files in place; ``done`` receives what each path held before, if anyone asks.

        Of several operations on one path only the last is carried out.
        """
        staged: dict[Path, Path | None] = {}
        try:
            for path, data in ((one.path, one.data) for one in operations):
                target = self.root / path
                staged.pop(target, None)
                staged[target] = durable.temp_name(target) if data is not None else None
                if data is not None:
                    durable.write_temp(target, data)
            for target, temp in staged.items():
                if done is not None:
                    is_new = target.suffix != ".json"
                    done.append(Placed(target, None if is_new else durable.keep_aside(target)))
                if temp is None:
                    target.unlink(missing_ok=True)
                else:
                    temp.replace(target)
                self._unsynced.update((target, target.parent, target.parent.parent))
        except BaseException:
            for target in staged:
                durable.temp_name(target).unlink(missing_ok=True)
            raise

    def _read(self, name: str) -> bytes | None:
        try:
            # Making a Path costs as much as the read, and a search reads ten files.
            with open(f"{self._folder}/{name}", "rb", buffering=0) as file:  # noqa: PTH123
                return file.readall()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise codec.damaged(name, f"it cannot be read ({error.strerror})") from error


def _check_path(path: str) -> None:
    """Refuse what would write outside the records: kbdb never puts such a thing into a journal."""
    if not _PATH.fullmatch(path) or ".." in path:
        raise DamagedError(
            f"the journal names a path outside the records: {path!r}; nothing of it was written",
            hint=f"move the file {layout.JOURNAL_FILE!r} out of the knowledge base; what its last"
            " moments wrote is left out then",
        )


def _folder_bytes(folder: Path) -> int:
    try:
        with os.scandir(folder) as entries:
            return sum(
                _folder_bytes(Path(entry.path))
                if entry.is_dir(follow_symlinks=False)
                else entry.stat(follow_symlinks=False).st_size
                for entry in entries
            )
    except FileNotFoundError:
        return 0


def _stems(folder: Path) -> Iterator[str]:
    for name in sorted(names_in(folder)):
        if name.endswith(".json") and not name.startswith("."):
            yield name.removesuffix(".json")
