"""Media types by name and by first bytes."""

import pytest

from kbdb.ingest.media import known_types, may_be, sniff, type_of_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("README.md", "text/markdown"),
        ("a/b/GUIDE.MARKDOWN", "text/markdown"),
        ("notes.rst", "text/plain"),
        ("page.xhtml", "text/html"),
        ("pyproject.toml", "application/toml"),
        ("data.json", "application/json"),
        ("logo.svg", "image/svg+xml"),
        ("C:\\docs\\photo.JPEG", "image/jpeg"),
        ("tool.exe", None),
        ("Makefile", None),
        (".md", None),
        ("", None),
    ],
)
def test_suffix_tells_the_type(name: str, expected: str | None) -> None:
    assert type_of_name(name) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "image/png"),
        (b"\xff\xd8\xff\xe0\0", "image/jpeg"),
        (b"GIF89a\1\0", "image/gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (b"BM\x36\0\0\0\0\0\0\0\x36\0", "image/bmp"),
        (b"\0\0\1\0\1\0", "image/x-icon"),
        (b"\0\0\0\x1cftypavif\0", "image/avif"),
        (b"<?xml version='1.0'?>\n<svg xmlns=''/>", "image/svg+xml"),
        (b"BM25 is a ranking function", "text/plain"),
        (b"# A page that shows <svg>", "text/plain"),
        (b"\xff\xfea\0b\0", "text/plain"),
        (b"caf\xe9", "text/plain"),
        (b"", "text/plain"),
        (b"\x7fELF\0\0", None),
    ],
)
def test_first_bytes_tell_images_from_text_and_the_rest(data: bytes, expected: str | None) -> None:
    assert sniff(data) == expected


def test_known_types_are_those_a_name_can_stand_for() -> None:
    assert "text/markdown" in known_types()
    assert len(set(known_types())) == len(known_types())


@pytest.mark.parametrize(
    ("data", "media_type", "holds"),
    [
        (b"hello", "image/png", False),
        (b"hello", "image/svg+xml", False),
        (b"hello", "image/x-unheard-of", False),
        (b"GIF89a...", "image/png", False),
        (b"GIF89a...", "image/svg+xml", False),
        (b"\0\1\2\3", "image/png", False),
        (b"\0\1\2\3", "image/x-unheard-of", True),
        (b"\x89PNG\r\n\x1a\n", "image/png", True),
        (b"<!--" + b"x" * 9000 + b"--><svg/>", "image/svg+xml", True),
        (b"\xef\xbb\xbf <svg/>", "image/svg+xml", True),
        (b"", "image/png", True),
        (b"hello", "text/plain", True),
    ],
)
def test_bytes_are_no_image_that_they_cannot_be(data: bytes, media_type: str, holds: bool) -> None:
    assert may_be(data, media_type) is holds
