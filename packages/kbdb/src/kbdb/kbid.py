"""The kb-id: a section's address, computed from its content alone.

``docs/internals/on-disk-format.md`` publishes the recipe with test vectors; changing it changes
every id there is, so it never changes within format 1.
"""

import hashlib
import re

from kbdb.model import is_text_type

LENGTH = 26
_BITS = LENGTH * 5
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_SHAPE = re.compile(f"[{_ALPHABET}]{{{LENGTH}}}")


def canonical_bytes(*, type: str, title: str, body: bytes) -> bytes:
    """Return the bytes a kb-id is the digest of.

    Each part is preceded by its length, so no two triples share a canonical form. Line ends of text
    become LF; runs of white space in the title become one space.
    """
    if is_text_type(type):
        body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    parts = (type.encode(), " ".join(title.split()).encode("utf-8", "replace"), body)
    return b"kbdb section 1\n" + b"".join(b"%d:%b\n" % (len(part), part) for part in parts)


def kbid_of(*, type: str, title: str, body: bytes) -> str:
    """Return the kb-id: 130 bits of SHA-256 in lower-case Crockford base32, 26 characters."""
    digest = hashlib.sha256(canonical_bytes(type=type, title=title, body=body)).digest()
    number = int.from_bytes(digest, "big") >> (len(digest) * 8 - _BITS)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(_BITS - 5, -1, -5))


def is_kbid(text: str) -> bool:
    """Say whether the text has the shape of a kb-id."""
    return _SHAPE.fullmatch(text) is not None
