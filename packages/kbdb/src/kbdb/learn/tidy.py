"""What callers say of a text, made fit to be stored: names, tags and types.

Manifests are UTF-8, so a lone surrogate, which Python's strings may hold, becomes a question mark.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from kbdb.errors import UnknownValueError, UsageError
from kbdb.index.catalogue import Catalogue
from kbdb.ingest.media import known_types
from kbdb.model import AGENT, SKILL, Document

_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,62}/[a-z0-9][a-z0-9.+-]{0,62}")
_TAG_CHARACTERS = 200
_SHOWN = 80
_DOCID_BYTES = 200


def storable(text: str) -> str:
    """Return the text without lone surrogates."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def tidy_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return each tag once, on one line, with single spaces; blank ones are left out.

    Raises:
        UsageError: A tag is longer than 200 characters.
    """
    tidy = tuple(dict.fromkeys(filter(None, (_one_line(tag) for tag in tags))))
    for tag in tidy:
        if len(tag) > _TAG_CHARACTERS:
            raise UsageError(
                f"the tag {tag[:20]!r}… has {len(tag)} characters",
                hint=f"give tags of {_TAG_CHARACTERS} characters at most",
            )
    return tidy


def tidy_type(type: str) -> str:
    """Return a media type in lower case, without parameters; or ``skill`` or ``agent``.

    Raises:
        UsageError: It is neither.
    """
    tidy = type.split(";", 1)[0].strip().lower()
    if tidy in {SKILL, AGENT} or _MEDIA_TYPE.fullmatch(tidy):
        return tidy
    raise UsageError(
        f"{type[:_SHOWN]!r} is no media type",
        hint="give one such as text/markdown, text/plain or image/png",
    )


def searched_type(type: str, catalogue: Catalogue) -> str:
    """Return the type to search for, written as sections have it; empty for any.

    Raises:
        UnknownValueError: It is neither one that a file name stands for nor one of a document.
    """
    tidy = type.split(";", 1)[0].strip().lower()
    known = (*known_types(), SKILL, AGENT)
    if tidy in ("", *known) or tidy.startswith("image/") or catalogue.docids(type=storable(tidy)):
        return tidy
    raise UnknownValueError("type", type[:_SHOWN], (*known, "image/..."))


def tidy_document(document: Document) -> Document:
    """Return the document as it can be stored; the places of its sections are left as they are."""
    tags = (_one_line(tag)[:_TAG_CHARACTERS] for tag in document.tags)
    return replace(
        document,
        title=storable(document.title),
        description=storable(document.description),
        tags=tuple(dict.fromkeys(filter(None, tags))),
        front_matter=storable(document.front_matter),
        arguments=tuple(
            replace(one, name=storable(one.name), description=storable(one.description))
            for one in document.arguments
        ),
    )


def fit_docid(start: str, end: str = "") -> str:
    """Return ``start``, cut so that it makes a docid with ``end`` behind it."""
    tail = f"-{end}" if end else ""
    room = _DOCID_BYTES - len(tail.encode())
    return start.encode()[:room].decode("utf-8", "ignore").rstrip("-. ") + tail


def _one_line(text: str) -> str:
    return " ".join(storable(text).split())
