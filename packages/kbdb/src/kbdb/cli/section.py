"""``kbdb retrieve``, ``content`` and ``unlearn``: what is known by its id."""

import os
import sys
from pathlib import Path

import click

from kbdb.cli import params
from kbdb.cli.command import ExampleCommand
from kbdb.cli.invocation import Invocation, base_options, pass_invocation
from kbdb.cli.json_view import view
from kbdb.cli.output import is_terminal, write_bytes, write_json, write_line
from kbdb.cli.retired import saying_what_became
from kbdb.cli.section_page import page
from kbdb.cli.text import harmless_block, harmless_line
from kbdb.errors import AlreadyExistsError, UsageError
from kbdb.ingest.size import human_size
from kbdb.model import SectionView

_KBID = "3f7k2m9q4r8s5t6v7w8x9y0z1a"


@click.command(
    "retrieve",
    cls=ExampleCommand,
    examples=(
        f"kbdb retrieve {_KBID}",
        "kbdb retrieve deployment-guide --json",
        f"kbdb retrieve {_KBID} --output diagram.png",
    ),
)
@click.argument("ident", metavar="KBID|DOCID", type=params.ident)
@click.option(
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the raw content to this file instead, or to standard output for -.",
)
@click.option("--force", is_flag=True, help="Let --output overwrite a file.")
@base_options
@pass_invocation
def retrieve(invocation: Invocation, ident: str, output: Path | None, force: bool) -> None:
    """Show a section by its kb-id, or a document by its docid.

    A retired section can still be read; it says what took its place.
    """
    if invocation.as_json and output is not None and str(output) == "-":
        raise UsageError(
            "--output - and --json both write to standard output", hint="leave one of them out"
        )
    with invocation.open_base() as base:
        found = base.retrieve(ident)
        body = found.section.body if isinstance(found, SectionView) else None
        if body is None and output is not None:
            body = _encoded(base.content([ident]))
    if output is not None and body is not None:
        _write_output(body, output, force=force, as_json=invocation.as_json)
    elif invocation.as_json:
        write_json(view(found))
    else:
        write_line(page(found))


@click.command(
    "content",
    cls=ExampleCommand,
    examples=(
        f"kbdb content {_KBID}",
        "kbdb content deployment-guide runbook > context.md",
    ),
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=params.ident)
@base_options
@pass_invocation
def content(invocation: Invocation, ids: tuple[str, ...]) -> None:
    """Print sections and documents as one Markdown document."""
    with invocation.open_base() as base, saying_what_became(base):
        markdown = base.content(ids)
    if invocation.as_json:
        write_json({"content": markdown})
    elif is_terminal(sys.stdout):
        write_line(harmless_block(markdown).removesuffix("\n"))
    else:
        write_bytes(_encoded(markdown))


@click.command("unlearn", cls=ExampleCommand, examples=(f"kbdb unlearn {_KBID}",))
@click.argument("kbid", metavar="KBID", type=params.ident)
@base_options
@pass_invocation
def unlearn(invocation: Invocation, kbid: str) -> None:
    """Take a section out of every search at once; it stays readable by its id."""
    with invocation.writing() as base:
        result = base.unlearn(kbid)
    if invocation.as_json:
        write_json(view(result))
        return
    where = f" from {', '.join(result.docids)}" if result.docids else ""
    write_line(harmless_block(f"unlearned {result.kbid}{where}"))
    for linking in result.linked_from:
        write_line(f"still linked from {linking}")


def _write_output(body: bytes, target: Path, *, force: bool, as_json: bool) -> None:
    if str(target) == "-":
        write_bytes(body)
        return
    try:
        with target.open("wb" if force else "xb") as file:
            file.write(body)
    except FileExistsError as error:
        raise AlreadyExistsError(
            f"{str(target)!r} exists", hint="overwrite it with --force"
        ) from error
    if as_json:
        write_json(
            {"path": os.fsencode(target).decode("utf-8", "replace"), "size_bytes": len(body)}
        )
    else:
        write_line(harmless_line(f"wrote {human_size(len(body))} to {target}"))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
