"""What makes a folder a knowledge base: its format file, its settings, how one is made."""

import errno
import os
import re
from pathlib import Path

from kbdb.errors import (
    AlreadyExistsError,
    DamagedError,
    NewerFormatError,
    NotAKnowledgeBaseError,
    PathNotFoundError,
)
from kbdb.records import durable, layout

_SHOWN = 200


def named(path: str | Path) -> Path:
    """Return the absolute path that a caller means.

    Raises:
        PathNotFoundError: No file system can hold such a name.
    """
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        if not isinstance(error, OSError) or error.errno == errno.ENAMETOOLONG:
            raise PathNotFoundError(
                f"{str(path)[:_SHOWN]!r} cannot be a path", hint="check the path for a slip"
            ) from error
    return Path(path).absolute()


def check_format(root: Path) -> int:
    """Return the format number of the knowledge base in ``root``.

    Raises:
        NotAKnowledgeBaseError: There is none.
        NewerFormatError: A newer kbdb wrote it.
    """
    try:
        text = (root / layout.FORMAT_FILE).read_text("ascii")
    except (OSError, UnicodeError) as error:
        nested = root / ".kbdb" / layout.FORMAT_FILE
        hint = (
            f"did you mean {nested.parent}?"
            if nested.is_file()
            else f"run `kbdb db init --db {root}` to make one there"
        )
        raise NotAKnowledgeBaseError(f"{root} is not a knowledge base", hint=hint) from error
    match = re.fullmatch(r"kbdb (\d{1,9})\s*", text)
    if match is None:
        raise DamagedError(
            f"the file {root / layout.FORMAT_FILE} is damaged",
            hint=f"it should hold the one line `kbdb {layout.FORMAT_NUMBER}`",
        )
    number = int(match[1])
    if number > layout.FORMAT_NUMBER:
        raise NewerFormatError(
            f"{root} has format {number}; this kbdb reads up to {layout.FORMAT_NUMBER}",
            hint="install a newer kbdb; the knowledge base was left untouched",
        )
    return number


def read_settings(root: Path) -> str:
    """Return what worker.toml holds; nothing if there is none."""
    try:
        return (root / layout.SETTINGS_FILE).read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeError) as error:
        raise DamagedError(
            f"{layout.SETTINGS_FILE} cannot be read: {error}", hint="mend it or move it away"
        ) from error


def create(root: Path, *, settings: str) -> None:
    """Make an empty knowledge base in ``root``; the format file comes last and makes it one.

    Raises:
        AlreadyExistsError: There is one already, or the folder holds other files.
    """
    ours = {
        layout.SETTINGS_FILE,
        layout.IGNORE_FILE,
        layout.ATTRIBUTES_FILE,
        layout.SECTIONS,
        layout.DOCUMENTS,
        layout.RETIRED,
        layout.LOCK_FILE,
    }
    with durable.storage_errors(f"make a knowledge base in {root}"):
        if root.exists() and not root.is_dir():
            raise AlreadyExistsError(
                f"{root} is a file, not a folder", hint="name a folder that does not exist yet"
            )
        root.mkdir(parents=True, exist_ok=True)
        names = {name for name in names_in(root) if not name.endswith(".tmp")}
        if layout.FORMAT_FILE in names:
            raise AlreadyExistsError(
                f"{root} already holds a knowledge base",
                hint="use it as it is, or name another folder",
            )
        if names - ours:
            raise AlreadyExistsError(
                f"{root} already holds other files",
                hint=f"name a folder of its own, such as --db {root / '.kbdb'}",
            )
        for folder in (layout.SECTIONS, layout.DOCUMENTS, layout.RETIRED):
            (root / folder).mkdir(exist_ok=True)
        for name, text in (
            (layout.SETTINGS_FILE, settings),
            (layout.IGNORE_FILE, layout.IGNORE_TEXT),
            (layout.ATTRIBUTES_FILE, layout.ATTRIBUTES_TEXT),
            (layout.FORMAT_FILE, f"kbdb {layout.FORMAT_NUMBER}\n"),
        ):
            durable.write_durable(root / name, text.encode())


def names_in(folder: Path) -> list[str]:
    """Return the names in a folder; none where there is no folder."""
    try:
        return [entry.name for entry in os.scandir(folder)]
    except (FileNotFoundError, NotADirectoryError):
        return []
