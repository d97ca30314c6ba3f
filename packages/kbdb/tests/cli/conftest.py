"""Three ways to run a command: in this process, as a process of its own, on a terminal."""

import io
import os
import pty
import select
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from cli.shell import Ended, Run

from kbdb.cli.edge import run

COMMAND = (sys.executable, "-m", "kbdb")

# Takes standard input as controlling terminal, so that Ctrl-C reaches it as it does a shell's job.
_WITH_THIS_TERMINAL = (
    "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "from kbdb.cli.main import main; main()"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder that is no part of any knowledge base."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def kbdb(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Run:
    """Run a command line in this process, in ``folder``."""

    def run_here(*args: str, stdin: bytes = b"") -> Ended:
        stream = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stream)
        exit_code = run(args)
        captured = capsysbinary.readouterr()
        return Ended(exit_code=exit_code, stdout=captured.out, stderr=captured.err)

    return run_here


@pytest.fixture
def process(folder: Path) -> Run:
    """Run a command line as a process of its own, in ``folder``."""

    def run_apart(
        *args: str | bytes, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> Ended:
        ended = subprocess.run(
            [*COMMAND, *args],
            input=stdin,
            env={**os.environ, **(env or {})},
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Ended(exit_code=ended.returncode, stdout=ended.stdout, stderr=ended.stderr)

    return run_apart


@pytest.fixture
def terminal(folder: Path) -> Run:
    """Run a command line on a terminal of 60 columns; both its streams come back as stdout.

    What is ``typed`` is typed once ``prompt`` is on the screen.
    """

    def run_on_terminal(
        *args: str, prompt: bytes = b"", typed: bytes = b"", env: Mapping[str, str] | None = None
    ) -> Ended:
        ours, theirs = pty.openpty()
        given = {"TERM": "xterm-256color", "COLUMNS": "60", "LINES": "24", **(env or {})}
        child = subprocess.Popen(
            [sys.executable, "-c", _WITH_THIS_TERMINAL, *args],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, **given},
            start_new_session=True,
        )
        os.close(theirs)
        shown = _converse(ours, prompt, typed)
        os.close(ours)
        return Ended(exit_code=child.wait(timeout=60), stdout=shown)

    return run_on_terminal


@pytest.fixture
def base(kbdb: Run) -> Run:
    """Run command lines beside an empty knowledge base, in this process."""
    assert kbdb("db", "init").exit_code == 0
    return kbdb


def _converse(terminal: int, prompt: bytes, typed: bytes) -> bytes:
    shown = bytearray()
    answered = False
    # Linux ends a terminal whose other side is closed with EIO instead of an end of file.
    with suppress(OSError):
        while True:
            if select.select([terminal], [], [], 1)[0]:
                chunk = os.read(terminal, 2**16)
                if not chunk:
                    break
                shown += chunk
            elif answered and typed == b"\x03":
                # A Ctrl-C between the prompt and the read that waits behind it is not seen.
                os.write(terminal, typed)
            if typed and prompt in shown and not answered:
                os.write(terminal, typed)
                answered = True
    return bytes(shown)
