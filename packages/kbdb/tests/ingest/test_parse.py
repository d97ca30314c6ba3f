"""The one door to the parsers."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbdb.ingest.media import known_types
from kbdb.ingest.parse import parse

types = st.sampled_from([*known_types(), "skill", "text/css", "application/x-unknown", ""])
hostile = st.sampled_from(
    [
        b"[",
        b"]",
        b"{",
        b"}",
        b"<",
        b">",
        b"</div>",
        b"<p>",
        b"#",
        b"`",
        b"```\n",
        b"---\n",
        b"+++\n",
        b"\n",
        b"\r",
        b"\x00",
        b"\xff",
        b"\xed\xa0\x80",
        b'"',
        b"'",
        b"\\",
        b"=",
        b":",
        b"|",
        b"a",
        b" ",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\\ud800",
        b"&#xD800;",
        b"- ",
        b"> ",
        b"title: x\n",
    ]
)


def test_image_is_one_part_whose_body_is_the_bytes() -> None:
    parsed = parse(b"\x89PNG\0", type="image/png", name="cat.png")

    assert [(part.title, part.body, part.type) for part in parsed.parts] == [
        ("cat", b"\x89PNG\0", "image/png")
    ]


def test_text_without_a_parser_is_one_part() -> None:
    body = "# Not cut\n\n" + "word " * 4000 + "\n# Either\n"

    parsed = parse(body.encode(), type="skill", title="Review")

    assert [(part.title, part.body.decode(), part.type) for part in parsed.parts] == [
        ("Review", body, "skill")
    ]


def test_type_is_read_without_its_parameters() -> None:
    assert parse(b"# A", type="Text/Markdown; charset=utf-8").parts[0].type == "text/markdown"


@pytest.mark.parametrize("media_type", known_types())
def test_empty_content_has_no_parts(media_type: str) -> None:
    assert parse(b"", type=media_type, name="x").parts == ()


@pytest.mark.parametrize("media_type", [t for t in known_types() if not t.startswith("image/")])
def test_white_space_has_no_parts(media_type: str) -> None:
    assert parse(b" \r\n\t\n", type=media_type, name="x").parts == ()


def test_replaced_bytes_are_reported_with_the_parts() -> None:
    parsed = parse(b"# Caf\xe9\n\ntext", type="text/markdown")

    assert parsed.parts[0].title == "Caf\ufffd"
    assert "not valid UTF-8" in parsed.warnings[0]


def test_plain_text_is_titled_by_argument_then_name_then_first_line() -> None:
    text = b"\n  First line of the note\nmore"

    assert parse(text, type="text/plain", name="n.txt", title="T").title == "T"
    assert parse(text, type="text/plain", name="n.txt").title == "n"
    assert parse(text, type="text/plain").title == "First line of the note"
    assert len(parse(b"word " * 100, type="text/plain").title) <= 80


@pytest.mark.parametrize("heavy", ["markdown_it", "selectolax", "yaml", "pathspec"])
def test_plain_text_loads_no_library(heavy: str) -> None:
    code = (
        "import sys; from kbdb.ingest.parse import parse; "
        f"parse(b'x', type='text/plain'); sys.exit({heavy!r} in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@settings(max_examples=400)
@given(st.binary(max_size=200) | st.lists(hostile, max_size=80).map(b"".join), types)
def test_any_bytes_of_any_type_become_text_that_can_be_stored(data: bytes, media_type: str) -> None:
    parsed = parse(data, type=media_type, name="name.md")

    for place, part in enumerate(parsed.parts):
        assert part.title.encode().decode().isprintable() or part.title
        assert "\n" not in part.title
        assert 0 <= part.level <= 6
        assert part.parent is None or part.parent < place
        if not part.type.startswith("image/"):
            assert part.body.decode() is not None
    assert all(text.encode() for text in (*parsed.tags, *parsed.warnings))
    assert parsed.description.encode().decode() == parsed.description
    assert parsed.title.encode().decode() == parsed.title


HOSTILE_UNITS = [
    *(
        "[",
        ">",
        "#",
        "`",
        "---\n",
        "a",
        " ",
        "\0",
        "\n",
        "- ",
        "|",
        "<",
        "<a ",
        "<div>",
        "</p>",
        "<pre>",
    ),
    *(
        "{",
        '{"a":',
        "[1,",
        '"',
        "a.",
        "'''",
        "[a.b]\n",
        "[[a]]\n",
        "**a ",
        "&amp;",
        "\\",
        "<!--\n",
        "é",
    ),
    *(
        "[\n",
        "> \n",
        "# \n",
        "a\n=\n",
        "|a|\n|-|\n",
        "[a]: b\n",
        "<b> </b>",
        "<table><tr><td>",
        "~~~\n",
    ),
    *(
        "- a\n",
        "<ul><li>",
        "<!-- ",
        "?",
        "&#1;",
        "<![CDATA[",
        "+++\n",
        "word ",
        "x.\n\n",
        "<select>",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE_UNITS)
@pytest.mark.parametrize(
    "media_type",
    ["text/markdown", "text/html", "text/plain", "application/toml", "application/json"],
)
def test_hostile_repetition_is_parsed_without_quadratic_work(unit: str, media_type: str) -> None:
    # Quadratic work on this much takes minutes, which the suite's time limit turns into a failure.
    data = (unit * (200_000 // len(unit))).encode()

    parsed = parse(data, type=media_type, name="x")

    assert parsed.title
