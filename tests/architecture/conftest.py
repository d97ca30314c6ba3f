"""The repository as the architecture tests see it: its files and its modules."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MADE = {".git", ".venv", "build", "dist", "corpus", "results", "__pycache__"}
CACHES = ("_cache", ".egg-info", ".hypothesis", ".kbdb")


def walk_repository() -> list[Path]:
    """Return every file that is written by hand, relative to the root, in order."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in MADE and not name.endswith(CACHES)]
        found += [Path(folder, name).relative_to(ROOT) for name in files]
    return sorted(found)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def repository_files() -> list[Path]:
    return walk_repository()


@pytest.fixture(scope="session")
def modules(repository_files: list[Path]) -> list[Path]:
    return [path for path in repository_files if path.suffix == ".py"]
