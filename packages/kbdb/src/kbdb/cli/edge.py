"""The edge of the command line: every failure becomes an exit code and at most two lines on stderr.

Nothing below translates errors. With ``--json`` a failure also prints one object with ``error`` on
stdout; without it stdout stays empty. A traceback appears only with ``KBDB_DEBUG=1``.
"""

import errno
import os
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import click

from kbdb.cli import output
from kbdb.cli.exit_code import BROKEN_PIPE, INTERRUPTED
from kbdb.cli.interrupt import Interrupted
from kbdb.cli.json_view import error_view
from kbdb.cli.root import root
from kbdb.cli.text import harmless_block
from kbdb.errors import (
    DiskFullError,
    KbdbError,
    PathNotFoundError,
    ReadOnlyError,
    StorageError,
    UsageError,
)

PROGRAM = "kbdb"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What the user is told about a failed command."""

    exit_code: int
    code: str
    message: str
    hint: str | None = None


def run(args: Sequence[str]) -> int:
    """Run one command line and return its exit code; raises nothing."""
    output.prepare_streams()
    try:
        return _complete_or_invoke(args)
    except (KeyboardInterrupt, click.Abort, Interrupted) as stopped:
        return _report(_interrupted(stopped), stopped, as_json=_wants_json(args))
    except BrokenPipeError:
        return BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - the edge: here every error becomes an exit code
        return _report(_explained(error), error, as_json=_wants_json(args))
    finally:
        output.abandon_streams()


def _complete_or_invoke(args: Sequence[str]) -> int:
    instruction = os.environ.get("_KBDB_COMPLETE")
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(root, {}, PROGRAM, "_KBDB_COMPLETE", instruction)
    try:
        with root.make_context(PROGRAM, list(args)) as context:
            root.invoke(context)
    except click.exceptions.Exit as done:
        output.flush()
        return done.exit_code
    output.flush()
    return 0


def _wants_json(args: Sequence[str]) -> bool:
    options = args[: args.index("--")] if "--" in args else args
    return "--json" in options


def _report(failure: Failure, error: BaseException, *, as_json: bool) -> int:
    # Where stdout takes nothing, stderr still says why.
    with suppress(OSError):
        if as_json:
            output.write_json(error_view(failure.code, failure.message, failure.hint))
    with suppress(OSError):
        if failure.code == "internal" and os.environ.get("KBDB_DEBUG") == "1":
            output.note("".join(traceback.format_exception(error)))
        label = "" if failure.code in ("internal", "interrupted") else "error: "
        output.note(label + harmless_block(failure.message))
        if failure.hint:
            output.note("hint: " + harmless_block(failure.hint))
    return failure.exit_code


def _interrupted(stopped: BaseException) -> Failure:
    outcome = f"; {stopped.outcome}" if isinstance(stopped, Interrupted) else ""
    return Failure(exit_code=INTERRUPTED, code="interrupted", message=f"interrupted{outcome}")


def _explained(error: Exception) -> Failure:
    if isinstance(error, click.ClickException):
        return _explained_usage(error)
    if isinstance(error, OSError):
        error = _storage_error(error)
    if isinstance(error, KbdbError):
        return Failure(
            exit_code=error.exit_code, code=error.code, message=str(error), hint=error.hint
        )
    if isinstance(error, MemoryError):
        return Failure(
            exit_code=1,
            code="out_of_memory",
            message="not enough memory",
            hint="learn fewer or smaller files at a time, or lower --max-size",
        )
    if isinstance(error, RecursionError):
        return Failure(exit_code=1, code="too_deep", message="the input is nested too deeply")
    what = " ".join(f"{type(error).__name__}: {error}".split())
    message = f"internal error: {what}; run again with KBDB_DEBUG=1 for details"
    return Failure(exit_code=1, code="internal", message=message)


def _storage_error(error: OSError) -> KbdbError:
    where = f" {os.fsdecode(error.filename)!r}" if error.filename else ""
    message = f"{error.strerror or error}:{where}" if where else error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFullError(message, hint="free some space, then run the same command again")
    if error.errno == errno.ENOENT:
        return PathNotFoundError(message, hint="check the path")
    if error.errno == errno.EROFS:
        return ReadOnlyError(message, hint="choose a folder on a file system you can write to")
    if error.errno in (errno.EACCES, errno.EPERM):
        return StorageError(message, hint="check who owns it and who may read and write it")
    return StorageError(message)


def _explained_usage(error: click.ClickException) -> Failure:
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context else PROGRAM
    hint = f"see `{command} --help`"
    if isinstance(error, click.NoSuchOption):
        hint = _hint_for_option(error, command)
        message = f"no such option {error.option_name!r}"
        return Failure(exit_code=2, code=UsageError.code, message=message, hint=hint)
    message = error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    return Failure(exit_code=error.exit_code, code=UsageError.code, message=message, hint=hint)


def _hint_for_option(error: click.NoSuchOption, command: str) -> str:
    if error.possibilities:
        return f"did you mean {' or '.join(error.possibilities)}?"
    dashes = (
        f"; text that starts with a dash goes after --, as in `{command} -- {error.option_name}`"
    )
    return f"see `{command} --help`{dashes if ' ' in command else ''}"
