"""``kbdb status``: what the knowledge base holds."""

from collections.abc import Iterator

import click

from kbdb.cli.command import ExampleCommand
from kbdb.cli.invocation import Invocation, base_options, pass_invocation
from kbdb.cli.json_view import view
from kbdb.cli.output import note, write_json, write_line
from kbdb.cli.text import harmless_line
from kbdb.ingest.size import human_size
from kbdb.model import Status


@click.command(
    "status",
    cls=ExampleCommand,
    examples=("kbdb status", "kbdb status --json --db ~/notes/.kbdb"),
)
@base_options
@pass_invocation
def status(invocation: Invocation) -> None:
    """Show what the knowledge base holds and what needs attention."""
    with invocation.open_base() as base:
        result = base.status()
    if invocation.as_json:
        write_json(view(result))
        return
    for name, value in _rows(result):
        write_line(f"{name:<10} {harmless_line(value)}")
    for warning in result.warnings:
        note(f"warning: {harmless_line(warning)}")


def _rows(status: Status) -> Iterator[tuple[str, str]]:
    yield "path", status.path if status.writable else f"{status.path} (read-only)"
    yield "format", status.format
    yield "documents", str(status.documents)
    yield "sections", str(status.sections)
    yield "retired", str(status.retired)
    yield "skills", str(status.skills)
    yield "agents", str(status.agents)
    yield "pending", f"{status.pending} (searched beside the main index)"
    yield "records", human_size(status.records_bytes)
    yield "indexes", f"{human_size(status.index_bytes)}, generation {status.generation}"
    yield "language", status.language
