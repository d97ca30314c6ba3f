"""Does keyword search rank judged documents well, and does it know what it does not know?

Each collection is learned through the library, one section a document, and asked its own queries:
nDCG@10 from what a user gets (ten hits), the other measures from the hundred or thousand best. Then
each base is asked the other collection's queries, whose subject it does not have, and nonsense.

``nDCG@10`` uses graded gains; ``nDCG@10 (binary)`` counts every relevant document alike.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.judged import LOADERS, Collection, Query
from bench.metrics import (
    average_precision,
    bootstrap_interval,
    hit,
    mean,
    ndcg,
    percentile,
    recall,
    reciprocal_rank,
)
from bench.report import Record, at_least, conclude
from bench.stream import Stream
from kbdb import KnowledgeBase
from kbdb.model import PLAIN, BatchItem, SearchResult, Verdict

SEED = 20_260
DEPTH = 1_000
FLOORS = {"cranfield": 0.39, "cisi": 0.38}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What one query got: the ten best as a user sees them, and the ranking to full depth."""

    query: Query
    first: SearchResult
    ranking: tuple[str, ...]
    hidden_count: int

    @property
    def confidence(self) -> float:
        """The confidence of the best hit; 0 without hits."""
        return max((found.confidence for found in self.first.hits), default=0.0)


def learn_collection(base: KnowledgeBase, collection: Collection) -> None:
    """Learn every document as one section of plain text whose docid is the document's id."""
    learned = base.learn_batch(
        BatchItem(
            content=document.text,
            type=PLAIN,
            title=document.title,
            docid=docid_of(collection, document.id),
        )
        for document in collection.documents
    )
    if learned.section_count != len(collection.documents):
        raise RuntimeError(f"{learned.section_count} sections of {len(collection.documents)}")


def docid_of(collection: Collection, document: str) -> str:
    """Return the docid under which a document of the collection is learned."""
    return f"{collection.name}-{document}"


def ask(base: KnowledgeBase, query: Query, *, depth: int = DEPTH) -> Answer:
    """Ask one query for ten hits and, where ``depth`` is more, for as many as recall needs."""
    first = base.search(query.text, mode="lexical", limit=10)
    deep = base.search(query.text, mode="lexical", limit=depth) if depth > 10 else first
    return Answer(
        query=query,
        first=first,
        ranking=tuple(found.docid for found in deep.hits),
        hidden_count=deep.hidden_below_floor,
    )


def judge(collection: Collection, answers: Sequence[Answer]) -> Iterator[Record]:
    """Return the measures of a collection's own queries."""
    measured: dict[str, list[float]] = {}
    for answer in answers:
        gains = {
            docid_of(collection, document): gain
            for document, gain in collection.judgements[answer.query.id].items()
        }
        for metric, value in _measures(answer, gains):
            measured.setdefault(metric, []).append(value)
    for metric, values in measured.items():
        value = mean(values)
        has_floor = metric == "nDCG@10"
        target, reached = at_least(value, FLOORS[collection.name]) if has_floor else ("", None)
        yield Record(
            subject=collection.name,
            metric=metric,
            unit="",
            value=value,
            n=len(values),
            spread=bootstrap_interval(values, seed=SEED),
            seed=SEED,
            digest=collection.digest,
            target=target,
            reached=reached,
        )


def _measures(answer: Answer, gains: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    shown = [found.docid for found in answer.first.hits]
    yield "nDCG@10", ndcg(shown, gains, k=10)
    yield "nDCG@10 (binary)", ndcg(shown, dict.fromkeys(gains, 1.0), k=10)
    yield "MAP", average_precision(answer.ranking, gains)
    yield "MRR", reciprocal_rank(answer.ranking, gains)
    yield "Recall@100", recall(answer.ranking, gains, k=100)
    yield "hit@5", hit(shown, gains, k=5)
    yield "hidden below the floor, a query", float(answer.hidden_count)


def verdicts(subject: str, answers: Sequence[Answer], *, digest: str) -> Iterator[Record]:
    """Return how many queries got which verdict, and how sure the best hits were."""
    counted = Counter(answer.first.verdict for answer in answers)
    for verdict in Verdict:
        share = counted[verdict] / len(answers)
        yield Record(
            subject=subject,
            metric=f"share {verdict}",
            unit="",
            value=share,
            n=len(answers),
            digest=digest,
        )
    confidences = [answer.confidence for answer in answers]
    for share in (0.05, 0.25, 0.5, 0.75, 0.95, 1.0):
        yield Record(
            subject=subject,
            metric=f"confidence p{share:.0%}".rstrip("%"),
            unit="",
            value=percentile(confidences, share),
            n=len(answers),
            digest=digest,
        )


def nonsense(count: int) -> Iterator[Query]:
    """Make queries of two to five pronounceable words that no language has."""
    stream = Stream(SEED, "nonsense")
    for number in range(count):
        words = [
            "".join(
                stream.choice("bdfgkqvxz") + stream.choice("aeiouy") + "xzq"[stream.below(3)]
                for _ in range(3)
            )
            for _ in range(2 + stream.below(4))
        ]
        yield Query(id=f"nonsense-{number}", text=" ".join(words))


def run(names: Iterable[str], *, query_count: int | None, folder: Path) -> Iterator[Record]:
    """Run the suite on the named collections with at most ``query_count`` queries of each."""
    collections = {name: LOADERS[name]() for name in names}
    asked = {name: found.queries[:query_count] for name, found in collections.items()}
    for name, collection in collections.items():
        with KnowledgeBase.create(folder / name) as base:
            learn_collection(base, collection)
            answers = [ask(base, query) for query in asked[name]]
            yield from judge(collection, answers)
            yield from verdicts(f"{name}, own queries", answers, digest=collection.digest)
            for other, queries in asked.items():
                if other != name:
                    foreign = [ask(base, query, depth=10) for query in queries]
                    subject = f"{name}, {other} queries"
                    yield from verdicts(subject, foreign, digest=collection.digest)
            nothing = [ask(base, query, depth=10) for query in nonsense(query_count or 50)]
            yield from verdicts(f"{name}, nonsense", nothing, digest=collection.digest)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; return 1 if a full run missed a floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="forty queries of Cranfield only")
    smoke = parser.parse_args(arguments).smoke
    with tempfile.TemporaryDirectory() as folder:
        names, query_count = (["cranfield"], 40) if smoke else (list(LOADERS), None)
        records = list(run(names, query_count=query_count, folder=Path(folder)))
    missed = conclude("quality", records, size="smoke" if smoke else "full")
    # A floor is meant for all queries; forty of them only show that the suite runs.
    return 0 if smoke else missed


if __name__ == "__main__":
    sys.exit(main())
