"""Bytes to text, whatever the bytes are: byte order marks, then UTF-8, then replacement."""

import codecs
import re

# The UTF-32 mark begins with the UTF-16 one, so the longer come first.
_ENCODING_BY_BOM = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)

_DECLARED = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([a-z0-9_:.-]{1,40})"
    rb"|<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([a-z0-9_:.-]{1,40})",
    re.IGNORECASE,
)
_DECLARED_WITHIN_BYTES = 2048
# Encodings of text that pages were written in; the codecs know others that are no such thing.
_PAGE_ENCODING = re.compile(
    r"windows-\d+|cp\d+|iso-8859-\d+|koi8-[ru]|shift[_-]jis|euc-(?:jp|kr)|gbk|gb2312|gb18030|big5"
    r"|macintosh"
)


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text without its byte order mark, and a warning if bytes had to be replaced.

    Never raises. The text holds no lone surrogates.
    """
    encoding, label, mark_bytes = "utf-8", "UTF-8", 0
    for bom, bom_encoding, bom_label in _ENCODING_BY_BOM:
        if data.startswith(bom):
            encoding, label, mark_bytes = bom_encoding, bom_label, len(bom)
            break
    rest = data[mark_bytes:]
    try:
        return rest.decode(encoding), ()
    except UnicodeDecodeError as error:
        count = _count_undecodable(rest, encoding)
        warning = _warning(rest, label, count=count, first=error.start, shift=mark_bytes)
        return rest.decode(encoding, "replace"), (warning,)


def decode_page(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Decode HTML: as ``decode``, but where it is not UTF-8, by the encoding the page declares."""
    text, warnings = decode(data)
    if not warnings:
        return text, ()
    declared = _declared_encoding(data)
    if declared is None:
        return text, warnings
    return data.decode(declared, "replace"), ()


def _declared_encoding(data: bytes) -> str | None:
    match = _DECLARED.search(data, 0, _DECLARED_WITHIN_BYTES)
    if match is None:
        return None
    name = (match[1] or match[2]).decode("ascii").lower()
    if _PAGE_ENCODING.fullmatch(name) is None:
        return None
    # Browsers read Latin-1 as its superset, and so do people who write it.
    name = "windows-1252" if name == "iso-8859-1" else name
    try:
        codecs.lookup(name)
    except LookupError:
        return None
    return name


def _count_undecodable(data: bytes, encoding: str) -> int:
    if encoding == "utf-8":
        # This handler turns each undecodable byte into one lone surrogate.
        escaped = data.decode("utf-8", "surrogateescape")
        return len(escaped) - len(escaped.encode("utf-16-le", "ignore").decode("utf-16-le"))
    kept = data.decode(encoding, "ignore")
    return len(data) - len(kept.encode(encoding))


def _warning(data: bytes, label: str, *, count: int, first: int, shift: int) -> str:
    line = data.count(b"\n", 0, first) + 1
    noun = "byte is" if count == 1 else "bytes are"
    return (
        f"{count:,} {noun} not valid {label} (the first at byte {first + shift:,}, line {line:,}); "
        "replaced by U+FFFD"
    )
