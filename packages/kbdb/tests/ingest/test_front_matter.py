"""Front matter of Markdown files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.ingest.parse import parse
from kbdb.model import Parsed


def markdown(text: str, encoding: str = "utf-8") -> Parsed:
    """Parse Markdown."""
    return parse(text.encode(encoding), type="text/markdown", name="stem.md")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "block",
    [
        "---\ntitle: T\ndescription: D\ntags: [a, 'b c']\n---\n",
        "---\ntitle: T\nsummary: D\ntags: a, b c, a\n...\n",
        "---\ntitle: T\ndescription: >\n  D\nkeywords:\n  - a\n  - b c\n---\n",
        '+++\ntitle = "T"\ndescription = "D"\ncategories = ["a", "b c"]\n+++\n',
        '---\ntitle: T\n---\n+++\ndescription = "D"\ntags = ["a", "b c"]\n+++\n',
        "---\nlayout: page\n---\n\n---\ntitle: T\ndescription: D\ntags: [a, b c]\n---\n",
    ],
)
def test_title_description_and_tags_are_read(block: str, eol: str, encoding: str) -> None:
    block = block.replace("\n", eol)

    parsed = markdown(f"{block}{eol}text", encoding)

    assert (parsed.title, parsed.description, parsed.tags) == ("T", "D", ("a", "b c"))
    assert parsed.front_matter == block
    assert [part.body for part in parsed.parts] == [b"text"]
    assert parsed.warnings == ()


def test_scalars_become_tags_and_titles_as_they_are_written() -> None:
    parsed = markdown("---\ntitle: 1.10\ntags: [2024-01-01, no, 3]\n---\n")

    assert parsed.title == "1.10"
    assert parsed.tags == ("2024-01-01", "no", "3")


@pytest.mark.parametrize(
    "block",
    [
        "---\ntitle: [broken\n---",
        "---\ntitle: a: b\n---",
        "---\ntitle: &x T\nother: *x\n---",
        "---\ntitle: " + "x" * 70_000 + "\n---",
        "---\ntitle: " + "[" * 50_000 + "\n---",
        "+++\ntitle = broken\n+++",
        "---\n- title: T\n- a list\n---",
    ],
)
def test_broken_block_is_reported_and_stays_in_the_text(block: str) -> None:
    parsed = markdown(f"{block}\n\nintro\n\n# One\n\ntext\n")

    assert parsed.title == "One"
    assert parsed.front_matter == ""
    assert len(parsed.warnings) == 1
    assert "front matter" in parsed.warnings[0]
    text = "".join(part.body.decode() for part in parsed.parts if part.level == 0)
    assert text == f"{block}\n\nintro"


@pytest.mark.parametrize(
    "text",
    [
        "---\n\ntext between rules\n\n---\n\nmore",
        "---\nonly prose here\n---\nmore",
        "---\n\nNote: this is prose.\n\n---\n\nmore",
        "---\n\n- a list\n\n---\nmore",
        "---\n\nno second rule",
        "\n---\ntitle: not at the start\n---\n",
        "----\ntitle: four dashes\n----\n",
        "text\n\n---\ntitle: later\n---\n",
    ],
)
def test_thematic_break_is_not_taken_for_front_matter(text: str) -> None:
    parsed = markdown(text)

    assert parsed.front_matter == ""
    assert parsed.warnings == ()
    assert parsed.parts


@given(
    st.sampled_from(["---", "+++"]),
    st.text(st.sampled_from("abt:=[]{}&*!#|>-\"'%@`,? \n\t\\0é\x07"), max_size=80),
)
def test_no_block_breaks_the_parser_or_loses_text(mark: str, content: str) -> None:
    text = f"{mark}\n{content}\n{mark}\nbody of the text\n"

    parsed = markdown(text)

    kept = parsed.front_matter + "".join(
        f"{part.title} {part.body.decode()}" for part in parsed.parts
    )
    assert "body of the text" in kept


@pytest.mark.parametrize("text", ["---\n- a\n---\n\nSay it.\n", "---\n\nSay it.\n", "***\nSay it."])
def test_title_of_last_resort_is_no_rule(text: str) -> None:
    parsed = parse(text.encode(), type="text/markdown")

    assert parsed.title == "Say it."
