"""TOML to sections."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.ingest.parse import parse
from kbdb.model import Parsed

SAMPLE = '''# about
name = "x" # [not.a.table]
text = """
[not.a.table]
"""
list = [
  [1, 2],
  # ]
  ["[no]"],
]

# the tool
# and its settings
[tool.a]
x = { y = "[no]" }

[tool."b.c"]
[[server]]
port = 1
[server.tls]
on = true
[[server]]
port = 2
[last]
'''


def toml(text: str, *, name: str = "conf.toml") -> Parsed:
    """Parse TOML."""
    return parse(text.encode(), type="application/toml", name=name)


def test_tables_are_parts_with_their_exact_source() -> None:
    parsed = toml(SAMPLE)

    assert parsed.warnings == ()
    assert [(part.level, part.title) for part in parsed.parts] == [
        (0, "conf"),
        (2, "tool.a"),
        (2, "tool.b.c"),
        (1, "server"),
        (1, "last"),
    ]
    bodies = [part.body.decode() for part in parsed.parts]
    assert bodies[1].startswith("# the tool\n# and its settings\n[tool.a]\n")
    assert bodies[3].count("[[server]]") == 2
    assert "".join("\n".join(bodies).split()) == "".join(SAMPLE.split())


def test_each_part_is_toml_by_itself() -> None:
    for part in toml(SAMPLE).parts:
        assert tomllib.loads(part.body.decode()) is not None


def test_long_array_of_tables_is_cut_at_its_tables() -> None:
    text = "".join(f'[[package]]\nname = "{n}"\n\n[package.extra]\nx = {n}\n\n' for n in range(400))

    parts = toml(text).parts

    assert len(parts) > 1
    assert {part.title for part in parts} == {"package"}
    assert b"".join(part.body for part in parts).decode() == text.rstrip("\n")
    assert all(part.body.startswith(b"[") for part in parts)


@pytest.mark.parametrize(
    "text",
    [
        "x = ",
        "[a\nb = 1",
        "x = " + "[" * 50_000,
        "[" + "a." * 50_000 + "a]",
        "x = 1\nx = 2",
        "a b c",
    ],
)
def test_what_is_not_toml_is_kept_as_plain_text_with_a_warning(text: str) -> None:
    parsed = toml(text)

    assert parsed.type == "text/plain"
    assert "not valid TOML" in parsed.warnings[0]
    assert b"".join(part.body for part in parsed.parts).decode() == text


lines = st.sampled_from(
    [
        "[a]",
        "[a.b]",
        "[[c]]",
        "[c.d]",
        "[[c.e]]",
        "k = 1",
        "s = '[x]'",
        'm = """',
        '"""',
        "l = [",
        "]",
        "# c",
        "",
        "  [z]",
        "'q r' = \"# no\"",
        "d.e = {f = [1]}",
        "''' # '''",
        "o = '''\n[n]'''",
    ]
)


@given(st.lists(lines, max_size=12).map("\n".join), st.sampled_from(["\n", "\r\n"]))
def test_source_is_in_the_parts_in_order_valid_or_not(text: str, eol: str) -> None:
    text = text.replace("\n", eol)

    parsed = toml(text)

    bodies = b"\n".join(part.body for part in parsed.parts).decode()
    assert bodies.split() == text.split()
    if not parsed.warnings:
        data = tomllib.loads(text)
        named = {part.title.split(".")[0] for part in parsed.parts if part.level}
        assert named <= set(data)
