"""Markdown to sections."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbdb.ingest.parse import parse
from kbdb.model import Parsed


def markdown(text: str | bytes, *, name: str = "", title: str = "") -> Parsed:
    """Parse Markdown."""
    data = text.encode() if isinstance(text, str) else text
    return parse(data, type="text/markdown", name=name, title=title)


def outline(parsed: Parsed) -> list[tuple[int, str, str]]:
    """Return level, title and body of each part."""
    return [(part.level, part.title, part.body.decode()) for part in parsed.parts]


def test_headings_of_both_kinds_open_parts_that_keep_level_and_parent() -> None:
    parsed = markdown("intro\n\nTop\n===\ntext\n## A\n### B ###\nb\n## C\n\nc\n")

    assert outline(parsed) == [
        (0, "Top", "intro"),
        (1, "Top", "text"),
        (2, "A", ""),
        (3, "B", "b"),
        (2, "C", "c"),
    ]
    assert [part.parent for part in parsed.parts] == [None, None, 1, 2, 1]


@pytest.mark.parametrize(
    "block",
    [
        "```\n# no\n```",
        "~~~ sh\n# no\n\n# no\n~~~",
        "    # no",
        "> # no",
        "- # no",
        "1. text\n\n   # no",
        "<div>\n# no\n</div>",
        "<!--\n\n# no\n-->",
        "#hashtag",
        "\\# no",
        "```\n# no\n\nnever closed",
    ],
)
def test_what_is_no_heading_of_the_document_opens_no_part(block: str) -> None:
    parsed = markdown(f"# Yes\n\n{block}\n")

    assert outline(parsed) == [(1, "Yes", block)]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# `code` and *stress*", "code and stress"),
        ("# [label](https://example.org 'x')", "label"),
        ("# [label][ref]\n\n[ref]: /there", "label"),
        ("# ![alt *text*](a.png) logo", "alt text logo"),
        ("# Fish &amp; chips \\* 1 &lt; 2", "Fish & chips * 1 < 2"),
        ("# <a name='x'></a>Anchored", "Anchored"),
        ("# Using Vec<T> <!-- note -->", "Using Vec<T>"),
        ("# snake_case and __init__", "snake_case and init"),
        ("# ~~gone~~ 2 * 3", "gone 2 * 3"),
        ("Two\nlines\n---", "Two lines"),
        ("# C++ # C#", "C++ # C#"),
        ("#   spaced   out   ##", "spaced out"),
        ("# Wait…", "Wait…"),
    ],
)
def test_title_is_the_heading_as_plain_text(source: str, title: str) -> None:
    parts = markdown(source).parts

    assert parts[0].title == title
    assert source not in parts[0].body.decode()


def test_body_is_the_exact_source_without_outer_blank_lines() -> None:
    parsed = markdown(b"# T\r\n \r\n    code  \r\n\r\n* a\t\r\n\r\n  \r\n# U\r\n")

    assert parsed.parts[0].body == b"    code  \r\n\r\n* a\t"


def test_heading_longer_than_a_title_stays_in_the_body() -> None:
    heading = "# " + "word " * 300

    part = markdown(f"{heading}\n\ntext\n").parts[0]

    assert len(part.title) <= 500
    assert part.body.decode().startswith(heading.rstrip())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: Front\n---\n# One", "Front"),
        ("## Two\n# One", "One"),
        ("### Three\n## Two", "Three"),
        ("just text", "stem"),
        ("#\n\ntext", "stem"),
    ],
)
def test_document_title_comes_from_the_best_source(text: str, expected: str) -> None:
    assert markdown(text, name="dir/stem.md").title == expected
    assert markdown(text, name="stem.md", title="Given").title == "Given"


def test_document_without_any_name_is_titled_by_its_first_line() -> None:
    assert markdown("A note without heading.\nMore.").title == "A note without heading."


@pytest.mark.parametrize("text", ["", "\n\n", " \t\r\n", "\ufeff", "---\ntitle: x\n---\n"])
def test_content_of_white_space_has_no_parts(text: str) -> None:
    assert markdown(text).parts == ()


def test_very_long_section_is_cut_between_blocks_and_keeps_its_place() -> None:
    fence = "```\n" + "x = 1\n\n" * 800 + "```\n\n"
    section = "\n\n".join(f"Paragraph {n} " + "word " * 60 for n in range(60)) + "\n\n" + fence * 3

    parsed = markdown(f"# Top\n\n## Long\n\n{section}\n### Under\n\ntext\n")

    pieces = [part for part in parsed.parts if part.title == "Long"]
    assert len(pieces) > 3
    assert b"".join(part.body for part in pieces).decode() == section.rstrip("\n")
    assert {(part.level, part.parent) for part in pieces} == {(2, 0)}
    assert all(part.body.count(b"```") % 2 == 0 for part in pieces)
    assert parsed.parts[-1].parent == 1


def test_long_list_is_cut_between_items() -> None:
    section = "".join(f"- item {n} " + "word " * 30 + "\n" for n in range(200))

    pieces = markdown(section).parts

    assert len(pieces) > 1
    assert all(part.body.startswith(b"- item") for part in pieces)


@dataclass(frozen=True)
class Block:
    """A block of Markdown; ``level`` is 0 for what is no heading."""

    text: str
    level: int = 0


words = st.text(st.sampled_from("abc xyz é 設"), min_size=1, max_size=12).map(
    lambda text: text.strip() or "w"
)
fences = st.tuples(
    st.sampled_from(["```", "~~~", "````"]), st.lists(st.sampled_from(["# no", "", "x", "no\n---"]))
).map(lambda made: Block("\n".join([made[0], *made[1], made[0]])))
headings = st.one_of(
    st.tuples(st.integers(1, 6), words).map(lambda m: Block(f"{'#' * m[0]} {m[1]}", m[0])),
    st.tuples(st.integers(1, 2), words).map(lambda m: Block(f"{m[1]}\n{' =-'[m[0]] * 3}", m[0])),
)
others = st.sampled_from(
    ["> # no\n> x", "- # no\n- y", "<div>\n# no\n</div>", "| a |\n|---|\n| b |"]
)
blocks = st.one_of(headings, fences, words.map(Block), others.map(Block))


@given(st.lists(blocks, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_each_line_that_is_no_heading_is_in_one_part_in_order(made: list[Block], eol: str) -> None:
    source = "\n\n".join(block.text for block in made)

    parsed = markdown(source.replace("\n", eol))

    bodies: list[list[str]] = [[]]
    for block in made:
        if block.level:
            bodies.append([])
        else:
            bodies[-1].append(block.text)
    expected = ["\n\n".join(body) for body in (bodies if bodies[0] else bodies[1:])]
    assert [part.body.decode() for part in parsed.parts] == [
        body.replace("\n", eol) for body in expected
    ]
    levels = [block.level for block in made if block.level]
    assert [part.level for part in parsed.parts] == ([0] if bodies[0] else []) + levels


@given(st.lists(blocks, max_size=12))
def test_parent_is_the_nearest_earlier_heading_of_a_smaller_level(made: list[Block]) -> None:
    parts = markdown("\n\n".join(block.text for block in made)).parts

    for place, part in enumerate(parts):
        above = [at for at in range(place) if 0 < parts[at].level < part.level]
        assert part.parent == (above[-1] if above else None)


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            [
                "# ",
                "#",
                "a",
                "`",
                "```",
                "~~~",
                "\n",
                "\n",
                "\n\n",
                "> ",
                "- ",
                "1. ",
                "    ",
                "\t",
                "---",
                "===",
                "|",
                "|-|",
                "[a]: b",
                "<div>",
                "<!--",
                "-->",
                "\x00",
                "\r",
                "+++",
                "x: y",
                "\x0c",
            ]
        ),
        max_size=60,
    ).map("".join)
)
def test_bodies_stand_in_the_source_in_order_whatever_it_is(text: str) -> None:
    parsed = markdown(text)

    at = len(parsed.front_matter)
    assert text.startswith(parsed.front_matter)
    for part in parsed.parts:
        at = text.index(part.body.decode(), at) + len(part.body.decode())


@pytest.mark.parametrize("heading", ["## Title {#custom-id}", "Title {#custom-id}\n---"])
def test_attributes_behind_a_heading_stay_findable(heading: str) -> None:
    # The heading's line is in no body, so what its title dropped would be stored nowhere.
    assert [part.title for part in markdown(f"{heading}\n\ntext").parts] == ["Title {#custom-id}"]


@pytest.mark.parametrize("comments", ["<!-- a -->", "<!--\na\n\nb -->\n\n<!-- c --> <!---->"])
def test_comments_alone_before_the_first_heading_are_no_section(comments: str) -> None:
    assert outline(markdown(f"{comments}\n\n# One\n\n{comments}\n")) == [(1, "One", comments)]
    assert markdown(comments).parts == ()


@pytest.mark.parametrize("text", ["<!-- a --> b", "<!-- never closed", "a <!-- b -->"])
def test_text_beside_a_comment_is_a_section(text: str) -> None:
    assert outline(markdown(f"{text}\n", title="T")) == [(0, "T", text)]
