"""Sections in the order of a document, with their levels and parents; shared by the parsers."""

from collections.abc import Iterable

from kbdb.model import Part


class Outline:
    """Collects parts and finds each one's parent.

    A part's parent is the nearest earlier section of a smaller level; text before any heading, of
    level 0, is nobody's parent. Pieces of one section share its title, level and parent; where a
    section is a parent, its first piece stands for it.
    """

    def __init__(self, media_type: str) -> None:
        """Start an empty outline of parts of this type."""
        self._type = media_type
        self._parts: list[Part] = []
        self._open: list[tuple[int, int]] = []

    def add(self, title: str, pieces: Iterable[str], *, level: int) -> None:
        """Append a section that was cut into these pieces."""
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        parent = self._open[-1][1] if self._open else None
        if level:
            self._open.append((level, len(self._parts)))
        self._parts.extend(
            Part(
                title=title,
                body=piece.encode("utf-8", "replace"),
                type=self._type,
                level=level,
                parent=parent,
            )
            for piece in pieces
        )

    def parts(self) -> tuple[Part, ...]:
        """Return the parts so far."""
        return tuple(self._parts)
