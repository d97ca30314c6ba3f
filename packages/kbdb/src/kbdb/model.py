"""Frozen values that cross the borders of kbdb's modules.

Times are ISO 8601 in UTC with seconds, such as ``2026-01-31T08:30:00Z``. Bodies are bytes: UTF-8
for text, anything for images.
"""

from dataclasses import dataclass, field
from enum import StrEnum

MARKDOWN = "text/markdown"
HTML = "text/html"
PLAIN = "text/plain"
TOML = "application/toml"
JSON = "application/json"
SKILL = "skill"
AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The addressable unit: what the kb-id is computed over, and nothing else.

    ``type`` is a media type, or ``skill`` or ``agent``. ``body`` is kept byte for byte.
    """

    kbid: str
    type: str
    title: str
    body: bytes

    @property
    def is_text(self) -> bool:
        """Say whether the body is UTF-8 text rather than an image."""
        return is_text_type(self.type)

    @property
    def text(self) -> str:
        """The body as text; empty for an image."""
        return self.body.decode("utf-8", "replace") if self.is_text else ""


def is_text_type(media_type: str) -> bool:
    """Say whether bodies of this type are UTF-8 text."""
    return not media_type.startswith("image/")


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRef:
    """A section's place in a document.

    ``level`` is the heading level (1 to 6, 0 for text before any heading); ``parent`` is the kb-id
    of the section whose heading encloses this one.
    """

    kbid: str
    level: int = 0
    parent: str | None = None
    tags: tuple[str, ...] = ()
    created: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The file a document was learned from.

    ``path`` is relative to the folder that holds the knowledge base where it can be, else absolute,
    always with forward slashes. ``digest`` is ``sha256:`` and 64 hex digits.
    """

    path: str
    digest: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillArgument:
    """One ``{{name}}`` placeholder of a skill."""

    name: str
    description: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An ordered list of sections with what is known about it; stored as one manifest.

    ``arguments`` belongs to skills, ``skills`` (kb-ids in order) to agents, ``front_matter`` is the
    source's own block, kept verbatim.
    """

    docid: str
    title: str
    description: str = ""
    type: str = MARKDOWN
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    source: Source | None = None
    sections: tuple[SectionRef, ...] = ()
    arguments: tuple[SkillArgument, ...] = ()
    skills: tuple[str, ...] = ()
    front_matter: str = ""


class Why(StrEnum):
    """Why a section was retired."""

    SUPERSEDED = "superseded"
    UNLEARNED = "unlearned"
    REPLACED = "replaced"
    VANISHED = "vanished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """The note that a section was retired: when, why, from where, and what took its place."""

    kbid: str
    at: str
    why: Why
    by: str | None = None
    docids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One section as a parser cut it; ``parent`` is the index of the enclosing part."""

    title: str
    body: bytes
    type: str
    level: int = 0
    parent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a parser made of a source's bytes; ``warnings`` are sentences for the user."""

    title: str
    type: str
    description: str = ""
    tags: tuple[str, ...] = ()
    front_matter: str = ""
    parts: tuple[Part, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NearDuplicate:
    """A live section with nearly the same set of terms; ``similarity`` is Jaccard, 0.85 to 1."""

    kbid: str
    title: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedSection:
    """One section of what was learned; ``new`` says that no live section had this id before."""

    kbid: str
    title: str
    new: bool
    near_duplicates: tuple[NearDuplicate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnResult:
    """What one learned document became; ``retired`` are the kb-ids that left search with it."""

    docid: str
    title: str
    sections: tuple[LearnedSection, ...]
    retired: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A path that was not learned, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderResult:
    """What learning a folder did; each tuple holds docids unless said otherwise.

    ``moved`` are documents whose file has a new path and the same bytes; ``kept_retired`` are
    kb-ids that the folder still holds but that were unlearned or superseded on purpose.
    """

    root: str
    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    kept_retired: tuple[str, ...] = ()
    section_count: int = 0
    new_section_count: int = 0
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchItem:
    """One text of a batch, with what ``KnowledgeBase.learn`` takes beside it."""

    content: str
    type: str = MARKDOWN
    title: str = ""
    description: str = ""
    docid: str = ""
    tags: tuple[str, ...] = ()
    replace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResult:
    """What a batch did, in the order of its items."""

    documents: tuple[LearnResult, ...]
    section_count: int
    new_section_count: int


class Verdict(StrEnum):
    """Whether the knowledge base holds what was asked for."""

    ANSWERED = "answered"
    WEAK = "weak"
    UNANSWERED = "unanswered"


class Mode(StrEnum):
    """How a query is matched."""

    AUTO = "auto"
    LEXICAL = "lexical"
    VECTOR = "vector"
    HYBRID = "hybrid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One search result.

    ``score`` is BM25, comparable within one answer only. ``confidence`` is the share of the query's
    information that the section covers, 0 to 1. ``highlights`` are half-open character ranges of
    the matched words in ``snippet``.
    """

    kbid: str
    docid: str
    title: str
    score: float
    confidence: float
    matched_terms: tuple[str, ...]
    snippet: str
    tags: tuple[str, ...]
    type: str
    highlights: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The answer to a query, best hit first.

    ``hidden_below_floor`` counts sections that ranked among the best and were left out because they
    cover too little of the query; ``more`` counts whole hits that ``max_tokens`` left out.
    ``matching`` says how far the query was loosened: ``all``, ``most`` or ``any`` of its words.
    """

    query: str
    mode: Mode
    hits: tuple[Hit, ...]
    verdict: Verdict
    hidden_below_floor: int = 0
    more: int = 0
    matching: str = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section with all that is known about it; ``docids`` is empty once it is retired."""

    section: Section
    docids: tuple[str, ...]
    tags: tuple[str, ...]
    level: int
    parent: str | None
    created: str
    links: tuple[str, ...] = ()
    backlinks: tuple[str, ...] = ()
    tombstone: Tombstone | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """A document and its live sections in order."""

    document: Document
    sections: tuple[Section, ...]

    @property
    def tags(self) -> tuple[str, ...]:
        """The document's own tags and those of its sections, each once."""
        own = (tag for ref in self.document.sections for tag in ref.tags)
        return tuple(dict.fromkeys((*self.document.tags, *own)))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlearnResult:
    """What unlearning a section changed; ``linked_from`` still refer to it."""

    kbid: str
    docids: tuple[str, ...]
    linked_from: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A prompt template that agents can use; ``body`` may hold ``{{argument}}`` placeholders."""

    kbid: str
    name: str
    description: str
    body: str
    arguments: tuple[SkillArgument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSkill:
    """A skill as an agent refers to it; ``skill`` is None when it was deleted."""

    kbid: str
    skill: Skill | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A persona with an ordered choice of skills."""

    docid: str
    name: str
    description: str
    persona: str
    skills: tuple[AgentSkill, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What an operator asks about a knowledge base; sizes in bytes.

    ``pending`` counts sections that are searched beside the main index until it takes them in.
    """

    path: str
    format: str
    documents: int
    sections: int
    retired: int
    skills: int
    agents: int
    pending: int
    generation: int
    records_bytes: int
    index_bytes: int
    language: str
    writable: bool
    warnings: tuple[str, ...] = field(default=())
