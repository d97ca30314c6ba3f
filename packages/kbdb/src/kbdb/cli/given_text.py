"""Text that an option gives in words or as a file."""

import sys
from pathlib import Path

from kbdb.cli.output import is_terminal, note
from kbdb.errors import PathNotFoundError, UsageError


def given_text(name: str, words: str | None, file: str | None) -> str:
    """Return the text of ``--NAME`` or of ``--NAME-file``, - for standard input.

    Raises:
        UsageError: Neither or both were given, or the file is not UTF-8 text.
        PathNotFoundError: There is no such file.
    """
    if (words is None) == (file is None):
        what = "one of them, not both" if words is not None else "one of them"
        raise UsageError(f"--{name} TEXT or --{name}-file FILE is needed", hint=f"give {what}")
    if words is not None:
        return words
    return _decoded(_read(file or "-"), file or "-")


def _read(file: str) -> bytes:
    if file != "-":
        try:
            return Path(file).read_bytes()
        except FileNotFoundError as error:
            raise PathNotFoundError(f"no file {file!r}", hint="check the path") from error
        except IsADirectoryError as error:
            raise UsageError(f"{file!r} is a folder", hint="name a file") from error
    if sys.stdin is None:
        raise UsageError("there is no standard input", hint="pipe the text in, or name a file")
    if is_terminal(sys.stdin):
        note("reading text from the terminal; end it with Ctrl-D on a line of its own")
    return sys.stdin.buffer.read()


def _decoded(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = "standard input" if file == "-" else repr(file)
        raise UsageError(
            f"{where} is not UTF-8 text (byte {error.start + 1})", hint="convert it to UTF-8"
        ) from error
