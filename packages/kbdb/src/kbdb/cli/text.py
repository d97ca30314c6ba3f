"""Text on its way to a screen: made harmless, measured in terminal cells, wrapped. Pure."""

import unicodedata
from collections.abc import Iterator

# Bidirectional embeddings, overrides and isolates reorder what follows them, so that a reader sees
# another text than the one that is there (CVE-2021-42574). The two marks U+200E and U+200F do not.
_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_REPLACEMENT = "\ufffd"

_HARMLESS: dict[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x20)},
    0x7F: "\u2421",
    **dict.fromkeys(range(0x80, 0xA0), _REPLACEMENT),
    **dict.fromkeys(_BIDI, _REPLACEMENT),
    **dict.fromkeys(range(0xD800, 0xE000), _REPLACEMENT),
}
_LINE = {**_HARMLESS, **dict.fromkeys((0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029), " ")}
_BLOCK = {code: mark for code, mark in _HARMLESS.items() if code not in (0x09, 0x0A)}


def harmless_line(text: str) -> str:
    """Return the text as one line no terminal can mistake for a command.

    Every character becomes exactly one, so that character ranges into the text stay right: line
    ends and tabs become spaces, other controls their visible pictures, bidi controls U+FFFD.
    """
    return text.translate(_LINE)


def harmless_block(text: str) -> str:
    """Return the text with its line ends and tabs kept and all other controls made visible."""
    return text.replace("\r\n", "\n").translate(_BLOCK)


def cell_count(text: str) -> int:
    """Return how many terminal cells the text takes: wide characters 2, combining ones none."""
    return sum(map(_cells, text))


def _cells(char: str) -> int:
    if char < "\u0300":
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def wrap_spans(text: str, width: int) -> Iterator[tuple[int, int]]:
    """Yield half-open character ranges of lines at most ``width`` cells wide.

    Lines break at spaces and beside wide characters, which languages without spaces use, and in the
    middle of a word only when the word alone is wider than a line.
    """
    start, used, breakable = 0, 0, 0
    for index, char in enumerate(text):
        if index < start:
            continue
        cells = _cells(char)
        if used + cells > width and index > start:
            end = index if char == " " or breakable <= start else breakable
            yield start, _without_trailing_space(text, start, end)
            start = _after_spaces(text, end)
            used = cell_count(text[start:index])
            if index < start:
                continue
        used += cells
        if char == " " or cells == 2:
            breakable = index + 1
    if start < len(text) or not text:
        yield start, _without_trailing_space(text, start, len(text))


def _without_trailing_space(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip(" "))


def _after_spaces(text: str, index: int) -> int:
    return len(text) - len(text[index:].lstrip(" "))


def plural(count: int, noun: str) -> str:
    """Return the count with its noun, such as ``1 section`` or ``2 sections``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
