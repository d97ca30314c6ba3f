"""Runs scripts in processes that kill themselves at a chosen call, and judges what they leave.

Started as ``python -m crash.runner JSON``. Nothing in kbdb knows of this: the calls are counted by
patching ``os``, ``sqlite3`` and the lexical index's commit in the forked process alone. The runner
itself never opens a knowledge base, so that it may fork.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from crash.steps import (
    Model,
    Step,
    all_words,
    learn,
    look,
    nth_word,
    random_script,
    short_script,
)

from kbdb import KnowledgeBase
from kbdb.index.lexical import LexicalIndex
from kbdb.learn import settle

COUNTED = (
    "write", "pwrite", "fsync", "fdatasync", "replace", "rename", "unlink", "open", "ftruncate",
    "link", "mkdir",
)  # fmt: skip
_real_write = os.write


class Death:
    """Counts calls, and ends the process with SIGKILL at one of them."""

    def __init__(self, at: int) -> None:
        """Say at which call; 0 for none."""
        self.at = at
        self.count = 0
        self.is_armed = False

    def tick(self) -> bool:
        """Count a call; say whether it is the last one."""
        if not self.is_armed:
            return False
        self.count += 1
        return self.count == self.at

    def die(self) -> None:
        """End this process as a power switch would."""
        os.kill(os.getpid(), signal.SIGKILL)

    def patch(self) -> None:
        """Count every call that changes something on the disk."""
        for name in COUNTED:
            setattr(os, name, self._counted(getattr(os, name), torn=name == "write"))
        write = LexicalIndex.write

        def counted_commit(index: LexicalIndex, *args: Any, **kwargs: Any) -> int:
            self._step()
            done = write(index, *args, **kwargs)
            self._step()
            return done

        LexicalIndex.write = counted_commit  # type: ignore[assignment,method-assign] # in this fork
        connect = sqlite3.connect
        step = self._step

        class Counted(sqlite3.Connection):
            def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
                marks = sql.startswith(("COMMIT", "BEGIN IMMEDIATE", "PRAGMA wal_checkpoint"))
                if marks:
                    step()
                cursor = super().execute(sql, *args)
                if marks:
                    step()
                return cursor

        def counted_connect(*args: Any, **kwargs: Any) -> sqlite3.Connection:
            return connect(*args, factory=Counted, **kwargs)

        sqlite3.connect = counted_connect  # type: ignore[assignment] # this process only

    def _step(self) -> None:
        if self.tick():
            self.die()

    def _counted(self, call: Callable[..., Any], *, torn: bool) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            if self.tick():
                if torn:
                    call(args[0], bytes(args[1])[: len(args[1]) // 2])
                self.die()
            return call(*args, **kwargs)

        return counted


def run_until_death(root: Path, steps: Sequence[Step], at: int) -> tuple[int, bool]:
    """Run the steps in a forked process.

    Returns:
        How many steps were acknowledged (making the base is the first), and whether it was killed.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _child(root, steps, at, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        acknowledged = pipe.read().count(b"\n")
    _, status = os.waitpid(pid, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    if not killed and os.waitstatus_to_exitcode(status) != 0:
        message = f"the process ended by itself before call {at}"
        raise RuntimeError(message)
    return acknowledged, killed


def _child(root: Path, steps: Sequence[Step], at: int, writer: int) -> None:
    code = 1
    try:
        # Folds and syncs happen in the writing thread: a call is the same moment each time.
        settle.FOLD_FROM, settle.BULK_FROM, settle._IDLE_S = 3, 3, 3_600.0
        death = Death(at)
        death.patch()
        death.is_armed = True
        kb = KnowledgeBase.create(root / "kb")
        _real_write(writer, b"ack\n")
        for step in steps:
            step.run(kb, root / "docs")
            _real_write(writer, b"ack\n")
        kb.close()
        code = 0
    except BaseException:  # noqa: BLE001 -- the fork must end here whatever happens
        traceback.print_exc()
    finally:
        os._exit(code)


def judge(root: Path, steps: Sequence[Step], acknowledged: int, *, in_full: bool) -> str:
    """Open what a killed process left, in a process of its own, and say what is wrong with it."""
    return _in_fork(lambda: _judged(root / "kb", steps, acknowledged, in_full=in_full))


def _in_fork(work: Callable[[], str]) -> str:
    """Return what the work returns, or its traceback, from a process of its own."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        answer = ""
        try:
            answer = work()
        except BaseException:  # noqa: BLE001 -- the fork must end here whatever happens
            answer = traceback.format_exc()
        finally:
            with os.fdopen(writer, "w", encoding="utf-8") as pipe:
                pipe.write(answer)
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        answer = pipe.read()
    os.waitpid(pid, 0)
    return answer


def _judged(path: Path, steps: Sequence[Step], acknowledged: int, *, in_full: bool) -> str:
    if acknowledged == 0 and not (path / "format").exists():
        KnowledgeBase.create(path).close()
    models = [Model(), *(step.after for step in steps)]
    # Acknowledged, or with the one in flight.
    allowed = models[max(acknowledged - 1, 0) : acknowledged + 1]
    words = all_words(steps)
    with KnowledgeBase.open(path) as kb:
        found = look(kb, words)
    problems = [found.problems(model) for model in allowed]
    if all(problems):
        return f"after recovery: {problems[0]}"
    litter = [str(one) for one in path.rglob("*.tmp") if "indexes" not in one.parts]
    if litter:
        return f"left behind: {litter}"
    if not in_full:
        return ""
    shutil.rmtree(path / "indexes")
    with KnowledgeBase.open(path) as kb:
        rebuilt = look(kb, words)
        if rebuilt != found:
            return f"a fresh index differs: {rebuilt} from {found}"
        kb.learn("The life afterwards", title="afterwards")
        if not kb.search("afterwards").hits:
            return "nothing can be learned afterwards"
    return ""


def kill_bulks(root: Path, *, rounds: int, seed: int) -> list[str]:
    """Kill a process again and again, at any moment of a bulk that folds, and look after each kill.

    All rounds go on with the same knowledge base, so each recovers what the last one recovered.
    """
    chance = random.Random(seed)
    root.mkdir()
    words = 0
    problems = []
    for number in range(rounds):
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            _bulk(root / "kb", words, writer)
        os.close(writer)
        acknowledged = 0
        with os.fdopen(reader, "rb", buffering=0) as pipe:
            for _ in range(chance.randint(1, 60)):
                acknowledged += len(pipe.readline()) > 0
            for _ in range(chance.choice((0, 0, 10_000, 100_000, 1_000_000))):
                pass  # let it run on into its next write, or into a fold
            os.kill(pid, signal.SIGKILL)
            acknowledged += pipe.read().count(b"\n")
        os.waitpid(pid, 0)
        in_full = number % 5 == 4
        judged = partial(_judge_bulk, root / "kb", words, words + acknowledged, in_full)
        answer = _in_fork(judged)
        if not answer.isdigit():
            problems.append(f"round {number}, {acknowledged} acknowledged: {answer}")
            break
        words = int(answer)
    return problems


def _bulk(path: Path, start: int, writer: int) -> None:
    try:
        settle.FOLD_FROM, settle._IDLE_S = 16, 0.001
        with KnowledgeBase.open(path) if path.exists() else KnowledgeBase.create(path) as kb:
            for number in range(start, start + 100_000):
                learn(nth_word(number), f"doc-{number // 10}")(kb, path)
                _real_write(writer, b".\n")
    except BaseException:  # noqa: BLE001 -- the fork must end here whatever happens
        traceback.print_exc()
    finally:
        os._exit(1)


def _judge_bulk(path: Path, before: int, acknowledged: int, in_full: bool) -> str:
    """Return how many words the knowledge base holds, or what is wrong with it."""
    with KnowledgeBase.open(path) as kb:
        count = kb.status().sections
        if count not in {acknowledged, acknowledged + 1}:
            return f"{count} sections"
        first = 0 if in_full else before
        lost = [n for n in range(first, count) if not kb.search(nth_word(n)).hits]
        if lost:
            return f"not found: {lost}"
        found = len(kb.search("common note", limit=1000).hits)
        if found != min(count, 1000):
            return f"{found} of {count} found by a common word"
    if in_full:
        shutil.rmtree(path / "indexes")
        with KnowledgeBase.open(path) as kb:
            if kb.status().sections != count:
                return "a fresh index differs"
    return str(count)


def kill_at_calls(folder: Path, wanted: dict[str, Any]) -> tuple[int, list[str]]:
    """Run a script once for each chosen call, and kill it there.

    Returns:
        How many runs that were, and what was wrong after them.
    """
    seed, length = wanted["seed"], wanted["length"]
    steps = random_script(seed, length) if length else short_script()
    problems: list[str] = []
    tried = 0
    at, killed = wanted["first"], 1
    while killed and (wanted["last"] is None or at <= wanted["last"]):
        root = folder / str(at)
        root.mkdir()
        acknowledged, killed = run_until_death(root, steps, at)
        problem = judge(root, steps, acknowledged, in_full=tried % 3 == 0)
        tried += 1
        if problem:
            problems.append(f"killed at call {at}, {acknowledged} acknowledged: {problem}")
        shutil.rmtree(root)
        at += wanted["stride"]
    return tried, problems


def main() -> None:
    """Run what the one argument asks for, and print the problems as JSON."""
    wanted = json.loads(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="kbdb-crash-", dir=wanted["folder"]) as name:
        if "rounds" in wanted:
            tried = wanted["rounds"]
            problems = kill_bulks(Path(name) / "bulk", rounds=tried, seed=wanted["seed"])
        else:
            tried, problems = kill_at_calls(Path(name), wanted)
    sys.stdout.write(json.dumps({"tried": tried, "problems": problems}))


if __name__ == "__main__":
    main()
