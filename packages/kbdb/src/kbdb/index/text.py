"""What of a section is searched."""

from kbdb.index.analysis import Analyzer

# One field that repeats the title ranks better than two weighted fields, and is faster; three times
# ranks best on the judged collections.
_TITLE_WEIGHT = 3


def body_terms(analyzer: Analyzer, text: str) -> str:
    """Return the terms of a section's text, a line for each piece between white space."""
    return "\n".join(analyzer.terms_of_pieces(text.split()))


def search_terms(analyzer: Analyzer, *, title: str, extra: str, body: str) -> str:
    """Return all terms of a section, separated by white space.

    Args:
        analyzer: The one that made ``body``.
        title: Weighted.
        extra: What the section's documents add to it.
        body: The terms of its text, from ``body_terms``.
    """
    return " ".join((*[analyzer.terms(title)] * _TITLE_WEIGHT, analyzer.terms(extra), body)).strip()
