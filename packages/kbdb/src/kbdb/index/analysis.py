"""Text to terms, the same way for sections and for queries.

Text is cut at white space; each piece is folded (compatibility forms, case, accents) and cut again
at the borders of scripts, words and identifiers. Runs of scripts written without spaces become
bigrams.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from kbdb.errors import UnknownValueError

# A change of the analysis makes old indexes unusable; they are rebuilt when this differs.
VERSION = 1
NO_LANGUAGE = "none"
_MAX_TERM = 64
_MAX_WHOLE = 128
_CACHED_LENGTH = 40
_CACHED_COUNT = 1 << 17
_QUERY_PIECES = 4_096

# Han, kana, Hangul, Thai, Lao, Myanmar, Khmer: no spaces between words, or particles glued to them.
_UNSPACED = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
)
# Marks that belong to the letter before them and that \w leaves out.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0dff\u0f00-\u0fff"
)
_SYMBOLS = "\u2600-\u27bf\U0001f000-\U0001faff"
_WORD = rf"(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])"
_PIECE = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    rf"|(?P<compound>{_WORD}+(?:[._'\-/\\:@&]+{_WORD}+)*(?:\+\+|\#)?)"
    rf"|(?P<symbol>[{_SYMBOLS}])"
)
_RUN = re.compile(f"[{_UNSPACED}]+")
# Punctuation that says something, such as -> or !=; rules, fences and marks of Markdown do not.
_OPERATOR = re.compile(r"(?![-|:=`_*#.,;?!'\"]+$)(?=(.)\1*(?!\1).)[!-/:-@\[-`{-~]{2,8}")
_DROPPED = re.compile("[\u0300-\u036f\u064b-\u065f\u0591-\u05c7\u200c\u200d\u00ad]")
_PLAIN = re.compile(r"[a-z]+")
_COMPONENT = re.compile(r"[/\\:@&]+")
_ATOM = re.compile(r"[._'\-]+")
_CONTRACTION = re.compile(r"(?<=\w)'(s|t|re|ve|ll|d|m)$")
# userName | HTTPServer, then sha|256 and 3|D.
_HUMP = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DIGIT_BORDER = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_MAX_DIGIT_PARTS = 3
_FOLD = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i"}
)
_QUOTES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-"})


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text: the whole as it stands and the parts it can be cut into.

    ``whole`` is a single term; ``parts`` is empty when the word cannot be cut; ``surface`` is the
    word as a person wrote it, in lower case.
    """

    whole: str
    surface: str
    parts: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """All terms of the word, in the order in which they are indexed."""
        return (self.whole, *self.parts)


class _TermCache(dict[str, str]):
    """Terms by piece of text; text repeats itself so much that this is most of the speed."""

    def __init__(self, analyse: Callable[[str], str]) -> None:
        super().__init__()
        self._analyse = analyse

    def __missing__(self, piece: str) -> str:
        terms = self._analyse(piece)
        if len(piece) <= _CACHED_LENGTH:
            if len(self) >= _CACHED_COUNT:
                self.clear()
            self[piece] = terms
        return terms


class Analyzer:
    """Cuts text into terms for one language."""

    def __init__(self, language: str) -> None:
        """Choose the stemmer.

        Raises:
            UnknownValueError: There is no stemmer for the language.
        """
        self.language = language
        self._stem = _stemmer(language)
        self._known_words = lru_cache(maxsize=_QUERY_PIECES)(
            lambda piece: tuple(self._words(piece, run_end=False))
        )
        self._cache = _TermCache(lambda piece: " ".join(self._piece_terms(piece)))

    @property
    def signature(self) -> str:
        """Name what an index must have been made with to fit this analyser."""
        return f"{VERSION}:{self.language}"

    def terms(self, text: str) -> str:
        """Return the terms of a text, separated by spaces, in order and with repeats."""
        return " ".join(filter(None, self.terms_of_pieces(text.split())))

    def words(self, text: str) -> Iterable[Word]:
        """Yield the words of a query, in order and with repeats.

        Of an unspaced run only the bigrams: its last character alone is a term of the index, there
        for queries of one character, and would ask that a run end where the query's does.
        """
        for piece in text.split():
            if len(piece) <= _CACHED_LENGTH:
                yield from self._known_words(piece)
            else:
                yield from self._words(piece, run_end=False)

    def terms_of_pieces(self, pieces: Sequence[str]) -> Sequence[str]:
        """Return the terms of each piece, separated by spaces; a piece holds no white space."""
        if len(pieces) < 2:
            return [self._cache[piece] for piece in pieces]
        # Measured to be twice as fast as a loop over the cache, and searches spend their time here.
        found: tuple[str, ...] = itemgetter(*pieces)(self._cache)
        return found

    def _piece_terms(self, piece: str) -> Iterable[str]:
        if _PLAIN.fullmatch(piece) and len(piece) <= _MAX_TERM:
            yield self._stem(piece)
            return
        for word in self._words(piece):
            yield from word.terms

    def _words(self, piece: str, *, run_end: bool = True) -> Iterable[Word]:
        text = unicodedata.normalize("NFKC", piece).translate(_QUOTES)
        if _OPERATOR.fullmatch(text):
            yield Word(text, text)
            return
        # NFKC turns some characters into several with spaces between.
        for match in _PIECE.finditer(text):
            found = match[0]
            if match["run"]:
                for start in range(max(1, len(found) - 1)):
                    yield Word(found[start : start + 2], found[start : start + 2])
                if run_end and len(found) > 1:
                    yield Word(found[-1], found[-1])
            elif match["symbol"]:
                yield Word(found, found)
            else:
                yield from self._compound(found)

    def _compound(self, text: str) -> Iterable[Word]:
        text = _CONTRACTION.sub("", text) if text.endswith("'s") else text
        components = _COMPONENT.split(text)
        if len(components) == 1:
            whole, parts = self._component(text)
            if whole:
                yield Word(whole, text.lower(), parts)
            return
        terms: list[str] = []
        for component in filter(None, components):
            whole, parts = self._component(component)
            terms += filter(None, (whole, *parts))
        if not terms:
            return
        whole = _fold(text)
        if len(whole) <= _MAX_WHOLE:
            yield Word(whole, text.lower(), tuple(terms))
        else:
            yield from (Word(term, term) for term in terms)

    def _component(self, text: str) -> tuple[str, tuple[str, ...]]:
        suffix = "++" if text.endswith("++") else "#" if text.endswith("#") else ""
        core = text[: len(text) - len(suffix)] if suffix else text
        if _CONTRACTION.search(core):
            core = core.replace("'", "")
        atoms = [atom for atom in _ATOM.split(core) if atom]
        parts = [part for atom in atoms for part in _cut(atom)]
        # A mark without a letter folds to nothing.
        folded = [term for part in parts if (term := self._term(part))]
        if suffix:
            return _fold(core)[:_MAX_TERM] + suffix, tuple(folded)
        if len(folded) < 2:
            return "".join(folded), ()
        if all(atom.isdigit() for atom in atoms):
            return core[:_MAX_TERM], tuple(folded)
        squashed = self._term("".join(atoms) if "." not in core else core.lower())
        return squashed, tuple(folded)

    def _term(self, part: str) -> str:
        folded = _fold(part)[:_MAX_TERM]
        return self._stem(folded) if folded.isalpha() else folded


def _cut(atom: str) -> list[str]:
    """Cut a word at its humps, and each at its digits; one that is more of a code stays whole."""
    humps = [atom] if atom.islower() or atom.isdigit() else _HUMP.split(atom)
    return [piece for hump in humps for piece in _cut_at_digits(hump)]


def _cut_at_digits(hump: str) -> list[str]:
    pieces = _DIGIT_BORDER.split(hump)
    # The letters of v2 or a1b2 are no words: they would be found everywhere.
    is_code = any(len(piece) == 1 and piece.isalpha() for piece in pieces)
    return [hump] if is_code or len(pieces) > _MAX_DIGIT_PARTS else pieces


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = text.casefold()
    decomposed = _DROPPED.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", decomposed).translate(_FOLD)


def is_single_character(term: str) -> bool:
    """Say whether a term is one character of an unspaced script, which stands for its bigrams."""
    return len(term) == 1 and _RUN.fullmatch(term) is not None


@lru_cache(maxsize=4)
def _stemmer(language: str) -> Callable[[str], str]:
    if language == NO_LANGUAGE:
        return lambda term: term
    import Stemmer

    known = (*sorted(Stemmer.algorithms()), NO_LANGUAGE)
    if language not in known:
        raise UnknownValueError("language", language, known)
    stem: Callable[[str], str] = Stemmer.Stemmer(language, 0).stemWord
    return stem
