"""What every command has in common: which base it means and how it answers."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from click.shell_completion import CompletionItem

from kbdb.cli.interrupt import Interrupted
from kbdb.cli.location import find_base
from kbdb.errors import NotAKnowledgeBaseError, UsageError
from kbdb.records.layout import JOURNAL_FILE

if TYPE_CHECKING:
    from kbdb.base import KnowledgeBase

Command = TypeVar("Command", bound=Callable[..., object])


@dataclass(slots=True)
class Invocation:
    """The options any command takes, wherever on the line they were given."""

    db: str | None = None
    as_json: bool = False

    @contextmanager
    def writing(self) -> "Iterator[KnowledgeBase]":
        """Open the knowledge base for one write; a Ctrl-C then says whether anything was changed.

        Raises:
            Interrupted: Of a Ctrl-C.
        """
        with self.open_base() as base:
            try:
                yield base
            except (KeyboardInterrupt, click.Abort) as stopped:
                # A write is promised once it is in the journal, and then carried out in any case.
                is_promised = _size(base.path / JOURNAL_FILE) > 0
                outcome = "the write may be complete" if is_promised else "nothing was changed"
                raise Interrupted(outcome) from stopped

    def open_base(self) -> "KnowledgeBase":
        """Open the knowledge base this command means; the caller closes it.

        Raises:
            NotAKnowledgeBaseError: None was named and none is near.
            NewerFormatError: It was written by a newer kbdb.
        """
        folder = find_base(self.db, os.environ, Path.cwd())
        from kbdb.base import KnowledgeBase  # after the checks that need no engine

        try:
            return KnowledgeBase.open(folder)
        except NotAKnowledgeBaseError as error:
            hint = f"make one with `kbdb db init --db {folder}`"
            raise NotAKnowledgeBaseError(str(error), hint=error.hint or hint) from error


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


pass_invocation = click.make_pass_decorator(Invocation, ensure=True)


def _keep_db(context: click.Context, _: click.Parameter, value: str | None) -> None:
    invocation = context.ensure_object(Invocation)
    if value == "":
        raise UsageError("--db names no folder", hint="leave it out, or name the folder of a base")
    if value is not None:
        invocation.db = value


def _keep_json(context: click.Context, _: click.Parameter, value: bool) -> None:
    invocation = context.ensure_object(Invocation)
    invocation.as_json = invocation.as_json or value


def _complete_folder(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="dir")]


def base_options(command: Command) -> Command:
    """Add ``--db`` and ``--json``, which every command and every group of commands takes."""
    with_db = click.option(
        "--db",
        metavar="DIR",
        type=click.Path(readable=False),
        shell_complete=_complete_folder,
        expose_value=False,
        callback=_keep_db,
        help="Folder of the knowledge base [default: KBDB_DIR, else the nearest .kbdb].",
    )
    with_json = click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        callback=_keep_json,
        help="Print one JSON object.",
    )
    return with_db(with_json(command))
