"""Docids: names for documents that are safe as file names on every system."""

import re
import unicodedata

_MAX_CHARACTERS = 80
_MAX_BYTES = 200
_LAST_RESORT = "document"
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
_FORBIDDEN = frozenset('/\\<>:"|?*')
_FORBIDDEN_CATEGORIES = frozenset(["Cc", "Cs", "Zl", "Zp"])
# Letters that Unicode does not decompose into a base letter and a mark.
_FOLDED = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i"}
)
_APOSTROPHES = str.maketrans("", "", "'’ʼ")
_NOT_ASCII_WORD = re.compile(r"[^a-z0-9]+")


def slug(text: str, *, fallback: str) -> str:
    """Return a docid made from a title: lower-case words joined by single hyphens.

    Accents are folded off. A text without Latin letters keeps the letters and digits of its own
    script. The result has at most 80 characters and 200 UTF-8 bytes, is never empty, satisfies
    ``is_docid``, and is unchanged when it is made into a slug again.

    Args:
        text: A title, in any script.
        fallback: Used instead when the text has no letter or digit; ``document`` if that has none.
    """
    for candidate in (text, fallback):
        made = _words(candidate)
        if made:
            return f"{made}-doc" if made in _RESERVED else made
    return _LAST_RESORT


def is_docid(text: str) -> bool:
    """Say whether the text can be a docid and a file name on every system."""
    return (
        bool(text)
        and not text.startswith((".", " "))
        and not text.endswith((".", " "))
        and not any(
            c in _FORBIDDEN or unicodedata.category(c) in _FORBIDDEN_CATEGORIES for c in text
        )
        and len(text.encode()) <= _MAX_BYTES
        and text.split(".", 1)[0].lower() not in _RESERVED
    )


def _words(text: str) -> str:
    # Only the beginning can matter, and a title may be a megabyte.
    plain = text[: 16 * _MAX_CHARACTERS].translate(_APOSTROPHES)
    folded = unicodedata.normalize("NFKD", plain.casefold()).casefold().translate(_FOLDED)
    bare = "".join(c for c in folded if not unicodedata.combining(c))
    ascii_words = _NOT_ASCII_WORD.sub("-", bare).strip("-")
    if re.search("[a-z]", ascii_words):
        return _shorten(ascii_words)
    own_script = unicodedata.normalize("NFC", unicodedata.normalize("NFC", plain).lower())
    kept = "".join(c if _is_word_character(c) else "-" for c in own_script)
    return _shorten(re.sub("-+", "-", kept).strip("-"))


def _is_word_character(character: str) -> bool:
    # Marks are letters' vowels in the scripts of India and must stay with them.
    return character.isalnum() or unicodedata.category(character) in ("Mn", "Mc")


def _shorten(words: str) -> str:
    """Cut to the limits, at a hyphen if that loses less than half."""
    short = words[:_MAX_CHARACTERS].encode()[:_MAX_BYTES].decode("utf-8", "ignore")
    if len(short) < len(words) and words[len(short)] != "-":
        at = short.rfind("-")
        short = short[:at] if at > len(short) // 2 else short
    return short.strip("-")
