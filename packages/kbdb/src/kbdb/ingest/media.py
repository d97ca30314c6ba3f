"""Media types: which files are documents, told by their name or their first bytes."""

from pathlib import PurePosixPath
from types import MappingProxyType

from kbdb.model import HTML, JSON, MARKDOWN, PLAIN, TOML

SNIFFED_BYTES = 8192

_TYPE_BY_SUFFIX = MappingProxyType(
    {
        ".md": MARKDOWN,
        ".markdown": MARKDOWN,
        ".mdx": MARKDOWN,
        ".mkd": MARKDOWN,
        ".txt": PLAIN,
        ".text": PLAIN,
        ".rst": PLAIN,
        ".adoc": PLAIN,
        ".org": PLAIN,
        ".log": PLAIN,
        ".html": HTML,
        ".htm": HTML,
        ".xhtml": HTML,
        ".toml": TOML,
        ".json": JSON,
        ".png": "image/png",
        ".jpg": "image/jpeg",
        ".jpeg": "image/jpeg",
        ".gif": "image/gif",
        ".webp": "image/webp",
        ".svg": "image/svg+xml",
        ".bmp": "image/bmp",
        ".ico": "image/x-icon",
        ".avif": "image/avif",
    }
)

_TYPE_BY_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
)
_SVG = "image/svg+xml"
_TOLD_BY_BYTES = frozenset(
    [*(kind for _, kind in _TYPE_BY_MAGIC), "image/webp", "image/avif", "image/bmp"]
)
_AVIF_BRANDS = (b"avif", b"avis")
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


def type_of_name(name: str) -> str | None:
    """Return the media type that a file name's suffix stands for, or None if it is no document."""
    return _TYPE_BY_SUFFIX.get(PurePosixPath(name.replace("\\", "/")).suffix.lower())


def known_types() -> tuple[str, ...]:
    """Return every media type that a file name can stand for, sorted."""
    return tuple(sorted(set(_TYPE_BY_SUFFIX.values())))


def sniff(data: bytes) -> str | None:
    """Return the media type that the first bytes show.

    Returns:
        An image's type, ``text/plain`` if the first 8 kB hold no NUL or start with a byte order
        mark, else None.
    """
    head = data[:SNIFFED_BYTES]
    image = _image_type(head)
    if image is not None:
        return image
    is_text = head.startswith(_BOMS) or b"\0" not in head
    return PLAIN if is_text else None


def may_be(data: bytes, media_type: str) -> bool:
    """Say whether bytes can be what they are said to be: no text is an image, nor is a PNG a GIF.

    An image of a type that is not told by its first bytes may be anything but text.
    """
    if not data or not media_type.startswith("image/"):
        return True
    found = sniff(data)
    if media_type == _SVG:
        # A long comment may stand before the element that tells it.
        is_markup = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<", *_BOMS))
        return found == _SVG or (found == PLAIN and is_markup)
    if media_type in _TOLD_BY_BYTES:
        return found == media_type
    return found != PLAIN


def _image_type(head: bytes) -> str | None:
    for magic, media_type in _TYPE_BY_MAGIC:
        if head.startswith(magic):
            return media_type
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:8] == b"ftyp" and head[8:12] in _AVIF_BRANDS:
        return "image/avif"
    # "BM" alone also starts ordinary prose; the reserved field of a bitmap is zero.
    if head.startswith(b"BM") and head[6:10] == b"\0\0\0\0":
        return "image/bmp"
    return _SVG if _is_svg(head) else None


def _is_svg(head: bytes) -> bool:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:4096].lower()
    if start.startswith(b"<svg"):
        return True
    return start.startswith((b"<?xml", b"<!doctype svg", b"<!--")) and b"<svg" in start
