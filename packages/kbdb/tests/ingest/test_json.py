"""JSON to sections."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.ingest.parse import parse
from kbdb.model import Parsed

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def parse_text(text: str) -> Parsed:
    """Parse JSON."""
    return parse(text.encode("utf-8", "replace"), type="application/json", name="data.json")


def test_small_file_is_one_part() -> None:
    parsed = parse_text(' {"a": [1, 2]}\n')

    assert [(part.title, part.body) for part in parsed.parts] == [("data", b'{"a": [1, 2]}')]


def test_keys_of_a_larger_object_are_parts_with_exact_source() -> None:
    filler = "x" * 2000
    parsed = parse_text(f'{{ "first" : {{"a":  1.50}},\n "se\\u0063ond":"{filler}" , "third":[] }}')

    assert [(part.level, part.title, part.body.decode()) for part in parsed.parts] == [
        (1, "first", '{"a":  1.50}'),
        (1, "second", f'"{filler}"'),
        (1, "third", "[]"),
    ]


def test_larger_array_is_cut_between_elements() -> None:
    elements = [{"id": n, "text": "word " * (n % 40)} for n in range(300)]
    text = json.dumps(elements, indent=1)

    parts = parse_text(text).parts

    assert len(parts) > 1
    assert b"".join(part.body for part in parts).decode() == text[1:-1].strip()
    read = [json.loads(f"[{part.body.decode().strip().rstrip(',')}]") for part in parts]
    assert [element for group in read for element in group] == elements


@pytest.mark.parametrize(
    "text",
    [
        '{"a": NaN}',
        "[1, 2",
        '{"a": 1} x',
        "[" * 100_000,
        '{"a":' * 100_000,
        "[1,]" + " " * 3000 + "x",
        "[1 2" + " " * 3000 + "]",
        '{"a" 1' + " " * 3000 + "}",
        '{"a": 1,' + " " * 3000 + "}",
        "{a: 1" + " " * 3000 + "}",
        "// comment",
    ],
)
def test_what_is_not_json_is_kept_as_plain_text_with_a_warning(text: str) -> None:
    parsed = parse_text(text)

    assert parsed.type == "text/plain"
    assert "not valid JSON" in parsed.warnings[0]
    assert b"".join(part.body for part in parsed.parts).decode() == text


def test_number_of_any_length_is_read() -> None:
    assert parse_text("[" + "1" * 10_000 + "]").warnings == ()


@given(values, st.sampled_from([None, 2]), st.booleans())
def test_valid_json_gives_parts_of_valid_source(
    value: object, indent: int | None, big: bool
) -> None:
    if big:
        value = {"filler": "x" * 2000, "value": value}
    parsed = parse_text(json.dumps(value, indent=indent))

    assert parsed.warnings == ()
    if not big:
        return
    bodies = [json.loads(part.body) for part in parsed.parts if part.title == "value"]
    assert bodies == [value["value"]] if isinstance(value, dict) else True


@given(st.text(st.sampled_from('{}[]":,1e-n \n\\ué'), max_size=60))
def test_parser_agrees_with_the_standard_library_on_what_is_json(text: str) -> None:
    padded = text.strip() + " " * 2500 + "\n"
    try:
        json.loads(padded)
        is_valid = True
    except ValueError:
        is_valid = False

    assert (not parse_text(padded).warnings) == (is_valid or not text.strip())
