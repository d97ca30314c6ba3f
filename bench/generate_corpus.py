"""Write a synthetic corpus of any size, the same on every machine.

Words follow a Zipf-Mandelbrot law over a vocabulary of 50,000 made from syllables. A section has a
title of 3 to 8 words, a body of 100 to 500, one to three of 20 tags, and one in twenty links to an
earlier section. A section depends on the seed and its number alone, so a small corpus is the
beginning of a large one.

    python -m bench.generate_corpus --count 100000 --out bench/corpus
"""

import argparse
import json
import sys
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from bench.stream import Stream

SEED = 42
VOCABULARY_SIZE = 50_000
TAGS = (
    "api",
    "auth",
    "backup",
    "billing",
    "build",
    "cache",
    "cluster",
    "config",
    "database",
    "deploy",
    "docs",
    "email",
    "index",
    "logging",
    "metrics",
    "network",
    "queue",
    "search",
    "storage",
    "testing",
)
_EXPONENT, _SHIFT = 1.05, 2.7
_TABLE_BITS = 20
_SENTENCE_WORDS = 12
_ONSETS = (
    *"bcdfghjklmnprstvwz",
    "bl",
    "ch",
    "cr",
    "dr",
    "fl",
    "gr",
    "pl",
    "qu",
    "sh",
    "sp",
    "st",
    "th",
)
_VOWELS = (*"aeiouaeiou", "ea", "ee", "ou")
_CODAS = (*[""] * 12, *"dklmnprstx", "nd", "st")


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticSection:
    """One section of the corpus; ``docid`` is its number."""

    docid: str
    title: str
    body: str
    tags: tuple[str, ...]


class Vocabulary:
    """The words of a corpus, commonest first, and how to draw them."""

    def __init__(self, seed: int = SEED, size: int = VOCABULARY_SIZE) -> None:
        """Make ``size`` different words and the table that draws them."""
        self.words = tuple(_make_words(seed, size))
        weights = accumulate((rank + _SHIFT) ** -_EXPONENT for rank in range(1, size + 1))
        cumulative = list(weights)
        cells = 1 << _TABLE_BITS
        scale = cumulative[-1] / cells
        self._table = [
            self.words[bisect(cumulative, (cell + 0.5) * scale)] for cell in range(cells)
        ]

    def draw(self, stream: Stream, count: int) -> list[str]:
        """Draw words as often as the law has them."""
        table, shift = self._table, 32 - _TABLE_BITS
        return [table[number >> shift] for number in stream.words(count)]


def sections(
    count: int,
    *,
    seed: int = SEED,
    average_body_length: int = 250,
    reference_density: float = 0.05,
    start: int = 0,
    vocabulary: Vocabulary | None = None,
) -> Iterator[SyntheticSection]:
    """Yield the sections numbered ``start`` to ``start + count - 1``.

    Args:
        count: Sections.
        seed: Names the corpus; the vocabulary goes with it.
        average_body_length: Words of a body on average; the shortest has 0.4 of it, the longest
            twice as many, with short ones more frequent.
        reference_density: The share of sections with a link.
        start: The number of the first section.
        vocabulary: That of the seed, if it is there already; it takes a while to make.
    """
    vocabulary = vocabulary or Vocabulary(seed)
    for number in range(start, start + count):
        stream = Stream(seed, "section", number)
        title = vocabulary.draw(stream, 3 + stream.below(6))
        words = vocabulary.draw(stream, _body_length(stream, average_body_length))
        body = _sentences(words)
        if number and stream.unit() < reference_density:
            body += f"\n\nSee $(link:{docid_of(stream.below(number))})."
        yield SyntheticSection(
            docid=docid_of(number),
            title=" ".join(title).capitalize(),
            body=body,
            tags=tuple(stream.sample(TAGS, 1 + stream.below(3))),
        )


def docid_of(number: int) -> str:
    """Return the docid of the section with this number."""
    return f"section-{number:07d}"


def write_jsonl(items: Iterable[SyntheticSection], path: Path) -> int:
    """Write one JSON object a line, as ``kbdb batch-learn`` reads them; return how many."""
    written = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as lines:
        for item in items:
            entry = {
                "docid": item.docid,
                "title": item.title,
                "content": item.body,
                "tags": item.tags,
            }
            lines.write(json.dumps(entry) + "\n")
            written += 1
    return written


def _body_length(stream: Stream, average: int) -> int:
    shortest, longest = 2 * average // 5, 2 * average
    share: float = stream.unit() ** 1.67  # an average of 0.375 of the way, which is the asked one
    return shortest + round(share * (longest - shortest))


def _sentences(words: Sequence[str]) -> str:
    starts = range(0, len(words), _SENTENCE_WORDS)
    return " ".join(
        " ".join(words[start : start + _SENTENCE_WORDS]).capitalize() + "." for start in starts
    )


def _make_words(seed: int, size: int) -> list[str]:
    stream = Stream(seed, "vocabulary")
    made: dict[str, None] = {}
    while len(made) < size:
        # Common words are short ones, as in any language.
        syllable_count = 1 + stream.below(2 if len(made) < size // 50 else 3)
        word = "".join(
            stream.choice(_ONSETS) + stream.choice(_VOWELS) + stream.choice(_CODAS)
            for _ in range(syllable_count)
        )
        made.setdefault(word)
    return list(made)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the corpus; return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--avg-body-length", type=int, default=250)
    parser.add_argument("--ref-density", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "corpus")
    options = parser.parse_args(arguments)
    path = options.out / f"synthetic-{options.seed}-{options.count}.jsonl"
    made = sections(
        options.count,
        seed=options.seed,
        average_body_length=options.avg_body_length,
        reference_density=options.ref_density,
    )
    print(f"{write_jsonl(made, path)} sections, {path.stat().st_size / 1e6:.1f} MB: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
