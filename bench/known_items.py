"""Queries whose answer is known, because they were made from the file that answers them.

Three kinds, from any collection of Markdown files: six random words of a paragraph, a heading, and
the first eighteen words of a paragraph. What occurs word for word in more than one file is passed
over.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bench.stream import Stream

_FRONT_MATTER = re.compile(r"\A\ufeff?---\n.*?\n---\n", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_SPACE = re.compile(r"\s+")
RANDOM_WORD_COUNT = 6
OPENING_WORD_COUNT = 18


class Kind(StrEnum):
    """How a query was made."""

    RANDOM_WORDS = "six random words"
    HEADING = "heading"
    OPENING = "first eighteen words"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownItem:
    """A query and the one file that answers it."""

    kind: Kind
    query: str
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """A heading or paragraph as plain text."""

    is_heading: bool
    text: str
    path: Path


def known_items(paths: Iterable[Path], *, count: int, seed: int) -> list[KnownItem]:
    """Return ``count`` queries of each kind (fewer if the files do not give as many)."""
    passages = [passage for path in sorted(paths) for passage in _passages(path)]
    file_counts = Counter(
        text for text, _ in {(_folded(passage.text), passage.path) for passage in passages}
    )
    unique = [passage for passage in passages if file_counts[_folded(passage.text)] == 1]
    items: list[KnownItem] = []
    for kind, make in _MAKERS.items():
        stream = Stream(seed, kind)
        stream.shuffle(unique)
        made = (
            KnownItem(kind=kind, query=query, path=passage.path)
            for passage in unique
            if (query := make(passage, stream))
        )
        items.extend(item for item, _ in zip(made, range(count), strict=False))
    return items


def rank_of(wanted: Path, found: Sequence[Path]) -> int | None:
    """Return the 1-based rank of a file among the files found, each counted once."""
    files = list(dict.fromkeys(found))
    return files.index(wanted) + 1 if wanted in files else None


def _random_words(passage: _Passage, stream: Stream) -> str:
    words = list({word.casefold(): word for word in _words(passage.text)}.values())
    if passage.is_heading or len(words) < OPENING_WORD_COUNT:
        return ""
    return " ".join(stream.sample(words, RANDOM_WORD_COUNT))


def _heading(passage: _Passage, stream: Stream) -> str:
    del stream
    return passage.text if passage.is_heading and _LETTER.search(passage.text) else ""


def _opening(passage: _Passage, stream: Stream) -> str:
    del stream
    words = passage.text.split()
    if passage.is_heading or len(words) < OPENING_WORD_COUNT:
        return ""
    return " ".join(words[:OPENING_WORD_COUNT])


_MAKERS: Mapping[Kind, Callable[[_Passage, Stream], str]] = {
    Kind.RANDOM_WORDS: _random_words,
    Kind.HEADING: _heading,
    Kind.OPENING: _opening,
}


def _words(text: str) -> Iterator[str]:
    """Yield the words between white space without the punctuation around them."""
    for word in text.split():
        bare = _EDGES.sub("", word)
        if _LETTER.search(bare):
            yield bare


def _passages(path: Path) -> Iterator[_Passage]:
    text = _FRONT_MATTER.sub("", path.read_text("utf-8", errors="replace"))
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for opening, inline in pairwise(tokens):
        if opening.type in {"heading_open", "paragraph_open"} and inline.type == "inline":
            plain = _SPACE.sub(" ", "".join(map(_plain, inline.children or []))).strip()
            if plain:
                yield _Passage(is_heading=opening.type == "heading_open", text=plain, path=path)


def _plain(token: Token) -> str:
    """Return what a reader sees of an inline token; images and raw HTML are not text."""
    if token.type in {"text", "code_inline"}:
        return token.content
    return " " if token.type in {"softbreak", "hardbreak"} else ""


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).casefold()
