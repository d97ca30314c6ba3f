"""What options and arguments hold, as the values the knowledge base takes.

Each function is a ``type=`` of click: it gets the shell's word and returns the value or refuses it.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from kbdb.errors import UnknownValueError
from kbdb.kbid import is_kbid
from kbdb.model import AGENT, HTML, JSON, MARKDOWN, PLAIN, SKILL, TOML, Mode, SkillArgument

_BYTES_BY_UNIT = {
    "": 1,
    "k": 10**3,
    "m": 10**6,
    "g": 10**9,
    "ki": 2**10,
    "mi": 2**20,
    "gi": 2**30,
}
_SIZE = re.compile(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*([kmg]i?)?b?\s*", re.IGNORECASE | re.ASCII)
_ARGUMENT = re.compile(r"([A-Za-z_][\w-]*)(!?)(?::(.*))?", re.DOTALL | re.ASCII)

_TYPE_BY_SHORT_NAME = {
    "markdown": MARKDOWN,
    "html": HTML,
    "plain": PLAIN,
    "toml": TOML,
    "json": JSON,
}
_MOST_TOKENS = 10**18
MODES = tuple(mode.value for mode in Mode)
LEARNABLE_TYPES = (*_TYPE_BY_SHORT_NAME.values(), *_TYPE_BY_SHORT_NAME)
SEARCHABLE_TYPES = (*LEARNABLE_TYPES, SKILL, AGENT)


def text(value: str) -> str:
    """Return the word as text that UTF-8 can hold: bytes that were no text become U+FFFD."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def ident(value: str) -> str:
    """Return an id as text; a kb-id in upper case is the same id in lower case."""
    word = text(value)
    return word.lower() if is_kbid(word.lower()) else word


def limit(value: str | int) -> int:
    """Return a number of hits, 1 to 1000."""
    return _number(value, 1000, "a number from 1 to 1000")


def max_tokens(value: str | int) -> int:
    """Return a number of tokens, at least 1."""
    return _number(value, _MOST_TOKENS, "a number of tokens, at least 1")


def _number(value: str | int, most: int, wanted: str) -> int:
    word = str(value).strip()
    # No number of more digits is wanted, and Python refuses to read one of thousands.
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 20 else 0
    if not 1 <= number <= most:
        raise click.BadParameter(f"{text(word)!r} is not {wanted}")
    return number


def size(value: str) -> int:
    """Return a size in bytes from a number with a decimal (``20MB``) or binary (``1GiB``) unit."""
    match = _SIZE.fullmatch(value)
    size_bytes = int(float(match[1]) * _BYTES_BY_UNIT[(match[2] or "").lower()]) if match else 0
    if size_bytes < 1:
        raise click.BadParameter(f"{value!r} is no size; write one such as 500kB, 20MB or 1GiB")
    return size_bytes


def mode(value: str) -> str:
    """Return the name of a search mode.

    Raises:
        UnknownValueError: No mode has this name.
    """
    if value not in MODES:
        raise UnknownValueError("mode", text(value), MODES)
    return value


def media_type(known: Sequence[str], value: str) -> str:
    """Return a media type from its full (``text/markdown``) or short name (``markdown``).

    Raises:
        UnknownValueError: The type is neither known nor that of an image.
    """
    name = text(value).strip().lower()
    if name and name not in known and not name.startswith("image/"):
        raise UnknownValueError("type", name, (*known, "image/..."))
    return _TYPE_BY_SHORT_NAME.get(name, name)


def skill_argument(value: str) -> SkillArgument:
    """Return the argument of a skill written ``NAME``, ``NAME!`` (required) or ``NAME!:TEXT``."""
    match = _ARGUMENT.fullmatch(text(value))
    if match is None:
        raise click.BadParameter(
            f"{text(value)!r} is no argument; write NAME, or NAME! for a required one, "
            "and :DESCRIPTION behind it if you like"
        )
    return SkillArgument(
        name=match[1], required=bool(match[2]), description=(match[3] or "").strip()
    )


def split_tags(values: Sequence[str]) -> tuple[str, ...]:
    """Return each tag once, in order, from words that may each hold several after commas."""
    tags = (tag.strip() for value in values for tag in text(value).split(","))
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def completes(known: Sequence[str]) -> Callable[..., list[CompletionItem]]:
    """Return a completer for a parameter that takes one of these words."""

    def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(str(word)) for word in known if word.startswith(incomplete)]

    return complete


def _split(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    return split_tags(value)


def type_option(known: Sequence[str], help_text: str) -> Callable[[Any], Any]:
    """Return the ``--type`` option of a command that takes these types."""

    def parse(value: str) -> str:
        return media_type(known, value)

    return click.option(
        "--type",
        metavar="TYPE",
        default="",
        type=parse,
        shell_complete=completes(known),
        help=help_text,
    )


tags_option = click.option(
    "--tags",
    metavar="A,B",
    multiple=True,
    callback=_split,
    help="Tags, separated by commas or given again.",
)
