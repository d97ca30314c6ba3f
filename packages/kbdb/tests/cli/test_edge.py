import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from cli.shell import Run

from kbdb.base import KnowledgeBase
from kbdb.cli.root import root


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (("serch",), "did you mean 'search'"),
        (("skill", "lst"), "did you mean 'list'"),
        (("search", "--limt", "3", "x"), "did you mean --limit?"),
        (("search", "--mode", "vectr", "x"), "did you mean 'vector'"),
        (("search", "-5", "x"), "-- -5"),
        (("search",), "kbdb search --help"),
        (("search", "--limit", "0", "x"), "kbdb search --help"),
        (("search", "--limit", "1001", "x"), "kbdb search --help"),
        (("learn", "--max-size", "big", "x"), "kbdb learn --help"),
        (("completion", "bsh"), "did you mean 'bash'"),
    ],
)
def test_wrong_usage_says_what_to_do_and_exits_with_2(
    args: tuple[str, ...], hint: str, kbdb: Run
) -> None:
    ended = kbdb(*args)

    assert ended.exit_code == 2
    assert ended.stdout == b""
    assert ended.err.startswith("error: ")
    assert hint in ended.err
    assert len(ended.err.splitlines()) == 2


def test_error_in_json_is_one_object_beside_the_lines_for_people(kbdb: Run) -> None:
    ended = kbdb("search", "x", "--json")

    assert ended.exit_code == 4
    assert ended.json["error"]["code"] == "not_a_knowledge_base"
    assert "kbdb db init" in ended.json["error"]["hint"]
    assert ended.json["error"]["message"] in ended.err


@pytest.mark.parametrize(
    "args",
    [
        ("search", "x"),
        ("status",),
        ("content", "x"),
        ("retrieve", "x"),
        ("unlearn", "x"),
        ("learn", "."),
        ("batch-learn", "-"),
        ("skill", "list"),
        ("skill", "get", "x"),
        ("skill", "delete", "x"),
        ("skill", "learn", "--name", "x", "--body", "y"),
        ("agent", "list"),
        ("agent", "get", "x"),
        ("agent", "delete", "x"),
        ("agent", "create", "--name", "x", "--persona", "y"),
    ],
    ids=" ".join,
)
def test_without_a_base_every_command_exits_with_4_and_names_init(
    args: tuple[str, ...], kbdb: Run
) -> None:
    ended = kbdb(*args)

    assert ended.exit_code == 4
    assert "hint: make one here with `kbdb db init`" in ended.err


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch, kbdb: Run) -> Run:
    """Run a command that raises the given error."""

    def run_failing(error: BaseException, *args: str) -> object:
        @click.command("fail")
        @click.option("--json", is_flag=True)
        def fail(json: bool) -> None:
            raise error

        monkeypatch.setattr(root, "get_command", lambda context, name: fail)
        return kbdb("fail", *args)

    return run_failing  # type: ignore[return-value]  # it returns what kbdb returns


def test_unexpected_error_is_one_line_without_traceback(failing: Run) -> None:
    ended = failing(ValueError("odd\nthing"))

    assert ended.exit_code == 1
    assert ended.err == (
        "internal error: ValueError: odd thing; run again with KBDB_DEBUG=1 for details\n"
    )


def test_debug_shows_where_an_unexpected_error_arose(
    failing: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KBDB_DEBUG", "1")

    assert "Traceback" in failing(ValueError("odd")).err


@pytest.mark.parametrize(
    ("error", "exit_code", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 1, "disk_full"),
        (OSError(errno.EACCES, "Permission denied", "/x"), 1, "storage"),
        (OSError(errno.EROFS, "Read-only file system", "/x"), 1, "read_only"),
        (OSError(errno.ENOENT, "No such file", "/x"), 4, "path_not_found"),
        (OSError("no number"), 1, "storage"),
        (MemoryError(), 1, "out_of_memory"),
        (RecursionError(), 1, "too_deep"),
        (KeyError("x"), 1, "internal"),
    ],
    ids=repr,
)
def test_failures_of_the_machine_have_a_code_and_a_message(
    error: Exception, exit_code: int, code: str, failing: Run
) -> None:
    ended = failing(error, "--json")

    assert ended.exit_code == exit_code
    assert ended.json["error"]["code"] == code
    assert ended.json["error"]["message"]
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()], ids=repr)
def test_interrupt_is_one_line_and_an_error_in_json(error: BaseException, failing: Run) -> None:
    ended = failing(error, "--json")

    assert (ended.exit_code, ended.stderr) == (130, b"interrupted\n")
    assert ended.json == {"error": {"code": "interrupted", "message": "interrupted", "hint": None}}


def test_message_with_terminal_sequence_is_made_harmless(kbdb: Run) -> None:
    ended = kbdb("\x1b]0;owned\x07")

    assert ended.exit_code == 2
    assert b"\x1b" not in ended.stderr


def test_reader_that_goes_away_ends_the_command_quietly(folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    ended = subprocess.run(
        [sys.executable, "-m", "kbdb", "--help"],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)

    assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "args", [["--help"], ["status"], ["status", "--json"], ["nosuch", "--json"]]
)
def test_full_disk_behind_stdout_is_an_error_not_a_traceback(args: list[str], base: Run) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "kbdb", *args],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert ended.returncode in (1, 2)
    assert ended.stderr.startswith(b"error: ")
    assert ended.stderr.count(b"error: ") == 1
    assert b"Traceback" not in ended.stderr
    assert b"Exception ignored" not in ended.stderr


WAITS_FOR_STDIN = """
import signal, sys
from kbdb.cli.main import main

class Stdin:
    closed = False
    buffer = property(lambda self: self)
    def isatty(self):
        return False
    def read(self, size):
        print("ready", flush=True)
        signal.pause()

sys.stdin = Stdin()
sys.argv = ["kbdb", "learn", "-"]
main()
"""


def test_interrupt_at_work_closes_the_base_and_ends_with_130(base: Run, folder: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", WAITS_FOR_STDIN], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"

    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)

    assert (child.returncode, out, err) == (130, b"", b"interrupted; nothing was changed\n")
    assert base("learn", "-", stdin=b"free again").exit_code == 0


def test_interrupt_after_the_promise_does_not_say_that_nothing_was_changed(
    base: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def learn_and_stop(self: KnowledgeBase, content: bytes, **options: Any) -> None:
        real(self, content, **options)
        raise KeyboardInterrupt

    real = KnowledgeBase.learn
    monkeypatch.setattr(KnowledgeBase, "learn", learn_and_stop)

    ended = base("learn", "-", stdin=b"promised")

    assert (ended.exit_code, ended.err) == (130, "interrupted; the write may be complete\n")


def test_interrupt_between_two_paths_counts_those_that_were_learned(
    base: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def learn_or_stop(self: KnowledgeBase, path: str, **options: Any) -> Any:
        if path == "b.md":
            raise KeyboardInterrupt
        return real(self, path, **options)

    real = KnowledgeBase.learn_file
    monkeypatch.setattr(KnowledgeBase, "learn_file", learn_or_stop)
    for name in ("a.md", "b.md"):
        (folder / name).write_text(f"text {name}", encoding="utf-8")

    ended = base("learn", "a.md", "b.md", "--json")

    assert (ended.exit_code, ended.err) == (130, "interrupted; 1 of 2 paths were learned before\n")
    assert ended.json["error"]["code"] == "interrupted"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_help_and_errors_print_in_any_encoding(encoding: str, process: Run) -> None:
    ended = process("漢\x1b", env={"PYTHONIOENCODING": encoding})

    assert ended.exit_code == 2
    assert ended.err.startswith("error: unknown command '")
    assert process("--help", env={"PYTHONIOENCODING": encoding}).exit_code == 0


def test_json_is_utf8_in_any_encoding(process: Run) -> None:
    ended = process("漢é", "--json", env={"PYTHONIOENCODING": "cp1252"})

    assert "漢é" in json.loads(ended.stdout.decode("utf-8"))["error"]["message"]


def test_completion_prints_a_script_for_each_shell(kbdb: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        ended = kbdb("completion", shell)
        assert ended.exit_code == 0
        assert "_KBDB_COMPLETE" in ended.out


def test_shell_gets_commands_and_modes_completed(process: Run) -> None:
    env = {"_KBDB_COMPLETE": "bash_complete", "COMP_CWORD": "1"}
    commands = process(env={**env, "COMP_WORDS": "kbdb se"})
    modes = process(env={**env, "COMP_WORDS": "kbdb search --mode hy", "COMP_CWORD": "3"})

    assert commands.out == "plain,search\n"
    assert modes.out == "plain,hybrid\n"


def test_db_option_without_a_name_is_refused_instead_of_ignored(base: Run) -> None:
    ended = base("status", "--db", "")

    assert ended.exit_code == 2
    assert "--db" in ended.err
