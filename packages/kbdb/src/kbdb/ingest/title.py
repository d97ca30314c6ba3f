"""Titles: one tidy line, and where it comes from when a source does not say."""

import re
from pathlib import PurePosixPath

MAX_CHARACTERS = 500
_FIRST_LINE_CHARACTERS = 80
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def tidy(text: str) -> str:
    """Return the text as one line: no control characters, single spaces, at most 500 characters."""
    return shorten(_one_line(text), MAX_CHARACTERS)


def is_too_long(text: str) -> bool:
    """Say whether ``tidy`` shortens the text."""
    return len(_one_line(text)) > MAX_CHARACTERS


def shorten(line: str, limit: int) -> str:
    """Cut a line to ``limit`` characters, at a space if there is one in its second half."""
    if len(line) <= limit:
        return line
    at = line.rfind(" ", limit // 2, limit)
    return (line[: at if at > 0 else limit - 1]).rstrip() + "…"


def from_name(name: str) -> str:
    """Return the stem of a file name as a title of last resort."""
    return tidy(PurePosixPath(name.replace("\\", "/")).stem)


def from_first_line(text: str) -> str:
    """Return the first line with a letter or digit, else not blank, at most 80 characters."""
    lines = text.lstrip()[: 16 * _FIRST_LINE_CHARACTERS].splitlines()
    telling = (line for line in lines if any(map(str.isalnum, line)))
    line = next(telling, lines[0] if lines else "")
    return shorten(tidy(line), _FIRST_LINE_CHARACTERS)


def _one_line(text: str) -> str:
    # Sixteen times the limit is enough to look at, and bounds the work on a line of a megabyte.
    line = " ".join(_CONTROL.sub(" ", text[: 16 * MAX_CHARACTERS]).split())
    return line.encode("utf-8", "replace").decode()
