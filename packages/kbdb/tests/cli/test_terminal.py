import re
from pathlib import Path

import pytest
from cli.shell import Run

TEXT = "# Keys\n\n" + "Rotate the signing keys every month, and tell the team. " * 6


def plain(shown: bytes) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()).replace("\r\n", "\n")


@pytest.fixture
def keys(base: Run) -> Run:
    """Have a base that knows of keys."""
    base("learn", "-", stdin=TEXT.encode())
    return base


def test_search_is_coloured_and_wrapped_on_a_terminal(keys: Run, terminal: Run) -> None:
    shown = terminal("search", "signing keys")

    assert b"\x1b[1m" in shown.stdout
    assert max(map(len, plain(shown.stdout).splitlines())) <= 60


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_it_is_not_wanted(env: dict[str, str], keys: Run, terminal: Run) -> None:
    assert b"\x1b" not in terminal("search", "signing keys", env=env).stdout


def test_content_on_a_terminal_is_harmless(base: Run, terminal: Run) -> None:
    base("learn", "-", "--docid", "esc", stdin=b"# Esc\n\n\x1b]0;owned\x07 text\n")

    shown = terminal("content", "esc").stdout

    assert b"\x1b" not in shown
    assert "␛]0;owned␇ text" in shown.decode()


def test_learn_from_a_terminal_says_what_it_waits_for(base: Run, terminal: Run) -> None:
    shown = terminal("learn", "-", prompt=b"Ctrl-D", typed=b"some text\n\x04")

    assert shown.exit_code == 0
    assert "end it with Ctrl-D" in plain(shown.stdout)
    assert base("status", "--json").json["sections"] == 1


@pytest.mark.parametrize(
    ("answer", "exit_code", "document_count"), [(b"y\n", 0, 1), (b"n\n", 3, 4), (b"\x03", 130, 4)]
)
def test_retiring_much_is_asked_on_a_terminal(
    answer: bytes, exit_code: int, document_count: int, base: Run, terminal: Run, folder: Path
) -> None:
    docs = folder / "docs"
    docs.mkdir()
    for number in range(4):
        (docs / f"{number}.md").write_text(f"# N{number}\n\ntext {number}\n", encoding="utf-8")
    base("learn", "docs")
    for number in range(3):
        (docs / f"{number}.md").unlink()

    shown = terminal("learn", "docs", prompt=b"[y/N]", typed=answer)

    assert shown.exit_code == exit_code
    assert "3 of 4 documents" in plain(shown.stdout)
    assert base("status", "--json").json["documents"] == document_count


def test_progress_is_shown_on_a_terminal_only(base: Run, terminal: Run, folder: Path) -> None:
    docs = folder / "docs"
    docs.mkdir()
    for number in range(4):
        (docs / f"{number}.md").write_text(f"# N{number}\n\ntext {number}\n", encoding="utf-8")

    shown = terminal("learn", "docs")
    piped = base("learn", "docs")

    assert "learning" in plain(shown.stdout)
    assert piped.stderr == b""
