"""Which knowledge base a command means: ``--db``, else ``KBDB_DIR``, else the nearest ``.kbdb``."""

from collections.abc import Mapping
from pathlib import Path

from kbdb.errors import NotAKnowledgeBaseError, PathNotFoundError

FOLDER_NAME = ".kbdb"
VARIABLE = "KBDB_DIR"


def named_base(option: str | None, env: Mapping[str, str]) -> Path | None:
    """Return the folder the user named, by option before environment, or None."""
    named = option or env.get(VARIABLE)
    return Path(named).expanduser() if named else None


def find_base(option: str | None, env: Mapping[str, str], start: Path) -> Path:
    """Return the folder of the knowledge base that a command in ``start`` means.

    Raises:
        PathNotFoundError: The named folder does not exist.
        NotAKnowledgeBaseError: The named folder is no knowledge base, or none is near.
    """
    named = named_base(option, env)
    if named is not None:
        return _checked(named)
    for folder in (start, *start.parents):
        if is_base(folder / FOLDER_NAME):
            return folder / FOLDER_NAME
    raise NotAKnowledgeBaseError(
        "no knowledge base in this folder or above it",
        hint=f"make one here with `kbdb db init`, or name one with --db DIR or {VARIABLE}",
    )


def is_base(folder: Path) -> bool:
    """Say whether the folder looks like a knowledge base: it holds a ``format`` file."""
    return (folder / "format").is_file()


def _checked(folder: Path) -> Path:
    if is_base(folder):
        return folder
    inner = folder / FOLDER_NAME
    if is_base(inner):
        raise NotAKnowledgeBaseError(
            f"{str(folder)!r} is not a knowledge base, but it holds one",
            hint=f"did you mean --db {inner}?",
        )
    if not folder.exists():
        raise PathNotFoundError(
            f"no folder {str(folder)!r}",
            hint=f"make a knowledge base there with `kbdb db init --db {folder}`",
        )
    if not folder.is_dir():
        raise NotAKnowledgeBaseError(
            f"{str(folder)!r} is a file, not a knowledge base",
            hint="--db names the folder of the base itself, by custom `.kbdb`",
        )
    return folder


def new_base(option: str | None, env: Mapping[str, str]) -> Path:
    """Return the folder in which a new knowledge base is to be made."""
    return named_base(option, env) or Path(FOLDER_NAME)
