"""The journal, torn and damaged in every way."""

import random
from pathlib import Path

import pytest

from kbdb.records.journal import Journal, Operation

TRANSACTIONS = [
    [Operation("documents/a.json", b"one"), Operation("retired/b.json", None)],
    [Operation("documents/a.json", b"")],
    [Operation("sections/aa/c.md", b"x" * 300), Operation("documents/d.json", b"\0kbj1\0")],
]


def written(path: Path) -> list[int]:
    """Write the transactions, and return where each one ends."""
    journal = Journal(path)
    ends = []
    for transaction in TRANSACTIONS:
        journal.begin()
        for one in transaction:
            if one.data is None:
                journal.delete(one.path)
            else:
                journal.put(one.path, one.data)
        journal.commit()
        ends.append(journal.size_bytes)
    journal.close()
    return ends


def flat(count: int) -> list[Operation]:
    return [one for transaction in TRANSACTIONS[:count] for one in transaction]


def test_every_prefix_of_a_journal_yields_its_whole_transactions(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    ends = written(path)
    data = path.read_bytes()

    for length in range(len(data) + 1):
        path.write_bytes(data[:length])
        whole = sum(end <= length for end in ends)
        assert list(Journal(path).committed()) == flat(whole), length


def test_a_flipped_bit_ends_the_journal_at_the_transaction_it_is_in(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    ends = written(path)
    data = path.read_bytes()

    for position in range(len(data)):
        flipped = bytearray(data)
        flipped[position] ^= 1 << position % 8
        path.write_bytes(flipped)
        found = list(Journal(path).committed())
        whole = sum(end <= position for end in ends)
        # The seven bytes of padding in a head are covered by the checksum as well.
        assert found == flat(whole), position


def test_noise_yields_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    noise = random.Random(1)

    for length in range(0, 400, 7):
        path.write_bytes(b"kbj1" + noise.randbytes(length))
        assert list(Journal(path).committed()) == []


def test_a_cancelled_transaction_leaves_the_ones_before_it(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    journal = Journal(path)

    journal.begin()
    journal.put("documents/x.json", b"y" * 3_000_000)
    journal.cancel()
    journal.begin()
    journal.put("documents/x.json", b"y")
    journal.commit()
    journal.cancel()
    journal.close()

    assert list(Journal(path).committed()) == flat(3)


def test_a_transaction_that_never_opened_can_be_cancelled(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "missing" / "journal")

    with pytest.raises(FileNotFoundError):
        journal.begin()
    journal.cancel()
    journal.clear()

    assert journal.size_bytes == 0
