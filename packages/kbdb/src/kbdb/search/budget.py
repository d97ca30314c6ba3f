"""Whole hits within a budget of tokens."""

from collections.abc import Sequence

from kbdb.model import Hit

_ASCII_PER_TOKEN = 4
# What the field names, ids and numbers of a hit cost beside its text.
_HIT_OVERHEAD = 60


def estimate_tokens(text: str) -> int:
    """Estimate a text's tokens: one for four ASCII characters, one for any other character."""
    ascii_count = len(text.encode("ascii", "ignore"))
    return -(-ascii_count // _ASCII_PER_TOKEN) + len(text) - ascii_count


def within_budget(hits: Sequence[Hit], max_tokens: int | None) -> tuple[list[Hit], int]:
    """Return the first hits that fit together, and how many more there are."""
    if max_tokens is None:
        return list(hits), 0
    kept: list[Hit] = []
    left = max_tokens
    for hit in hits:
        left -= _HIT_OVERHEAD + estimate_tokens(hit.title + hit.snippet + "".join(hit.tags))
        if left < 0:
            break
        kept.append(hit)
    return kept, len(hits) - len(kept)
