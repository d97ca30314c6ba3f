"""``kbdb db``: make a knowledge base."""

import os

import click

from kbdb.cli.command import ExampleCommand, ExampleGroup
from kbdb.cli.invocation import Invocation, base_options, pass_invocation
from kbdb.cli.location import new_base
from kbdb.cli.output import write_json, write_line
from kbdb.cli.text import harmless_line


@click.group(
    "db",
    cls=ExampleGroup,
    examples=("kbdb db init", "kbdb db init --db ~/notes/.kbdb"),
)
@base_options
def db() -> None:
    """Make a knowledge base."""


@db.command(
    "init",
    cls=ExampleCommand,
    examples=("kbdb db init", "kbdb db init --db ~/notes/.kbdb"),
)
@base_options
@pass_invocation
def init(invocation: Invocation) -> None:
    """Make an empty knowledge base in the folder --db names, or in .kbdb here.

    Missing parent folders are made too. What exists is never touched.
    """
    from kbdb.base import KnowledgeBase

    folder = new_base(invocation.db, os.environ)
    KnowledgeBase.create(folder).close()
    if invocation.as_json:
        write_json({"path": str(folder.absolute()), "created": True})
    else:
        write_line(f"made a knowledge base in {harmless_line(str(folder))}")
        write_line("next: kbdb learn FOLDER")
