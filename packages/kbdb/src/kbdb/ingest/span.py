"""Ranges of text without the blank lines around them."""

_BLANK = " \t\r\n"


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range without leading and trailing blank lines; other white space stays.

    Returns:
        A half-open range, empty if every line is blank. It ends before the last line's line end.
    """
    inner = text[start:end]
    kept = inner.lstrip(_BLANK)
    if not kept:
        return start, start
    first = len(inner) - len(kept)
    first = max(inner.rfind("\n", 0, first), inner.rfind("\r", 0, first)) + 1
    last = len(inner.rstrip(_BLANK))
    ends = [at for at in (inner.find("\n", last), inner.find("\r", last)) if at >= 0]
    return start + first, start + min(ends, default=len(inner))
