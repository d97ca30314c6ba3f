"""``kbdb search``: ask, and see the sections that answer."""

from typing import Any

import click

from kbdb.cli import params
from kbdb.cli.command import ExampleCommand
from kbdb.cli.hit_list import hit_list
from kbdb.cli.invocation import Invocation, base_options, pass_invocation
from kbdb.cli.json_view import view
from kbdb.cli.output import line_width, write_json, write_line
from kbdb.model import Mode


@click.command(
    "search",
    cls=ExampleCommand,
    examples=(
        "kbdb search how do I rotate the keys",
        "kbdb search 'retry \"exponential backoff\"' --tags ops --limit 3",
        "kbdb search --json --max-tokens 2000 deployment checklist",
        "kbdb search -- --no-worker",
    ),
)
@click.argument("query", nargs=-1, required=True, type=params.text)
@click.option(
    "--mode",
    metavar="MODE",
    default=Mode.AUTO.value,
    show_default=True,
    type=params.mode,
    shell_complete=params.completes(params.MODES),
    help="How to match: auto, lexical, vector or hybrid.",
)
@click.option(
    "--limit",
    default=10,
    show_default=True,
    type=click.IntRange(1, 1000),
    help="Most hits to show.",
)
@params.tags_option
@click.option("--docid", default="", type=params.text, help="Only sections of this document.")
@params.type_option(params.SEARCHABLE_TYPES, "Only sections of this type, such as skill.")
@click.option(
    "--max-tokens", type=click.IntRange(min=1), help="Show whole hits up to this many tokens."
)
@base_options
@pass_invocation
def search(invocation: Invocation, /, query: tuple[str, ...], **options: Any) -> None:
    """Find the sections that answer QUERY, best first.

    No text is an error: punctuation is matched as it is, and "quotes" ask for a phrase. Tags narrow
    the search to sections that have all of them.
    """
    with invocation.open_base() as base:
        result = base.search(" ".join(query), **options)
    if invocation.as_json:
        write_json(view(result))
    else:
        write_line(hit_list(result, width=line_width()))
