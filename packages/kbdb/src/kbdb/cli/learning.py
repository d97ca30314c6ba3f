"""Learning one path: what the options allow, which call it takes, when a person is asked."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import click

from kbdb.base import KnowledgeBase
from kbdb.cli.output import is_terminal, note
from kbdb.cli.progress import ProgressBar
from kbdb.cli.text import harmless_line, plural
from kbdb.errors import CancelledError, ConfirmationNeededError, PathNotFoundError, UsageError
from kbdb.ingest.media import SNIFFED_BYTES, may_be, sniff
from kbdb.ingest.size import human_size
from kbdb.ingest.walk import store_around
from kbdb.model import MARKDOWN, FolderResult, LearnResult

STDIN = "-"
_FOR_ONE_TEXT = ("title", "description", "docid", "replaces")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions:
    """The options of ``learn``; ``max_size`` in bytes, None for the default of the base."""

    type: str = ""
    title: str = ""
    description: str = ""
    docid: str = ""
    tags: tuple[str, ...] = ()
    replace: bool = False
    replaces: str | None = None
    yes: bool = False
    max_size: int | None = None
    verbose: bool = False


def check_paths(paths: Sequence[str], options: LearnOptions) -> None:
    """Refuse, before anything is learned, paths that cannot be and options that do not fit them.

    Raises:
        PathNotFoundError: A path does not exist.
        UsageError: An option for one text meets a folder or several paths, a path is empty, or it
            lies in a knowledge base.
    """
    if paths.count(STDIN) > 1:
        raise UsageError("standard input can be read once only", hint="give - once")
    for path in paths:
        _check_outside(path)
        if len(paths) > 1 or not path:
            _check_exists(path)
    if len(paths) == 1 and not Path(paths[0]).is_dir():
        return
    for name in _FOR_ONE_TEXT:
        if getattr(options, name):
            raise UsageError(
                f"--{name} is for one file or standard input",
                hint="learn the others on their own; --tags and --type take any number of files",
            )


def learn_path(base: KnowledgeBase, path: str, options: LearnOptions) -> LearnResult | FolderResult:
    """Learn a file, a folder or standard input."""
    if path == STDIN:
        return _learn_stdin(base, options)
    if Path(path).is_dir():
        return learn_folder(base, path, options)
    if not Path(path).exists():
        return _learn_vanished(base, path, options)
    _check_image(path, options.type)
    return base.learn_file(
        path,
        type=options.type,
        title=options.title,
        description=options.description,
        docid=options.docid,
        tags=options.tags,
        replace=options.replace,
        replaces=options.replaces,
        max_bytes=options.max_size,
    )


def _learn_vanished(base: KnowledgeBase, path: str, options: LearnOptions) -> FolderResult:
    """Follow a folder that is gone; a path that was never learned is a slip."""
    try:
        return learn_folder(base, path, options)
    except PathNotFoundError as error:
        if error.hint == "check the path":
            _check_exists(path)
        raise


def learn_folder(base: KnowledgeBase, path: str, options: LearnOptions) -> FolderResult:
    """Learn a folder under a progress bar; ask before much is retired."""
    with ProgressBar("learning") as bar:
        return base.learn_folder(
            path,
            type=options.type,
            tags=options.tags,
            max_bytes=options.max_size,
            confirm=_confirmer(path, bar, yes=options.yes),
            progress=bar.report,
        )


def _learn_stdin(base: KnowledgeBase, options: LearnOptions) -> LearnResult:
    data = _read_stdin(options.max_size)
    if not may_be(data, options.type):
        raise _no_image("standard input", options.type)
    return base.learn(
        data,
        type=options.type or _image_type(data) or MARKDOWN,
        title=options.title,
        description=options.description,
        docid=options.docid,
        tags=options.tags,
        replace=options.replace,
        replaces=options.replaces,
    )


def _image_type(data: bytes) -> str:
    found = sniff(data) or ""
    # A comment that a picture follows opens Markdown as often as a picture.
    is_image = found.startswith("image/") and not data.lstrip().startswith(b"<!--")
    return found if is_image else ""


def _no_image(what: str, media_type: str) -> UsageError:
    return UsageError(
        f"{what} is no image of type {media_type}",
        hint="leave --type out, or name the type that it has",
    )


def _check_image(path: str, media_type: str) -> None:
    """Refuse a file that cannot be the image it is said to be."""
    if media_type.startswith("image/") and Path(path).is_file():
        with Path(path).open("rb") as file:
            if not may_be(file.read(SNIFFED_BYTES), media_type):
                raise _no_image(repr(path), media_type)


def _read_stdin(max_bytes: int | None) -> bytes:
    if sys.stdin is None:
        raise UsageError("there is no standard input", hint="pipe the text in, or name a file")
    if is_terminal(sys.stdin):
        note("reading text from the terminal; end it with Ctrl-D on a line of its own")
    data = sys.stdin.buffer.read(-1 if max_bytes is None else max_bytes + 1)
    if max_bytes is not None and len(data) > max_bytes:
        raise UsageError(
            f"standard input is larger than {human_size(max_bytes)}",
            hint="raise the limit with --max-size",
        )
    return data


def _confirmer(path: str, bar: ProgressBar, *, yes: bool) -> Callable[[int, int], bool]:
    def confirm(vanished: int, known: int) -> bool:
        if yes:
            return True
        what = f"{vanished} of {plural(known, 'document')} from {harmless_line(path)!r}"
        if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
            raise ConfirmationNeededError(
                f"{what} would be retired, because their files are gone; nothing was changed",
                hint="if that is right, run again with --yes",
            )
        bar.pause()
        if not click.confirm(f"{what} are gone. Retire them?", err=True):
            raise CancelledError("cancelled; nothing was changed")
        return True

    return confirm


def _check_outside(path: str) -> None:
    store = store_around(Path(path)) if path != STDIN else None
    if store is not None:
        raise UsageError(
            f"{path!r} is part of the knowledge base {str(store)!r} and cannot be learned",
            hint="learn the files that it was made from; `kbdb content ID` prints what it holds",
        )


def _check_exists(path: str) -> None:
    if not path:
        raise UsageError("a path is empty", hint="write . for the current folder")
    if path == STDIN or Path(path).exists():
        return
    parent = Path(path).parent
    names = [entry.name for entry in parent.iterdir()] if parent.is_dir() else []
    close = get_close_matches(Path(path).name, names, n=1)
    hint = f"did you mean {str(parent / close[0])!r}?" if close else "check the path"
    raise PathNotFoundError(f"no file or folder {path!r}", hint=hint)
