"""What became of a section that is no longer live, as the hint of the error that says so."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kbdb.errors import KbdbError, UnknownIdError
from kbdb.kbid import is_kbid
from kbdb.model import SectionView

if TYPE_CHECKING:
    from kbdb.base import KnowledgeBase


@contextmanager
def saying_what_became(base: "KnowledgeBase") -> Iterator[None]:
    """Give the error about a retired section a hint that says why it was retired."""
    try:
        yield
    except UnknownIdError as error:
        error.hint = _what_became(base, error.wanted) or error.hint
        raise


def _what_became(base: "KnowledgeBase", ident: str) -> str | None:
    if not is_kbid(ident):
        return None
    try:
        found = base.retrieve(ident)
    except KbdbError:
        return None
    if not isinstance(found, SectionView) or found.docids or found.tombstone is None:
        return None
    why = f"it was {found.tombstone.why}"
    if found.tombstone.by:
        why += f" by {found.tombstone.by}"
    return f"{why}; `kbdb retrieve {ident}` still shows it"
