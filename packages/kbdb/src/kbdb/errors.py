"""The one tree of errors kbdb raises on purpose.

The first sentence of a message says what happened, ``hint`` says what to do next. Every class owns
a stable ``code`` for machines and an ``exit_code`` for the shell; both reference tables are made
from here.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar


class KbdbError(Exception):
    """Base of every error kbdb raises on purpose."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        """Keep the message and what the user can do about it."""
        super().__init__(message)
        self.hint = hint


class UsageError(KbdbError):
    """What was asked for does not make sense as written."""

    code = "usage"
    exit_code = 2


class ClosedError(UsageError):
    """The knowledge base was closed, and is used all the same."""

    code = "closed"


class ConfigError(UsageError):
    """A setting has an unknown name or a value that does not parse."""

    code = "config"


class UnknownValueError(UsageError):
    """A parameter has a value outside its list."""

    code = "unknown_value"

    def __init__(self, name: str, value: object, known: Iterable[str]) -> None:
        """Name the parameter, the value and the values that exist."""
        choices = [str(one) for one in known]
        close = get_close_matches(str(value), choices, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        super().__init__(
            f"unknown {name} {value!r}", hint=f"{hint}known values: {', '.join(choices)}"
        )


class ModeUnavailableError(UsageError):
    """The search mode needs vectors and no provider is configured."""

    code = "mode_unavailable"


class NothingToLearnError(UsageError):
    """The content holds no text and no bytes worth a section."""

    code = "nothing_to_learn"


class CancelledError(KbdbError):
    """The user was asked and did not agree."""

    code = "cancelled"
    exit_code = 3


class ConfirmationNeededError(KbdbError):
    """The operation removes much and nobody confirmed it."""

    code = "confirmation_needed"
    exit_code = 3


class NotFoundError(KbdbError):
    """Something that was named does not exist."""

    code = "not_found"
    exit_code = 4


class PathNotFoundError(NotFoundError):
    """No file or folder has this path."""

    code = "path_not_found"


class NotAKnowledgeBaseError(NotFoundError):
    """The folder holds no knowledge base."""

    code = "not_a_knowledge_base"


class UnknownIdError(NotFoundError):
    """No section or document has this id."""

    code = "unknown_id"

    def __init__(self, kind: str, wanted: str, nearest: Iterable[str] = ()) -> None:
        """Name what was wanted and the nearest ids that exist."""
        near = list(nearest)
        finder = f"kbdb {kind} list" if kind in {"skill", "agent"} else "kbdb search"
        hint = f"the nearest known: {', '.join(near)}" if near else f"run `{finder}` to find its id"
        super().__init__(f"no {kind} {wanted!r} in this knowledge base", hint=hint)
        self.wanted = wanted
        self.nearest = tuple(near)


class LockedError(KbdbError):
    """Another process is writing to the knowledge base."""

    code = "locked"
    exit_code = 5


class StorageError(KbdbError):
    """The operating system refused a read or a write; nothing was changed."""

    code = "storage"


class DiskFullError(StorageError):
    """The disk is full; the operation failed whole."""

    code = "disk_full"


class ReadOnlyError(StorageError):
    """The knowledge base can be read but not written."""

    code = "read_only"


class AlreadyExistsError(KbdbError):
    """The thing to be made is already there."""

    code = "already_exists"


class DamagedError(KbdbError):
    """Stored data is not what was written."""

    code = "damaged"
    exit_code = 10


class NewerFormatError(KbdbError):
    """The knowledge base was written by a newer kbdb; it is left untouched."""

    code = "newer_format"
    exit_code = 11
