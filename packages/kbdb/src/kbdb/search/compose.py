"""Sections and documents looked up with all that is known of them, and composed into one text."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from kbdb.errors import DamagedError, UnknownIdError
from kbdb.index.engine import Index
from kbdb.ingest.link import render_links
from kbdb.ingest.slug import is_docid
from kbdb.kbid import is_kbid
from kbdb.model import (
    JSON,
    TOML,
    DocumentView,
    Section,
    SectionView,
    Tombstone,
)
from kbdb.records.codec import damaged
from kbdb.records.layout import section_path
from kbdb.records.store import Records

_FENCED = {JSON: "json", TOML: "toml"}
_MAX_LEVEL = 6
_NEAREST = 3
_NEAR_POOL = 500
# Of an id that nothing has, a message shows so much.
_SHOWN = 200


class Reader:
    """Looks records up by id, under the one rule of what is visible."""

    def __init__(self, *, records: Records, index: Index) -> None:
        """Take both halves of the knowledge base."""
        self._records = records
        self._index = index

    def retrieve(self, ident: str) -> SectionView | DocumentView:
        """Return a section, live or retired, or a document; see ``KnowledgeBase.retrieve``."""
        section = self._records.section(ident)
        if section is not None:
            return self._section_view(section)
        document = self._records.document(ident) if self._is_docid(ident) else None
        if document is None:
            if is_kbid(ident) and self._index.catalogue.row(ident) is not None:
                raise damaged(section_path(ident), "the file is missing")
            raise self.unknown(ident)
        live = self._index.catalogue.live(ref.kbid for ref in document.sections)
        sections = tuple(self._section(ref.kbid) for ref in document.sections if ref.kbid in live)
        return DocumentView(document=document, sections=sections)

    def content(self, idents: Sequence[str]) -> str:
        """Return live sections and documents as one Markdown text; see the facade's ``content``."""
        texts = [text for ident in idents for text in self._rendered(ident)]
        whole = "\n\n".join(text for text in texts if text).strip("\n")
        return f"{whole}\n" if whole else ""

    def _section(self, kbid: str) -> Section:
        """Return a section that a document holds; its text must not go missing without a word."""
        section = self._records.section(kbid)
        if section is None:
            raise damaged(section_path(kbid), "the file is missing")
        return section

    def check_section(self, ident: str) -> None:
        """Raise the error that fits if no section, live or retired, has this kb-id."""
        if is_kbid(ident) and self._index.catalogue.row(ident) is not None:
            return
        error = self.unknown(ident, "section")
        document = self._records.document(ident) if self._is_docid(ident) else None
        if document is not None:
            kbids = [ref.kbid for ref in document.sections]
            more = ", …" if len(kbids) > _NEAREST else ""
            error.hint = f"it is a document; its sections: {', '.join(kbids[:_NEAREST])}{more}"
        raise error

    def unknown(self, ident: str, kind: str = "section or document") -> UnknownIdError:
        """Return the error for an id that nothing has, with the nearest that exist."""
        shown = ident.encode("utf-8", "replace").decode()[:_SHOWN]
        pool: list[str] = []
        for length in range(min(8, len(shown)), 0, -2):
            pool = list(self._index.catalogue.near_ids(shown[:length], _NEAR_POOL))
            near = get_close_matches(shown, pool, n=_NEAREST, cutoff=0.5)
            if near:
                return UnknownIdError(kind, shown, near)
        pool = list(self._index.catalogue.docids())[: _NEAR_POOL * 4]
        return UnknownIdError(kind, shown, get_close_matches(shown, pool, n=_NEAREST, cutoff=0.6))

    def _is_docid(self, ident: str) -> bool:
        return is_docid(ident) and self._index.catalogue.has_document(ident)

    def _section_view(self, section: Section) -> SectionView:
        kbid = section.kbid
        row = self._index.catalogue.row(kbid)
        places = self._index.catalogue.holdings(kbid) if row and row.is_live else ()
        docids = tuple(dict.fromkeys(place.docid for place in places))
        try:
            tombstone = self._records.tombstone(kbid)
        except DamagedError:
            tombstone = None
        return SectionView(
            section=section,
            docids=docids,
            tags=row.tags if row else (),
            level=places[0].level if places else 0,
            parent=places[0].parent if places else None,
            created=places[0].created if places else "",
            links=self._index.catalogue.links(kbid),
            backlinks=self._index.catalogue.backlinks([kbid, *docids]),
            tombstone=tombstone,
        )

    def _rendered(self, ident: str) -> Iterator[str]:
        view = self.retrieve(ident)
        if isinstance(view, DocumentView):
            titles = {one.title for one in view.sections[1:]}
            levels = {ref.kbid: ref.level for ref in view.document.sections}
            for section in view.sections:
                # The text before the first heading has the document's title, which may follow
                # anyway.
                bare = levels[section.kbid] == 0 and section.title in titles
                yield self._markdown(section, levels[section.kbid], with_title=not bare)
        elif not view.docids:
            raise not_live(ident, view.tombstone)
        else:
            yield self._markdown(view.section, view.level, with_title=True)

    def _markdown(self, section: Section, level: int, *, with_title: bool) -> str:
        if not section.is_text:
            return f"![{section.title}](kbdb://section/{section.kbid})"
        body = section.text.strip("\n")
        if section.type in _FENCED:
            fence = "`" * max(3, _longest_run(body, "`") + 1)
            body = f"{fence}{_FENCED[section.type]}\n{body}\n{fence}"
        else:
            body = render_links(body, self._link)
        heading = f"{'#' * min(max(level, 1), _MAX_LEVEL)} {section.title}"
        parts: Iterable[str] = (heading, body) if with_title and section.title else (body,)
        return "\n\n".join(part for part in parts if part)

    def _link(self, target: str) -> str | None:
        row = self._index.catalogue.row(target) if is_kbid(target) else None
        if row is not None and row.is_live:
            return f"[{row.title}](kbdb://section/{target})"
        if self._index.catalogue.has_document(target):
            document = self._records.document(target)
            return f"[{document.title}](kbdb://document/{target})" if document else None
        return None


def not_live(kbid: str, tombstone: Tombstone | None) -> UnknownIdError:
    """Return the error for a section that is not live, with its successor if it has one."""
    successor = (tombstone.by,) if tombstone and tombstone.by else ()
    return UnknownIdError("live section", kbid, successor)


def _longest_run(text: str, character: str) -> int:
    longest = run = 0
    for one in text:
        run = run + 1 if one == character else 0
        longest = max(longest, run)
    return longest
