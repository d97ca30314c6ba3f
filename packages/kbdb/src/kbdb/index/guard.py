"""What the derived files may throw, turned into errors that say how to get rid of it."""

import contextlib
import errno
import sqlite3
from collections.abc import Iterator

from kbdb.errors import DamagedError
from kbdb.records.durable import explain


@contextlib.contextmanager
def index_errors() -> Iterator[None]:
    """Turn errors of SQLite and of the operating system inside the block into kbdb's own."""
    try:
        yield
    except sqlite3.Error as error:
        if "full" in str(error):
            full = OSError(errno.ENOSPC, str(error))
            raise explain(full, "write the index") from error
        raise DamagedError(
            f"the index does not work: {error}",
            hint="delete the folder indexes in the knowledge base; it is built again",
        ) from error
    except OSError as error:
        raise explain(error, "use the knowledge base") from error
