"""A process killed at any call that writes: nothing acknowledged is lost, nothing is torn."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.crash,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the runner forks"),
]
_HALVES = 2


def run(tmp_path: Path, **wanted: Any) -> dict[str, Any]:
    """Start the runner, in memory where there is such a place: only the order of calls matters."""
    memory = Path("/dev/shm")
    folder = memory if os.access(memory, os.W_OK) else tmp_path
    wanted = {"folder": str(folder), "first": 1, "last": None, "stride": 1, "length": 0, **wanted}
    done = subprocess.run(
        [sys.executable, "-m", "crash.runner", json.dumps(wanted)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("half", range(1, _HALVES + 1))
def test_a_kill_at_any_call_loses_nothing_acknowledged_and_tears_nothing(
    tmp_path: Path, half: int
) -> None:
    answer = run(tmp_path, seed=0, first=half, stride=_HALVES)

    assert answer["problems"] == []
    assert answer["tried"] > 100


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_kill_within_a_long_random_sequence_loses_nothing(tmp_path: Path, seed: int) -> None:
    answer = run(tmp_path, seed=seed, length=50, first=11 * seed, stride=149)

    assert answer["problems"] == []
    assert answer["tried"] >= 5


def test_kills_at_any_time_during_a_bulk_that_folds_lose_nothing(tmp_path: Path) -> None:
    answer = run(tmp_path, seed=7, rounds=30)

    assert answer["problems"] == []
