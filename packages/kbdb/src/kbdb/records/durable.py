"""Making bytes stay: temporary files, syncs, and the system's errors in the user's words."""

import contextlib
import errno
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from kbdb.errors import DiskFullError, KbdbError, ReadOnlyError, StorageError

# Beyond this many paths one sync of the whole file system is cheaper than a sync each.
_SYNC_EACH_MAX = 64


@contextlib.contextmanager
def storage_errors(what: str) -> Iterator[None]:
    """Turn an ``OSError`` inside the block into an error that says what to do.

    Args:
        what: The operation for the message, such as ``"write the knowledge base"``.
    """
    try:
        yield
    except OSError as error:
        raise explain(error, what) from error


def explain(error: OSError, what: str) -> KbdbError:
    """Return the kbdb error that says what an ``OSError`` means to a user."""
    where = f" ({error.filename})" if error.filename else ""
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return DiskFullError(
            f"cannot {what}: no space left{where}; nothing was changed",
            hint="free some space and run the same command again",
        )
    if error.errno in {errno.EROFS, errno.EACCES, errno.EPERM}:
        return ReadOnlyError(
            f"cannot {what}: permission denied{where}",
            hint="check who owns the folder and whether it may be written",
        )
    return StorageError(
        f"cannot {what}: {error.strerror or error}{where}",
        hint="check the path and the disk, and run the same command again",
    )


def sync_fd(fd: int) -> None:
    """Return once the file's bytes and size are on the disk itself."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(fd)
    else:
        os.fsync(fd)


def sync_path(path: Path) -> None:
    """Sync one file or folder; one that is gone needs no sync."""
    if sys.platform == "win32" and path.is_dir():
        return
    try:
        fd = os.open(path, os.O_RDONLY if sys.platform != "win32" else os.O_RDWR)
    except FileNotFoundError:
        return
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_paths(paths: Iterable[Path], *, root: Path) -> None:
    """Sync many files and folders that lie under ``root``, with as few syncs as will do."""
    todo = set(paths)
    if len(todo) > _SYNC_EACH_MAX and _sync_file_system(root):
        return
    for path in sorted(todo):
        sync_path(path)


def _sync_file_system(root: Path) -> bool:
    """Sync everything on root's file system; say whether that was possible."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "syncfs"):
        return False
    fd = os.open(root, os.O_RDONLY)
    try:
        return bool(libc.syncfs(fd) == 0)
    finally:
        os.close(fd)


def temp_name(path: Path) -> Path:
    """Return the name under which a file is written before it is put in place."""
    return path.with_name(f".{path.name}.tmp")


def aside_name(path: Path) -> Path:
    """Return the second name of a file that is being replaced."""
    return path.with_name(f".{path.name}.old.tmp")


def keep_aside(path: Path) -> Path | None:
    """Give a file a second name to put it back from, without room for a copy where links exist.

    Returns:
        The second name; None if there is no such file.
    """
    aside = aside_name(path)
    aside.unlink(missing_ok=True)
    try:
        aside.hardlink_to(path)
    except FileNotFoundError:
        return None
    except OSError:
        if not path.exists():
            return None
        shutil.copyfile(path, aside)
    return aside


def write_temp(path: Path, data: bytes) -> Path:
    """Write ``data`` beside ``path`` and return the temporary file; no sync."""
    temp = temp_name(path)
    try:
        fd = os.open(
            temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666
        )
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(
            temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666
        )
    try:
        write_all(fd, data)
    finally:
        os.close(fd)
    return temp


def write_all(fd: int, data: bytes) -> None:
    """Write every byte, however many calls that takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def write_durable(path: Path, data: bytes) -> None:
    """Replace one file atomically and durably."""
    temp = write_temp(path, data)
    sync_path(temp)
    temp.replace(path)
    sync_path(path.parent)
