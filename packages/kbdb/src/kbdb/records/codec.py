"""Records to bytes and back: section files, document manifests, tombstones.

Decoding trusts nothing: whatever is not as written raises ``DamagedError`` with the file's name.
"""

import json
import re
from typing import Any

from kbdb.errors import DamagedError
from kbdb.model import Document, SectionRef, SkillArgument, Source, Tombstone, Why

_FENCE = b"---\n"
_FENCE_AFTER = b"\n---\n"
# Characters that JSON leaves bare and YAML forbids.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def encode_section(*, type: str, title: str, body: bytes) -> bytes:
    """Return a section file: a front matter of JSON values, then the body byte for byte.

    The result depends on the section's identity alone, so two copies of a knowledge base that hold
    the same section hold the same file.
    """
    head = f"---\ntype: {_scalar(type)}\ntitle: {_scalar(title)}\n---\n"
    return head.encode() + body


def decode_section(data: bytes, *, name: str) -> tuple[str, str, bytes]:
    """Return type, title and body of a section file."""
    end = _head_end(data, name)
    fields: dict[str, str] = {}
    try:
        for line in data[len(_FENCE) : end].split(b"\n"):
            key, _, value = line.partition(b": ")
            fields[key.decode("ascii")] = _checked(json.loads(value), str)
        return fields["type"], fields["title"], data[end + len(_FENCE_AFTER) :]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise damaged(name, "its front matter does not parse") from error


def body_of(data: bytes, *, name: str) -> bytes:
    """Return the body of a section file; its front matter is not looked at."""
    return data[_head_end(data, name) + len(_FENCE_AFTER) :]


def encode_document(document: Document) -> bytes:
    """Return a manifest: one JSON object, indented, with keys in a fixed order."""
    fields: dict[str, Any] = {
        "docid": document.docid,
        "title": document.title,
        "description": document.description,
        "type": document.type,
        "tags": list(document.tags),
        "created": document.created,
        "updated": document.updated,
    }
    if document.source:
        source = document.source
        fields["source"] = {
            "path": source.path,
            "digest": source.digest,
            "size_bytes": source.size_bytes,
        }
    if document.arguments:
        fields["arguments"] = [
            {"name": one.name, "description": one.description, "required": one.required}
            for one in document.arguments
        ]
    if document.skills:
        fields["skills"] = list(document.skills)
    if document.front_matter:
        fields["front_matter"] = document.front_matter
    fields["sections"] = [_encode_ref(ref) for ref in document.sections]
    return _dump(fields)


def decode_document(data: bytes, *, docid: str, name: str) -> Document:
    """Return the document of a manifest, whose own docid must be that of its file."""
    try:
        raw = _checked(json.loads(data), dict)
        source = raw.get("source")
        document = Document(
            docid=_checked(raw["docid"], str),
            title=_checked(raw["title"], str),
            description=_checked(raw["description"], str),
            type=_checked(raw["type"], str),
            tags=_strings(raw["tags"]),
            created=_checked(raw["created"], str),
            updated=_checked(raw["updated"], str),
            source=_decode_source(_checked(source, dict)) if source is not None else None,
            sections=tuple(_decode_ref(_checked(ref, dict)) for ref in raw["sections"]),
            arguments=tuple(
                _decode_argument(_checked(one, dict)) for one in raw.get("arguments", ())
            ),
            skills=_strings(raw.get("skills", [])),
            front_matter=_checked(raw.get("front_matter", ""), str),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise damaged(name, "it is not a document manifest") from error
    if document.docid != docid:
        raise damaged(name, f"it names the document {document.docid!r}")
    return document


def encode_tombstone(tombstone: Tombstone) -> bytes:
    """Return a tombstone: one JSON object."""
    fields = {
        "kbid": tombstone.kbid,
        "at": tombstone.at,
        "why": tombstone.why.value,
        "by": tombstone.by,
        "docids": list(tombstone.docids),
    }
    return _dump(fields)


def decode_tombstone(data: bytes, *, kbid: str, name: str) -> Tombstone:
    """Return the tombstone of a section."""
    try:
        raw = _checked(json.loads(data), dict)
        by = raw["by"]
        tombstone = Tombstone(
            kbid=_checked(raw["kbid"], str),
            at=_checked(raw["at"], str),
            why=Why(raw["why"]),
            by=None if by is None else _checked(by, str),
            docids=_strings(raw["docids"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise damaged(name, "it is not a tombstone") from error
    if tombstone.kbid != kbid:
        raise damaged(name, f"it names the section {tombstone.kbid!r}")
    return tombstone


def damaged(name: str, what: str) -> DamagedError:
    """Return the error for a record that is not what was written."""
    return DamagedError(
        f"{name} is damaged: {what}",
        hint="restore the file from a backup or from git; all the rest still works",
    )


def _head_end(data: bytes, name: str) -> int:
    end = data.find(_FENCE_AFTER, len(_FENCE) - 1)
    if not data.startswith(_FENCE) or end < 0:
        raise damaged(name, "its front matter is not closed")
    return end


def _encode_ref(ref: SectionRef) -> dict[str, Any]:
    fields: dict[str, Any] = {"kbid": ref.kbid, "level": ref.level}
    if ref.parent:
        fields["parent"] = ref.parent
    if ref.tags:
        fields["tags"] = list(ref.tags)
    fields["created"] = ref.created
    return fields


def _decode_ref(raw: dict[str, Any]) -> SectionRef:
    parent = raw.get("parent")
    return SectionRef(
        kbid=_checked(raw["kbid"], str),
        level=_checked(raw["level"], int),
        parent=None if parent is None else _checked(parent, str),
        tags=_strings(raw.get("tags", [])),
        created=_checked(raw["created"], str),
    )


def _decode_source(raw: dict[str, Any]) -> Source:
    return Source(
        path=_checked(raw["path"], str),
        digest=_checked(raw["digest"], str),
        size_bytes=_checked(raw["size_bytes"], int),
    )


def _decode_argument(raw: dict[str, Any]) -> SkillArgument:
    return SkillArgument(
        name=_checked(raw["name"], str),
        description=_checked(raw["description"], str),
        required=_checked(raw["required"], bool),
    )


def _scalar(text: str) -> str:
    return _UNPRINTABLE.sub(
        lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False)
    )


def _dump(fields: dict[str, Any]) -> bytes:
    return (json.dumps(fields, ensure_ascii=False, indent=1) + "\n").encode()


def _strings(raw: Any) -> tuple[str, ...]:
    return tuple(_checked(one, str) for one in _checked(raw, list))


def _checked(value: Any, wanted: type[Any]) -> Any:
    if type(value) is not wanted:
        message = f"expected {wanted.__name__}, found {type(value).__name__}"
        raise TypeError(message)
    return value
