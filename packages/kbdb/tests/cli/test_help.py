import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from cli.shell import Run

from kbdb.cli.json_view import COMMANDS
from kbdb.cli.root import root
from kbdb.kbid import is_kbid


def commands(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        yield (*path, name)
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)


ALL = [(), *commands(root)]


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help_ends_with_examples_of_this_command(path: tuple[str, ...], kbdb: Run) -> None:
    ended = kbdb(*path, "--help")

    examples = ended.out.rpartition("Examples:\n")[2].splitlines()
    assert ended.exit_code == 0
    assert examples
    assert all(line.startswith("  ") and " ".join(("kbdb", *path)) in line for line in examples)


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help_names_the_options_every_command_takes(path: tuple[str, ...], kbdb: Run) -> None:
    text = kbdb(*path, "--help").out

    if path != ("completion",):
        assert "--db DIR" in text
        assert "--json" in text


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_ids_in_help_have_the_shape_of_a_kbid(path: tuple[str, ...], kbdb: Run) -> None:
    for word in re.findall(r"\b3f7\w+", kbdb(*path, "--help").out):
        assert is_kbid(word)


def test_every_command_that_prints_json_has_its_object_documented() -> None:
    leaves = {" ".join(path) for path in ALL[1:]} - {"db", "skill", "agent", "completion"}

    assert leaves == {name for name in COMMANDS if not name.startswith("(")}


def test_summary_of_a_lazy_command_is_no_longer_than_its_line(kbdb: Run) -> None:
    assert "..." not in kbdb("--help").out.partition("Commands:")[2]


@pytest.mark.parametrize("args", [("--help",), ("search", "--help"), ("learn", "--help")])
def test_help_imports_no_engine_and_no_parser(args: tuple[str, ...]) -> None:
    heavy = {"tantivy", "markdown_it", "selectolax", "rich", "yaml", "sqlite3", "kbdb.base"}
    code = (
        "import sys\nfrom kbdb.cli.edge import run\n"
        f"run({list(args)!r})\nprint(sorted({heavy!r} & set(sys.modules)), file=sys.stderr)"
    )

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert ended.stderr.strip() == b"[]"


def test_no_arguments_print_the_help_and_are_no_error(kbdb: Run) -> None:
    assert kbdb().stdout == kbdb("--help").stdout
    assert kbdb("skill").exit_code == 0


def test_version_is_one_line(kbdb: Run) -> None:
    assert re.fullmatch(r"kbdb \d+\.\d+\.\d+\S*\n", kbdb("--version").out)
