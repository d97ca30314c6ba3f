"""The walk over a folder."""

import os
import shutil
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kbdb.ingest import walk
from kbdb.ingest.media import type_of_name
from kbdb.ingest.walk import Found, kind_of
from kbdb.model import Skipped

LIMIT = 1_000_000


def make(root: Path, files: Mapping[str, str]) -> Path:
    """Write files below a folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def found(root: Path) -> list[str]:
    """Return the relative paths of what is found."""
    return [one.relative for one in run(root) if isinstance(one, Found)]


def reasons(root: Path) -> dict[str, str]:
    """Return why each skipped path is skipped."""
    return {one.path: one.reason for one in run(root) if isinstance(one, Skipped)}


def run(root: Path) -> list[Found | Skipped]:
    """Walk for documents of up to 1 MB."""
    return list(
        walk.walk(root, max_bytes=LIMIT, accepts=lambda name: type_of_name(name) is not None)
    )


def test_files_come_in_a_stable_order_with_path_and_size(tmp_path: Path) -> None:
    make(tmp_path, {"b.md": "12", "a/z.md": "1", "a/B.md": "", "é.md": "", "a.md": ""})

    files = [one for one in run(tmp_path) if isinstance(one, Found)]

    assert [one.relative for one in files] == ["a/B.md", "a/z.md", "a.md", "b.md", "é.md"]
    assert [one.size_bytes for one in files] == [0, 1, 0, 2, 0]
    assert files[1].path == tmp_path / "a" / "z.md"


def test_what_is_no_document_is_reported_by_kind(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            "tool.exe": "",
            "Makefile": "",
            ".hidden.md": "",
            ".github/a.md": "",
            ".github/b.md": "",
            "node_modules/x/README.md": "",
            "big.md": "x" * 2_000_000,
            ".gitignore": "skip.md\n",
            "skip.md": "",
            "keep.md": "",
        },
    )

    assert found(tmp_path) == ["keep.md"]
    assert reasons(tmp_path) == {
        "tool.exe": "type: .exe is not a document type",
        "Makefile": "type: the name has no suffix",
        ".hidden.md": "hidden: its name begins with a dot",
        ".github": "hidden: its name begins with a dot",
        "node_modules": "excluded: node_modules holds no documents of its own",
        "big.md": "too large: 2.0 MB, over the 1.0 MB limit; raise it with --max-size",
        "skip.md": "ignored: by .gitignore",
    }


def test_kinds_tell_what_left_from_what_is_still_there(tmp_path: Path) -> None:
    make(tmp_path, {"big.md": "x" * 2_000_000, ".kbdbignore": "a.md", "a.md": ""})

    kinds = {path: kind_of(reason) for path, reason in reasons(tmp_path).items()}

    assert kinds["big.md"] in walk.STILL_THERE
    assert kinds["a.md"] in walk.LEFT_OUT
    assert not walk.STILL_THERE & walk.LEFT_OUT


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({".gitignore": "*.md\n!b.md"}, ["a/b.md", "b.md"]),
        ({".gitignore": "a/"}, ["b.md", "c.md"]),
        ({".gitignore": "/b.md"}, ["a/b.md", "a/c.md", "c.md"]),
        ({".gitignore": "a\n!a/b.md"}, ["b.md", "c.md"]),
        ({".gitignore": "*.md", "a/.gitignore": "!c.md"}, ["a/c.md"]),
        ({".gitignore": "b.md", ".kbdbignore": "!b.md"}, ["a/b.md", "a/c.md", "b.md", "c.md"]),
        ({".kbdbignore": "b.md", "a/.gitignore": "!b.md"}, ["a/b.md", "a/c.md", "c.md"]),
        ({".kbdbignore": "*\n!*/\n!c.md"}, ["a/c.md", "c.md"]),
        ({".gitignore": "a/\n!x/\r\n"}, ["b.md", "c.md"]),
        ({".gitignore": "# b.md\n\n!\n[\n\\"}, ["a/b.md", "a/c.md", "b.md", "c.md"]),
    ],
)
def test_nested_ignore_files_decide(
    tmp_path: Path, rules: dict[str, str], expected: list[str]
) -> None:
    make(tmp_path, {"a/b.md": "", "a/c.md": "", "b.md": "", "c.md": "", **rules})

    assert found(tmp_path) == expected


def test_ignore_file_above_the_root_does_not_count(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "*", "docs/a.md": ""})

    assert found(tmp_path / "docs") == ["a.md"]


def test_knowledge_bases_are_never_entered(tmp_path: Path) -> None:
    make(
        tmp_path,
        {
            ".kbdb/sections/a.md": "",
            "memory/format": "kbdb 1\n",
            "memory/sections/b.md": "",
            "other/format": "not ours",
            "other/c.md": "",
        },
    )

    assert found(tmp_path) == ["other/c.md"]
    assert kind_of(reasons(tmp_path)[".kbdb"]) == walk.STORE
    assert kind_of(reasons(tmp_path)["memory"]) == walk.STORE
    assert reasons(tmp_path / "memory") == {".": "store: a knowledge base"}


def test_links_are_refused_with_the_reason(tmp_path: Path) -> None:
    outside = make(tmp_path / "outside", {"x.md": ""})
    root = make(tmp_path / "root", {"a/b.md": ""})
    (root / "same.md").symlink_to(root / "a" / "b.md")
    (root / "out.md").symlink_to(outside / "x.md")
    (root / "outdir").symlink_to(outside)
    (root / "a" / "up").symlink_to(root)
    (root / "self.md").symlink_to("self.md")
    (root / "dead.md").symlink_to("missing")

    assert found(root) == ["a/b.md"]
    assert reasons(root) == {
        "same.md": "link: its target is in the folder under its own name",
        "out.md": "link: leaves the folder",
        "outdir": "link: leaves the folder",
        "a/up": "link: it loops",
        "self.md": "link: it loops",
        "dead.md": "link: its target does not exist",
    }


def test_root_may_be_a_link(tmp_path: Path) -> None:
    make(tmp_path / "real", {"a.md": "", "b/c.md": ""})
    (tmp_path / "link").symlink_to("real")

    assert found(tmp_path / "link") == ["a.md", "b/c.md"]


def test_special_files_are_never_opened(tmp_path: Path) -> None:
    # Opening a pipe without a writer would wait for ever.
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / ".gitignore")
    os.mkfifo(tmp_path / "format")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(tmp_path)
        try:
            server.bind("socket.md")
        finally:
            os.chdir(here)

        skipped = reasons(tmp_path)

    assert kind_of(skipped["pipe.md"]) == walk.SPECIAL
    assert kind_of(skipped["socket.md"]) == walk.SPECIAL


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser can read everything")
def test_unreadable_files_and_folders_are_reported(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": "", "b/c.md": "", "d.md": ""})
    (tmp_path / "a.md").chmod(0)
    (tmp_path / "b").chmod(0)
    try:
        assert found(tmp_path) == ["d.md"]
        assert reasons(tmp_path) == {
            "a.md": "unreadable: permission denied",
            "b": "unreadable: permission denied",
        }
    finally:
        (tmp_path / "b").chmod(0o700)


def test_missing_root_is_reported(tmp_path: Path) -> None:
    assert reasons(tmp_path / "none") == {".": "unreadable: no such file or directory"}


def test_file_that_vanishes_during_the_walk_is_not_mentioned(tmp_path: Path) -> None:
    make(tmp_path, {"a.md": "", "b.md": "", "c/d.md": ""})
    walking = walk.walk(tmp_path, max_bytes=LIMIT, accepts=lambda _: True)

    first = next(walking)
    (tmp_path / "b.md").unlink()
    shutil.rmtree(tmp_path / "c")

    assert [one for one in walking if isinstance(one, Found)] == []
    assert isinstance(first, Found)


def test_name_that_is_not_utf8_can_be_shown_and_opened(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x", encoding="utf-8")
        (tmp_path / os.fsdecode(b"caf\xe9.exe")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    make(tmp_path, {".gitignore": "*.txt\n"})

    files = [one for one in run(tmp_path) if isinstance(one, Found)]

    assert [one.relative for one in files] == ["caf\\xe9.md"]
    assert files[0].path.read_text(encoding="utf-8") == "x"
    assert "caf\\xe9.exe" in reasons(tmp_path)


def test_very_deep_tree_is_walked_without_recursion(tmp_path: Path) -> None:
    # Deeper than Python's recursion goes, so pytest could not remove it: the test does.
    depth = 1100
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        for _ in range(depth):
            Path("d").mkdir()
            os.chdir("d")
        Path("x.md").touch()
        walked = found(tmp_path)
        Path("x.md").unlink()
        for _ in range(depth):
            os.chdir("..")
            Path("d").rmdir()
    finally:
        os.chdir(here)

    assert walked == ["d/" * depth + "x.md"]


names = st.sampled_from(
    ["a", "b", "src", "build", "x.d", "keep.md", "n.md", "!x.md", "#k.md", "o.txt"]
)
paths = st.lists(names, min_size=1, max_size=4).map("/".join)
patterns = (
    st.sampled_from(
        [
            "*.md",
            "!*.md",
            "build/",
            "!src/",
            "*",
            "!*/",
            "/a",
            "a/",
            "a/b",
            "!a/b",
            "**/b",
            "a/**",
            "?.md",
        ]
    )
    | st.sampled_from(
        [
            "a/**/n.md",
            "!keep.md",
            "[a-n].md",
            "b*",
            "\\!x.md",
            "#k.md",
            "\\#k.md",
            "src/ ",
            "/*",
            "!/a",
        ]
    )
    | st.sampled_from(
        ["a/*", "!a/b/", "*.d/", "!*.d", "**", "**/", "*/", "*/b", "!**/b/*.md", "[z-a]", "!"]
    )
)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the oracle")
@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    files=st.lists(paths, max_size=8),
    rules=st.dictionaries(
        st.sampled_from(["", "a/", "src/", "a/b/"]), st.lists(patterns, min_size=1, max_size=5)
    ),
)
def test_ignore_files_mean_what_they_mean_to_git(
    tmp_path_factory: pytest.TempPathFactory, files: list[str], rules: dict[str, list[str]]
) -> None:
    root = tmp_path_factory.mktemp("repository")
    for folder, lines in rules.items():
        make(root, {f"{folder}.gitignore": "\n".join(lines)})
    for path in files:
        if not (root / path).is_dir() and not any(
            (root / up).is_file() for up in Path(path).parents
        ):
            make(root, {path: ""})

    walked = walk.walk(root, max_bytes=LIMIT, accepts=lambda _: True)

    assert {one.relative for one in walked if isinstance(one, Found)} == untracked(root)


def untracked(root: Path) -> set[str]:
    """Ask git which files it would not ignore."""
    settings_of_nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    env = {**os.environ, **settings_of_nobody}
    subprocess.run(["git", "init", "-q", root], check=True, env=env)
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--others", "--exclude-standard"],
        check=True,
        env=env,
        capture_output=True,
    )
    names = listed.stdout.decode().split("\0")
    return {name for name in names if name and not name.endswith(".gitignore")}
