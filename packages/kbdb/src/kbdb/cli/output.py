"""The two output streams: the only place of the command line that writes to them.

Results go to stdout, everything said about them to stderr. Text that a stream's encoding cannot
hold is written as backslash escapes, so that printing never fails; JSON and raw content are UTF-8
always.
"""

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

import click

# Legal inside JSON strings as they are, but a terminal or a lone surrogate would trip over them.
_NEEDS_ESCAPE = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def prepare_streams() -> None:
    """Let both streams escape what their encoding cannot hold."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def write_line(text: str = "") -> None:
    """Write text and a line end to stdout."""
    _write(sys.stdout, text + "\n")


def note(text: str) -> None:
    """Write a line about the work to stderr."""
    _write(sys.stderr, text + "\n")


def write_bytes(data: bytes) -> None:
    """Write bytes to stdout as they are."""
    if sys.stdout is None:
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def write_json(value: Mapping[str, object]) -> None:
    """Write one JSON object and a line end, in UTF-8 whatever the locale says."""
    write_bytes(json_text(value).encode() + b"\n")


def json_text(value: Mapping[str, object]) -> str:
    """Return JSON for any terminal and encoder: controls and lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _NEEDS_ESCAPE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def flush() -> None:
    """Hand what was written to the operating system, whose refusal is raised here, not at exit."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def abandon_streams() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush cannot fail."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            _redirect_to_null(stream)


def _redirect_to_null(stream: TextIO) -> None:
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether a person looks at this stream."""
    return stream is not None and not stream.closed and stream.isatty()


def has_colour() -> bool:
    """Say whether stdout takes colours: the environment decides, else it is a terminal, not dumb.

    ``NO_COLOR`` turns colours off before ``FORCE_COLOR`` and ``CLICOLOR_FORCE`` can turn them on.
    """
    env = os.environ
    if env.get("NO_COLOR"):
        return False
    if any(env.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return is_terminal(sys.stdout) and env.get("TERM") != "dumb"


def line_width() -> int | None:
    """Return the columns of the terminal on stdout, or None where lines need no wrapping."""
    if not is_terminal(sys.stdout):
        return None
    return max(20, shutil.get_terminal_size().columns)


def painted(text: str, **style: bool | str) -> str:
    """Return the text in a style of ``click.style`` where stdout takes colours, else as it is."""
    return click.style(text, **style) if text and has_colour() else text  # type: ignore[arg-type]  # click types each style apart


def _write(stream: TextIO | None, text: str) -> None:
    if stream is not None:
        stream.write(text)
