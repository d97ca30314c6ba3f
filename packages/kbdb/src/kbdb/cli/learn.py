"""``kbdb learn``: take files, folders and standard input into the knowledge base."""

from dataclasses import dataclass
from typing import Any

import click

from kbdb.cli import params
from kbdb.cli.command import ExampleCommand
from kbdb.cli.interrupt import Interrupted
from kbdb.cli.invocation import Invocation, base_options, pass_invocation
from kbdb.cli.json_view import Json, view
from kbdb.cli.learn_report import report_learned
from kbdb.cli.output import note, write_json
from kbdb.cli.retired import saying_what_became
from kbdb.cli.text import harmless_line
from kbdb.errors import KbdbError
from kbdb.model import FolderResult, LearnResult


@click.command(
    "learn",
    cls=ExampleCommand,
    examples=(
        "kbdb learn docs/",
        "kbdb learn guide.md notes/ --tags ops,runbook",
        "echo 'Restart with make up.' | kbdb learn - --title 'How to restart'",
        "kbdb learn old.md --replaces 3f7k2m9q4r8s5t6v7w8x9y0z1a",
    ),
)
@click.argument(
    "paths",
    metavar="PATH...|-",
    nargs=-1,
    required=True,
    type=click.Path(allow_dash=True, readable=False),
)
@params.type_option(params.LEARNABLE_TYPES, "Media type; by default the file's name decides.")
@click.option("--title", default="", type=params.text, help="Title instead of the text's own.")
@click.option("--description", default="", type=params.text, help="What the text is about.")
@click.option("--docid", default="", type=params.text, help="Id of the document it becomes.")
@params.tags_option
@click.option(
    "--replace", is_flag=True, help="Replace what the document held before instead of adding to it."
)
@click.option(
    "--replaces", metavar="KBID", type=params.ident, help="The section that this text supersedes."
)
@click.option("--yes", is_flag=True, help="Retire documents of vanished files without asking.")
@click.option(
    "--max-size", metavar="SIZE", type=params.size, help="Learn files up to this size, as in 20MB."
)
@click.option("--verbose", is_flag=True, help="List every section and every skipped path.")
@base_options
@pass_invocation
@click.pass_context
def learn(
    context: click.Context, invocation: Invocation, /, paths: tuple[str, ...], **options: Any
) -> None:
    """Learn files, folders, or standard input for -.

    A folder is read with its .gitignore and .kbdbignore. Learned again, unchanged files cost next
    to nothing, changed ones replace their documents, and those of vanished files are retired.
    """
    from kbdb.cli.learning import LearnOptions, check_paths, learn_path

    given = LearnOptions(**options)
    check_paths(paths, given)
    attempts: list[_Attempt] = []
    with invocation.writing() as base:
        for path in paths:
            try:
                with saying_what_became(base):
                    attempt = _Attempt(path=path, result=learn_path(base, path, given))
            except KbdbError as error:
                if len(paths) == 1:
                    raise
                attempt = _Attempt(path=path, error=error)
            except (KeyboardInterrupt, click.Abort) as stopped:
                learned = sum(one.result is not None for one in attempts)
                if learned:
                    raise Interrupted(
                        f"{learned} of {len(paths)} paths were learned before"
                    ) from stopped
                raise
            attempts.append(attempt)
            if not invocation.as_json:
                attempt.report(verbose=given.verbose)
    if invocation.as_json:
        write_json(_view(attempts))
    failed = [attempt.error.exit_code for attempt in attempts if attempt.error]
    context.exit(failed[0] if failed else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    """What became of one path: a result or an error."""

    path: str
    result: LearnResult | FolderResult | None = None
    error: KbdbError | None = None

    def report(self, *, verbose: bool) -> None:
        if self.result is not None:
            report_learned(self.path, self.result, verbose=verbose)
        if self.error is not None:
            note(harmless_line(f"error: {self.path}: {self.error}"))
            if self.error.hint:
                note(harmless_line(f"hint: {self.error.hint}"))

    @property
    def kind(self) -> str:
        if isinstance(self.result, FolderResult):
            return "folder"
        return "stdin" if self.path == "-" else "file"


def _view(attempts: list[_Attempt]) -> Json:
    results = [a for a in attempts if a.result is not None]
    counts = [_counts(a.result) for a in results if a.result is not None]
    return {
        "results": [{"path": a.path, "kind": a.kind, **view(a.result)} for a in results],
        "errors": [
            {"path": a.path, "code": a.error.code, "message": str(a.error), "hint": a.error.hint}
            for a in attempts
            if a.error is not None
        ],
        "section_count": sum(count for count, _ in counts),
        "new_section_count": sum(new for _, new in counts),
    }


def _counts(result: LearnResult | FolderResult) -> tuple[int, int]:
    if isinstance(result, FolderResult):
        return result.section_count, result.new_section_count
    return len(result.sections), sum(section.new for section in result.sections)
