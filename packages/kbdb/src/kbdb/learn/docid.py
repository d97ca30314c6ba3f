"""Docids for documents that were given none."""

import hashlib

from kbdb.index.engine import Index
from kbdb.ingest.slug import slug
from kbdb.kbid import kbid_of
from kbdb.learn.tidy import fit_docid
from kbdb.model import Parsed, Source
from kbdb.records.store import Records

_DIGEST_LENGTH = 8


def derived_docid(parsed: Parsed) -> str:
    """Return the docid of a text that was given none: its title, and a digest of what it holds."""
    if len(parsed.parts) == 1:
        part = parsed.parts[0]
        digest = kbid_of(type=part.type, title=part.title, body=part.body)
    else:
        whole = b"\0".join(
            part.title.encode("utf-8", "replace") + b"\0" + part.body for part in parsed.parts
        )
        digest = kbid_of(type=parsed.type, title=parsed.title, body=whole)
    return fit_docid(slug(parsed.title, fallback="note"), digest[:_DIGEST_LENGTH])


def free_docid(source: Source, index: Index, records: Records, *, base: str = "") -> str:
    """Return a docid for a new file: its path, and a digest if that is taken.

    Args:
        source: The file.
        index: Knows the docids that are taken.
        records: Knows them too, where the index has not followed yet.
        base: What of the path to begin with; its last part if empty.
    """
    stem = (base or source.path.rsplit("/", 1)[-1]).rsplit(".", 1)[0]
    docid = slug(stem, fallback="document")
    if not index.catalogue.has_document(docid) and not records.has_document(docid):
        return docid
    return longer_docid(docid, source)


def longer_docid(docid: str, source: Source) -> str:
    """Return a docid that no other file's can be."""
    digest = hashlib.sha256(source.path.encode("utf-8", "replace")).hexdigest()
    return fit_docid(docid, digest[:6])
