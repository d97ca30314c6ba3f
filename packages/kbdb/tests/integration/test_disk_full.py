"""A disk that fills up for real: nothing half done, and all well again once there is room."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import DiskFullError
from kbdb.model import BatchItem


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(mount, check=False).returncode:
        pytest.skip("no permission to mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def records(path: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(path)): one.read_bytes()
        for folder in ("sections", "documents", "retired")
        for one in (path / folder).rglob("*")
        if one.is_file()
    }


def learn(kb: KnowledgeBase, folder: Path) -> None:
    kb.learn(" ".join(f"okapi{n}" for n in range(200_000)), title="Okapi")


def batch(kb: KnowledgeBase, folder: Path) -> None:
    kb.learn_batch(
        BatchItem(content=f"The okapi {n} " + "x" * 9_000, title=f"{n}") for n in range(300)
    )


def learn_folder(kb: KnowledgeBase, folder: Path) -> None:
    folder.mkdir()
    for n in range(300):
        (folder / f"{n}.md").write_text(f"The okapi {n} " + "x" * 9_000, encoding="utf-8")
    kb.learn_folder(folder)


@pytest.mark.parametrize("operation", [learn, batch, learn_folder])
def test_a_full_disk_changes_nothing_and_room_mends_it(
    small_disk: Path, tmp_path: Path, operation: Callable[[KnowledgeBase, Path], None]
) -> None:
    path = small_disk / "kb"
    ballast = small_disk / "ballast"
    with KnowledgeBase.create(path) as kb:
        kb.learn("The zebra", title="Zebra", docid="zebra")
        before, status = records(path), kb.status()

        with pytest.raises(DiskFullError) as caught:
            operation(kb, tmp_path / "docs")

        assert caught.value.hint
        assert records(path) == before
        after = kb.status()
        assert (after.sections, after.documents) == (status.sections, status.documents)
        assert kb.search("zebra").hits
        assert not kb.search("okapi").hits
        kb.learn("The tapir", title="Tapir")
        assert kb.search("tapir").hits
    _fill(ballast)
    with KnowledgeBase.open(path) as kb:
        assert kb.search("tapir").hits
        with pytest.raises(DiskFullError):
            kb.learn("The okapi " + "x" * 90_000, title="Okapi")
        assert kb.search("tapir").hits
        ballast.unlink()
        kb.learn("The okapi", title="Okapi")
        assert kb.search("okapi").hits


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12):
            while True:
                try:
                    file.write(bytes(size))
                except OSError:
                    break
