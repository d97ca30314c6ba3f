"""Catching up behind acknowledged writes: folding them into the main index, syncing, unlocking.

A write returns once it is durable in the journal and findable beside the main index. The rest
happens here, in a thread of its own, so that no write waits for it.
"""

import logging
import threading
from collections.abc import Callable

from kbdb.errors import KbdbError
from kbdb.index.engine import Index
from kbdb.index.guard import index_errors
from kbdb.records.store import Records

logger = logging.getLogger(__name__)

# Fresh sections beside the main index: from so many on they are folded in, a bulk at once.
FOLD_FROM = 256
BULK_FROM = 2_000
_IDLE_S = 0.5
_MAX_JOURNAL_BYTES = 64 << 20


class Settler:
    """Follows the writes of one process and catches up with them in the background."""

    def __init__(self, *, records: Records, index: Index, writing: threading.RLock) -> None:
        """Take both halves, and the lock that a writing thread of this process holds."""
        self._records = records
        self._index = index
        self._writing = writing
        self._folding = threading.Lock()
        self._wake = threading.Condition()
        self._write_count = 0
        self._seen_count = 0
        self._closing = False
        self._thread: threading.Thread | None = None

    def after_write(self) -> None:
        """Note a write; called by the writing thread, which holds the lock."""
        self._attempt(self._fold_if_bulk)
        if self._records.journal_bytes > _MAX_JOURNAL_BYTES:
            self._attempt(self._settle)
        with self._wake:
            self._write_count += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="kbdb-settle", daemon=True)
                self._thread.start()
            self._wake.notify()

    def close(self) -> None:
        """Catch up and stop."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
        with self._writing:
            if not self._records.is_settled:
                self._attempt(self._fold_if_many)
                self._attempt(self._settle)

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(self._has_news)
                if self._closing:
                    return
                self._seen_count = self._write_count
            self._attempt(self._fold_if_many)
            with self._wake:
                busy = self._wake.wait_for(self._has_news, timeout=_IDLE_S)
            if not busy:
                self._attempt(self._settle_if_idle)

    def _has_news(self) -> bool:
        return self._closing or self._write_count != self._seen_count

    def _fold_if_bulk(self) -> None:
        self._fold_from(BULK_FROM)

    def _fold_if_many(self) -> None:
        self._fold_from(FOLD_FROM)

    def _fold_from(self, count: int) -> None:
        """Fold while this process is the writer, which no settling thread may give up meanwhile."""
        with self._folding:
            if not self._records.is_settled and self._index.pending_count >= count:
                self._index.fold()

    def _settle_if_idle(self) -> None:
        with self._writing:
            self._settle()

    def _settle(self) -> None:
        """Make the index durable before the journal that could replay it is emptied."""
        with self._folding:
            try:
                self._index.catalogue.checkpoint()
            except BaseException:
                self._records.step_aside()
                raise
            self._records.settle()

    def _attempt(self, work: Callable[[], None]) -> None:
        """Do work that can be done later just as well: everything acknowledged is already safe."""
        try:
            with index_errors():
                work()
        except KbdbError as error:
            logger.warning("catching up failed: %s", error)
