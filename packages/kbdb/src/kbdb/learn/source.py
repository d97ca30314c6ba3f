"""Files that documents follow: how a manifest names them, and whether they are still there."""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from kbdb.errors import PathNotFoundError, UsageError
from kbdb.index.catalogue import Catalogue
from kbdb.ingest.media import sniff, type_of_name
from kbdb.ingest.size import human_size
from kbdb.model import Source
from kbdb.records.durable import storage_errors
from kbdb.records.folder import named

_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")


def source_path(path: Path, root: Path) -> str:
    """Return a file's name in a manifest, relative to the folder of the base if it lies in it."""
    resolved = path.resolve()
    home = root.resolve().parent
    if resolved.is_relative_to(home):
        resolved = resolved.relative_to(home)
    # Bytes of a name that are not UTF-8 stand in a manifest as escapes, as they do below a folder.
    return os.fsencode(resolved.as_posix()).decode("utf-8", "backslashreplace")


def source_prefix(folder: Path, root: Path) -> str:
    """Return what the names of all files below a folder begin with."""
    path = source_path(folder, root)
    return "" if path == "." else f"{path.rstrip('/')}/"


def is_below(path: str, prefix: str) -> bool:
    """Say whether a source lies in the folder of a prefix."""
    return path.startswith(prefix) and bool(prefix or not path.startswith("/"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A file as it was read."""

    data: bytes
    type: str
    source: Source


def load(path: Path, root: Path, *, type: str, max_bytes: int) -> Loaded:
    """Read a file to learn.

    Args:
        path: The file.
        root: The folder of the knowledge base.
        type: Media type; else from the name, else from the first bytes.
        max_bytes: Refuse larger files.

    Raises:
        PathNotFoundError: There is no such file.
        UsageError: It is too large, or nothing that can be learned.
    """
    data = read_source(path, max_bytes=max_bytes)
    media_type = type or type_of_name(path.name) or sniff(data)
    if media_type is None:
        raise UsageError(
            f"{path} is neither text nor an image that kbdb knows",
            hint="say what it is with a type",
        )
    source = Source(path=source_path(path, root), digest=digest_of(data), size_bytes=len(data))
    return Loaded(data=data, type=media_type, source=source)


def is_gone(path: str, root: Path) -> bool:
    """Say whether nothing on disk has the name that a manifest gives a file."""
    home = root.resolve().parent
    # What looks like an escape may be one, or the name itself.
    unescaped = os.fsdecode(
        _ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()), path.encode())
    )
    return not any(os.path.lexists(home / name) for name in {path, unescaped})


def digest_of(data: bytes) -> str:
    """Return a source's digest."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def read_source(path: Path, *, max_bytes: int) -> bytes:
    """Return a file's bytes.

    Raises:
        PathNotFoundError: There is no such file.
        UsageError: It is larger than ``max_bytes``.
    """
    if not exists(path):
        raise PathNotFoundError(f"there is no file {path}", hint="check the path")
    if not path.is_file():
        raise UsageError(f"{path} is not a regular file", hint="name a file or a folder")
    size = path.stat().st_size
    if size > max_bytes:
        raise UsageError(
            f"{path} is too large: {human_size(size)}, over the {human_size(max_bytes)} limit",
            hint="raise it with --max-size, or max_bytes in Python",
        )
    with storage_errors(f"read {path}"):
        return path.read_bytes()


def exists(path: Path) -> bool:
    """Say whether there is something of this name."""
    try:
        return path.exists()
    except OSError:
        # The system takes no name of such a length, so it has none.
        return False


def check_not_vanished(path: Path, root: Path, catalogue: Catalogue) -> None:
    """Tell a file that is gone and still known from a name that never was a file's.

    Raises:
        PathNotFoundError: There was such a file when it was learned, or never can be.
    """
    named(path)
    known = None if exists(path) else catalogue.source(source_path(path, root))
    if known is not None:
        raise PathNotFoundError(
            f"there is no file {path} any more; the document {known.docid!r} was learned from it",
            hint=f"run `kbdb learn {path.parent}` to retire the documents of files that are gone",
        )
