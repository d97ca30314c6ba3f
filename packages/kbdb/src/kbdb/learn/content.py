"""Content learned: a text, an image or a file becomes a document's sections."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from kbdb.errors import KbdbError, NothingToLearnError, UnknownIdError, UsageError
from kbdb.index.duplicates import NearDuplicates
from kbdb.index.engine import Index
from kbdb.ingest import title as titles
from kbdb.ingest.decode import decode
from kbdb.ingest.parse import parse
from kbdb.ingest.slug import is_docid, slug
from kbdb.kbid import is_kbid
from kbdb.learn.docid import derived_docid, free_docid
from kbdb.learn.given import check_item
from kbdb.learn.revise import Reviser, check_same_kind, section_of
from kbdb.learn.tidy import tidy_type
from kbdb.model import (
    MARKDOWN,
    BatchItem,
    BatchResult,
    Document,
    LearnedSection,
    LearnResult,
    Parsed,
    Part,
    Section,
    SectionRef,
    Source,
    UnlearnResult,
    Why,
    is_text_type,
)
from kbdb.records.store import Records
from kbdb.search.compose import not_live

# Of an id that nothing has, a message shows so much.
_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is to be learned, as the caller gave it."""

    content: str | bytes
    type: str = MARKDOWN
    title: str = ""
    description: str = ""
    docid: str = ""
    tags: Sequence[str] = ()
    replace: bool = False
    replaces: str | None = None
    split: bool = True
    name: str = ""
    source: Source | None = None


class Learner:
    """Learns texts and removes sections; the caller lets one thread in at a time."""

    def __init__(self, *, records: Records, index: Index, now: Callable[[], str]) -> None:
        """Take both halves of the knowledge base and a clock."""
        self._records = records
        self._index = index
        self._now = now

    def learn(self, draft: Draft) -> LearnResult:
        """Learn one text; see ``KnowledgeBase.learn``."""
        parsed = _parsed(draft)
        with self._records.transaction() as tx:
            reviser = Reviser(tx, records=self._records, index=self._index, now=self._now)
            near = self._describe(parsed, without=frozenset({draft.replaces or ""}))
            document = self._put(reviser, draft, parsed)
            retired = reviser.finish()
        gone = frozenset(retired)
        return LearnResult(
            docid=document.docid,
            title=document.title,
            sections=tuple(_without_retired(one, gone) for one in near),
            retired=retired,
            warnings=parsed.warnings,
        )

    def learn_batch(
        self, items: Iterable[BatchItem], *, progress: Callable[[int, int], None] | None = None
    ) -> BatchResult:
        """Learn many texts in one transaction; see ``KnowledgeBase.learn_batch``."""
        results: list[LearnResult] = []
        versions: dict[str, Document] = {}
        with self._records.transaction() as tx:
            reviser = Reviser(tx, records=self._records, index=self._index, now=self._now)
            seen: set[str] = set()
            for number, item in enumerate(items, start=1):
                try:
                    draft = _draft_of(item)
                    parsed = _parsed(draft)
                    document = self._put(reviser, draft, parsed, versions)
                except KbdbError as error:
                    error.args = (f"item {number}: {error}",)
                    raise
                versions[document.docid] = document
                results.append(self._batch_result(document, parsed, seen))
                if progress:
                    progress(number, number)
            reviser.finish()
        sections = [one for result in results for one in result.sections]
        return BatchResult(
            documents=tuple(results),
            section_count=len(sections),
            new_section_count=sum(one.new for one in sections),
        )

    def unlearn(self, kbid: str) -> UnlearnResult:
        """Retire a section that has a file; see ``KnowledgeBase.unlearn``."""
        if not self._index.catalogue.live([kbid]):
            return UnlearnResult(kbid=kbid, docids=(), linked_from=self._linked_from(kbid))
        with self._records.transaction() as tx:
            reviser = Reviser(tx, records=self._records, index=self._index, now=self._now)
            docids = reviser.remove_section(kbid, why=Why.UNLEARNED, by=None)
            reviser.finish()
        return UnlearnResult(kbid=kbid, docids=docids, linked_from=self._linked_from(kbid))

    def _linked_from(self, kbid: str) -> tuple[str, ...]:
        return tuple(one for one in self._index.catalogue.backlinks([kbid]) if one != kbid)

    def _put(
        self,
        reviser: Reviser,
        draft: Draft,
        parsed: Parsed,
        versions: dict[str, Document] | None = None,
    ) -> Document:
        """Put a draft into the transaction; ``versions`` are documents that it already holds."""
        if draft.replaces and draft.replace:
            raise UsageError(
                "replace and replaces were both given",
                hint="replace a whole document, or give the kb-id of the one section to replace",
            )
        if draft.replaces and draft.source is None:
            return self._put_in_place(reviser, draft, parsed)
        tags = draft.tags
        if draft.replaces:
            self._check_live(draft.replaces)
            tags = tags or reviser.tags_of(draft.replaces)
        docid = draft.docid or (draft.source and self._docid_of_source(draft.source)) or ""
        docid = docid or derived_docid(parsed)
        _check_docid(docid)
        before = (versions or {}).get(docid) or self._records.document(docid)
        if before is not None:
            check_same_kind(before, parsed.type)
            if not draft.replace:
                _check_same_source(before, draft.source)
        self._drop_former(reviser, draft.source, docid)
        anew = draft.replace or draft.source is not None
        refs = reviser.put_parts(parsed, tags=tags, known=before)
        document = _merged(docid, draft, parsed, refs, before=before, anew=anew, at=reviser.at)
        document = reviser.put_document(document, before=before)
        if draft.replaces:
            reviser.supersede_with(document, draft.replaces)
        return document

    def _put_in_place(self, reviser: Reviser, draft: Draft, parsed: Parsed) -> Document:
        old = draft.replaces or ""
        self._check_live(old)
        refs = reviser.put_parts(parsed, tags=draft.tags)
        held_by = reviser.supersede(old, refs)
        if held_by:
            return self._superseded_document(held_by[0], draft, parsed.type)
        docid = draft.docid or derived_docid(parsed)
        _check_docid(docid)
        before = self._records.document(docid)
        if before is not None:
            check_same_kind(before, parsed.type)
            _check_same_source(before, None)
        document = _merged(docid, draft, parsed, refs, before=before, anew=False, at=reviser.at)
        return reviser.put_document(document, before=before)

    def _superseded_document(self, docid: str, draft: Draft, type: str) -> Document:
        if draft.docid and draft.docid != docid:
            raise UsageError(
                f"{draft.replaces} belongs to the document {docid!r}, not to {draft.docid!r}",
                hint="leave the docid out: the new text takes the old one's place",
            )
        document = self._records.document(docid)
        if document is None:
            raise UnknownIdError("document", docid)
        check_same_kind(document, type)
        return document

    def _check_live(self, kbid: str) -> None:
        row = self._index.catalogue.row(kbid) if is_kbid(kbid) else None
        if row is None:
            near = self._index.catalogue.near_ids(kbid[:4], 3) if kbid.isascii() else ()
            raise UnknownIdError("section", kbid[:_SHOWN], near)
        if not row.is_live:
            raise not_live(kbid, self._records.tombstone(kbid))

    def _docid_of_source(self, source: Source) -> str:
        known = self._index.catalogue.source(source.path)
        if known:
            return known.docid
        return free_docid(source, self._index, self._records)

    def _drop_former(self, reviser: Reviser, source: Source | None, docid: str) -> None:
        """Let a file that gets another docid leave the document it had."""
        known = self._index.catalogue.source(source.path) if source else None
        if known and known.docid != docid:
            reviser.drop_document(reviser.document(known.docid), why=Why.REPLACED)

    def _describe(self, parsed: Parsed, *, without: frozenset[str]) -> list[LearnedSection]:
        sections = [section_of(type=p.type, title=p.title, body=p.body) for p in parsed.parts]
        live = self._index.catalogue.live(section.kbid for section in sections)
        near = NearDuplicates(index=self._index, read=self._records.section, without=without)
        return [
            LearnedSection(
                kbid=section.kbid,
                title=section.title,
                new=section.kbid not in live,
                near_duplicates=near.of(section),
            )
            for section in sections
        ]

    def _batch_result(self, document: Document, parsed: Parsed, seen: set[str]) -> LearnResult:
        learned: list[LearnedSection] = []
        for part in parsed.parts:
            section: Section = section_of(type=part.type, title=part.title, body=part.body)
            new = section.kbid not in seen and not self._index.catalogue.live([section.kbid])
            seen.add(section.kbid)
            learned.append(LearnedSection(kbid=section.kbid, title=section.title, new=new))
        return LearnResult(
            docid=document.docid,
            title=document.title,
            sections=tuple(learned),
            warnings=parsed.warnings,
        )


def _draft_of(item: BatchItem) -> Draft:
    check_item(item)
    return Draft(
        content=item.content,
        type=item.type,
        title=item.title,
        description=item.description,
        docid=item.docid,
        tags=item.tags,
        replace=item.replace,
    )


def _parsed(draft: Draft) -> Parsed:
    data, warnings = _encoded(draft.content)
    media_type = tidy_type(draft.type)
    if draft.split or not is_text_type(media_type):
        parsed = parse(data, type=media_type, name=draft.name, title=draft.title)
    else:
        parsed = _as_one_part(data, media_type, title=titles.tidy(draft.title))
    if not parsed.parts:
        raise NothingToLearnError(
            "there is nothing to learn: the content is empty",
            hint="give some text or a file with some",
        )
    return replace(parsed, warnings=warnings + parsed.warnings)


def _encoded(content: str | bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return the content as bytes, and a warning if it held what UTF-8 cannot."""
    if isinstance(content, bytes):
        return content, ()
    try:
        return content.encode(), ()
    except UnicodeEncodeError:
        count = len(content) - len(content.encode("utf-8", "ignore").decode())
        what = "character is a lone surrogate" if count == 1 else "characters are lone surrogates"
        warning = f"{count:,} {what}, which cannot be stored; replaced by a question mark"
        return content.encode("utf-8", "replace"), (warning,)


def _as_one_part(data: bytes, media_type: str, *, title: str) -> Parsed:
    text, warnings = decode(data)
    part = Part(title=title, body=text.encode(), type=media_type)
    parts = (part,) if text.strip() else ()
    return Parsed(title=title, type=media_type, parts=parts, warnings=warnings)


def _merged(
    docid: str,
    draft: Draft,
    parsed: Parsed,
    refs: tuple[SectionRef, ...],
    *,
    before: Document | None,
    anew: bool,
    at: str,
) -> Document:
    """Return the document's next version: the new sections alone, or behind those it has."""
    document = Document(
        docid=docid,
        title=parsed.title,
        description=draft.description or parsed.description,
        type=parsed.type,
        tags=parsed.tags,
        created=before.created if before else at,
        source=draft.source,
        sections=refs,
        front_matter=parsed.front_matter,
    )
    if before is None or anew:
        return document
    have = {ref.kbid: position for position, ref in enumerate(before.sections)}
    sections = list(before.sections)
    for ref in refs:
        if ref.kbid in have:
            old = sections[have[ref.kbid]]
            sections[have[ref.kbid]] = replace(old, tags=tuple(dict.fromkeys(old.tags + ref.tags)))
        else:
            sections.append(ref)
    return replace(
        before,
        title=titles.tidy(draft.title) or before.title,
        description=document.description or before.description,
        tags=tuple(dict.fromkeys(before.tags + document.tags)),
        sections=tuple(sections),
        front_matter=before.front_matter or document.front_matter,
    )


def _check_docid(docid: str) -> None:
    if not is_docid(docid) or docid != docid.lower():
        raise UsageError(
            f"{docid!r} cannot be a docid",
            hint="use lower-case letters, digits and hyphens, such as"
            f" {slug(docid, fallback='note')!r}",
        )


def _check_same_source(before: Document, source: Source | None) -> None:
    """Refuse to mix what follows a file with what does not: its next version would drop it."""
    have = before.source.path if before.source else None
    if have == (source.path if source else None):
        return
    follows = f"follows the file {have!r}" if have else "was not learned from a file"
    raise UsageError(
        f"the document {before.docid!r} {follows}",
        hint="choose another docid, or replace the document as a whole",
    )


def _without_retired(one: LearnedSection, gone: frozenset[str]) -> LearnedSection:
    near = tuple(other for other in one.near_duplicates if other.kbid not in gone)
    return replace(one, near_duplicates=near)
