"""What is given to learn, and what is said of what cannot be learned."""

from pathlib import Path

import pytest
from cli.shell import PNG, Run


def test_fault_that_the_base_finds_in_a_batch_names_the_line(base: Run, folder: Path) -> None:
    lines = b'{"content": "a"}\n\n{"content": "b", "docid": "no/such\\\\id"}\n'

    ended = base("batch-learn", "-", stdin=lines)

    assert ended.exit_code == 2
    assert ended.err.startswith("error: line 3 of standard input: ")
    assert "item" not in ended.err
    assert base("status", "--json").json["sections"] == 0


def test_empty_batch_says_that_there_was_nothing(base: Run) -> None:
    assert base("batch-learn", "-", stdin=b"\n \n").out == (
        "nothing to learn: standard input holds no line with content\n"
    )


def test_image_on_standard_input_is_told_by_its_bytes(base: Run) -> None:
    def kind(data: bytes) -> str:
        kbid = base("learn", "-", "--json", stdin=data).json["results"][0]["sections"][0]["kbid"]
        found: str = base("retrieve", kbid, "--json").json["type"]
        return found

    assert kind(PNG) == "image/png"
    assert kind(b"<svg xmlns='x'/>") == "image/svg+xml"
    assert kind(b"<!-- note -->\n\n# Logo\n\n<svg/>") == "text/markdown"


@pytest.mark.parametrize("path", ["-", "hello.txt"])
def test_text_is_not_learned_as_an_image(path: str, base: Run, folder: Path) -> None:
    (folder / "hello.txt").write_bytes(b"hello")

    ended = base("learn", path, "--type", "image/png", stdin=b"hello")

    assert ended.exit_code == 2
    assert "is no image of type image/png" in ended.err
    assert base("status", "--json").json["sections"] == 0


def test_size_limit_is_told_in_a_fitting_unit(base: Run, folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_bytes(b"x" * 1234)

    assert "1.2 kB, over the 20 B limit" in base("learn", "docs", "--max-size", "20").out


def test_rare_reasons_for_skipping_are_counted_together(base: Run, folder: Path) -> None:
    (folder / "docs").mkdir()
    for number in range(13):
        (folder / "docs" / f"x.k{number}").touch()

    shown = base("learn", "docs").out

    assert "skipped 13: " in shown
    assert "; other reasons (3)\n" in shown


def test_line_end_in_a_file_name_breaks_no_line(base: Run, folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "a\nb.md").write_bytes(b"# A\n\n\xff\xfe text \xe9")
    (folder / "docs" / "c\nd.bin").touch()

    ended = base("learn", "docs", "--verbose")
    alone = base("learn", "docs/a\nb.md")

    assert ended.err.count("\n") == ended.err.count("warning: ")
    assert "    c d.bin: " in ended.out
    assert alone.out.startswith("learned docs/a b.md as ")


@pytest.mark.parametrize("path", [".kbdb", ".kbdb/format", ".kbdb/sections", "link"])
def test_knowledge_base_is_not_learned(path: str, base: Run, folder: Path) -> None:
    (folder / "link").symlink_to(".kbdb")

    ended = base("learn", path)

    assert ended.exit_code == 2
    assert "is part of the knowledge base" in ended.err
    assert base("status", "--json").json["documents"] == 0
