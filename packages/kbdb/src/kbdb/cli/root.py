"""The root of the command line: its commands by name, none of them imported until it runs."""

import click

from kbdb import __version__
from kbdb.cli.command import LazyCommand, LazyGroup
from kbdb.cli.invocation import base_options

_COMMANDS = {
    "db": LazyCommand(target="kbdb.cli.db:db", summary="Make a knowledge base."),
    "learn": LazyCommand(
        target="kbdb.cli.learn:learn", summary="Learn files, folders or standard input."
    ),
    "batch-learn": LazyCommand(
        target="kbdb.cli.batch:batch_learn",
        summary="Learn many texts from JSON lines, all or none.",
    ),
    "search": LazyCommand(
        target="kbdb.cli.search:search", summary="Find the sections that answer a query."
    ),
    "retrieve": LazyCommand(
        target="kbdb.cli.section:retrieve", summary="Show a section or a document by its id."
    ),
    "content": LazyCommand(
        target="kbdb.cli.section:content", summary="Print sections and documents as Markdown."
    ),
    "unlearn": LazyCommand(
        target="kbdb.cli.section:unlearn", summary="Take a section out of every search."
    ),
    "status": LazyCommand(
        target="kbdb.cli.status:status", summary="Show what the knowledge base holds."
    ),
    "skill": LazyCommand(
        target="kbdb.cli.skill:skill", summary="Learn, list, show and delete skills."
    ),
    "agent": LazyCommand(
        target="kbdb.cli.agent:agent", summary="Create, list, show and delete agents."
    ),
    "completion": LazyCommand(
        target="kbdb.cli.completion:completion", summary="Print the completion script of a shell."
    ),
}


def _print_version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    click.echo(f"kbdb {__version__}")
    context.exit()


@click.command(
    "kbdb",
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    examples=(
        "kbdb db init",
        "kbdb learn docs/ notes.md",
        "kbdb search how do I rotate the keys",
        "kbdb content 3f7k2m9q4r8s5t6v7w8x9y0z1a",
    ),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and exit.",
)
@base_options
def root() -> None:
    """A knowledge base in a folder: learn documents, then find the section that answers."""
