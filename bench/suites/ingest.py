"""How long does a folder of documentation take to learn, and to learn again without a change?

The folder is that of ``python -m bench.get_markdown``; ``--smoke`` uses the committed one. The
yardstick for learning again is a loop that reads and digests the same files.
"""

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from bench.get_markdown import CORPUS
from bench.metrics import percentile
from bench.paired import milliseconds
from bench.report import Record, below, conclude
from bench.suites.known_item import PAGES
from kbdb import KnowledgeBase


def measure(root: Path, *, round_count: int) -> Iterator[Record]:
    """Learn the folder into fresh bases, and again into each of them."""
    paths = sorted(root.rglob("*.md"))
    first, again, bare = [], [], []
    counts = (0, 0)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(round_count):
            with KnowledgeBase.create(Path(folder) / f"{number}.kbdb") as base:
                bare.append(milliseconds(partial(_digest, paths)) / 1000)
                first.append(milliseconds(partial(base.learn_folder, root)) / 1000)
                again.append(milliseconds(partial(base.learn_folder, root)) / 1000)
                status = base.status()
                counts = (status.documents, status.sections)
    learned, relearned = percentile(first, 0.5), percentile(again, 0.5)
    digested = percentile(bare, 0.5)
    yield _record("files", "", len(paths), round_count)
    yield _record("documents", "", counts[0], round_count)
    yield _record("sections", "", counts[1], round_count)
    size = sum(path.stat().st_size for path in paths)
    yield _record("size", "MB", size / 1e6, round_count)
    yield _record("learn, median", "s", learned, round_count, below(learned, 10, "s"))
    yield _record("sections a second", "", counts[1] / learned, round_count)
    yield _record("learn again, nothing changed, median", "s", relearned, round_count)
    yield _record("read and digest the files, median", "s", digested, round_count)
    yield _record("learn again / read and digest", "", relearned / digested, round_count)


def _record(
    metric: str, unit: str, value: float, n: int, target: tuple[str, bool | None] = ("", None)
) -> Record:
    return Record(
        subject="folder of Markdown",
        metric=metric,
        unit=unit,
        value=value,
        n=n,
        target=target[0],
        reached=target[1],
    )


def _digest(paths: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; return 1 if a target was missed, 2 if the large folder is not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="the committed folder, once")
    options = parser.parse_args(arguments)
    root = PAGES if options.smoke else CORPUS
    if not root.exists():
        print(f"there is no {root}; run: python -m bench.get_markdown", file=sys.stderr)
        return 2
    found = list(measure(root, round_count=1 if options.smoke else 3))
    return conclude("ingest", found, size="smoke" if options.smoke else "full")


if __name__ == "__main__":
    sys.exit(main())
