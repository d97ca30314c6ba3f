"""The JSON of ``--json``: which fields each value has and what they mean.

``FIELDS`` is the documentation and the code at once: the reference page is made from it, and a
field that is not in it is not printed. ``COMMANDS`` lists the object each command prints.
"""

import base64
from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import StrEnum

from kbdb.model import (
    Agent,
    AgentSkill,
    BatchResult,
    Document,
    DocumentView,
    FolderResult,
    Hit,
    LearnedSection,
    LearnResult,
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
)

FIELDS: Mapping[type, Mapping[str, str]] = {
    SearchResult: {
        "query": "the query as it was given",
        "mode": "how it was matched: lexical, vector or hybrid",
        "matching": "how many of its words a hit had to have: all, most or any",
        "verdict": "answered, weak or unanswered",
        "hits": "list of hits, best first",
        "hidden_below_floor": "number of sections left out for covering too little of the query",
        "more": "number of whole hits that max_tokens left out",
    },
    Hit: {
        "kbid": "the section's id",
        "docid": "the document it belongs to",
        "title": "the section's title",
        "score": "BM25, comparable within one answer only",
        "confidence": "share of the query's information that the section covers, 0 to 1",
        "matched_terms": "list of the query's words that were found",
        "snippet": "the passage that fits best",
        "highlights": "list of [start, end) character ranges of matched words in the snippet",
        "tags": "list of tags",
        "type": "media type, or skill or agent",
    },
    LearnResult: {
        "docid": "the document that holds what was learned",
        "title": "the document's title",
        "sections": "list of learned sections, in order",
        "retired": "list of kb-ids that left search with it",
        "warnings": "list of sentences about what could not be taken as it was",
    },
    LearnedSection: {
        "kbid": "the section's id",
        "title": "the section's title",
        "new": "true when the base did not hold this section before",
        "near_duplicates": "list of sections that say nearly the same",
    },
    NearDuplicate: {
        "kbid": "the section's id",
        "title": "the section's title",
        "similarity": "Jaccard similarity of the sets of words, 0.85 to 1",
    },
    FolderResult: {
        "root": "the folder",
        "added": "list of docids learned for the first time",
        "updated": "list of docids whose file changed",
        "unchanged": "list of docids whose file did not change",
        "moved": "list of docids whose file has a new path and the same bytes",
        "retired": "list of docids whose file vanished",
        "kept_retired": "list of kb-ids the folder still holds that were unlearned or superseded",
        "section_count": "number of sections the folder holds",
        "new_section_count": "number of sections the base did not hold before",
        "skipped": "list of paths that were not learned",
        "warnings": "list of sentences about what could not be taken as it was",
    },
    Skipped: {"path": "the file or folder", "reason": "why it was not learned"},
    BatchResult: {
        "documents": "list of learned documents, in the order of the batch",
        "section_count": "number of sections in the batch",
        "new_section_count": "number of sections the base did not hold before",
    },
    Document: {
        "docid": "the document's id",
        "title": "its title",
        "description": "its description",
        "type": "media type of its source",
        "tags": "list of tags",
        "created": "when it was first learned, ISO 8601 in UTC",
        "updated": "when it was last learned, ISO 8601 in UTC",
        "source": "the file it was learned from, or null",
        "arguments": "list of arguments, for a skill",
        "skills": "list of kb-ids of skills in order, for an agent",
        "front_matter": "the source's own front matter, word for word",
    },
    Source: {
        "path": "path of the file, relative to the folder that holds the base where it can be",
        "digest": "sha256: and 64 hex digits",
        "size_bytes": "size of the file in bytes",
    },
    SectionRef: {
        "level": "heading level, 1 to 6; 0 for text before any heading",
        "parent": "kb-id of the section whose heading encloses this one, or null",
        "tags": "list of tags",
        "created": "when it was learned, ISO 8601 in UTC",
    },
    SectionView: {
        "docids": "list of documents that hold the section; empty once it is retired",
        "tags": "list of tags",
        "level": "heading level, 1 to 6; 0 for text before any heading",
        "parent": "kb-id of the section whose heading encloses this one, or null",
        "created": "when it was learned, ISO 8601 in UTC",
        "links": "list of ids the section links to",
        "backlinks": "list of kb-ids that link to it",
        "tombstone": "when and why it was retired, or null",
    },
    Section: {
        "kbid": "the section's id",
        "type": "media type, or skill or agent",
        "title": "the section's title",
        "text": "the body, where it is text",
        "body_base64": "the body in base64, where it is an image",
    },
    Tombstone: {
        "kbid": "the retired section",
        "at": "when, ISO 8601 in UTC",
        "why": "superseded, unlearned, replaced or vanished",
        "by": "kb-id of the section that took its place, or null",
        "docids": "list of documents it was in",
    },
    UnlearnResult: {
        "kbid": "the section that left search",
        "docids": "list of documents it was in",
        "linked_from": "list of kb-ids that still link to it",
    },
    Status: {
        "path": "folder of the knowledge base",
        "format": "format of its files",
        "documents": "number of documents",
        "sections": "number of live sections",
        "retired": "number of retired sections",
        "skills": "number of skills",
        "agents": "number of agents",
        "pending": "number of sections searched beside the main index until it takes them in",
        "generation": "number of the index's current generation",
        "records_bytes": "size of the records in bytes",
        "index_bytes": "size of the indexes in bytes",
        "language": "language whose word forms are matched",
        "writable": "whether this process may write to it",
        "warnings": "list of sentences about what needs attention",
    },
    Skill: {
        "kbid": "the skill's id",
        "name": "its name",
        "description": "what it is for",
        "body": "the template, with {{argument}} placeholders",
        "arguments": "list of arguments",
    },
    SkillArgument: {
        "name": "its name in the template",
        "description": "what it is",
        "required": "whether it must be given",
    },
    Agent: {
        "docid": "the agent's id",
        "name": "its name",
        "description": "what it is for",
        "persona": "who it is, in Markdown",
        "skills": "list of its skills, in order",
    },
    AgentSkill: {
        "kbid": "the skill's id",
        "skill": "the skill, or null when it was deleted",
    },
}

COMMANDS: Mapping[str, Mapping[str, str]] = {
    "db init": {"path": "folder of the new knowledge base", "created": "true"},
    "learn": {
        "results": "list, one entry a path: `path`, `kind` (file, folder or stdin), and the fields"
        " of LearnResult for a file or stdin, of FolderResult for a folder",
        "errors": "list of paths that failed: `path`, `code`, `message`, `hint`",
        "section_count": "number of sections learned from all paths",
        "new_section_count": "number of sections the base did not hold before",
    },
    "batch-learn": FIELDS[BatchResult],
    "search": FIELDS[SearchResult],
    "retrieve": {
        "kind": "section or document",
        "...": "for a section the fields of Section and SectionView; for a document those of"
        " Document and `sections`, a list with the fields of Section and SectionRef; with --output"
        " instead `path`, the file that was written, and `size_bytes`",
    },
    "content": {"content": "one Markdown document with all that was asked for"},
    "unlearn": FIELDS[UnlearnResult],
    "status": FIELDS[Status],
    "skill learn": FIELDS[Skill],
    "skill list": {"skills": "list of skills"},
    "skill get": FIELDS[Skill],
    "skill delete": FIELDS[UnlearnResult],
    "agent create": FIELDS[Agent],
    "agent list": {"agents": "list of agents"},
    "agent get": FIELDS[Agent],
    "agent delete": FIELDS[Agent],
    "(any that fails)": {"error": "object with `code`, `message` and `hint` (or null)"},
}

Json = dict[str, object]


def view(value: object) -> Json:
    """Return a frozen value as the object ``--json`` prints."""
    if isinstance(value, SectionView):
        return {"kind": "section", **_section(value.section), **_fields(value)}
    if isinstance(value, DocumentView):
        return _document_view(value)
    if isinstance(value, Section):
        return _section(value)
    return _fields(value)


def error_view(code: str, message: str, hint: str | None) -> Json:
    """Return the object a failed command prints."""
    return {"error": {"code": code, "message": message, "hint": hint}}


def _fields(value: object) -> Json:
    return {name: _plain(getattr(value, name)) for name in FIELDS[type(value)]}


def _plain(value: object) -> object:
    if is_dataclass(value):
        return view(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, StrEnum) else value


def _section(section: Section) -> Json:
    head: Json = {"kbid": section.kbid, "type": section.type, "title": section.title}
    if section.is_text:
        return {**head, "text": section.text}
    return {**head, "body_base64": base64.b64encode(section.body).decode()}


def _document_view(document_view: DocumentView) -> Json:
    refs = {ref.kbid: ref for ref in document_view.document.sections}
    sections = [
        {
            **_section(section),
            **_fields(refs.get(section.kbid, SectionRef(kbid=section.kbid))),
        }
        for section in document_view.sections
    ]
    head = {**_fields(document_view.document), "tags": list(document_view.tags)}
    return {"kind": "document", **head, "sections": sections}
