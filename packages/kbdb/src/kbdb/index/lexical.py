"""The main lexical index on tantivy: one field of ready-made terms, and labels to filter by."""

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import tantivy

from kbdb.errors import DamagedError
from kbdb.index.matching import HINT_WEIGHT, Lookup, Unit
from kbdb.records.durable import explain

VERSION = 1
_ID, _TEXT, _LABEL = "id", "text", "label"
_HEAP_BYTES = 50_000_000
_BULK_HEAP_BYTES = 256_000_000
_SINGLE_CHARACTER_TERMS = 256


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field(_ID, stored=False, indexed=True, fast=True)
    builder.add_text_field(_TEXT, tokenizer_name="whitespace", index_option="position")
    builder.add_text_field(_LABEL, tokenizer_name="raw", index_option="basic")
    return builder.build()


@dataclass(frozen=True, slots=True)
class Entry:
    """A section to index: row id, terms separated by spaces, labels; without terms, to delete."""

    ident: int
    terms: str | None
    labels: tuple[str, ...] = ()


@contextlib.contextmanager
def lexical_errors() -> Iterator[None]:
    """Turn what the lexical engine throws inside the block into kbdb's own errors."""
    try:
        yield
    except BaseException as error:
        # A panic of the engine is no Exception, and its class cannot be imported.
        if not isinstance(error, ValueError) and type(error).__name__ != "PanicException":
            raise
        for number in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS):
            if f"(os error {number})" in str(error) or f"code: {number}," in str(error):
                raise explain(OSError(number, os.strerror(number)), "write the index") from error
        raise DamagedError(
            f"the index does not work: {error}",
            hint="delete the folder indexes in the knowledge base;"
            " it is built again from the records",
        ) from error


class LexicalIndex:
    """A tantivy index in a folder; readers in any process, one writer at a time."""

    def __init__(self, path: Path) -> None:
        """Open the index, or make an empty one where there is none.

        Raises:
            ValueError: The files are damaged or made with another schema.
        """
        path.mkdir(parents=True, exist_ok=True)
        self._schema = _schema()
        self._index = tantivy.Index(self._schema, str(path))
        self._index.config_reader(reload_policy="manual")

    def reader(self) -> "LexicalReader":
        """Return a reader of the last commit, which later commits leave as it is."""
        self._index.reload()
        return LexicalReader(self._schema, self._index.searcher())

    def write(self, entries: Iterable[Entry], *, bulk: bool = False) -> int:
        """Replace and delete sections in one commit, and return how many entries there were.

        Args:
            entries: At most one for each id.
            bulk: The ids are all new, and there are many.
        """
        writer = self._index.writer(_BULK_HEAP_BYTES if bulk else _HEAP_BYTES, 1)
        count = 0
        for entry in entries:
            count += 1
            if not bulk:
                writer.delete_documents_by_term(_ID, entry.ident)
            if entry.terms is not None:
                document = tantivy.Document()
                document.add_integer(_ID, entry.ident)
                document.add_text(_TEXT, entry.terms)
                for label in entry.labels:
                    document.add_text(_LABEL, label)
                writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        return count


class LexicalReader:
    """Answers queries from one commit; safe to use from many threads."""

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher) -> None:
        """Take a searcher of the schema."""
        self._schema = schema
        self._searcher = searcher

    @property
    def section_count(self) -> int:
        """Count the sections of this commit."""
        return int(self._searcher.num_docs)

    def df(self, term: str) -> int:
        """Count the sections that hold a term."""
        with lexical_errors():
            return int(self._searcher.doc_freq(_TEXT, term))

    def with_prefix(self, prefix: str) -> list[str]:
        """Return the most frequent terms that start with a prefix."""
        with lexical_errors():
            found = self._searcher.terms_with_prefix(_TEXT, prefix, limit=_SINGLE_CHARACTER_TERMS)
        return [term for term, _ in found]

    def search(self, lookup: Lookup, *, need_all: bool, limit: int) -> list[tuple[float, int]]:
        """Return score and id of the best sections, best first."""
        if not lookup.units or not self.section_count:
            return []
        clauses = list(self._clauses(lookup, need_all=need_all))
        return self._run(tantivy.Query.boolean_query(clauses), limit)

    def sharing(self, terms: Iterable[str], *, at_least: int, limit: int) -> list[int]:
        """Return ids of sections that hold at least so many of the terms."""
        clauses = [(tantivy.Occur.Should, self._term(term)) for term in terms]
        query = tantivy.Query.boolean_query(clauses, minimum_number_should_match=at_least)
        return [ident for _, ident in self._run(query, limit)]

    def _run(self, query: tantivy.Query, limit: int) -> list[tuple[float, int]]:
        with lexical_errors():
            hits = self._searcher.search(query, limit, count=False).hits
            if not hits:
                return []
            ids = self._searcher.fast_field_values(_ID, [address for _, address in hits])
        return [(score, int(ident or 0)) for (score, _), ident in zip(hits, ids, strict=True)]

    def _clauses(
        self, lookup: Lookup, *, need_all: bool
    ) -> Iterator[tuple[tantivy.Occur, tantivy.Query]]:
        must, should = tantivy.Occur.Must, tantivy.Occur.Should
        if need_all:
            yield from ((must, self._unit(unit)) for unit in lookup.units)
        else:
            words = [
                (should, self._weighted(self._term(term), weight))
                for unit in lookup.units
                for term, weight in unit.weights.items()
            ]
            # Beside a filter, "any word" must be asked for as a whole: an optional clause filters
            # nothing.
            filtered = lookup.labels or lookup.phrases
            yield from [(must, tantivy.Query.boolean_query(words))] if filtered else words
        for term in lookup.hints:
            hint = self._weighted(self._term(term), HINT_WEIGHT)
            yield must if lookup.needs_hints else should, hint
        for phrase in lookup.phrases:
            yield must, tantivy.Query.const_score_query(self._phrase(phrase), 0.0)
        for label in lookup.labels:
            only = tantivy.Query.term_query(self._schema, _LABEL, label, "basic")
            yield must, tantivy.Query.const_score_query(only, 0.0)

    def _unit(self, unit: Unit) -> tantivy.Query:
        weights = unit.weights
        queries = [self._all_of(terms, weights) for terms in unit.alternatives]
        if len(queries) == 1:
            return queries[0]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])

    def _all_of(self, terms: tuple[str, ...], weights: dict[str, float]) -> tantivy.Query:
        queries = [self._weighted(self._term(term), weights[term]) for term in terms]
        if len(queries) == 1:
            return queries[0]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in queries])

    def _phrase(self, terms: tuple[str, ...]) -> tantivy.Query:
        if len(terms) == 1:
            return self._term(terms[0])
        return tantivy.Query.phrase_query(self._schema, _TEXT, list(terms))

    def _term(self, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, _TEXT, term, "freq")

    def _weighted(self, query: tantivy.Query, weight: float) -> tantivy.Query:
        return query if weight == 1 else tantivy.Query.boost_query(query, weight)
