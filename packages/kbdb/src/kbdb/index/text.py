"""What of a section is searched."""

from kbdb.index.analysis import Analyzer
from kbdb.model import Section

# One field that repeats the title ranks better than two weighted fields, and is faster; three times
# ranks best on the judged collections.
_TITLE_WEIGHT = 3


def search_terms(analyzer: Analyzer, section: Section, extra: str) -> str:
    """Return a section's terms: title, weighted, then what its documents add, then the body."""
    title = analyzer.terms(section.title)
    rest = analyzer.terms(f"{extra}\n{section.text}" if extra else section.text)
    return " ".join((*[title] * _TITLE_WEIGHT, rest)).strip()
