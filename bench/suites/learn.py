"""What does learning one section cost when the base is large, beside one raw fdatasync?

Each round syncs a raw file once, learns one new section, finds it with the very next search, and
learns a near copy of it, which must be reported as one; in one process, on one disk.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bench.generate_corpus import SEED, SyntheticSection, sections
from bench.metrics import percentile
from bench.paired import RawSync, milliseconds, synthetic_base
from bench.report import Record, below, conclude
from kbdb import KnowledgeBase
from kbdb.model import PLAIN

_FAST_DISK_MS = 4.0


@dataclass(slots=True)
class Times:
    """Milliseconds by step, one value a round."""

    raw: list[float] = field(default_factory=list)
    learn: list[float] = field(default_factory=list)
    find: list[float] = field(default_factory=list)
    duplicate: list[float] = field(default_factory=list)


def measure(path: Path, *, round_count: int) -> Times:
    """Learn new sections one by one, and a near copy of each."""
    times = Times()
    with KnowledgeBase.open(path) as base:
        fresh = sections(round_count, start=base.status().sections + 1_000_000)
        raw = RawSync(path.parent)
        try:
            for item in fresh:
                times.raw.append(milliseconds(raw))
                times.learn.append(milliseconds(partial(_learn, base, item)))
                times.find.append(milliseconds(partial(_find, base, item)))
                times.duplicate.append(milliseconds(partial(_learn_copy, base, item)))
        finally:
            raw.close()
    return times


def _learn(base: KnowledgeBase, item: SyntheticSection) -> None:
    base.learn(item.body, type=PLAIN, title=item.title, docid=item.docid, tags=item.tags)


def _find(base: KnowledgeBase, item: SyntheticSection) -> None:
    opening = " ".join(item.body.split()[:8])
    if item.docid not in {hit.docid for hit in base.search(f"{item.title} {opening}").hits}:
        raise RuntimeError(f"{item.docid} was learned and not found")


def _learn_copy(base: KnowledgeBase, item: SyntheticSection) -> None:
    copy = base.learn(
        f"{item.body} Changed.", type=PLAIN, title=item.title, docid=f"{item.docid}-copy"
    )
    if not copy.sections[0].near_duplicates:
        raise RuntimeError(f"{item.docid} has a near duplicate that was not reported")


def records(times: Times) -> Iterator[Record]:
    """Return the percentiles of every step and the target for learning."""
    names = {
        "raw fdatasync": times.raw,
        "learn one": times.learn,
        "find it": times.find,
        "learn a near copy": times.duplicate,
    }
    for subject, values in names.items():
        for share in (0.5, 0.95, 0.99, 1.0):
            yield Record(
                subject=subject,
                metric=f"p{round(share * 100)}",
                unit="ms",
                value=percentile(values, share),
                n=len(values),
                seed=SEED,
            )
    raw, learned = (percentile(values, 0.99) for values in (times.raw, times.learn))
    is_fast = percentile(times.raw, 0.5) < _FAST_DISK_MS
    target, reached = below(learned, 20, "ms") if is_fast else below(learned / raw, 5)
    yield Record(
        subject="learn one, durable and findable",
        metric="p99" if is_fast else "p99, learn / raw fdatasync",
        unit="ms" if is_fast else "",
        value=learned if is_fast else learned / raw,
        n=len(times.learn),
        seed=SEED,
        target=target,
        reached=reached,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; return 1 if a target was missed by a full run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="1,000 sections, 20 rounds")
    parser.add_argument("--count", type=int, default=100_000, help="sections")
    parser.add_argument("--rounds", type=int, default=300)
    options = parser.parse_args(arguments)
    if not options.smoke:
        path = synthetic_base(options.count)
        found = list(records(measure(path, round_count=options.rounds)))
        return conclude("learn", found, size=str(options.count))
    with tempfile.TemporaryDirectory() as folder:
        path = synthetic_base(1_000, Path(folder))
        conclude("learn", list(records(measure(path, round_count=20))), size="smoke")
    return 0


if __name__ == "__main__":
    sys.exit(main())
