"""The kb-id: the published recipe, followed here step by step, and its laws."""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.kbid import canonical_bytes, is_kbid, kbid_of
from kbdb.learn.revise import section_of

PAGE = Path(__file__).resolve().parents[4] / "docs/internals/on-disk-format.md"
CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
ROW = re.compile(
    r"\| (?P<what>[^|]+) \| `(?P<type>[^`]+)` \| `(?P<title>\"[^`]*\")` \|"
    r" (?P<body>[^|]+) \| `(?P<kbid>[0-9a-z]{26})` \|"
)
# Frozen here too, so that no edit of the page can move them.
FROZEN = {
    "ASCII": "05m5zdz3eg0gsty81ka5gq7dnn",
    "accents, composed (NFC)": "j2awv7ty8awpfkhmetqbckhrkm",
    "accents, decomposed (NFD): another id": "bp7mgsh800cns95dyx3a65efzr",
    "CJK": "7zng6z99r4hwcrgazp00c570a4",
    "emoji": "5rhv9hzxey477ehfe9rrvm3x5f",
    "line ends LF": "nfmemftvazdnfnm8c43xt658ve",
    "line ends CR LF: the same id": "nfmemftvazdnfnm8c43xt658ve",
    "line ends CR: the same id": "nfmemftvazdnfnm8c43xt658ve",
    "empty title": "a2y0pg6nxdr6r88tqkkxgt1qfg",
    "empty body": "a0gwfp7mmb6ypwzjxkghkgc7qd",
    "white space in the title": "c4amsnw3ngaqmebgtq6ndkwxc8",
    "the same title, tidy: the same id": "c4amsnw3ngaqmebgtq6ndkwxc8",
    "another type: another id": "w7eqrhytk2sy8g06k3zqgqmj7p",
    "1 MB": "6ej4c1ztz3045rpd6jx5med8d4",
    "a skill": "7rwr2ebdrdmx0c1qjbb9g8a4hv",
    "an image": "saywyhps13dbpbezw5ensb4jgx",
    "an image with a byte less: another id": "5d682d8ejacdzmhpa5yv1xcdcn",
}

kinds = st.sampled_from(("text/markdown", "text/plain", "skill", "image/png"))
titles = st.text(max_size=20)
bodies = st.binary(max_size=40) | st.text("a\r\n", max_size=8).map(str.encode)


@dataclass(frozen=True)
class Vector:
    """One line of the page's table."""

    what: str
    type: str
    title: str
    body: bytes
    kbid: str


def read_vectors() -> list[Vector]:
    rows = ROW.finditer(PAGE.read_text(encoding="utf-8"))
    return [
        Vector(
            row["what"], row["type"], json.loads(row["title"]), body_of(row["body"]), row["kbid"]
        )
        for row in rows
    ]


def body_of(cell: str) -> bytes:
    if cell.startswith("hex"):
        return bytes.fromhex(cell.removeprefix("hex").strip(" `"))
    text, _, times = cell.partition(" × ")
    body: str = json.loads(text.strip("`"))
    return (body * int(times or 1)).encode()


def by_the_recipe(*, type: str, title: str, body: bytes) -> str:
    """Follow the page, with none of kbdb's code."""
    if not type.startswith("image/"):
        body = re.sub(rb"\r\n?", b"\n", body)
    hashed = hashlib.sha256(b"kbdb section 1\n")
    for part in (type.encode(), " ".join(title.split()).encode("utf-8", "replace"), body):
        hashed.update(str(len(part)).encode() + b":" + part + b"\n")
    bits = "".join(f"{byte:08b}" for byte in hashed.digest())
    return "".join(CROCKFORD[int(bits[at : at + 5], 2)] for at in range(0, 130, 5))


def test_page_holds_every_frozen_vector() -> None:
    assert {vector.what: vector.kbid for vector in read_vectors()} == FROZEN


@pytest.mark.parametrize("vector", read_vectors(), ids=lambda vector: vector.what)
def test_kbid_is_that_of_the_published_vector(vector: Vector) -> None:
    kbid = kbid_of(type=vector.type, title=vector.title, body=vector.body)

    assert kbid == vector.kbid
    assert kbid == by_the_recipe(type=vector.type, title=vector.title, body=vector.body)


def test_page_spells_out_the_bytes_of_its_first_vector() -> None:
    spelled = canonical_bytes(type="text/markdown", title="Hello", body=b"Hello, world.\n").decode()

    assert f"```text\n{spelled}```" in PAGE.read_text(encoding="utf-8")


@given(type=kinds, title=titles, body=bodies)
def test_kbid_follows_the_recipe(type: str, title: str, body: bytes) -> None:
    kbid = kbid_of(type=type, title=title, body=body)

    assert kbid == by_the_recipe(type=type, title=title, body=body)
    assert is_kbid(kbid)
    assert len(kbid) == 26
    assert set(kbid) <= set(CROCKFORD)


@given(title=titles, body=st.text("ab\n", max_size=12))
def test_line_ends_of_text_do_not_count(title: str, body: str) -> None:
    ids = {
        kbid_of(type="text/plain", title=title, body=body.replace("\n", end).encode())
        for end in ("\n", "\r\n", "\r")
    }

    assert len(ids) == 1


def test_line_ends_of_an_image_count() -> None:
    ids = {kbid_of(type="image/png", title="", body=body) for body in (b"\n", b"\r\n", b"\r")}

    assert len(ids) == 3


@given(
    one=st.tuples(kinds, st.text("a1:\n ", max_size=6), st.text("a1:\n", max_size=6)),
    other=st.tuples(kinds, st.text("a1:\n ", max_size=6), st.text("a1:\n", max_size=6)),
)
def test_different_sections_have_different_canonical_bytes(
    one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    def canonical(of: tuple[str, str, str]) -> bytes:
        return canonical_bytes(type=of[0], title=of[1], body=of[2].encode())

    def identity(of: tuple[str, str, str]) -> tuple[str, str, str]:
        return of[0], " ".join(of[1].split()), of[2]

    assert (canonical(one) == canonical(other)) == (identity(one) == identity(other))


@given(type=kinds, title=st.text(st.characters(), max_size=10), body=bodies)
def test_stored_title_gives_the_id_of_the_title_that_was_given(
    type: str, title: str, body: bytes
) -> None:
    section = section_of(type=type, title=title, body=body)

    assert section.kbid == kbid_of(type=type, title=title, body=body)
    assert section.kbid == kbid_of(type=type, title=section.title, body=body)
    section.title.encode()


@pytest.mark.parametrize(
    "text", ["", "a" * 25, "a" * 27, "A" * 26, "i" * 26, "a" * 25 + "\n", "../" + "a" * 23]
)
def test_what_is_no_kbid_is_told_from_one(text: str) -> None:
    assert not is_kbid(text)
