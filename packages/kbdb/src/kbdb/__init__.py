"""A knowledge base in a folder: learn documents, search them, retrieve sections by id.

The public names stand in ``__all__``; they come from ``base``, ``errors`` and ``model`` when they
are first used, so that ``import kbdb`` loads no engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbdb.base import KnowledgeBase
    from kbdb.errors import (
        AlreadyExistsError,
        CancelledError,
        ClosedError,
        ConfigError,
        ConfirmationNeededError,
        DamagedError,
        DiskFullError,
        KbdbError,
        LockedError,
        ModeUnavailableError,
        NewerFormatError,
        NotAKnowledgeBaseError,
        NotFoundError,
        NothingToLearnError,
        PathNotFoundError,
        ReadOnlyError,
        StorageError,
        UnknownIdError,
        UnknownValueError,
        UsageError,
    )
    from kbdb.model import (
        Agent,
        AgentSkill,
        BatchItem,
        BatchResult,
        Document,
        DocumentView,
        FolderResult,
        Hit,
        LearnedSection,
        LearnResult,
        Mode,
        NearDuplicate,
        SearchResult,
        Section,
        SectionRef,
        SectionView,
        Skill,
        SkillArgument,
        Skipped,
        Source,
        Status,
        Tombstone,
        UnlearnResult,
        Verdict,
        Why,
    )

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AgentSkill",
    "AlreadyExistsError",
    "BatchItem",
    "BatchResult",
    "CancelledError",
    "ClosedError",
    "ConfigError",
    "ConfirmationNeededError",
    "DamagedError",
    "DiskFullError",
    "Document",
    "DocumentView",
    "FolderResult",
    "Hit",
    "KbdbError",
    "KnowledgeBase",
    "LearnResult",
    "LearnedSection",
    "LockedError",
    "Mode",
    "ModeUnavailableError",
    "NearDuplicate",
    "NewerFormatError",
    "NotAKnowledgeBaseError",
    "NotFoundError",
    "NothingToLearnError",
    "PathNotFoundError",
    "ReadOnlyError",
    "SearchResult",
    "Section",
    "SectionRef",
    "SectionView",
    "Skill",
    "SkillArgument",
    "Skipped",
    "Source",
    "Status",
    "StorageError",
    "Tombstone",
    "UnknownIdError",
    "UnknownValueError",
    "UnlearnResult",
    "UsageError",
    "Verdict",
    "Why",
]


def __getattr__(name: str) -> object:
    """Import a public name from the module that defines it (PEP 562)."""
    if name in __all__:
        for home in ("kbdb.errors", "kbdb.model", "kbdb.base"):  # the lightest first
            module = import_module(home)
            if hasattr(module, name):
                value: object = getattr(module, name)
                globals()[name] = value
                return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
