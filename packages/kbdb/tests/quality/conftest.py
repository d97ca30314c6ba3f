"""The benchmarks' collections and measures, and bases to ask."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack

import pytest

from kbdb import KnowledgeBase
from kbdb.model import BatchItem

MakeBase = Callable[[Mapping[str, str]], KnowledgeBase]


@pytest.fixture(scope="module")
def learned_base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeBase]:
    """Make bases of notes, given as bodies by docid; the first line of a body is its title."""
    with ExitStack() as opened:

        def make(notes: Mapping[str, str]) -> KnowledgeBase:
            base = opened.enter_context(KnowledgeBase.create(tmp_path_factory.mktemp("kb") / "kb"))
            base.learn_batch(
                BatchItem(docid=docid, title=note.split("\n")[0], content=note.split("\n", 1)[-1])
                for docid, note in notes.items()
            )
            return base

        yield make
