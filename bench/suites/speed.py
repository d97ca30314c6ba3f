"""How long does a search take, warm and cold, beside a bare query of the same engine?

Warm: kbdb and a bare tantivy OR query answer the same queries in turns, in blocks whose order
changes, in one process; of each query the best of three runs counts, and all runs are reported
too. Cold: a fresh process opens the base and asks once.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from bench.generate_corpus import SEED
from bench.metrics import percentile
from bench.paired import BareEngine, milliseconds, query_texts, synthetic_base
from bench.report import Record, below, conclude
from bench.stream import Stream
from kbdb import KnowledgeBase

_BLOCK = 50
_REPEATS = 3
_COLD = """
import json, sys, time
begin = time.perf_counter()
from kbdb import KnowledgeBase
imported = time.perf_counter()
with KnowledgeBase.open(sys.argv[1]) as base:
    opened = time.perf_counter()
    base.search(sys.argv[2])
    asked = time.perf_counter()
    base.search(sys.argv[3])
    again = time.perf_counter()
steps = (begin, imported, opened, asked, again)
print(json.dumps([1000 * (later - earlier) for earlier, later in zip(steps, steps[1:])]))
"""


def warm(path: Path, *, query_count: int) -> Iterator[Record]:
    """Measure warm searches of the base in ``path``."""
    with KnowledgeBase.open(path) as base:
        bare = BareEngine(path)
        for load in ("content", "zipf"):
            texts = query_texts(load, query_count)
            kbdb_runs: list[list[float]] = [[] for _ in texts]
            bare_runs: list[list[float]] = [[] for _ in texts]
            stream = Stream(SEED, "order", load)
            for _ in range(_REPEATS):
                _interleave(base, bare, texts, kbdb_runs, bare_runs, stream)
            yield from _warm_records(load, kbdb_runs, bare_runs)


def _interleave(
    base: KnowledgeBase,
    bare: BareEngine,
    texts: Sequence[str],
    kbdb_runs: list[list[float]],
    bare_runs: list[list[float]],
    stream: Stream,
) -> None:
    terms = [bare.terms(text) for text in texts]
    for start in range(0, len(texts), _BLOCK):
        block = range(start, min(start + _BLOCK, len(texts)))
        engines = ["kbdb", "bare"]
        stream.shuffle(engines)
        for engine in engines:
            for number in block:
                if engine == "kbdb":
                    kbdb_runs[number].append(milliseconds(partial(base.search, texts[number])))
                else:
                    bare_runs[number].append(milliseconds(partial(bare.search, terms[number])))


def _warm_records(
    load: str, kbdb_runs: list[list[float]], bare_runs: list[list[float]]
) -> Iterator[Record]:
    best = {"kbdb": [min(runs) for runs in kbdb_runs], "bare": [min(runs) for runs in bare_runs]}
    count = len(kbdb_runs)
    for engine, values in best.items():
        for share in (0.5, 0.95, 0.99):
            value = percentile(values, share)
            is_target = engine == "kbdb" and share == 0.99
            target, reached = below(value, 5, "ms") if is_target else ("", None)
            yield Record(
                subject=f"warm search, {load}, {engine}",
                metric=f"p{round(share * 100)}",
                unit="ms",
                value=value,
                n=count,
                seed=SEED,
                target=target,
                reached=reached,
            )
    every = [value for runs in kbdb_runs for value in runs]
    yield Record(
        subject=f"warm search, {load}, kbdb",
        metric="p99 of every run",
        unit="ms",
        value=percentile(every, 0.99),
        n=len(every),
        seed=SEED,
    )
    ratio = percentile(best["kbdb"], 0.99) / percentile(best["bare"], 0.99)
    target, reached = below(ratio, 2)
    yield Record(
        subject=f"warm search, {load}",
        metric="p99, kbdb / bare",
        unit="",
        value=ratio,
        n=count,
        seed=SEED,
        target=target,
        reached=reached,
    )


def cold(path: Path, *, process_count: int) -> Iterator[Record]:
    """Measure the first search of fresh processes; medians."""
    texts = query_texts("content", 2 * process_count)
    runs = []
    for first, second in zip(texts[::2], texts[1::2], strict=True):
        command = [sys.executable, "-c", _COLD, str(path), first, second]
        finished = subprocess.run(command, check=True, capture_output=True, text=True)
        steps = json.loads(finished.stdout)
        runs.append([*steps, sum(steps[:3])])
    names = ("import", "open", "first search", "second search", "import, open, first search")
    for name, values in zip(names, zip(*runs, strict=True), strict=True):
        value = percentile(values, 0.5)
        is_target = name.startswith("import,")
        target, reached = below(value, 200, "ms") if is_target else ("", None)
        yield Record(
            subject="cold search",
            metric=f"{name}, median",
            unit="ms",
            value=value,
            n=len(values),
            seed=SEED,
            target=target,
            reached=reached,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; return 1 if a target was missed by a full run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="1,000 sections, 50 queries")
    parser.add_argument("--count", type=int, default=100_000, help="sections")
    options = parser.parse_args(arguments)
    if not options.smoke:
        path = synthetic_base(options.count)
        records = [*warm(path, query_count=500), *cold(path, process_count=7)]
        return conclude("speed", records, size=str(options.count))
    with tempfile.TemporaryDirectory() as folder:
        path = synthetic_base(1_000, Path(folder))
        conclude("speed", [*warm(path, query_count=50), *cold(path, process_count=2)], size="smoke")
    return 0


if __name__ == "__main__":
    sys.exit(main())
