"""How long does the probe for near duplicates take, and does it find every one?

A third of the probes are near copies of stored sections, a third copies with too many words
changed, a third new. Learning calls the probe for each section; here it is called alone, through
the function that learning calls.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from bench.generate_corpus import SEED, Vocabulary, sections
from bench.metrics import mean, percentile
from bench.paired import milliseconds, synthetic_base
from bench.report import Record, at_least, below, conclude
from bench.stream import Stream
from kbdb import KnowledgeBase
from kbdb.index.duplicates import NearDuplicates
from kbdb.index.engine import Index
from kbdb.kbid import kbid_of
from kbdb.model import PLAIN, NearDuplicate, Section
from kbdb.records.store import Records

_SLIGHTLY, _MUCH = 0.02, 0.3


def probes(count: int, probe_count: int) -> Iterator[tuple[str, Section]]:
    """Yield a kind and a section to probe with, for a base of ``count`` synthetic sections."""
    vocabulary = Vocabulary()
    step = max(1, count // probe_count)
    for number in range(probe_count):
        (item,) = sections(1, start=number * step, vocabulary=vocabulary)
        (other,) = sections(1, start=count + 2_000_000 + number, vocabulary=vocabulary)
        stream = Stream(SEED, "probe", number)
        kind = ("near copy", "far copy", "new")[number % 3]
        share = {"near copy": _SLIGHTLY, "far copy": _MUCH, "new": 1.0}[kind]
        words = [
            replacement if stream.unit() < share else word
            for word, replacement in zip(
                item.body.split(), vocabulary.draw(stream, len(item.body.split())), strict=True
            )
        ]
        text, title = (other.body, other.title) if kind == "new" else (" ".join(words), item.title)
        yield kind, _section(title, text)


def _probe(section: Section, index: Index, stored: Records) -> tuple[NearDuplicate, ...]:
    return NearDuplicates(index=index, read=stored.section).of(section)


def measure(path: Path, *, count: int, probe_count: int) -> Iterator[Record]:
    """Probe the base in ``path``."""
    times: list[float] = []
    found: dict[str, list[float]] = {}
    with KnowledgeBase.open(path) as base:
        index, stored = base._index, base._records  # noqa: SLF001 - no public call probes alone
        for kind, section in probes(count, probe_count):
            probe = partial(_probe, section, index, stored)
            times.append(milliseconds(probe))
            found.setdefault(kind, []).append(float(bool(probe())))
    for share in (0.5, 0.95, 0.99):
        value = percentile(times, share)
        target, reached = below(value, 5, "ms") if share == 0.99 else ("", None)
        yield Record(
            subject="near-duplicate probe",
            metric=f"p{round(share * 100)}",
            unit="ms",
            value=value,
            n=len(times),
            seed=SEED,
            target=target,
            reached=reached,
        )
    for kind, values in found.items():
        share = mean(values)
        target, reached = at_least(share, 0.99) if kind == "near copy" else ("", None)
        yield Record(
            subject=kind,
            metric="share with a near duplicate",
            unit="",
            value=share,
            n=len(values),
            seed=SEED,
            target=target,
            reached=reached,
        )


def _section(title: str, text: str) -> Section:
    body = text.encode()
    return Section(
        kbid=kbid_of(type=PLAIN, title=title, body=body), type=PLAIN, title=title, body=body
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; return 1 if a target was missed by a full run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="1,000 sections, 30 probes")
    parser.add_argument("--count", type=int, default=100_000, help="sections")
    options = parser.parse_args(arguments)
    if not options.smoke:
        path = synthetic_base(options.count)
        found = list(measure(path, count=options.count, probe_count=300))
        return conclude("near-duplicate", found, size=str(options.count))
    with tempfile.TemporaryDirectory() as folder:
        path = synthetic_base(1_000, Path(folder))
        conclude("near-duplicate", list(measure(path, count=1_000, probe_count=30)), size="smoke")
    return 0


if __name__ == "__main__":
    sys.exit(main())
