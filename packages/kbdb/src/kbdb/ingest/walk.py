"""The walk over a folder: every file that can be learned, and why each other one is not.

Reads names and sizes only; opens nothing but ignore files. Memory grows with the depth of the tree
and the width of its folders, not with its size.
"""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from kbdb.ingest.ignore import FILE_NAMES, IgnoreFile, read_ignore_file
from kbdb.ingest.size import human_size
from kbdb.model import Skipped

# What a reason begins with, up to the colon.
HIDDEN = "hidden"
IGNORED = "ignored"
EXCLUDED = "excluded"
STORE = "store"
TYPE = "type"
LINK = "link"
SPECIAL = "special"
TOO_LARGE = "too large"
UNREADABLE = "unreadable"

#: Kinds of what is out of the folder's documents by choice; a document learned from there is gone.
LEFT_OUT = frozenset([HIDDEN, IGNORED, EXCLUDED, STORE, TYPE, LINK, SPECIAL])
#: Kinds of what is still there and could not be taken; a document learned from there stays.
STILL_THERE = frozenset([TOO_LARGE, UNREADABLE])

EXCLUDED_FOLDERS = frozenset(
    ["node_modules", "bower_components", "__pycache__", "__pypackages__", "venv", "site-packages"]
)
_STORE_NAME = ".kbdb"
_FORMAT_FILE = "format"
_FORMAT_MAGIC = b"kbdb "


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    r"""A file to learn; ``relative`` is its path below the root, with forward slashes.

    Bytes of a name that are not UTF-8 stand in ``relative`` as ``\xe9``, so that it can be stored
    and shown; ``path`` opens the file.
    """

    path: Path
    relative: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder being walked: what is left of it, and the rules that hold in it."""

    relative: str
    identity: tuple[int, int]
    rules: tuple[IgnoreFile, ...]
    entries: Iterator[os.DirEntry[str]] = field(repr=False)


def kind_of(reason: str) -> str:
    """Return the kind that a reason begins with, one of this module's constants."""
    return reason.partition(":")[0]


def walk(
    root: Path, *, max_bytes: int, accepts: Callable[[str], bool]
) -> Iterator[Found | Skipped]:
    """Yield what is found below a folder, in the order of the names' bytes.

    Ignore files hold as in git: the deepest one that names a path decides, the last matching
    pattern of it wins, and below an excluded folder nothing is looked at. ``.kbdbignore`` wins over
    the ``.gitignore`` beside it. Ignore files above the root do not count: the same folder gives
    the same answer wherever it lies.

    Hidden names, folders of installed packages, and knowledge bases are never entered; a folder
    that is not entered is reported once. No link is followed.

    Args:
        root: A folder, or a link to one.
        max_bytes: Larger files are skipped.
        accepts: Says of a file name whether it is a document's.
    """
    yield from _Walk(root, max_bytes=max_bytes, accepts=accepts).run()


class _Walk:
    """One walk; the folders on the way down are a stack, so depth costs no recursion."""

    def __init__(self, root: Path, *, max_bytes: int, accepts: Callable[[str], bool]) -> None:
        self._root = root
        self._real_root = os.path.realpath(root)
        self._max_bytes = max_bytes
        self._accepts = accepts
        self._stack: list[_Folder] = []

    def run(self) -> Iterator[Found | Skipped]:
        """Yield everything; the root itself may be hidden, ignored or a link."""
        yield from self._enter("")
        while self._stack:
            folder = self._stack[-1]
            entry = next(folder.entries, None)
            if entry is None:
                self._stack.pop()
                continue
            relative = f"{folder.relative}/{entry.name}" if folder.relative else entry.name
            try:
                yield from self._visit(entry, relative)
            except FileNotFoundError:
                # Removed since its folder was listed: it is not there, so there is nothing to say.
                continue
            except OSError as error:
                yield _skipped(relative, UNREADABLE, _problem(error))

    def _visit(self, entry: os.DirEntry[str], relative: str) -> Iterator[Found | Skipped]:
        is_link = entry.is_symlink()
        is_dir = not is_link and entry.is_dir(follow_symlinks=False)
        if entry.name in FILE_NAMES and entry.is_file(follow_symlinks=False):
            return  # It was read for its rules; nobody expects it among the documents.
        left_out = self._left_out(entry.name, relative, is_dir=is_dir)
        if left_out is not None:
            yield left_out
        elif is_link:
            yield _skipped(relative, LINK, self._link_problem(entry))
        elif is_dir:
            yield from self._enter(relative)
        else:
            yield self._file(entry, relative)

    def _left_out(self, name: str, relative: str, *, is_dir: bool) -> Skipped | None:
        if name == _STORE_NAME:
            return _skipped(relative, STORE, "a knowledge base")
        if name.startswith("."):
            return _skipped(relative, HIDDEN, "its name begins with a dot")
        if is_dir and name in EXCLUDED_FOLDERS:
            return _skipped(relative, EXCLUDED, f"{name} holds no documents of its own")
        by = self._ignored_by(relative, is_dir=is_dir)
        return _skipped(relative, IGNORED, f"by {by}") if by is not None else None

    def _ignored_by(self, relative: str, *, is_dir: bool) -> str | None:
        """Return the name of the ignore file that excludes the path, if one does."""
        for folder in reversed(self._stack):
            path = relative[len(folder.relative) + 1 :] if folder.relative else relative
            for rules in folder.rules:
                excluded = rules.decide(path, is_dir=is_dir)
                if excluded is not None:
                    return rules.name if excluded else None
        return None

    def _file(self, entry: os.DirEntry[str], relative: str) -> Found | Skipped:
        info = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(info.st_mode):
            return _skipped(relative, SPECIAL, "a pipe, socket or device")
        if not self._accepts(entry.name):
            suffix = PurePosixPath(_shown(entry.name)).suffix
            what = f"{suffix} is not a document type" if suffix else "the name has no suffix"
            return _skipped(relative, TYPE, what)
        if info.st_size > self._max_bytes:
            size, limit = human_size(info.st_size), human_size(self._max_bytes)
            what = f"{size}, over the {limit} limit; raise it with --max-size"
            return _skipped(relative, TOO_LARGE, what)
        path = self._root / relative
        if not os.access(path, os.R_OK):
            return _skipped(relative, UNREADABLE, "permission denied")
        return Found(path=path, relative=_shown(relative), size_bytes=info.st_size)

    def _link_problem(self, entry: os.DirEntry[str]) -> str:
        try:
            target = os.path.realpath(entry.path, strict=True)
        except FileNotFoundError:
            return "its target does not exist"
        except OSError:
            return "it loops"
        real = Path(target)
        if not real.is_relative_to(self._real_root):
            return "leaves the folder"
        if Path(os.path.realpath(Path(entry.path).parent)).is_relative_to(real):
            return "it loops"
        return "its target is in the folder under its own name"

    def _enter(self, relative: str) -> Iterator[Skipped]:
        """Push a folder, or yield why it cannot be walked."""
        path = self._root / relative
        try:
            info = path.stat()
            identity = (info.st_dev, info.st_ino)
            if any(folder.identity == identity for folder in self._stack):
                # A mount can make a cycle without any link.
                yield _skipped(relative, LINK, "it loops")
                return
            with os.scandir(path) as listing:
                entries = sorted(listing, key=lambda entry: os.fsencode(entry.name))
        except OSError as error:
            yield _skipped(relative or ".", UNREADABLE, _problem(error))
            return
        if _is_store(path, entries):
            yield _skipped(relative or ".", STORE, "a knowledge base")
            return
        rules: list[IgnoreFile] = []
        names = {entry.name for entry in entries}
        for name in (name for name in FILE_NAMES if name in names):
            try:
                found = read_ignore_file(path / name)
            except OSError as error:
                where = f"{relative}/{name}" if relative else name
                yield _skipped(where, UNREADABLE, _problem(error))
                continue
            if found is not None:
                rules.append(found)
        self._stack.append(_Folder(relative, identity, tuple(rules), iter(entries)))


def store_around(path: Path) -> Path | None:
    """Return the folder of the knowledge base that the path is or lies in, if it does."""
    real = Path(os.path.realpath(path))
    return next((folder for folder in (real, *real.parents) if _has_format(folder)), None)


def _is_store(path: Path, entries: list[os.DirEntry[str]]) -> bool:
    return any(
        entry.name == _FORMAT_FILE and entry.is_file(follow_symlinks=False) for entry in entries
    ) and _has_format(path)


def _has_format(folder: Path) -> bool:
    file = folder / _FORMAT_FILE
    try:
        # A pipe of this name would never be read to its end.
        if not file.is_file():
            return False
        with file.open("rb") as opened:
            return opened.read(len(_FORMAT_MAGIC)) == _FORMAT_MAGIC
    except OSError:
        return False


def _skipped(relative: str, kind: str, what: str) -> Skipped:
    return Skipped(path=_shown(relative), reason=f"{kind}: {what}")


def _shown(name: str) -> str:
    """Return a path that can be encoded: bytes that are not UTF-8 become escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _problem(error: OSError) -> str:
    return (error.strerror or "input/output error").lower()
