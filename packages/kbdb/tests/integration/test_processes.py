"""Many processes over one knowledge base."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import LockedError
from kbdb.learn import settle
from kbdb.records import store

pytestmark = pytest.mark.slow

_SERVE = """
import json, sys
from kbdb import KnowledgeBase
from kbdb.learn import settle
settle._IDLE_S = float(sys.argv[2])
with KnowledgeBase.open(sys.argv[1]) as kb:
    print("ready", flush=True)
    for line in sys.stdin:
        verb, *rest = json.loads(line)
        if verb == "learn":
            answer = kb.learn(rest[0], title=rest[1]).docid
        elif verb == "search":
            answer = len(kb.search(rest[0], limit=1000).hits)
        else:
            for n in range(int(rest[1])):
                word = "zq" + str(n).translate(str.maketrans("0123456789", "bcdfghjklm")) + rest[0]
                kb.learn(f"The shared note on {word}", title=word)
                print(json.dumps(word), flush=True)
            answer = "done"
        print(json.dumps(answer), flush=True)
"""


# The superuser without its capabilities, so that file modes bind it as they bind anyone.
_POWERLESS = (
    ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    if os.name == "posix" and os.geteuid() == 0
    else []
)


class Peer:
    """A process that has the knowledge base open and does what it is told."""

    def __init__(self, path: Path, *, idle_s: float = 0.05) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, str(path), str(idle_s)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def tell(self, *command: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def answer(self) -> object:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ready(self) -> "Peer":
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"
        return self

    def ask(self, *command: object) -> object:
        self.tell(*command)
        return self.answer()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    KnowledgeBase.create(tmp_path / "kb").close()
    return tmp_path / "kb"


@pytest.fixture
def peers() -> Iterator[list[Peer]]:
    started: list[Peer] = []
    yield started
    for peer in started:
        peer.process.kill()
        peer.process.communicate()


def start(peers: list[Peer], path: Path, count: int, *, idle_s: float = 0.05) -> Sequence[Peer]:
    new = [Peer(path, idle_s=idle_s) for _ in range(count)]
    peers += new
    return [peer.ready() for peer in new]


def test_two_processes_that_write_in_turn_find_each_others_sections(
    path: Path, peers: list[Peer]
) -> None:
    one, two = start(peers, path, 2)

    for number in range(3):
        one.ask("learn", f"The zebra {number} of one", f"one {number}")
        assert two.ask("search", "zebra") == 2 * number + 1
        two.ask("learn", f"The zebra {number} of two", f"two {number}")
        assert one.ask("search", "zebra") == 2 * number + 2


def test_a_writer_that_never_lets_go_is_named_and_its_death_frees_the_base(
    path: Path, peers: list[Peer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LOCK_TIMEOUT_S", 0.1)
    (holder,) = start(peers, path, 1, idle_s=3_600)
    holder.ask("learn", "The zebra", "Zebra")

    with KnowledgeBase.open(path) as kb:
        with pytest.raises(LockedError, match=rf"process {holder.process.pid}\b"):
            kb.learn("The okapi", title="Okapi")
        assert kb.search("zebra").hits
        holder.process.kill()
        holder.process.wait()
        kb.learn("The okapi", title="Okapi")
        assert kb.search("zebra").hits
        assert kb.search("okapi").hits


def test_a_process_that_only_reads_keeps_no_one_from_writing(
    path: Path, peers: list[Peer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LOCK_TIMEOUT_S", 0.1)
    shutil.rmtree(path / "indexes")
    start(peers, path, 1)

    with KnowledgeBase.open(path) as kb:
        kb.learn("The okapi", title="Okapi")


def test_a_learn_that_is_refused_keeps_no_one_from_writing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LOCK_TIMEOUT_S", 0.1)
    with KnowledgeBase.open(path) as one, KnowledgeBase.open(path) as two:
        with pytest.raises(Exception, match="no section"):
            one.learn("The okapi", title="Okapi", replaces="0" * 26)
        two.learn("The okapi", title="Okapi")


def test_four_writers_and_two_readers_lose_nothing_and_never_fail(
    path: Path, peers: list[Peer]
) -> None:
    writers = start(peers, path, 4, idle_s=0.0)
    readers = start(peers, path, 2)
    for number, writer in enumerate(writers):
        writer.tell("bulk", "npqr"[number], 50)

    for _ in range(50):
        for writer in writers:
            word = writer.answer()
            assert [reader.ask("search", word) for reader in readers] == [1, 1], word
    assert [writer.answer() for writer in writers] == ["done"] * 4

    assert [reader.ask("search", "shared note") for reader in readers] == [200, 200]
    with KnowledgeBase.open(path) as kb:
        assert kb.status().sections == 200


def test_a_reader_that_slept_through_a_learn_and_a_fold_finds_the_section(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settle, "BULK_FROM", 1)
    with KnowledgeBase.open(path) as writer, KnowledgeBase.open(path) as sleeper:
        assert not sleeper.search("zebra").hits
        writer.learn("The zebra", title="Zebra")

        assert writer.status().pending == 0
        assert sleeper.search("zebra").hits


@pytest.mark.skipif(
    os.name != "posix" or (os.geteuid() == 0 and not shutil.which("setpriv")),
    reason="needs modes that bind, and setpriv so that they bind root as well",
)
@pytest.mark.parametrize("has_index", [True, False])
def test_a_base_that_may_only_be_read_answers_and_refuses_to_learn(
    has_index: bool, tmp_path: Path
) -> None:
    script = """
import sys
from kbdb import KnowledgeBase
from kbdb.errors import ReadOnlyError
with KnowledgeBase.open(sys.argv[1]) as kb:
    assert kb.search("zebra").hits
    assert kb.retrieve("zebra").sections
    assert kb.content(["zebra"])
    status = kb.status()
    assert status.sections == 1 and not status.writable, status
    try:
        kb.learn("The okapi")
    except ReadOnlyError:
        print("refused")
"""
    path = tmp_path / "kb"
    with KnowledgeBase.create(path) as kb:
        kb.learn("The zebra", title="Zebra", docid="zebra")
    if not has_index:
        shutil.rmtree(path / "indexes")
    for one in [path, *path.rglob("*")]:
        one.chmod(0o555 if one.is_dir() else 0o444)
    done = subprocess.run(
        [*_POWERLESS, sys.executable, "-c", script, str(path)],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.stdout == "refused\n", done.stderr
