"""``kbdb search``: ask, and see the sections that answer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from kbdb.cli import params
from kbdb.cli.command import ExampleCommand
from kbdb.cli.hit_list import hit_list
from kbdb.cli.invocation import Invocation, base_options, pass_invocation
from kbdb.cli.json_view import view
from kbdb.cli.output import line_width, write_json, write_line
from kbdb.errors import UsageError
from kbdb.model import DocumentView, Mode, SearchResult

if TYPE_CHECKING:
    from kbdb.base import KnowledgeBase


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
    metavar="N",
    type=params.limit,
    help="Most hits to show, 1 to 1000.",
)
@params.tags_option
@click.option("--docid", default="", type=params.text, help="Only sections of this document.")
@params.type_option(params.SEARCHABLE_TYPES, "Only sections of this type, such as skill.")
@click.option(
    "--max-tokens",
    metavar="N",
    type=params.max_tokens,
    help="Show whole hits up to this many tokens.",
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
        instead = ""
        if not (result.hits or result.more):
            _check_docid(base, options["docid"])
            instead = _tags_at_fault(base, result, options)
    if invocation.as_json:
        write_json(view(result))
    else:
        write_line(hit_list(result, width=line_width(), instead=instead))


def _check_docid(base: "KnowledgeBase", docid: str) -> None:
    """Tell a document without an answer from one that does not exist.

    Raises:
        UnknownIdError: Nothing has this id.
        UsageError: It is a section's.
    """
    if docid:
        found = base.retrieve(docid)
        if not isinstance(found, DocumentView):
            held = f"; it is in {', '.join(found.docids)}" if found.docids else ""
            raise UsageError(
                f"--docid {docid!r} is a section, not a document",
                hint=f"see it with `kbdb retrieve {docid}`{held}",
            )


def _tags_at_fault(base: "KnowledgeBase", result: SearchResult, options: dict[str, Any]) -> str:
    """Say that the tags left nothing, if the same search without them finds something."""
    tags: Sequence[str] = options["tags"]
    if not tags:
        return ""
    without = base.search(result.query, **{**options, "tags": (), "limit": 1, "max_tokens": None})
    if not without.hits:
        return ""
    what = "tag" if len(tags) == 1 else "tags"
    return f"nothing with the {what} {', '.join(tags)}; without --tags there are hits"
