"""Commands whose help ends with examples, and the group that imports a command only to run it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from kbdb.errors import UnknownValueError


class ExampleCommand(click.Command):
    """A command whose help ends with lines a user can paste."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.examples = examples

    def format_epilog(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the examples."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")


class ExampleGroup(ExampleCommand, click.Group):
    """A group whose help ends with examples and whose errors name the nearest command."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name the nearest one there is.

        Raises:
            UnknownValueError: The first argument is no command of this group.
        """
        name = args[0]
        if not (name.startswith("-") or ctx.resilient_parsing or self.get_command(ctx, name)):
            raise UnknownValueError("command", name, self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; a group named alone answers with its help, which is no error."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()
        return super().parse_args(ctx, args)


@dataclass(frozen=True, slots=True, kw_only=True)
class LazyCommand:
    """Where a command is (``module:attribute``) and its line in the list of commands."""

    target: str
    summary: str


class LazyGroup(ExampleGroup):
    """A group that knows its commands by name and imports only the one that runs."""

    def __init__(self, *args: Any, lazy: Mapping[str, LazyCommand], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.lazy = lazy

    def list_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
    ) -> list[str]:
        """Return the names in the order the table has them."""
        return list(self.lazy)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Import the command, or return None when there is no such name."""
        if cmd_name not in self.lazy:
            return None
        module, _, attribute = self.lazy[cmd_name].target.partition(":")
        command = getattr(import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.lazy[cmd_name].target!r} is no command")
        return command

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.lazy.items()])
