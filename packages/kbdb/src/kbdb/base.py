"""The knowledge base in this process: every operation of the product is a method here."""

import os
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from kbdb.config import SETTINGS_TEXT, load_config
from kbdb.errors import ClosedError
from kbdb.index.analysis import Analyzer
from kbdb.index.engine import Index
from kbdb.index.guard import index_errors
from kbdb.learn.content import Draft, Learner
from kbdb.learn.folder import FolderLearner
from kbdb.learn.given import checked, tags_of
from kbdb.learn.revise import utc_now
from kbdb.learn.roster import Roster
from kbdb.learn.settle import Settler
from kbdb.learn.source import check_not_vanished, load
from kbdb.learn.tidy import searched_type
from kbdb.model import (
    MARKDOWN,
    Agent,
    BatchItem,
    BatchResult,
    DocumentView,
    FolderResult,
    LearnResult,
    SearchResult,
    SectionView,
    Skill,
    SkillArgument,
    Status,
    UnlearnResult,
)
from kbdb.records import folder, layout, store
from kbdb.records.change import Changes
from kbdb.search.compose import Reader
from kbdb.search.searcher import Request, search


class KnowledgeBase:
    """A knowledge base in a folder: put texts in, find them again.

    Use as a context manager, or call ``close``. One instance may be used from many threads. Many
    processes may have the same folder open; they write one at a time.
    """

    @checked
    def __init__(self, path: str | Path) -> None:
        """Open the knowledge base in ``path``; ``open`` and ``create`` are the usual ways in.

        Raises:
            NotAKnowledgeBaseError: There is none.
            NewerFormatError: A newer kbdb wrote it.
            ConfigError: worker.toml does not parse.
        """
        self._closed = True
        self._pid = os.getpid()
        self.path = folder.named(path)
        folder.check_format(self.path)
        self.config, self.config_origins = load_config(
            file_text=folder.read_settings(self.path), env=os.environ
        )
        self._writing = threading.RLock()
        self._records = store.Records(self.path, publish=self._publish)
        self._index = Index(self._records, Analyzer(self.config.search_language))
        with index_errors():
            self._index.open()
            self._records.recover()
        self._closed = False
        records, index = self._records, self._index
        self._learner = Learner(records=records, index=index, now=utc_now)
        self._folders = FolderLearner(records=records, index=index, now=utc_now)
        self._roster = Roster(records=records, index=index, now=utc_now)
        self._reader = Reader(records=records, index=index)
        self._settler = Settler(records=records, index=index, writing=self._writing)

    @classmethod
    @checked
    def create(cls, path: str | Path) -> Self:
        """Make an empty knowledge base in this very folder, and open it.

        Raises:
            AlreadyExistsError: The folder already holds something.
        """
        folder.create(folder.named(path), settings=SETTINGS_TEXT)
        return cls(path)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open the knowledge base in a folder.

        A folder that may not be written is opened for reading; writing then raises
        ``ReadOnlyError``.

        Raises:
            NotAKnowledgeBaseError: There is none.
            NewerFormatError: A newer kbdb wrote it; it is left untouched.
        """
        return cls(path)

    @checked
    def learn(
        self,
        content: str | bytes,
        *,
        type: str = MARKDOWN,
        title: str = "",
        description: str = "",
        docid: str = "",
        tags: Sequence[str] = (),
        replace: bool = False,
        replaces: str | None = None,
    ) -> LearnResult:
        """Learn a text or an image; it is durable and found by the next search when this returns.

        Args:
            content: Text, or the bytes of a text or an image.
            type: Media type of the content; Markdown, HTML, TOML and JSON are cut into sections.
            title: Of the document; else taken from the content.
            description: Searched with the first section.
            docid: The document to add to or make; else the same text is the same document.
            tags: For every section of the content.
            replace: Put the content in place of all that the document holds.
            replaces: The kb-id of a live section that the content supersedes.

        Raises:
            NothingToLearnError: The content is empty.
            UnknownIdError: ``replaces`` is no live section.
            LockedError, ReadOnlyError, DiskFullError: It could not be written; nothing was changed.
        """
        draft = Draft(
            content=content,
            type=type,
            title=title,
            description=description,
            docid=docid,
            tags=tags_of(tags),
            replace=replace,
            replaces=replaces,
        )
        with self._write():
            return self._learner.learn(draft)

    @checked
    def add_section(
        self,
        content: str | bytes,
        *,
        type: str = MARKDOWN,
        title: str = "",
        description: str = "",
        docid: str = "",
        tags: Sequence[str] = (),
        replaces: str | None = None,
    ) -> LearnResult:
        """Learn a text as one section, whatever headings it holds; otherwise like ``learn``."""
        draft = Draft(
            content=content,
            type=type,
            title=title,
            description=description,
            docid=docid,
            tags=tags_of(tags),
            replaces=replaces,
            split=False,
        )
        with self._write():
            return self._learner.learn(draft)

    @checked
    def learn_file(
        self,
        path: str | Path,
        *,
        type: str = "",
        title: str = "",
        description: str = "",
        docid: str = "",
        tags: Sequence[str] = (),
        replace: bool = False,
        replaces: str | None = None,
        max_bytes: int | None = None,
    ) -> LearnResult:
        """Learn a file; learned again, its new content replaces the old. The file is never changed.

        Args:
            path: A regular file.
            type: Media type; else from the name, else from the first bytes.
            title: As for ``learn``; so are ``description``, ``docid``, ``tags`` and ``replace``.
            description: See ``title``.
            docid: See ``title``.
            tags: See ``title``.
            replace: See ``title``.
            replaces: As for ``learn``; what is learned stays the file's own document.
            max_bytes: Refuse larger files; default ``[ingest] max_bytes``.
        """
        file = Path(path)
        limit = max_bytes or self.config.ingest_max_bytes
        with self._read():
            check_not_vanished(file, self.path, self._index.catalogue)
            loaded = load(file, self.path, type=type, max_bytes=limit)
        draft = Draft(
            content=loaded.data,
            type=loaded.type,
            title=title,
            description=description,
            docid=docid,
            tags=tags_of(tags),
            replace=replace,
            replaces=replaces,
            name=file.name,
            source=loaded.source,
        )
        with self._write():
            return self._learner.learn(draft)

    @checked
    def learn_folder(
        self,
        path: str | Path,
        *,
        type: str = "",
        tags: Sequence[str] = (),
        max_bytes: int | None = None,
        confirm: Callable[[int, int], bool] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> FolderResult:
        """Learn every document in a folder; learned again, follow what changed, moved and vanished.

        ``.gitignore`` and ``.kbdbignore`` are respected; the files are never changed. All or
        nothing.

        Args:
            path: A folder; one that is gone has its documents retired.
            type: Media type for every file; else by each name, and other files are skipped.
            tags: For every section.
            max_bytes: Skip larger files; default ``[ingest] max_bytes``.
            confirm: Asked with the number of vanished and of known documents when more than a fifth
                would be retired; returns whether to go on.
            progress: Called with files done and files in all.

        Raises:
            PathNotFoundError: There is no such folder, and nothing was learned from one.
            ConfirmationNeededError: Too much vanished, and there was nobody to ask; nothing was
            changed.
            CancelledError: ``confirm`` said no; nothing was changed.
        """
        with self._write():
            return self._folders.learn(
                Path(path),
                type=type,
                tags=tags_of(tags),
                max_bytes=max_bytes or self.config.ingest_max_bytes,
                confirm=confirm,
                progress=progress,
            )

    @checked
    def learn_batch(
        self,
        items: Iterable[BatchItem],
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> BatchResult:
        """Learn many texts, all or none, with one sync.

        Args:
            items: Read once, as they are needed; near duplicates are not looked for.
            progress: Called with items done, twice: how many there are is not known before the end.
        """
        with self._write():
            return self._learner.learn_batch(items, progress=progress)

    @checked
    def search(
        self,
        query: str,
        *,
        mode: str = "auto",
        limit: int = 10,
        tags: Sequence[str] = (),
        docid: str = "",
        type: str = "",
        max_tokens: int | None = None,
    ) -> SearchResult:
        """Find the sections that answer a query best.

        Any text is a query; quotes ask for a phrase. Filters apply before anything is ranked.

        Args:
            query: Whatever a person types.
            mode: ``auto``, ``lexical``, ``vector`` or ``hybrid``.
            limit: Hits at most, 1 to 1000.
            tags: Only sections with every one of these.
            docid: Only sections of this document.
            type: Only sections of this type.
            max_tokens: Whole hits within so many tokens, estimated at four ASCII characters each.

        Raises:
            UnknownValueError: There is no such mode or type.
            ModeUnavailableError: The mode needs vectors and no provider is configured.
        """
        with self._read():
            request = Request(
                query=query,
                mode=mode,
                limit=limit,
                tags=tags_of(tags),
                docid=docid,
                type=searched_type(type, self._index.catalogue),
                max_tokens=max_tokens,
            )
            return search(request, index=self._index, read_text=self._records.text)

    @checked
    def retrieve(self, ident: str) -> SectionView | DocumentView:
        """Return a section by kb-id, live or retired, or a document by docid.

        Raises:
            UnknownIdError: Nothing has this id; the error names the nearest that exist.
        """
        with self._read():
            return self._reader.retrieve(ident)

    @checked
    def content(self, ids: Sequence[str]) -> str:
        """Compose one Markdown text from live sections and documents, in the order given.

        Raises:
            UnknownIdError: Nothing live has one of the ids.
        """
        with self._read():
            return self._reader.content(ids)

    @checked
    def unlearn(self, kbid: str) -> UnlearnResult:
        """Take a section out of every document and search; its text stays readable by kb-id.

        Unlearning a retired section does nothing.

        Raises:
            UnknownIdError: No section has this kb-id.
        """
        with self._write():
            self._reader.check_section(kbid)
            return self._learner.unlearn(kbid)

    def status(self) -> Status:
        """Count what the knowledge base holds, and say what it costs."""
        with self._read():
            counts = self._index.catalogue.counts()
            return Status(
                path=str(self.path),
                format=f"kbdb {layout.FORMAT_NUMBER}",
                generation=self._index.generation,
                records_bytes=self._records.size_bytes(),
                index_bytes=self._index.size_bytes,
                language=self.config.search_language,
                writable=self._records.is_writable,
                documents=counts["documents"],
                sections=counts["sections"],
                retired=counts["retired"],
                skills=counts["skills"],
                agents=counts["agents"],
                pending=counts["pending"],
            )

    @checked
    def skill_learn(
        self, name: str, description: str, body: str, arguments: Sequence[SkillArgument] = ()
    ) -> Skill:
        """Make a skill, or give the one of this name a new body.

        Args:
            name: By which people and agents call it.
            description: What it is for.
            body: The template, with ``{{argument}}`` placeholders.
            arguments: What the placeholders mean; one that is not explained is optional.
        """
        with self._write():
            return self._roster.learn_skill(name, description, body, arguments)

    def skill_list(self) -> tuple[Skill, ...]:
        """Return every skill, by name."""
        with self._read():
            return self._roster.skills()

    @checked
    def skill_get(self, *, name: str = "", kbid: str = "") -> Skill:
        """Return one skill by name or kb-id; the kb-id takes precedence.

        Raises:
            UnknownIdError: There is no such skill.
        """
        with self._read():
            return self._roster.skill(name=name, kbid=kbid)

    @checked
    def skill_delete(self, kbid: str) -> UnlearnResult:
        """Delete a skill by kb-id; agents that refer to it keep a dangling reference."""
        with self._write():
            skill = self._roster.skill(name="", kbid=kbid)
            return self._learner.unlearn(skill.kbid)

    @checked
    def agent_create(
        self, name: str, description: str, persona: str, skills: Sequence[str] = ()
    ) -> Agent:
        """Make an agent, or replace the one of this name.

        Args:
            name: By which people call it; its docid is ``agent-`` and the name as a slug.
            description: What it is for.
            persona: Who it is, in Markdown.
            skills: Names or kb-ids of skills, in order.

        Raises:
            UnknownIdError: There is no such skill.
        """
        with self._write():
            return self._roster.create_agent(name, description, persona, skills)

    def agent_list(self) -> tuple[Agent, ...]:
        """Return every agent, by name."""
        with self._read():
            return self._roster.agents()

    @checked
    def agent_get(self, docid: str) -> Agent:
        """Return one agent by docid or name, with its skills; a deleted skill is None.

        Raises:
            UnknownIdError: There is no such agent.
        """
        with self._read():
            return self._roster.agent(docid)

    @checked
    def agent_delete(self, docid: str) -> Agent:
        """Delete an agent and its persona; its skills stay. Returns what was deleted."""
        with self._write():
            return self._roster.delete_agent(docid)

    def close(self) -> None:
        """Catch up with what was written and close every file; may be called twice."""
        if not self._closed and self._pid == os.getpid():
            self._closed = True
            with index_errors():
                self._settler.close()
                self._index.close()

    def __enter__(self) -> Self:
        """Return the open knowledge base."""
        with self._read():
            return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def __del__(self) -> None:
        """Say that it was left open; what was acknowledged is safe all the same."""
        if not getattr(self, "_closed", True) and self._pid == os.getpid():
            warnings.warn(f"{self!r} was not closed", ResourceWarning, source=self, stacklevel=2)

    def __repr__(self) -> str:
        """Name the folder."""
        return f"KnowledgeBase({str(self.path)!r})"

    def _publish(self, changes: Changes) -> None:
        self._index.apply(changes)

    @contextmanager
    def _read(self) -> Iterator[None]:
        # Threads and locks do not survive a fork; waiting for them would never end.
        if self._closed or self._pid != os.getpid():
            state = "is closed" if self._closed else "was opened before this process was forked"
            raise ClosedError(f"{self!r} {state}", hint="open it again to use it")
        with index_errors():
            yield

    @contextmanager
    def _write(self) -> Iterator[None]:
        with self._read(), self._writing:
            yield
            self._settler.after_write()
