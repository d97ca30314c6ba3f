"""What the suites that measure time share: a base of synthetic sections, a bare engine, a raw sync.

Times on a shared machine mean little alone, so each is taken beside a yardstick in the same run: a
search beside a bare tantivy query on the same index, a learned section beside one raw fdatasync.
"""

import os
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import tantivy

from bench.generate_corpus import SEED, Vocabulary, sections
from bench.stream import Stream
from kbdb import KnowledgeBase
from kbdb.index.analysis import Analyzer
from kbdb.model import PLAIN, BatchItem
from kbdb.search.stopwords import stop_words

CORPUS = Path(__file__).parent / "corpus"
_BATCH = 10_000
_COMMONEST = 100


def milliseconds(work: Callable[[], object]) -> float:
    """Run ``work`` once and return how long it took."""
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / 1e6


def synthetic_base(count: int, folder: Path = CORPUS) -> Path:
    """Return the folder of a base with ``count`` synthetic sections, learned if it is not there.

    It is kept for the next suite, which may add to it.
    """
    path = folder / f"base-{count}"
    if not path.exists():
        part = path.with_suffix(".part")
        made = sections(count)
        with KnowledgeBase.create(part) as base:
            while chunk := list(islice(made, _BATCH)):
                base.learn_batch(
                    BatchItem(
                        content=item.body,
                        type=PLAIN,
                        title=item.title,
                        docid=item.docid,
                        tags=item.tags,
                    )
                    for item in chunk
                )
        part.rename(path)
    return path


def query_texts(load: str, count: int) -> list[str]:
    """Return queries of one to five words.

    Args:
        load: ``zipf`` draws from the whole vocabulary, so that most queries hold very common words;
            ``content`` leaves the hundred commonest out.
        count: How many.
    """
    vocabulary = Vocabulary()
    common = frozenset(vocabulary.words[:_COMMONEST])
    stream = Stream(SEED, "queries", load)
    texts: list[str] = []
    while len(texts) < count:
        words = vocabulary.draw(stream, 1 + stream.below(5))
        if load == "content":
            words = [word for word in words if word not in common]
        if words:
            texts.append(" ".join(words))
    return texts


class BareEngine:
    """A bare tantivy query on a base's own main index, and nothing around it."""

    def __init__(self, path: Path) -> None:
        """Open the index of the base in ``path``.

        Raises:
            FileNotFoundError: The base has no index.
        """
        current = path / "indexes" / "current"
        folder = path / "indexes" / current.read_text("ascii").strip() / "lexical"
        index = tantivy.Index.open(str(folder))
        self._schema = index.schema
        self._searcher = index.searcher()
        self._analyzer = Analyzer("english")
        self._silent = {
            term for word in stop_words("english") for term in self._analyzer.terms(word).split()
        }

    @property
    def section_count(self) -> int:
        """Count the sections in the index."""
        return int(self._searcher.num_docs)

    def terms(self, text: str) -> list[str]:
        """Return the analysed terms of a query without stop words."""
        terms = self._analyzer.terms(text).split()
        return [term for term in terms if term not in self._silent] or terms

    def search(self, terms: Sequence[str]) -> list[int]:
        """Return the ids of the ten best sections that hold any of the terms."""
        clauses = [
            (
                tantivy.Occur.Should,
                tantivy.Query.term_query(self._schema, "text", term, "freq"),
            )
            for term in terms
        ]
        hits = self._searcher.search(tantivy.Query.boolean_query(clauses), 10, count=False).hits
        addresses = [address for _, address in hits]
        if not addresses:
            return []
        return [int(ident or 0) for ident in self._searcher.fast_field_values("id", addresses)]


class RawSync:
    """Writes 8 KiB at the end of a file and syncs once: the least a durable write costs."""

    def __init__(self, folder: Path) -> None:
        """Make the file in ``folder``, which should lie on the base's disk."""
        self._path = folder / "raw-sync"
        self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._block = b"x" * 8192

    def __call__(self) -> None:
        """Write and sync once."""
        os.write(self._descriptor, self._block)
        os.fdatasync(self._descriptor)

    def close(self) -> None:
        """Remove the file."""
        os.close(self._descriptor)
        self._path.unlink()
