import json
from pathlib import Path

import pytest
from cli.shell import KEYS, PNG, Run, first_kbid


def test_init_makes_the_base_here_or_where_asked_with_its_parents(kbdb: Run, folder: Path) -> None:
    assert kbdb("db", "init").exit_code == 0
    assert (folder / ".kbdb" / "format").is_file()

    shown = kbdb("--db", "deep/er/base", "db", "init", "--json").json
    assert shown == {"path": str(folder / "deep/er/base"), "created": True}
    assert (folder / "deep/er/base/format").is_file()


def test_init_twice_is_refused_and_changes_nothing(base: Run) -> None:
    first_kbid(base)

    ended = base("db", "init")

    assert ended.exit_code == 1
    assert base("status", "--json").json["sections"] == 1


def test_db_option_stands_before_or_after_the_command_and_beats_the_environment(
    base: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    base("db", "init", "--db", "other")
    base("--db", "other", "learn", "-", stdin=b"elsewhere")
    monkeypatch.setenv("KBDB_DIR", "other")

    assert base("status", "--json").json["sections"] == 1
    assert base("status", "--json", "--db", ".kbdb").json["sections"] == 0
    assert base("--db", ".kbdb", "status", "--json").json["sections"] == 0


def test_status_has_numbers_in_json_and_rows_for_people(base: Run) -> None:
    first_kbid(base)

    shown = base("status", "--json").json
    text = base("status").out

    assert (shown["documents"], shown["sections"]) == (1, 1)
    assert "sections   1\n" in text


def test_learned_text_is_found_by_the_next_search(base: Run) -> None:
    kbid = first_kbid(base)

    shown = base("search", "rotate", "signing", "keys", "--json").json
    text = base("search", "rotate signing keys").out

    assert shown["hits"][0]["kbid"] == kbid
    assert shown["verdict"] == "answered"
    assert kbid in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    "query",
    [("",), ("()*^~",), ("C++",), ("don't \"quote",), ("--", "--no-worker"), ("a:b AND",), (" ",)],
)
def test_no_query_is_an_error(query: tuple[str, ...], base: Run) -> None:
    first_kbid(base)

    ended = base("search", *query)

    assert ended.exit_code == 0
    assert ended.stderr == b""


def test_query_bytes_that_are_no_text_are_searched_as_far_as_they_go(process: Run) -> None:
    process("db", "init")

    assert process("search", b"caf\xe9 \xff").exit_code == 0


def test_nothing_found_says_so_and_is_no_error(base: Run) -> None:
    ended = base("search", "zzzqqq")

    assert ended.exit_code == 0
    assert ended.out.startswith("nothing found for 'zzzqqq'")


def test_search_narrows_by_tag_document_and_type(base: Run) -> None:
    first_kbid(base, "# A\n\nalpha beta\n", "--docid", "one", "--tags", "x,y", "--tags", "z")
    first_kbid(base, "# B\n\nalpha gamma\n", "--docid", "two")

    def docids(*options: str) -> list[str]:
        return [hit["docid"] for hit in base("search", "alpha", "--json", *options).json["hits"]]

    assert sorted(docids()) == ["one", "two"]
    assert docids("--tags", "z") == ["one"]
    assert docids("--docid", "two") == ["two"]
    assert docids("--type", "html") == []


def test_file_becomes_a_document_with_the_options_it_was_given(base: Run, folder: Path) -> None:
    (folder / "keys.md").write_text(KEYS, encoding="utf-8")

    ended = base("learn", "keys.md", "--docid", "keys", "--title", "The keys", "--tags", "ops")

    assert ended.out.startswith("learned keys.md as keys: 1 section, 1 new\n")
    document = base("retrieve", "keys", "--json").json
    assert (document["title"], document["tags"]) == ("The keys", ["ops"])


def test_folder_is_summed_up_and_skipped_files_are_grouped(base: Run, folder: Path) -> None:
    docs = folder / "docs"
    docs.mkdir()
    for number in range(3):
        (docs / f"{number}.md").write_text(f"# N{number}\n\ntext {number}\n", encoding="utf-8")
        (docs / f"{number}.bin").write_bytes(b"\x00\x01")

    first, again = base("learn", "docs"), base("learn", "docs", "--json").json["results"][0]

    assert "3 added, 0 updated, 0 unchanged" in first.out
    assert first.out.endswith(" (3)\n")
    assert "0.bin" not in first.out
    assert "0.bin" in base("learn", "docs", "--verbose").out
    assert again["kind"] == "folder"
    assert len(again["unchanged"]) == len(again["skipped"]) == 3


@pytest.fixture
def vanishing(base: Run, folder: Path) -> Run:
    """Have a learned folder most of whose files are gone."""
    docs = folder / "docs"
    docs.mkdir()
    for number in range(4):
        (docs / f"{number}.md").write_text(f"# N{number}\n\ntext {number}\n", encoding="utf-8")
    base("learn", "docs")
    for number in range(3):
        (docs / f"{number}.md").unlink()
    return base


def test_retiring_much_needs_yes_where_nobody_can_be_asked(vanishing: Run) -> None:
    refused = vanishing("learn", "docs")

    assert refused.exit_code == 3
    assert "--yes" in refused.err
    assert vanishing("status", "--json").json["documents"] == 4

    assert "3 retired" in vanishing("learn", "docs", "--yes").out
    assert vanishing("status", "--json").json["documents"] == 1


def test_missing_path_stops_before_anything_is_learned(base: Run, folder: Path) -> None:
    (folder / "keys.md").write_text(KEYS, encoding="utf-8")

    ended = base("learn", "keys.md", "kees.md")

    assert ended.exit_code == 4
    assert "did you mean 'keys.md'" in ended.err
    assert base("status", "--json").json["documents"] == 0


def test_failing_path_does_not_stop_the_others(base: Run, folder: Path) -> None:
    (folder / "empty.md").touch()
    (folder / "keys.md").write_text(KEYS, encoding="utf-8")

    ended = base("learn", "empty.md", "keys.md")
    shown = base("learn", "empty.md", "keys.md", "--json")

    assert ended.exit_code == shown.exit_code == 2
    assert "error: empty.md: " in ended.err
    assert "learned keys.md" in ended.out
    assert [error["path"] for error in shown.json["errors"]] == ["empty.md"]
    assert [result["path"] for result in shown.json["results"]] == ["keys.md"]


@pytest.mark.parametrize(
    "args",
    [
        ("learn", ""),
        ("learn", "-", "-"),
        ("learn", ".", "--title", "x"),
        ("learn", ".", "-", "--docid", "x"),
        ("learn", ".", "--replaces", "x"),
        ("learn", ".", "--description", "x"),
    ],
    ids=" ".join,
)
def test_paths_and_options_that_do_not_fit_are_refused(args: tuple[str, ...], base: Run) -> None:
    ended = base(*args)

    assert ended.exit_code == 2
    assert base("status", "--json").json["documents"] == 0


def test_file_above_the_limit_is_refused_unless_the_limit_is_raised(
    base: Run, folder: Path
) -> None:
    (folder / "big.txt").write_text("word " * 1000, encoding="utf-8")

    refused = base("learn", "big.txt", "--max-size", "1kB")
    piped = base("learn", "-", "--max-size", "1kB", stdin=b"word " * 1000)

    assert refused.exit_code == piped.exit_code == 2
    assert "--max-size" in refused.err
    assert "--max-size" in piped.err
    assert base("learn", "big.txt", "--max-size", "1MB").exit_code == 0


def test_invalid_utf8_is_learned_with_a_warning(base: Run) -> None:
    ended = base("learn", "-", stdin=b"caf\xe9 au lait\n")

    assert ended.exit_code == 0
    assert ended.err.startswith("warning: ")


def test_superseded_section_leaves_search_and_points_to_its_successor(base: Run) -> None:
    old = first_kbid(base)

    new = first_kbid(base, "# Keys\n\nRotate the signing keys every week.\n", "--replaces", old)

    assert [hit["kbid"] for hit in base("search", "signing", "--json").json["hits"]] == [new]
    page = base("retrieve", old)
    assert page.exit_code == 0
    assert new in page.out


def test_unlearned_section_leaves_search_and_stays_readable(base: Run) -> None:
    kbid = first_kbid(base)

    assert base("unlearn", kbid, "--json").json["kbid"] == kbid

    assert base("search", "signing", "--json").json["hits"] == []
    assert "unlearned" in base("retrieve", kbid).out
    assert base("retrieve", kbid, "--json").json["tombstone"]["why"] == "unlearned"


def test_unknown_id_exits_with_4_and_names_the_nearest(base: Run) -> None:
    kbid = first_kbid(base)

    ended = base("retrieve", kbid[:-1] + ("0" if kbid[-1] != "0" else "1"))

    assert ended.exit_code == 4
    assert kbid in ended.err


def test_content_is_raw_markdown_to_a_pipe(base: Run) -> None:
    kbid = first_kbid(base, "# Esc\n\n\x1b]0;x\x07 caf\u00e9\r\nline\n")

    raw = base("content", kbid)

    assert b"\x1b]0;x\x07 caf\xc3\xa9\r\nline" in raw.stdout
    assert base("content", kbid, "--json").json["content"].encode() == raw.stdout


def test_retrieve_makes_stored_text_harmless(base: Run) -> None:
    kbid = first_kbid(base, "# Esc \u202e\n\n\x1b]0;x\x07 text\n")

    page = base("retrieve", kbid).out
    document = base("retrieve", base("retrieve", kbid, "--json").json["docids"][0]).out

    for text in (page, document):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "␛]0;x␇ text" in text


def test_image_says_what_it_is_and_is_written_to_a_file_byte_for_byte(
    base: Run, folder: Path
) -> None:
    (folder / "dot.png").write_bytes(PNG)
    kbid = base("learn", "dot.png", "--title", "A dot", "--json").json["results"][0]["sections"][0][
        "kbid"
    ]

    page = base("retrieve", kbid).out
    assert "image/png, 67 B" in page
    assert "--output FILE" in page
    assert "body_base64" in base("retrieve", kbid, "--json").json

    assert base("retrieve", kbid, "--output", "copy.png").exit_code == 0
    assert (folder / "copy.png").read_bytes() == PNG
    assert base("retrieve", kbid, "--output", "-").stdout == PNG
    (folder / "copy.png").write_bytes(b"mine")
    refused = base("retrieve", kbid, "--output", "copy.png")
    assert refused.exit_code == 1
    assert "--force" in refused.err
    assert (folder / "copy.png").read_bytes() == b"mine"
    base("retrieve", kbid, "--output", "copy.png", "--force")
    assert (folder / "copy.png").read_bytes() == PNG


def test_batch_is_learned_from_file_folder_and_stdin(base: Run, folder: Path) -> None:
    (folder / "lines").mkdir()
    for name, word in (("b", "beta"), ("a", "alpha")):
        line = json.dumps({"content": word, "title": word, "tags": "x"})
        (folder / "lines" / f"{name}.jsonl").write_text(line + "\n", encoding="utf-8")

    shown = base("batch-learn", "lines", "--json").json
    ended = base("batch-learn", "lines/a.jsonl")
    piped = base("batch-learn", "-", stdin=b'{"content": "gamma"}\n\n')

    assert [one["title"] for one in shown["documents"]] == ["alpha", "beta"]
    assert shown["new_section_count"] == 2
    assert ended.out == "learned 1 document: 1 section, 0 new\n"
    assert piped.out == "learned 1 document: 1 section, 1 new\n"


def test_batch_with_one_wrong_line_stores_nothing(base: Run, folder: Path) -> None:
    lines = ['{"content": "fine"}'] * 3 + ['{"content": "x", "titel": "y"}']
    (folder / "notes.jsonl").write_text("\n".join(lines), encoding="utf-8")

    ended = base("batch-learn", "notes.jsonl")

    assert ended.exit_code == 2
    assert "line 4 of notes.jsonl" in ended.err
    assert base("status", "--json").json["documents"] == 0


def test_batch_of_a_folder_without_lines_is_learned_as_a_folder(base: Run, folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text(KEYS, encoding="utf-8")

    ended = base("batch-learn", "docs")

    assert "learning it as a folder" in ended.err
    assert "1 added" in ended.out


def test_skill_lives_from_learn_to_delete(base: Run) -> None:
    made = base(
        *("skill", "learn", "--name", "greet", "--description", "Greets"),
        *("--body", "Greet {{who}}.", "--argument", "who!:a name", "--json"),
    ).json

    assert made["arguments"] == [{"name": "who", "description": "a name", "required": True}]
    assert base("skill", "list", "--json").json == {"skills": [made]}
    assert base("skill", "get", "greet", "--json").json == made
    assert base("skill", "get", made["kbid"], "--json").json == made
    assert "argument: who (required): a name" in base("skill", "get", "greet").out
    assert "greet  Greets" in base("skill", "list").out
    assert base("skill", "delete", made["kbid"]).exit_code == 0
    assert base("skill", "get", "greet").exit_code == 4
    assert base("skill", "list", "--json").json == {"skills": []}


def test_skill_body_comes_from_one_place(base: Run, folder: Path) -> None:
    (folder / "body.md").write_text("From a file.", encoding="utf-8")

    by_file = base("skill", "learn", "--name", "a", "--body-file", "body.md", "--json").json
    by_pipe = base("skill", "learn", "--name", "b", "--body-file", "-", "--json", stdin=b"Piped.")

    assert by_file["body"] == "From a file."
    assert by_pipe.json["body"] == "Piped."
    assert base("skill", "learn", "--name", "c").exit_code == 2
    both = base("skill", "learn", "--name", "c", "--body", "x", "--body-file", "body.md")
    assert both.exit_code == 2
    assert base("skill", "learn", "--name", "c", "--body-file", "no.md").exit_code == 4
    assert base("skill", "learn", "--name", "c", "--body-file", "-", stdin=b"\xff").exit_code == 2


def test_agent_lives_from_create_to_delete(base: Run) -> None:
    skill = base("skill", "learn", "--name", "greet", "--body", "Hello.", "--json").json

    made = base(
        *("agent", "create", "--name", "Host", "--description", "Receives guests"),
        *("--persona", "You are kind.", "--skill", "greet", "--json"),
    ).json

    assert made["docid"] == "agent-host"
    assert made["skills"][0]["skill"] == skill
    assert base("agent", "list", "--json").json == {"agents": [made]}
    assert base("agent", "get", "agent-host", "--json").json == made
    assert "You are kind." in base("agent", "get", "agent-host").out
    base("skill", "delete", "greet")
    assert "(deleted)" in base("agent", "get", "agent-host").out
    assert base("agent", "delete", "agent-host").exit_code == 0
    assert base("agent", "get", "agent-host").exit_code == 4
