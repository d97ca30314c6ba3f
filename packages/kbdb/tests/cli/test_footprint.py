"""What a command leaves on the disk and loads into memory."""

from pathlib import Path

from cli.shell import KEYS, Run, first_kbid


def test_nothing_is_written_outside_the_base(base: Run, folder: Path) -> None:
    (folder / "keys.md").write_text(KEYS, encoding="utf-8")
    home = Path.home()
    before = sorted(home.rglob("*"))

    base("learn", "keys.md")
    base("search", "keys")

    assert sorted(home.rglob("*")) == before
    assert sorted(path.name for path in folder.iterdir()) == [".kbdb", "keys.md"]


def test_search_imports_no_parser_and_no_terminal_library(base: Run, process: Run) -> None:
    first_kbid(base)

    ended = process("search", "keys", env={"PYTHONPROFILEIMPORTTIME": "1"})

    assert b"kbdb.base" in ended.stderr
    for name in (b"markdown_it", b"selectolax", b"rich", b"yaml", b"tomlkit"):
        assert b" " + name + b"\n" not in ended.stderr


def test_folder_that_is_gone_is_retired_when_it_is_learned_again(base: Run, folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "keys.md").write_text(KEYS, encoding="utf-8")
    base("learn", "docs")
    (folder / "docs" / "keys.md").unlink()
    (folder / "docs").rmdir()

    refused = base("learn", "docs")
    followed = base("learn", "docs", "--yes")

    assert refused.exit_code == 3
    assert followed.exit_code == 0
    assert base("status", "--json").json["documents"] == 0
    assert base("learn", "dox").exit_code == 4
