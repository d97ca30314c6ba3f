"""What the main index still owes: sections the catalogue knows and no commit has taken in yet.

A build owes everything, a fold what was written since the last one; both pay it here.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence

from kbdb.index.analysis import Analyzer
from kbdb.index.catalogue import Catalogue, Row
from kbdb.index.lexical import Entry, LexicalIndex, lexical_errors
from kbdb.index.matching import labels_of
from kbdb.index.text import search_terms

_CHUNK = 500


def searchable(
    catalogue: Catalogue, analyzer: Analyzer, idents: Sequence[int]
) -> Iterator[tuple[Row, str | None]]:
    """Yield each section with its terms, or with None if it must not be found."""
    for start in range(0, len(idents), _CHUNK):
        chunk = idents[start : start + _CHUNK]
        bodies = catalogue.body_terms(chunk)
        for row in catalogue.rows(chunk).values():
            body = bodies.get(row.ident)
            if body is None or not row.is_live:
                yield row, None
            else:
                yield row, search_terms(analyzer, title=row.title, extra=row.extra, body=body)


def labels(row: Row) -> tuple[str, ...]:
    """Return the labels that a section is filtered by."""
    return labels_of(type=row.type, docids=row.docids, tags=row.tags)


def pay(
    catalogue: Catalogue,
    index: LexicalIndex,
    analyzer: Analyzer,
    *,
    bulk: bool,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Move what is pending into the main index, and return how many sections that were.

    A crash between the two commits leaves the debt standing, and it is paid again.

    Args:
        catalogue: Knows what is pending.
        index: Takes it in, in one commit.
        analyzer: The one that both were made with.
        bulk: The index is still empty.
        progress: Called with sections done and sections in all.
    """
    pending = catalogue.pending()
    lengths: list[tuple[int, int]] = []
    idents = [ident for _, ident in pending]
    with lexical_errors():
        count = index.write(_entries(catalogue, analyzer, idents, lengths, progress), bulk=bulk)
    generation = int(catalogue.meta("generation", "0")) + 1
    with catalogue.writing() as connection:
        connection.executemany("UPDATE section SET length = ? WHERE id = ?", lengths)
        connection.execute(
            "DELETE FROM pending WHERE seq <= ?", (pending[-1][0] if pending else 0,)
        )
        _note_commit(connection, generation)
    catalogue.checkpoint()
    return count


def _entries(
    catalogue: Catalogue,
    analyzer: Analyzer,
    idents: Sequence[int],
    lengths: list[tuple[int, int]],
    progress: Callable[[int, int], None] | None,
) -> Iterator[Entry]:
    for row, terms in searchable(catalogue, analyzer, idents):
        # A live section without any terms counts as one term long all the same.
        lengths.append((0 if terms is None else len(terms.split()) or 1, row.ident))
        yield Entry(row.ident, terms, labels(row))
        if progress and (len(lengths) % _CHUNK == 0 or len(lengths) == len(idents)):
            progress(len(lengths), len(idents))


def _note_commit(connection: sqlite3.Connection, generation: int) -> None:
    """Note which commit of the main index this is, and how many sections of what length it has."""
    count, mean = connection.execute(
        "SELECT count(*), coalesce(avg(length), 1) FROM section WHERE length > 0"
    ).fetchone()
    values = {"generation": generation, "indexed": count, "mean_length": mean}
    connection.executemany(
        "INSERT OR REPLACE INTO meta VALUES (?, ?)",
        [(key, str(value)) for key, value in values.items()],
    )
