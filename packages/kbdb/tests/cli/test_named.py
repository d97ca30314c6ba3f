"""What a search, an id or an output names, and what is said when it is not there."""

from pathlib import Path

import pytest
from cli.shell import KEYS, Run, first_kbid


def test_document_cannot_be_unlearned_and_its_sections_are_named(base: Run) -> None:
    kbid = first_kbid(base, KEYS, "--docid", "keys")

    ended = base("unlearn", "keys")

    assert ended.exit_code == 4
    assert f"it is a document; its sections: {kbid}" in ended.err


def test_search_in_a_document_that_does_not_exist_says_so(base: Run) -> None:
    kbid = first_kbid(base, KEYS, "--docid", "keys")

    ended = base("search", "rotate", "--docid", "kees")
    of_section = base("search", "rotate", "--docid", kbid)

    assert ended.exit_code == 4
    assert "'kees'" in ended.err
    assert "keys" in ended.err.splitlines()[1]
    assert of_section.exit_code == 2
    assert "it is in keys" in of_section.err


def test_search_without_an_answer_in_a_known_document_is_no_error(base: Run) -> None:
    first_kbid(base, KEYS, "--docid", "keys")

    ended = base("search", "zzzqqq", "--docid", "keys")

    assert ended.exit_code == 0
    assert "nothing found" in ended.out


def test_tags_that_leave_nothing_are_named(base: Run) -> None:
    first_kbid(base, KEYS, "--tags", "ops")

    at_fault = base("search", "rotate", "--tags", "nosuch,ops").out
    in_json = base("search", "rotate", "--tags", "nosuch", "--json").json
    not_at_fault = base("search", "zzzqqq", "--tags", "nosuch").out

    assert "nothing with the tags nosuch, ops; without --tags there are hits" in at_fault
    assert "does not seem to hold" not in at_fault
    assert in_json["hits"] == []
    assert "unanswered: " in not_at_fault


def test_budget_too_small_for_any_hit_is_said(base: Run) -> None:
    first_kbid(base)

    ended = base("search", "rotate", "--max-tokens", "1")

    assert ended.out == "no hit fits in --max-tokens: 1 hit left out\n"


def test_retired_section_says_what_became_of_it(base: Run, folder: Path) -> None:
    old = first_kbid(base)
    new = first_kbid(base, "# Keys\n\nRotate them daily.\n", "--replaces", old)
    base("unlearn", new)
    (folder / "x.md").write_text("# X\n\nmore", encoding="utf-8")

    superseded = [base("content", old), base("learn", "x.md", "--replaces", old)]
    unlearned = base("content", new)

    for ended in superseded:
        assert ended.exit_code == 4
        assert f"hint: it was superseded by {new}; `kbdb retrieve {old}` still shows" in ended.err
    assert f"hint: it was unlearned; `kbdb retrieve {new}` still shows it" in unlearned.err


def test_kbid_in_upper_case_is_the_same_id(base: Run) -> None:
    kbid = first_kbid(base)

    assert base("retrieve", kbid.upper(), "--json").json["kbid"] == kbid
    assert base("content", kbid.upper()).exit_code == 0
    assert base("unlearn", kbid.upper(), "--json").json["kbid"] == kbid


def test_output_to_a_file_is_told_in_json_when_asked(base: Run, folder: Path) -> None:
    kbid = first_kbid(base)

    shown = base("retrieve", kbid, "--output", "keys.md", "--json").json
    both = base("retrieve", kbid, "--output", "-", "--json")

    assert shown == {"path": "keys.md", "size_bytes": (folder / "keys.md").stat().st_size}
    assert both.exit_code == 2


@pytest.mark.parametrize("option", ["--limit", "--max-tokens"])
@pytest.mark.parametrize("value", ["abc", "0", "-1", "1.5", "9" * 5000, "²"])
def test_number_that_is_none_says_which_is_wanted(option: str, value: str, base: Run) -> None:
    ended = base("search", option, value, "x")

    assert ended.exit_code == 2
    assert "is not a number" in ended.err
    assert "range" not in ended.err
