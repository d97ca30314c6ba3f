"""The write lock between processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbdb.errors import LockedError
from kbdb.records.lock import WriteLock

_HOLD = """
import sys, time
from pathlib import Path
from kbdb.records.lock import WriteLock
lock = WriteLock(Path(sys.argv[1]))
lock.acquire(timeout_s=5)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(tmp_path / "lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_held_lock_is_refused_with_the_holders_pid(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    lock = WriteLock(tmp_path / "lock")

    with pytest.raises(LockedError, match=rf"process {holder.pid}\b") as caught:
        lock.acquire(timeout_s=0.05)

    assert caught.value.hint
    assert not lock.is_held


def test_a_kill_of_its_holder_frees_the_lock(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()

    assert WriteLock(tmp_path / "lock").try_acquire()


def test_a_lock_can_be_taken_where_its_pid_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "pwrite", full, raising=False)
    lock = WriteLock(tmp_path / "lock")

    assert lock.try_acquire()
    lock.release()
    lock.release()
    assert not lock.is_held
