from pathlib import Path

import pytest

from kbdb.cli.location import find_base, new_base
from kbdb.errors import KbdbError, NotAKnowledgeBaseError, PathNotFoundError


def make_base(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "format").write_text("kbdb 1\n", encoding="utf-8")
    return folder


def test_option_wins_over_environment_and_environment_over_near(tmp_path: Path) -> None:
    near, named, asked = (make_base(tmp_path / name) for name in (".kbdb", "named", "asked"))
    env = {"KBDB_DIR": str(named)}

    assert find_base(str(asked), env, tmp_path) == asked
    assert find_base(None, env, tmp_path) == named
    assert find_base(None, {"KBDB_DIR": ""}, tmp_path) == near


def test_nearest_base_above_is_found_and_a_folder_without_format_passed_by(tmp_path: Path) -> None:
    outer = make_base(tmp_path / ".kbdb")
    start = tmp_path / "a" / "b"
    (start / ".kbdb").mkdir(parents=True)

    assert find_base(None, {}, start) == outer


def hint_for(option: str | None, start: Path) -> str:
    with pytest.raises(KbdbError) as caught:
        find_base(option, {}, start)
    assert caught.value.exit_code == 4
    assert isinstance(caught.value, NotAKnowledgeBaseError | PathNotFoundError)
    return caught.value.hint or ""


def test_no_base_anywhere_hints_at_making_one(tmp_path: Path) -> None:
    assert "kbdb db init" in hint_for(None, tmp_path)


def test_folder_around_a_base_hints_at_the_base(tmp_path: Path) -> None:
    inner = make_base(tmp_path / ".kbdb")

    assert str(inner) in hint_for(str(tmp_path), tmp_path)


def test_missing_folder_hints_at_making_a_base_there(tmp_path: Path) -> None:
    assert f"--db {tmp_path / 'no'}" in hint_for(str(tmp_path / "no"), tmp_path)


def test_file_instead_of_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert "folder" in hint_for(str(tmp_path / "file"), tmp_path)


def test_new_base_is_where_it_was_asked_for_else_here() -> None:
    assert new_base(None, {}) == Path(".kbdb")
    assert new_base(None, {"KBDB_DIR": "/x"}) == Path("/x")
    assert new_base("y", {"KBDB_DIR": "/x"}) == Path("y")
