import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = ("packages/kbdb/src", "packages/khabot/src", "packages/mcp-lite/src")


def run_linter(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Check the import rules of the copy in this folder, never those of the installed packages."""
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder,
        env={
            "PYTHONPATH": ":".join(str(folder / source) for source in SOURCES),
            "COLUMNS": "200",
            "PYTHONIOENCODING": "utf-8",
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    for source in SOURCES:
        shutil.copytree(root / source, tmp_path / source)
    shutil.copy(root / ".importlinter", tmp_path)
    return tmp_path


def test_imports_keep_the_rules(copy: Path) -> None:
    linted = run_linter(copy)

    assert linted.returncode == 0, linted.stdout + linted.stderr


@pytest.mark.parametrize(
    ("module", "statement", "broken"),
    [
        ("kbdb/records/planted.py", "import kbdb.index", "imports point down the layers"),
        ("kbdb/learn/planted.py", "import kbdb.base", "imports point down the layers"),
        ("kbdb/upkeep/planted.py", "import kbdb.search", "imports point down the layers"),
        ("kbdb/unplaced.py", "", "imports point down the layers"),
        ("kbdb/ingest/planted.py", "import subprocess", "the pure core does no I/O"),
        ("kbdb/records/planted.py", "import tantivy", "tantivy and SQLite live in the index"),
        ("kbdb/search/planted.py", "import sqlite3", "tantivy and SQLite live in the index"),
        ("kbdb/learn/planted.py", "import click", "click lives in the CLIs"),
        ("kbdb/rpc/planted.py", "import rich", "from the shell to a warm worker is light"),
        ("khabot/agent/planted.py", "import kbdb.model", "meet only over MCP"),
        ("khabot/tools/planted.py", "import khabot.providers", "adapters never meet"),
    ],
)
def test_an_illegal_import_breaks_its_rule(
    copy: Path, module: str, statement: str, broken: str
) -> None:
    source = copy / "packages" / module.split("/", maxsplit=1)[0] / "src"
    (source / module).write_text(f"{statement}\n", encoding="utf-8")

    linted = run_linter(copy)

    assert linted.returncode == 1, linted.stdout + linted.stderr
    kept_or_broken = [line for line in linted.stdout.splitlines() if broken in line]
    assert any("BROKEN" in line for line in kept_or_broken), linted.stdout


def test_importing_kbdb_loads_no_engine() -> None:
    heavy = {"tantivy", "numpy", "rich", "markdown_it", "selectolax", "yaml", "sqlite3", "click"}

    loaded = subprocess.run(
        [sys.executable, "-c", "import kbdb, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert heavy.isdisjoint(loaded.stdout.split())
