import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.cli import batch_file
from kbdb.cli.batch_file import Place, batch_items
from kbdb.errors import UsageError
from kbdb.model import BatchItem


def items(data: bytes) -> list[BatchItem]:
    return list(batch_items("notes.jsonl", io.BytesIO(data)))


def refusal(data: bytes) -> tuple[str, str]:
    with pytest.raises(UsageError) as caught:
        items(data)
    return str(caught.value), caught.value.hint or ""


def test_line_with_all_fields_becomes_the_item() -> None:
    line = {
        "content": "text",
        "type": "html",
        "title": "T",
        "description": "D",
        "docid": "d",
        "tags": ["a", "b"],
        "replace": True,
    }

    assert items(json.dumps(line).encode()) == [
        BatchItem(
            content="text",
            type="text/html",
            title="T",
            description="D",
            docid="d",
            tags=("a", "b"),
            replace=True,
        )
    ]


def test_blank_lines_bom_and_crlf_are_no_items() -> None:
    data = b'\xef\xbb\xbf{"content": "a"}\r\n\r\n  \n{"content": "b"}'

    assert [item.content for item in items(data)] == ["a", "b"]


@given(contents=st.lists(st.text(min_size=1).filter(str.strip), max_size=5))
def test_contents_come_back_in_order_however_they_were_escaped(contents: list[str]) -> None:
    data = "".join(json.dumps({"content": text}) + "\n" for text in contents).encode()

    assert [item.content for item in items(data)] == contents


def test_tags_may_be_one_text_with_commas() -> None:
    assert items(b'{"content": "a", "tags": "x, y"}')[0].tags == ("x", "y")


def test_unknown_field_is_named_with_line_and_nearest() -> None:
    message, hint = refusal(b'{"content": "a"}\n\n{"content": "b", "titel": "T"}\n')

    assert "line 3 of notes.jsonl" in message
    assert "'titel'" in message
    assert "did you mean 'title'" in hint


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (b"{}", "content"),
        (b'{"content": " "}', "content"),
        (b'{"content": null}', "content"),
        (b'{"content": "a", "title": 3}', "title"),
        (b'{"content": "a", "tags": [1]}', "tags"),
        (b'{"content": "a", "tags": {}}', "tags"),
        (b'{"content": "a", "replace": "yes"}', "replace"),
        (b'{"content": "a", "type": "text/markdwn"}', "type"),
        (b'{"content": "\\ud800"}', "content"),
        (b'{"content": "a", "tags": ["\\udfff"]}', "tags"),
    ],
)
def test_wrong_value_is_refused_with_line_and_field(line: bytes, field: str) -> None:
    message, _ = refusal(b'{"content": "fine"}\n' + line)

    assert "line 2" in message
    assert f"'{field}'" in message


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[1]",
        b'"text"',
        b'{"content": "a"} extra',
        b'{"content": "caf\xe9"}',
        b"[" * 100_000,
        b'{"content": ' + b"1" * 5000 + b"}",
    ],
)
def test_line_that_is_no_object_is_refused_with_its_number(line: bytes) -> None:
    message, hint = refusal(b"\n" + line)

    assert "line 2 of notes.jsonl" in message
    assert "nothing was stored" in hint


def test_endless_line_is_refused_before_all_of_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_file, "MAX_LINE_BYTES", 2**20)
    lines = io.BytesIO(b"x" * 2**22)

    with pytest.raises(UsageError):
        next(batch_items("notes.jsonl", lines))

    assert lines.tell() == 2**20 + 1


def test_lines_are_read_as_items_are_asked_for() -> None:
    lines = io.BytesIO(b'{"content": "a"}\nbroken\n')

    assert next(batch_items("notes.jsonl", lines)).content == "a"


def test_what_is_not_json_is_placed_in_its_line_and_nowhere_else() -> None:
    message, _ = refusal(b'{"content": "a"}\n\n{"content": }\n')

    assert message == "line 3 of notes.jsonl is not JSON: expecting value (character 13)"


def test_text_that_is_no_image_is_refused() -> None:
    message, _ = refusal(b'{"content": "a", "type": "image/png"}')

    assert message.startswith("line 1 of notes.jsonl: field 'content'")
    assert items(b'{"content": "<svg/>", "type": "image/svg+xml"}')


def test_place_is_that_of_the_item_read_last() -> None:
    place = Place()
    lines = io.BytesIO(b'\n{"content": "a"}\n\n{"content": "b"}\n')

    words = [place.words for _ in batch_items("x", lines, place)]

    assert words == ["line 2 of x", "line 4 of x"]
