"""``kbdb batch-learn``: many texts from JSON lines, all of them or none."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kbdb.cli.batch_file import Place, batch_items
from kbdb.cli.command import ExampleCommand
from kbdb.cli.invocation import Invocation, base_options, pass_invocation
from kbdb.cli.json_view import view
from kbdb.cli.learn_report import report_learned
from kbdb.cli.output import is_terminal, note, write_json, write_line
from kbdb.cli.progress import ProgressBar
from kbdb.cli.text import harmless_line, plural
from kbdb.errors import KbdbError, UsageError
from kbdb.model import BatchItem, BatchResult, FolderResult

if TYPE_CHECKING:
    from kbdb.base import KnowledgeBase

_STDIN = "-"
_ITEM = re.compile(r"\Aitem \d+: ")


@click.command(
    "batch-learn",
    cls=ExampleCommand,
    examples=(
        "kbdb batch-learn notes.jsonl",
        "kbdb batch-learn export/ --json",
        """echo '{"content": "Restart with make up.", "tags": ["ops"]}' | kbdb batch-learn -""",
    ),
)
@click.argument(
    "source", metavar="FILE.jsonl|DIR|-", type=click.Path(allow_dash=True, readable=False)
)
@click.option("--yes", is_flag=True, help="Retire documents of vanished files without asking.")
@base_options
@pass_invocation
def batch_learn(invocation: Invocation, source: str, yes: bool) -> None:
    """Learn one text a line from a file, from every .jsonl file of a folder, or from -.

    A line is a JSON object with content, and if you like type, title, description, docid, tags
    (a list, or one text with commas) and replace. One wrong line, and nothing of the batch is
    stored. A folder without .jsonl files is learned as `kbdb learn` does it.
    """
    from kbdb.cli.learning import LearnOptions, check_paths, learn_folder

    check_paths([source], LearnOptions())
    files = _files(source)
    with invocation.writing() as base:
        if files:
            result: BatchResult | FolderResult = _learn(base, files)
        else:
            note(f"no .jsonl file in {harmless_line(source)}; learning it as a folder")
            result = learn_folder(base, source, LearnOptions(yes=yes))
    if invocation.as_json:
        write_json(view(result))
    elif isinstance(result, FolderResult):
        report_learned(source, result, verbose=False)
    elif not result.documents:
        write_line(f"nothing to learn: {_named(source)} holds no line with content")
    else:
        _report_batch(result)


def _learn(base: "KnowledgeBase", files: list[str]) -> BatchResult:
    place = Place()
    with ProgressBar("learning") as bar:
        try:
            return base.learn_batch(
                _items(files, place), progress=lambda done, _: bar.report(done, 0)
            )
        except KbdbError as error:
            # The base counts items; a person looks for the line.
            message = str(error)
            error.args = (_ITEM.sub(lambda _: f"{place.words}: ", message, count=1),)
            raise


def _report_batch(result: BatchResult) -> None:
    documents = plural(len({learned.docid for learned in result.documents}), "document")
    sections = plural(result.section_count, "section")
    write_line(f"learned {documents}: {sections}, {result.new_section_count} new")
    for learned in result.documents:
        for warning in learned.warnings:
            note(f"warning: {harmless_line(warning)}")


def _files(source: str) -> list[str]:
    folder = Path(source)
    if source == _STDIN or not folder.is_dir():
        return [source]
    return sorted(str(path) for path in folder.glob("*.jsonl") if path.is_file())


def _named(source: str) -> str:
    return "standard input" if source == _STDIN else harmless_line(source)


def _items(files: list[str], place: Place) -> Iterator[BatchItem]:
    for name in files:
        if name == _STDIN:
            yield from _items_of_stdin(place)
        else:
            with Path(name).open("rb") as lines:
                yield from batch_items(name, lines, place)


def _items_of_stdin(place: Place) -> Iterator[BatchItem]:
    if sys.stdin is None:
        raise UsageError("there is no standard input", hint="pipe the lines in, or name a file")
    if is_terminal(sys.stdin):
        note("reading JSON lines from the terminal; end them with Ctrl-D on a line of its own")
    yield from batch_items("standard input", sys.stdin.buffer, place)
