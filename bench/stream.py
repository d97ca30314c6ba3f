"""A seeded stream of random numbers that is the same on every machine and every Python.

The standard library promises that only for some of its methods; a benchmark's input and a test's
choice have to be reproducible, so the stream is SHAKE-128 over the seed, the labels and a counter.
"""

import hashlib
import sys
from array import array
from collections.abc import Iterator, MutableSequence, Sequence
from typing import Self, TypeVar

T = TypeVar("T")
_BLOCK = 256


class Stream:
    """Draws numbers; two streams with the same seed and labels draw the same ones."""

    def __init__(self, seed: int, *labels: object) -> None:
        """Start the stream named by the seed and any labels."""
        self._name = "\x1f".join([str(seed), *map(str, labels)]).encode()
        self._counter = 0
        self._numbers: Iterator[int] = iter(())

    def words(self, count: int) -> "array[int]":
        """Return ``count`` numbers of 32 bits each."""
        self._counter += 1
        state = hashlib.shake_128(self._name + b"\x1e%d" % self._counter)
        drawn = array("I", state.digest(4 * count))
        if sys.byteorder == "big":
            drawn.byteswap()
        return drawn

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit - 1``; its bias is under 2^-32 a value."""
        return self._next() * limit >> 32

    def unit(self) -> float:
        """Return a number in [0, 1)."""
        return self._next() / 2**32

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put the items in random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return ``count`` of the items (all, if there are fewer) in random order, none twice."""
        shuffled = list(items)
        self.shuffle(shuffled)
        return shuffled[:count]

    def fork(self, *labels: object) -> Self:
        """Return an independent stream that is named by this one and the labels."""
        return type(self)(0, self._name.hex(), *labels)

    def _next(self) -> int:
        number = next(self._numbers, None)
        if number is None:
            self._numbers = iter(self.words(_BLOCK))
            number = next(self._numbers)
        return number
