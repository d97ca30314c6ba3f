"""Is a passage that somebody remembers found again, in real documentation?

Learns a folder of Markdown files that was not written for this and asks for known items: six random
words of a paragraph, a heading, the first eighteen words of a paragraph. A hit is the right file
among the first five files. ``python -m bench.get_markdown`` fetches the large folder; ``--smoke``
uses the committed one.
"""

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.get_markdown import CORPUS
from bench.judged import DATA
from bench.known_items import Kind, KnownItem, known_items, rank_of
from bench.metrics import bootstrap_interval, mean
from bench.report import Record, at_least, conclude
from kbdb import KnowledgeBase
from kbdb.model import DocumentView, SearchResult

SEED = 20_260
PAGES = DATA / "markdown" / "pages"
FLOORS: Mapping[Kind, float] = {Kind.RANDOM_WORDS: 0.97, Kind.HEADING: 0.95, Kind.OPENING: 1.0}
_SECTION_COUNT = 50  # hits asked for, so that there are five files among them


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one known item got.

    ``rank`` counts files, each once; ``hit_rank`` counts hits, so that five hits of one wrong file
    count as five. Both are None when the file was not found.
    """

    item: KnownItem
    rank: int | None
    hit_rank: int | None
    files: tuple[Path, ...]
    answer: SearchResult


class Asker:
    """Asks a base for known items and says which file each hit is of."""

    def __init__(self, base: KnowledgeBase, *, home: Path) -> None:
        """Take a base that lies in ``home``, the folder its source paths are relative to."""
        self._base = base
        self._home = home
        self._files: dict[str, Path] = {}

    def ask(self, item: KnownItem) -> Outcome:
        """Ask for one item."""
        answer = self._base.search(item.query, mode="lexical", limit=_SECTION_COUNT)
        files = tuple(self._file_of(hit.docid) for hit in answer.hits)
        wanted = item.path.resolve()
        return Outcome(
            item=item,
            rank=rank_of(wanted, files),
            hit_rank=files.index(wanted) + 1 if wanted in files else None,
            files=files,
            answer=answer,
        )

    def _file_of(self, docid: str) -> Path:
        if docid not in self._files:
            view = self._base.retrieve(docid)
            if not isinstance(view, DocumentView) or view.document.source is None:
                raise ValueError(f"{docid!r} is no document with a source")
            self._files[docid] = (self._home / view.document.source.path).resolve()
        return self._files[docid]


def hits(outcomes: Iterable[Outcome], kind: Kind, *, k: int = 5) -> list[float]:
    """Return 1 for each item of a kind whose file is among the first ``k`` files, else 0."""
    return [
        float(outcome.rank is not None and outcome.rank <= k)
        for outcome in outcomes
        if outcome.item.kind == kind
    ]


def measure(outcomes: Sequence[Outcome], *, digest: str) -> Iterator[Record]:
    """Return what share of the items of each kind was found, first and among the first five."""
    for kind, floor in FLOORS.items():
        of_kind = [outcome for outcome in outcomes if outcome.item.kind == kind]
        strict = [float((outcome.hit_rank or _SECTION_COUNT) <= 5) for outcome in of_kind]
        rows = {
            "hit@1": hits(of_kind, kind, k=1),
            "hit@5": hits(of_kind, kind),
            "in 5 hits": strict,
        }
        for metric, values in rows.items():
            value = mean(values)
            target, reached = at_least(value, floor) if metric == "hit@5" else ("", None)
            yield Record(
                subject=kind,
                metric=metric,
                unit="",
                value=value,
                n=len(values),
                spread=bootstrap_interval(values, seed=SEED),
                seed=SEED,
                digest=digest,
                target=target,
                reached=reached,
            )


def describe(outcome: Outcome) -> str:
    """Return one line about an item that was not found among the first five files."""
    best = outcome.files[0].name if outcome.files else "nothing"
    return (
        f"- {outcome.item.kind}: {outcome.item.query!r} is in {outcome.item.path.name}, "
        f"rank {outcome.rank}; first came {best} ({outcome.answer.matching} of the words)"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; return 1 if a floor was missed, 2 if the large folder is not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--smoke", action="store_true", help="the committed folder, 50 of each kind"
    )
    parser.add_argument("--count", type=int, default=150, help="queries of each kind")
    options = parser.parse_args(arguments)
    root, count = (PAGES, 50) if options.smoke else (CORPUS, options.count)
    paths = sorted(root.rglob("*.md"))
    if not paths:
        print(f"{root} is empty; run: python -m bench.get_markdown", file=sys.stderr)
        return 2
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with KnowledgeBase.create(home / ".kbdb") as base:
            base.learn_folder(root)
            asker = Asker(base, home=home)
            outcomes = [asker.ask(item) for item in known_items(paths, count=count, seed=SEED)]
    size = "smoke" if options.smoke else "full"
    status = conclude("known-item", list(measure(outcomes, digest=f"sha256:{digest}")), size=size)
    for outcome in outcomes:
        if outcome.rank is None or outcome.rank > 5:
            print(describe(outcome))
    return status


if __name__ == "__main__":
    sys.exit(main())
