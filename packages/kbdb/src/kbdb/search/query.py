"""A user's text read as a query. Text is never a query language: whatever it holds, it is read."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kbdb.index.analysis import Analyzer, Word, is_single_character
from kbdb.index.matching import Unit
from kbdb.search.stopwords import stop_words

_QUOTES = '"\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d'
_QUOTED = re.compile(f"[{_QUOTES}]([^{_QUOTES}]+)[{_QUOTES}]")
# A query of ten thousand words is read as far as its first few hundred different ones.
_MAX_UNITS = 256
# In a short query even a stop word tells similar sections apart; in a long one it is only noise.
_SHORT = 12
_SUFFIXES = ("++", "#")
# Who asks does not quote: the answer need not hold the words that make it a question.
_QUESTIONS = """
what how where which who whose when why is are was were do does did can could should would will has
have had may must
"""
_ASKING = frozenset(_QUESTIONS.split())


@dataclass(frozen=True, slots=True)
class Reading:
    """What a query asks for: its words, each once, its stop words, its phrases as runs of terms."""

    units: tuple[Unit, ...]
    hints: tuple[str, ...]
    is_question: bool
    phrases: tuple[tuple[str, ...], ...]


def read_query(
    text: str, analyzer: Analyzer, *, with_prefix: Callable[[str], Iterable[str]]
) -> Reading:
    """Read a query.

    Args:
        text: Anything a user types.
        analyzer: The one the index was made with.
        with_prefix: Returns the index's terms that start with a prefix; asked for single characters
        of
            scripts without spaces, which the index holds within bigrams.
    """
    words = list(analyzer.words(text))
    silent = stop_words(analyzer.language)
    spoken = [word for word in words if not _is_silent(word, analyzer, silent)]
    return Reading(
        units=_units(spoken or words, with_prefix),
        hints=_hints(words, spoken),
        is_question=bool(words) and words[0].surface in _ASKING,
        phrases=tuple(_phrases(text, analyzer)),
    )


def _units(words: Iterable[Word], with_prefix: Callable[[str], Iterable[str]]) -> tuple[Unit, ...]:
    counts: dict[tuple[str, ...], int] = {}
    first: dict[tuple[str, ...], Word] = {}
    for word in words:
        if word.terms in counts or len(counts) < _MAX_UNITS:
            counts[word.terms] = counts.get(word.terms, 0) + 1
            first.setdefault(word.terms, word)
    return tuple(
        Unit(word.surface, _alternatives(word, with_prefix), counts[terms])
        for terms, word in first.items()
    )


def _hints(words: Sequence[Word], spoken: Sequence[Word]) -> tuple[str, ...]:
    if not spoken or len(words) > _SHORT:
        return ()
    said = {word.whole for word in spoken}
    return tuple(dict.fromkeys(word.whole for word in words if word.whole not in said))


def _alternatives(
    word: Word, with_prefix: Callable[[str], Iterable[str]]
) -> tuple[tuple[str, ...], ...]:
    if is_single_character(word.whole):
        return ((word.whole,), *((term,) for term in with_prefix(word.whole) if term != word.whole))
    # C is no part answer to a question about C++.
    is_other_name = word.whole.endswith(_SUFFIXES)
    return ((word.whole,), word.parts) if word.parts and not is_other_name else ((word.whole,),)


def _is_silent(word: Word, analyzer: Analyzer, silent: frozenset[str]) -> bool:
    if not any(map(str.isalnum, word.whole)) and word.whole.isascii():
        return True
    return not word.parts and word.whole in _stemmed(analyzer, silent)


def _stemmed(analyzer: Analyzer, silent: frozenset[str]) -> frozenset[str]:
    known = _STEMMED.get(analyzer.language)
    if known is None:
        known = frozenset(analyzer.terms(word) for word in silent)
        _STEMMED[analyzer.language] = known
    return known


_STEMMED: dict[str, frozenset[str]] = {}


def _phrases(text: str, analyzer: Analyzer) -> Iterable[tuple[str, ...]]:
    for match in _QUOTED.finditer(text):
        terms = tuple(term for word in analyzer.words(match[1]) for term in word.terms)
        if len(terms) > 1:
            yield terms
