import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.cli.text import cell_count, harmless_block, harmless_line, wrap_spans
from kbdb.ingest.size import human_size

any_text = st.text(st.characters(codec=None), max_size=80)
words = st.text(st.sampled_from("ab 漢字e\u0301"), max_size=60)


def is_control(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")


@given(text=any_text)
def test_line_keeps_its_length_and_holds_no_control(text: str) -> None:
    line = harmless_line(text)

    assert len(line) == len(text)
    assert not any(is_control(char) for char in line)


@given(text=any_text)
def test_block_holds_no_control_but_tabs_and_line_ends(text: str) -> None:
    block = harmless_block(text)

    assert all(
        unicodedata.category(char) not in ("Cc", "Cs") for char in block if char not in "\t\n"
    )


@pytest.mark.parametrize("code", [0x202A, 0x202E, 0x2066, 0x2069])
def test_bidi_overrides_are_replaced_in_lines_and_blocks(code: int) -> None:
    assert harmless_line(f"a{chr(code)}b") == harmless_block(f"a{chr(code)}b") == "a\ufffdb"


def test_terminal_sequence_becomes_visible_instead_of_active() -> None:
    assert harmless_line("\x1b]0;owned\x07\n\x9b31m") == "␛]0;owned␇ \ufffd31m"


@given(text=words, width=st.integers(2, 20))
def test_wrapped_lines_fit_and_lose_nothing_but_spaces(text: str, width: int) -> None:
    lines = [text[start:end] for start, end in wrap_spans(text, width)]

    assert all(cell_count(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(text=words, width=st.integers(2, 20))
def test_wrapping_keeps_words_whole_that_fit_a_line(text: str, width: int) -> None:
    ascii_words = "".join(char if char in "ab " else " " for char in text)

    lines = [ascii_words[start:end] for start, end in wrap_spans(ascii_words, width)]

    fitting = [word for word in ascii_words.split() if len(word) <= width]
    if len(fitting) == len(ascii_words.split()):
        assert [word for line in lines for word in line.split()] == fitting


def test_wide_and_combining_characters_count_as_the_terminal_shows_them() -> None:
    assert [cell_count(text) for text in ("abc", "漢字", "e\u0301")] == [3, 4, 1]


def test_size_is_told_in_the_unit_that_fits() -> None:
    assert [human_size(size) for size in (7, 1500, 20_000_000)] == ["7 B", "1.5 kB", "20.0 MB"]
