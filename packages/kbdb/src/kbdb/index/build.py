"""Building an index aside from the records alone, and making it the current one."""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from kbdb.errors import KbdbError
from kbdb.index import catalogue, lexical
from kbdb.index.analysis import Analyzer
from kbdb.index.catalogue import Catalogue
from kbdb.index.debt import pay
from kbdb.index.follow import Follower
from kbdb.index.lexical import LexicalIndex, lexical_errors
from kbdb.records import layout
from kbdb.records.change import Changes
from kbdb.records.durable import storage_errors, sync_paths, write_durable
from kbdb.records.store import Records

_CURRENT = "current"
_CHUNK = 2_000


def signature(analyzer: Analyzer) -> str:
    """Name everything that an index's files depend on beside the records."""
    return f"{catalogue.VERSION}.{lexical.VERSION}.{analyzer.signature}"


def current_folder(root: Path) -> Path | None:
    """Return the folder of the index in use, or None if there is none."""
    try:
        name = (root / layout.INDEXES / _CURRENT).read_text("ascii").strip()
    except (OSError, UnicodeError):
        return None
    folder = root / layout.INDEXES / name
    return folder if name.isalnum() and (folder / "catalogue.db").is_file() else None


def stamp(root: Path, *, read_only: bool) -> tuple[int, ...]:
    """Return what changes when another index takes the place of the current one."""
    try:
        current = os.stat(f"{root}/{layout.INDEXES}/{_CURRENT}")  # noqa: PTH116 -- for every search
    except OSError:
        return ()
    found = (current.st_ino, current.st_mtime_ns)
    if not read_only:
        return found
    # What was opened without a log must be opened again once there is a log, or it was moved in.
    folder = current_folder(root)
    if folder is None:
        return found
    file = folder / "catalogue.db"
    return (*found, catalogue.has_log(file), file.stat().st_mtime_ns)


def is_usable(folder: Path, analyzer: Analyzer, *, read_only: bool) -> bool:
    """Say whether an index opens, was made as this kbdb makes it, and is whole by its counts."""
    found: Catalogue | None = None
    try:
        found = Catalogue(folder / "catalogue.db", read_only=read_only)
        if found.meta("signature") != signature(analyzer):
            return False
        if not (folder / "lexical" / "meta.json").is_file():
            return False
        with lexical_errors():
            reader = LexicalIndex(folder / "lexical").reader()
            indexed = reader.section_count
            reader.df("")  # opens every segment's files
        # A writer killed between the two commits leaves a difference that is still owed.
        owed = found.counts()["pending"]
        return abs(indexed - int(found.meta("indexed", "-1"))) <= owed
    except (sqlite3.Error, ValueError, OSError, KbdbError):
        return False
    finally:
        if found is not None:
            found.close()


@contextlib.contextmanager
def publish_folder(root: Path) -> Iterator[Path]:
    """Give the block an empty folder to build in; when it ends well, that is the current index."""
    base = root / layout.INDEXES
    with storage_errors("build the index"):
        base.mkdir(exist_ok=True)
        old = [path for path in base.iterdir() if path.is_dir()]
        numbers = [int(path.name[1:]) for path in old if path.name[1:].isdigit()]
        folder = base / f"g{max(numbers, default=0) + 1}"
        folder.mkdir()
        try:
            yield folder
            sync_paths([folder, *folder.rglob("*")], root=base)
            write_durable(base / _CURRENT, f"{folder.name}\n".encode())
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        for path in old:
            shutil.rmtree(path, ignore_errors=True)


def build(
    folder: Path,
    *,
    records: Records,
    analyzer: Analyzer,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Build catalogue and lexical index in an empty folder from the records alone."""
    made = Catalogue(folder / "catalogue.db")
    try:
        _fill(made, records, analyzer)
        with lexical_errors():
            index = LexicalIndex(folder / "lexical")
        pay(made, index, analyzer, bulk=True, progress=progress)
    finally:
        made.close()


def _fill(made: Catalogue, records: Records, analyzer: Analyzer) -> None:
    kbids = records.kbids()
    while chunk := list(islice(kbids, _CHUNK)):
        with made.writing() as connection:
            Follower(connection, records, analyzer).apply(Changes(sections=dict.fromkeys(chunk)))
    rest = Changes(
        docids=dict.fromkeys(records.docids()), tombstones=dict.fromkeys(records.tombstone_ids())
    )
    with made.writing() as connection:
        Follower(connection, records, analyzer).apply(rest)
        connection.execute("INSERT INTO meta VALUES ('signature', ?)", (signature(analyzer),))
