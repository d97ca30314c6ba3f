"""The progress bar on stderr, where a person watches; rich is imported only then."""

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from kbdb.cli.output import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class ProgressBar:
    """A bar that appears with the first report of progress and leaves no trace when it is done.

    Elsewhere than on a terminal, and on a dumb one, it stays silent.
    """

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._is_shown = is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"

    def report(self, done: int, total: int) -> None:
        """Show how far the work is; a ``total`` of 0 means that nobody knows."""
        if not self._is_shown:
            return
        if self._bar is None or self._task is None:
            self._bar, self._task = _started(self._label)
        self._bar.update(self._task, completed=done, total=total or None)

    def pause(self) -> None:
        """Take the bar away, so that a question can be asked; the next report brings it back."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __enter__(self) -> Self:
        """Return the bar, which nobody sees yet."""
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        self.pause()


def _started(label: str) -> "tuple[Progress, TaskID]":
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeLeft(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.start()
    return bar, bar.add_task(escape(label), total=None)
