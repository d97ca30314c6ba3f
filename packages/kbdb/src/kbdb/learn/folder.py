"""A folder learned, and learned again: what is new, changed, moved and gone.

Files are read twice where they changed, once to compare and once to parse, so that memory does not
grow with the folder.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path

from kbdb.errors import CancelledError, ConfirmationNeededError, DamagedError, PathNotFoundError
from kbdb.index.catalogue import KnownSource
from kbdb.index.engine import Index
from kbdb.ingest import walk
from kbdb.ingest.media import type_of_name
from kbdb.ingest.parse import parse
from kbdb.learn.docid import free_docid, longer_docid
from kbdb.learn.revise import Reviser
from kbdb.learn.source import (
    check_not_vanished,
    digest_of,
    exists,
    is_below,
    is_gone,
    source_prefix,
)
from kbdb.learn.tidy import tidy_tags, tidy_type
from kbdb.model import PLAIN, Document, FolderResult, Parsed, Skipped, Source, Why
from kbdb.records.folder import named
from kbdb.records.store import Records

# Retiring more than this share of a folder's documents asks first.
_MAX_RETIRED_SHARE = 0.2
EMPTY = "empty: nothing to learn"
UNWANTED = "retired: all of it was unlearned or superseded"


@dataclass(slots=True)
class _Plan:
    """What a walk found, against what is known; maps are by source path."""

    root: Path
    type: str = ""
    tags: Sequence[str] = ()
    changed: dict[str, walk.Found] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    moved: dict[str, KnownSource] = field(default_factory=dict)
    vanished: dict[str, KnownSource] = field(default_factory=dict)
    known: dict[str, KnownSource] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)


@dataclass(slots=True)
class _Outcome:
    """What has gone into the transaction so far."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    sections: dict[str, None] = field(default_factory=dict)
    section_count: int = 0
    warnings: list[str] = field(default_factory=list)
    emptied: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)


class FolderLearner:
    """Learns folders; the caller lets one thread in at a time."""

    def __init__(self, *, records: Records, index: Index, now: Callable[[], str]) -> None:
        """Take both halves of the knowledge base and a clock."""
        self._records = records
        self._index = index
        self._now = now

    def learn(
        self,
        folder: Path,
        *,
        type: str,
        tags: Sequence[str],
        max_bytes: int,
        confirm: Callable[[int, int], bool] | None,
        progress: Callable[[int, int], None] | None,
    ) -> FolderResult:
        """Learn a folder; see ``KnowledgeBase.learn_folder``."""
        named(folder)
        plan = _Plan(root=folder, type=tidy_type(type) if type else "", tags=tidy_tags(tags))
        outcome = _Outcome()
        # Planned within the transaction: what is known must not change before it is revised.
        with self._records.transaction() as tx:
            self._fill(plan, max_bytes=max_bytes)
            _ask(plan, confirm)
            reviser = Reviser(tx, records=self._records, index=self._index, now=self._now)
            for known in plan.vanished.values():
                reviser.drop_document(reviser.document(known.docid), why=Why.VANISHED)
            for number, path in enumerate(sorted(plan.changed), start=1):
                self._learn_file(path, plan, outcome, reviser)
                if progress:
                    progress(number, len(plan.changed))
            new = len(outcome.sections) - len(self._index.catalogue.live(outcome.sections))
            reviser.finish()
        return FolderResult(
            root=str(folder),
            added=tuple(outcome.added),
            updated=tuple(outcome.updated),
            unchanged=tuple(plan.unchanged),
            moved=tuple(outcome.moved),
            retired=(*(known.docid for known in plan.vanished.values()), *outcome.emptied),
            kept_retired=tuple(reviser.kept_retired),
            section_count=outcome.section_count + self._index.catalogue.held_count(plan.unchanged),
            new_section_count=new,
            skipped=tuple(plan.skipped),
            warnings=tuple(outcome.warnings),
        )

    def _fill(self, plan: _Plan, *, max_bytes: int) -> None:
        root = self._records.root
        prefix = source_prefix(plan.root, root)
        plan.known = {
            known.path: known
            for known in self._index.catalogue.sources()
            if is_below(known.path, prefix)
        }
        gone = dict(plan.known)
        fresh: dict[str, str] = {}
        for one in self._walk(plan, max_bytes=max_bytes):
            if isinstance(one, Skipped):
                plan.skipped.append(one)
                if walk.kind_of(one.reason) in walk.STILL_THERE:
                    _keep(prefix if one.path == "." else prefix + one.path, gone)
                continue
            self._compare(prefix + one.relative, one, plan, gone, fresh)
        _find_moves(plan, gone, fresh)
        self._find_moves_from_elsewhere(plan, fresh)
        plan.vanished = gone

    def _walk(self, plan: _Plan, *, max_bytes: int) -> Iterator[walk.Found | Skipped]:
        """Walk the folder; one that is gone holds nothing, if anything was learned from it."""
        if exists(plan.root) and not plan.root.is_dir():
            raise PathNotFoundError(f"{plan.root} is no folder", hint="learn it as a file")
        if not exists(plan.root):
            if not plan.known:
                check_not_vanished(plan.root, self._records.root, self._index.catalogue)
                raise PathNotFoundError(f"there is no folder {plan.root}", hint="check the path")
            return
        accepts = (lambda _: True) if plan.type else (lambda name: type_of_name(name) is not None)
        yield from walk.walk(plan.root, max_bytes=max_bytes, accepts=accepts)

    def _find_moves_from_elsewhere(self, plan: _Plan, fresh: dict[str, str]) -> None:
        """Know a file again that came from outside the folder, if it is there no more."""
        new = {path: digest for path, digest in fresh.items() if path not in plan.moved}
        digests = frozenset(new.values())
        gone = {
            known.path: known
            for known in (self._index.catalogue.sources() if new else ())
            if known.digest in digests
            and known.path not in plan.known
            and is_gone(known.path, self._records.root)
        }
        _find_moves(plan, gone, new)

    def _compare(
        self,
        path: str,
        found: walk.Found,
        plan: _Plan,
        gone: dict[str, KnownSource],
        fresh: dict[str, str],
    ) -> None:
        try:
            data = found.path.read_bytes()
        except OSError as error:
            plan.skipped.append(_unreadable(found, error))
            gone.pop(path, None)
            return
        if not data.strip():
            plan.skipped.append(Skipped(path=found.relative, reason=EMPTY))
            return
        known = gone.pop(path, None)
        digest = digest_of(data)
        if known is not None and known.digest == digest and self._is_as_asked(known, plan):
            plan.unchanged.append(known.docid)
            return
        plan.changed[path] = found
        if known is None:
            fresh[path] = digest

    def _is_as_asked(self, known: KnownSource, plan: _Plan) -> bool:
        """Say whether a document already has the type and the tags that were given."""
        if not plan.type and not plan.tags:
            return True
        document = self._earlier(known)
        if document is None or plan.type not in {"", document.type}:
            return False
        return all(set(plan.tags).issubset(ref.tags) for ref in document.sections)

    def _earlier(self, known: KnownSource) -> Document | None:
        """Return the version a file had; one that is damaged is replaced as if there were none."""
        try:
            return self._records.document(known.docid)
        except DamagedError:
            return None

    def _learn_file(self, path: str, plan: _Plan, outcome: _Outcome, reviser: Reviser) -> None:
        found = plan.changed[path]
        try:
            data = found.path.read_bytes()
        except OSError as error:
            plan.skipped.append(_unreadable(found, error))
            return
        name = found.path.name
        parsed = parse(data, type=plan.type or type_of_name(name) or PLAIN, name=name)
        outcome.warnings += [f"{path}: {warning}" for warning in parsed.warnings]
        source = Source(path=path, digest=digest_of(data), size_bytes=len(data))
        known = plan.moved.get(path) or plan.known.get(path)
        before = self._earlier(known) if known else None
        docid = known.docid if known else self._new_docid(source, outcome, found)
        outcome.taken.add(docid)
        document = self._document(docid, parsed, source, before, reviser, plan.tags)
        if not document.sections:
            reason = UNWANTED if parsed.parts else EMPTY
            plan.skipped.append(Skipped(path=found.relative, reason=reason))
            if known is None:
                return
            outcome.emptied.append(docid)
        reviser.put_document(document, before=before)
        if document.sections:
            _file_under(outcome, docid, is_known=known is not None, is_moved=path in plan.moved)
            outcome.section_count += len(document.sections)
            outcome.sections |= dict.fromkeys(ref.kbid for ref in document.sections)

    def _document(
        self,
        docid: str,
        parsed: Parsed,
        source: Source,
        before: Document | None,
        reviser: Reviser,
        tags: Sequence[str],
    ) -> Document:
        """Return the file's document; a file learned again keeps the tags it was given by hand."""
        had = {ref.kbid: ref.tags for ref in before.sections} if before else {}
        given = dict.fromkeys(tag for has in had.values() for tag in has)
        shared = [tag for tag in given if all(tag in has for has in had.values())]
        refs = tuple(
            replace(ref, tags=tuple(dict.fromkeys((*had.get(ref.kbid, ()), *ref.tags))))
            for ref in reviser.put_parts(parsed, tags=(*shared, *tags), known=before)
        )
        return Document(
            docid=docid,
            title=parsed.title,
            description=parsed.description,
            type=parsed.type,
            tags=parsed.tags,
            created=before.created if before else reviser.at,
            source=source,
            sections=reviser.without_retired(refs),
            front_matter=parsed.front_matter,
        )

    def _new_docid(self, source: Source, outcome: _Outcome, found: walk.Found) -> str:
        docid = free_docid(source, self._index, self._records, base=found.relative)
        return longer_docid(docid, source) if docid in outcome.taken else docid


def _keep(path: str, gone: dict[str, KnownSource]) -> None:
    """Let what could not be read stay as it is: a file, or a folder with all below it."""
    folder = f"{path.rstrip('/')}/" if path else ""
    for known in [one for one in gone if one == path or one.startswith(folder)]:
        del gone[known]


def _unreadable(found: walk.Found, error: OSError) -> Skipped:
    return Skipped(path=found.relative, reason=f"{walk.UNREADABLE}: {error.strerror}")


def _ask(plan: _Plan, confirm: Callable[[int, int], bool] | None) -> None:
    vanished, known = len(plan.vanished), len(plan.known)
    if vanished <= known * _MAX_RETIRED_SHARE:
        return
    if confirm is None:
        raise ConfirmationNeededError(
            f"{vanished} of the {known} documents learned from {plan.root} are gone from it;"
            " nothing was changed",
            hint="add --yes (confirm in Python) to retire them",
        )
    if not confirm(vanished, known):
        raise CancelledError("cancelled; nothing was changed")


def _find_moves(plan: _Plan, gone: dict[str, KnownSource], fresh: dict[str, str]) -> None:
    """Take a file with a new path and a vanished file's bytes for that file, moved.

    Of several files with the same bytes, the one whose path ends most like the new one.
    """
    by_digest: dict[str, list[str]] = {}
    for path, known in gone.items():
        by_digest.setdefault(known.digest, []).append(path)
    for path, digest in fresh.items():
        candidates = by_digest.get(digest)
        if candidates:
            old = max(candidates, key=lambda one: _common_end(one, path))
            candidates.remove(old)
            plan.moved[path] = gone.pop(old)


def _common_end(one: str, other: str) -> int:
    pairs = zip(reversed(one), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _file_under(outcome: _Outcome, docid: str, *, is_known: bool, is_moved: bool) -> None:
    group = outcome.moved if is_moved else outcome.updated if is_known else outcome.added
    group.append(docid)
