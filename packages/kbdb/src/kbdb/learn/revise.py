"""Documents revised: what goes into a transaction when sections come, go, and replace each other.

Everything here works inside an open transaction and reads the state before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from kbdb.errors import UnknownIdError, UsageError
from kbdb.index.engine import Index
from kbdb.kbid import kbid_of
from kbdb.learn.tidy import storable, tidy_document, tidy_tags
from kbdb.model import AGENT, SKILL, Document, Parsed, Section, SectionRef, Tombstone, Why
from kbdb.records.store import Records
from kbdb.records.transaction import Transaction

# Retired on purpose, so a folder that still holds the text does not bring it back by itself.
_ON_PURPOSE = frozenset({Why.UNLEARNED, Why.SUPERSEDED})


class Reviser:
    """Puts documents into one transaction; ``finish`` then retires what no document holds any more.

    A section may leave one document and enter another within a transaction, so nothing is retired
    or brought back before all documents are known.
    """

    def __init__(
        self, tx: Transaction, *, records: Records, index: Index, now: Callable[[], str]
    ) -> None:
        """Take an open transaction."""
        self._tx = tx
        self._records = records
        self._index = index
        self._held: dict[str, frozenset[str]] = {}
        self._fallen: dict[str, Tombstone] = {}
        self.at = now()
        self.kept_retired: dict[str, None] = {}

    def put_parts(
        self, parsed: Parsed, *, tags: Sequence[str] = (), known: Document | None = None
    ) -> tuple[SectionRef, ...]:
        """Store a parsed source's sections and return their places.

        Args:
            parsed: Has at least one part.
            tags: For every section.
            known: The document's earlier version; its sections keep the time they were learned.
        """
        created = {ref.kbid: ref.created for ref in known.sections} if known else {}
        tags = tidy_tags(tags)
        refs: list[SectionRef] = []
        for part in parsed.parts:
            section = section_of(type=part.type, title=part.title, body=part.body)
            self._tx.put_section(section)
            parent = refs[part.parent].kbid if part.parent is not None else None
            # A heading without text below one of the same name is the same section.
            parent = None if parent == section.kbid else parent
            refs.append(
                SectionRef(
                    kbid=section.kbid,
                    level=part.level,
                    parent=parent,
                    tags=tags,
                    created=created.get(section.kbid, self.at),
                )
            )
        return tuple(refs)

    def put_document(
        self,
        document: Document,
        *,
        before: Document | None,
        why: Why = Why.REPLACED,
        by: str | None = None,
    ) -> Document:
        """Store a document in place of its earlier version; return it as stored.

        Args:
            document: Its ``updated`` is set here. Without sections it is deleted.
            before: The earlier version; sections that fell out of it are retired.
            why: Why they are.
            by: The kb-id that takes their place.
        """
        held = frozenset(ref.kbid for ref in document.sections)
        document = replace(tidy_document(document), updated=self.at)
        self._held[document.docid] = held
        if held:
            self._tx.put_document(document)
        else:
            self._tx.drop_document(document.docid)
        for ref in before.sections if before else ():
            if ref.kbid not in held:
                self._fell(ref.kbid, document.docid, why=why, by=by)
        return document

    def drop_document(self, document: Document, *, why: Why) -> None:
        """Delete a document and retire the sections that no other holds."""
        self.put_document(replace(document, sections=()), before=document, why=why)

    def remove_section(self, kbid: str, *, why: Why, by: str | None) -> tuple[str, ...]:
        """Take a live section out of every document and retire it; return those documents."""
        docids = self._holders(kbid)
        for docid in docids:
            document = self.document(docid)
            self.put_document(without(document, kbid), before=document, why=why, by=by)
        return docids

    def supersede(self, kbid: str, refs: tuple[SectionRef, ...]) -> tuple[str, ...]:
        """Put sections in the place of a live one; return the documents that now hold them.

        A document that follows a file only loses the old section: the next time the file is learned
        its manifest is replaced, and the new text must not go with it.
        """
        _check_other(kbid, refs)
        holders: list[str] = []
        for docid in self._holders(kbid):
            document = self.document(docid)
            if document.source:
                revised = without(document, kbid)
            else:
                revised = in_place_of(document, kbid, refs)
                holders.append(docid)
            self.put_document(revised, before=document, why=Why.SUPERSEDED, by=refs[0].kbid)
        return tuple(holders)

    def tags_of(self, kbid: str) -> tuple[str, ...]:
        """Return the tags that a live section has in any document."""
        places = (ref for docid in self._holders(kbid) for ref in self.document(docid).sections)
        return tuple(dict.fromkeys(tag for ref in places if ref.kbid == kbid for tag in ref.tags))

    def supersede_with(self, document: Document, kbid: str) -> None:
        """Let the document of a file, already put, take the place of a live section of any other.

        It stays a document of its own, so that it goes on following its file.
        """
        _check_other(kbid, document.sections)
        by = document.sections[0].kbid
        for docid in self._holders(kbid):
            if docid in self._held:
                # It was put or dropped in this transaction, so it holds the section no more.
                self._fell(kbid, docid, why=Why.SUPERSEDED, by=by)
                continue
            before = self.document(docid)
            check_same_kind(before, document.type)
            self.put_document(without(before, kbid), before=before, why=Why.SUPERSEDED, by=by)

    def without_retired(self, refs: tuple[SectionRef, ...]) -> tuple[SectionRef, ...]:
        """Leave out the sections that were unlearned or superseded on purpose."""
        kept: list[SectionRef] = []
        for ref in refs:
            tombstone = self._tombstone(ref.kbid)
            if tombstone is not None and tombstone.why in _ON_PURPOSE:
                self.kept_retired[ref.kbid] = None
            else:
                kept.append(ref)
        present = {ref.kbid for ref in kept}
        return tuple(
            ref if ref.parent is None or ref.parent in present else replace(ref, parent=None)
            for ref in kept
        )

    def finish(self) -> tuple[str, ...]:
        """Retire what fell out of every document and bring back what came in; return the former."""
        held = frozenset().union(*self._held.values())
        for kbid in sorted(held):
            if self._records.has_tombstone(kbid):
                self._tx.restore(kbid)
        retired: list[str] = []
        for kbid, tombstone in self._fallen.items():
            if kbid not in held and not set(self._holders(kbid)) - self._held.keys():
                self._tx.retire(tombstone)
                retired.append(kbid)
        return tuple(retired)

    def document(self, docid: str) -> Document:
        """Return a document that the catalogue knows."""
        document = self._records.document(docid)
        if document is None:
            raise UnknownIdError("document", docid)
        return document

    def _holders(self, kbid: str) -> tuple[str, ...]:
        places = self._index.catalogue.holdings(kbid)
        return tuple(dict.fromkeys(place.docid for place in places))

    def _fell(self, kbid: str, docid: str, *, why: Why, by: str | None) -> None:
        earlier = self._fallen.get(kbid)
        docids = dict.fromkeys((*earlier.docids, docid) if earlier else (docid,))
        self._fallen[kbid] = Tombstone(kbid=kbid, at=self.at, why=why, by=by, docids=tuple(docids))

    def _tombstone(self, kbid: str) -> Tombstone | None:
        return self._records.tombstone(kbid) if self._records.has_tombstone(kbid) else None


def check_same_kind(before: Document, type: str) -> None:
    """Refuse to mix a skill or an agent with other text: it would be lost with the next version."""
    if before.type != type and not {before.type, type}.isdisjoint({SKILL, AGENT}):
        raise UsageError(
            f"the document {before.docid!r} is of type {before.type}, and the text is {type}",
            hint="choose another docid",
        )


def _check_other(kbid: str, refs: Sequence[SectionRef]) -> None:
    if any(ref.kbid == kbid for ref in refs):
        raise UsageError(
            f"the text is that of {kbid!r} itself", hint="give the text that takes its place"
        )


def section_of(*, type: str, title: str, body: bytes) -> Section:
    """Return a section with its kb-id; white space in the title is made single spaces."""
    title = " ".join(storable(title).split())
    return Section(
        kbid=kbid_of(type=type, title=title, body=body), type=type, title=title, body=body
    )


def without(document: Document, kbid: str) -> Document:
    """Return a document without a section; its children move up to its parent."""
    parents = {ref.kbid: ref.parent for ref in document.sections}
    kept = tuple(
        replace(ref, parent=parents[kbid]) if ref.parent == kbid else ref
        for ref in document.sections
        if ref.kbid != kbid
    )
    return replace(document, sections=kept)


def in_place_of(document: Document, kbid: str, refs: tuple[SectionRef, ...]) -> Document:
    """Return a document with ``refs`` in a section's place, but what it held stays in its own."""
    have = {ref.kbid for ref in document.sections}
    parents = {ref.kbid: ref.parent for ref in document.sections}
    tags = {ref.kbid: ref.tags for ref in refs}
    # A section that was there may lie below the one that goes, so it takes no children from it.
    heir = parents[kbid] if refs[0].kbid in have else refs[0].kbid
    kept: list[SectionRef] = []
    for ref in document.sections:
        if ref.kbid == kbid:
            kept += [
                replace(new, level=ref.level, parent=ref.parent, tags=new.tags or ref.tags)
                for new in refs
                if new.kbid not in have
            ]
        else:
            parent = heir if ref.parent == kbid else ref.parent
            merged = tuple(dict.fromkeys(ref.tags + tags.get(ref.kbid, ())))
            kept.append(replace(ref, parent=parent, tags=merged))
    return replace(document, sections=tuple(kept))


def utc_now() -> str:
    """Return the time as manifests hold it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
