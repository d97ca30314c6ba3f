"""Many threads over one knowledge base."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from crash.steps import nth_word

from kbdb import KnowledgeBase
from kbdb.learn import settle


@pytest.mark.slow
def test_what_was_acknowledged_is_in_every_threads_next_search_and_what_it_replaced_in_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settle, "FOLD_FROM", 5)
    acknowledged: list[int] = []
    done = threading.Event()

    def write(kb: KnowledgeBase) -> None:
        try:
            for number in range(150):
                text = f"The zebra {nth_word(number)}"
                kb.learn(text, title=nth_word(number), docid=f"doc-{number % 3}", replace=True)
                acknowledged.append(number)
        finally:
            done.set()

    def read(kb: KnowledgeBase) -> int:
        searches = 0
        while not done.is_set():
            known = len(acknowledged)
            hits = {hit.title for hit in kb.search("zebra", limit=100).hits}
            searches += 1
            gone = {nth_word(number) for number in acknowledged[: max(0, known - 3)]}
            assert not hits & gone
            later = len(acknowledged)
            # Only what no later write may have replaced meanwhile can be asked for.
            assert {nth_word(number) for number in range(max(0, later + 1 - 3), known)} <= hits
        return searches

    with KnowledgeBase.create(tmp_path / "kb") as kb, ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read, kb) for _ in range(3)]
        pool.submit(write, kb).result()
        counts = [reader.result() for reader in readers]
        generation = kb.status().generation

    assert all(counts)
    assert generation > 1


def test_threads_that_ended_leave_no_connection_behind(tmp_path: Path) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as kb:
        kb.learn("The zebra")
        for _ in range(20):
            thread = threading.Thread(target=kb.search, args=("zebra",))
            thread.start()
            thread.join()

        assert len(kb._index.catalogue._open) < 6
