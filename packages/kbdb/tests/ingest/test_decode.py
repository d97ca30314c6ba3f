"""Bytes to text."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.ingest.decode import decode

texts = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("bom", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_byte_order_mark_names_the_encoding_and_is_dropped(bom: bytes, encoding: str) -> None:
    assert decode(bom + "naïve 設計 🙂\r\n".encode(encoding)) == ("naïve 設計 🙂\r\n", ())


def test_undecodable_bytes_are_replaced_counted_and_placed() -> None:
    text, warnings = decode(b"good\nb\xe9d \xff\xfe\n")

    assert text == "good\nb\ufffdd \ufffd\ufffd\n"
    assert len(warnings) == 1
    assert "3 bytes" in warnings[0]
    assert "byte 6, line 2" in warnings[0]


@given(texts)
def test_utf8_decodes_to_itself_without_a_warning(text: str) -> None:
    if not text.startswith("\ufeff"):
        assert decode(text.encode()) == (text, ())


@given(st.binary() | st.binary().map(lambda tail: b"\xff\xfe" + tail))
def test_any_bytes_decode_to_text_that_can_be_encoded(data: bytes) -> None:
    text, warnings = decode(data)

    assert text.encode() or not text
    assert all("\n" not in warning for warning in warnings)
