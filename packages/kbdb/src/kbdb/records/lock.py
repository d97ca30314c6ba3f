"""The write lock: one process at a time writes to a knowledge base.

The kernel holds it for an open file, so it goes when its holder does, however that ends.
"""

import contextlib
import os
import sys
import time
from pathlib import Path

from kbdb.errors import LockedError

if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> bool:
        os.lseek(fd, 1 << 30, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


_RETRY_S = 0.02


class WriteLock:
    """Holds the lock of one knowledge base; taking and releasing it twice does nothing."""

    def __init__(self, path: Path) -> None:
        """Name the lock file; nothing is opened yet."""
        self._path = path
        self._fd: int | None = None

    @property
    def is_held(self) -> bool:
        """Say whether this object holds the lock."""
        return self._fd is not None

    def acquire(self, *, timeout_s: float) -> None:
        """Take the lock.

        Raises:
            LockedError: Another process still held it after ``timeout_s`` seconds.
        """
        deadline = time.monotonic() + timeout_s
        while not self.try_acquire():
            if time.monotonic() >= deadline:
                raise LockedError(
                    f"another process{self._holder()} is writing to {self._path.parent}",
                    hint="wait until it has finished, or end it, and run the same command again",
                )
            time.sleep(_RETRY_S)

    def try_acquire(self) -> bool:
        """Take the lock if it is free; say whether this object holds it now."""
        if self._fd is not None:
            return True
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        if not _try_lock(fd):
            os.close(fd)
            return False
        self._fd = fd
        # The number only helps a person who waits; a full disk may well refuse it.
        with contextlib.suppress(OSError):
            os.ftruncate(fd, 0)
            os.pwrite(fd, b"%d\n" % os.getpid(), 0) if hasattr(os, "pwrite") else None
        return True

    def release(self) -> None:
        """Let others write."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _holder(self) -> str:
        try:
            pid = self._path.read_text("ascii").strip()
        except (OSError, UnicodeError):
            return ""
        return f" (process {pid})" if pid.isdigit() else ""
