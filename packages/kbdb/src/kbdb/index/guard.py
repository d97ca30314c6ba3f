"""What the derived files may throw, turned into errors that say how to get rid of it."""

import contextlib
import errno
import sqlite3
from collections.abc import Iterator

from kbdb.errors import DamagedError
from kbdb.records.durable import explain

_PRIMARY = 0xFF
# On a full disk SQLite speaks of I/O as often as of space.
_ERRNO_BY_CODE = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_BUSY: errno.EBUSY,
}


@contextlib.contextmanager
def index_errors() -> Iterator[None]:
    """Turn errors of SQLite and of the operating system inside the block into kbdb's own."""
    try:
        yield
    except sqlite3.Error as error:
        number = _ERRNO_BY_CODE.get(getattr(error, "sqlite_errorcode", 0) & _PRIMARY)
        if number is not None:
            raise explain(OSError(number, str(error)), "use the index") from error
        raise DamagedError(
            f"the index does not work: {error}",
            hint="delete the folder indexes in the knowledge base; it is built again",
        ) from error
    except OSError as error:
        raise explain(error, "use the knowledge base") from error
