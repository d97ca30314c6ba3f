"""A sequence of operations that a process may be killed in, and a model of what each of them does.

Every text holds a word of its own, so that "is it there" is one search. The model knows words only:
which are live, and which were retired.
"""

import base64
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kbdb import KnowledgeBase
from kbdb.kbid import kbid_of
from kbdb.model import BatchItem, Section, SectionView
from kbdb.records.store import Records

_PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@dataclass(frozen=True, slots=True)
class Model:
    """What should be there; ``documents`` maps a docid to the words it holds."""

    documents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    retired: frozenset[str] = frozenset()

    @property
    def live(self) -> frozenset[str]:
        """The words that a search finds."""
        return frozenset(word for words in self.documents.values() for word in words)

    def with_document(self, docid: str, words: Sequence[str]) -> "Model":
        """Return the model with a document put in place of its earlier version."""
        documents = {**self.documents, docid: tuple(words)}
        if not words:
            del documents[docid]
        after = replace(self, documents=documents)
        gone = self.live - after.live
        return replace(after, retired=(self.retired | gone) - after.live)


@dataclass(frozen=True, slots=True)
class Step:
    """One operation and what it does to the model."""

    name: str
    run: Callable[[KnowledgeBase, Path], None]
    after: Model


def nth_word(number: int) -> str:
    """Return a word of consonants, which no analysis cuts up or stems."""
    return "zq" + str(number).translate(str.maketrans("0123456789", "bcdfghjklm")) + "x"


def text_of(word: str) -> str:
    """Return a section's text around its word."""
    return f"The common note about {word}, in which {word} is said twice."


def title_of(word: str) -> str:
    """Return a section's title."""
    return f"Title {word}"


def kbid_of_word(word: str) -> str:
    """Return the kb-id of a section that was learned with a title."""
    return kbid_of(type="text/markdown", title=title_of(word), body=text_of(word).encode())


def learn(word: str, docid: str) -> Callable[[KnowledgeBase, Path], None]:
    """Add a section to a document."""

    def run(kb: KnowledgeBase, _: Path) -> None:
        kb.learn(text_of(word), title=title_of(word), docid=docid)

    return run


class Script:
    """Builds a sequence, step by step."""

    def __init__(self) -> None:
        """Start with an empty knowledge base."""
        self.steps: list[Step] = []
        self.model = Model()
        self._count = 0
        self._gone: list[str] = []

    def word(self) -> str:
        """Return a word that no other text holds."""
        self._count += 1
        return nth_word(self._count)

    def add(self, name: str, run: Callable[[KnowledgeBase, Path], None], after: Model) -> None:
        """Append a step."""
        self.model = after
        self.steps.append(Step(name, run, after))

    def learn(self, docid: str) -> None:
        """Add a section to a document, or begin one."""
        word = self.word()
        held = self.model.documents.get(docid, ())
        self.add("learn", learn(word, docid), self.model.with_document(docid, (*held, word)))

    def replace(self, docid: str) -> None:
        """Put a text in place of all that a document holds."""
        word = self.word()

        def run(kb: KnowledgeBase, _: Path) -> None:
            kb.learn(text_of(word), title=title_of(word), docid=docid, replace=True)

        self.add("replace", run, self.model.with_document(docid, [word]))

    def supersede(self, docid: str) -> None:
        """Put a section in place of a document's first."""
        new = self.word()
        old, *rest = self.model.documents[docid]
        self._gone.append(old)

        def run(kb: KnowledgeBase, _: Path) -> None:
            kb.learn(text_of(new), title=title_of(new), replaces=kbid_of_word(old))

        self.add("supersede", run, self.model.with_document(docid, [new, *rest]))

    def unlearn(self, docid: str) -> None:
        """Retire a document's first section."""
        old, *rest = self.model.documents[docid]
        self._gone.append(old)

        def run(kb: KnowledgeBase, _: Path) -> None:
            kb.unlearn(kbid_of_word(old))

        self.add("unlearn", run, self.model.with_document(docid, rest))

    def relearn(self, docid: str) -> None:
        """Learn again what was superseded or unlearned first, and so bring it back."""
        word = self._gone[0]
        held = self.model.documents.get(docid, ())
        self.add("relearn", learn(word, docid), self.model.with_document(docid, (*held, word)))

    def batch(self, docids: Sequence[str]) -> None:
        """Learn many texts at once; a docid may come up twice."""
        words = [self.word() for _ in docids]
        items = [
            BatchItem(content=text_of(word), title=title_of(word), docid=docid)
            for word, docid in zip(words, docids, strict=True)
        ]
        after = self.model
        for word, docid in zip(words, docids, strict=True):
            after = after.with_document(docid, (*after.documents.get(docid, ()), word))

        def run(kb: KnowledgeBase, _: Path) -> None:
            kb.learn_batch(items)

        self.add("batch", run, after)

    def folder(self, names: Sequence[str]) -> None:
        """Learn a folder whose files all changed, some of them gone, some new."""
        words = {name: self.word() for name in names}
        after = self.model
        for docid in [one for one in after.documents if one.startswith("file-")]:
            if docid.removeprefix("file-") not in words:
                after = after.with_document(docid, ())
        for name, word in words.items():
            after = after.with_document(f"file-{name}", [word])

        def run(kb: KnowledgeBase, folder: Path) -> None:
            folder.mkdir(exist_ok=True)
            for path in folder.iterdir():
                path.unlink()
            for name, word in words.items():
                (folder / f"file-{name}.md").write_text(text_of(word), encoding="utf-8")
            kb.learn_folder(folder, confirm=lambda _gone, _known: True)

        self.add("folder", run, after)

    def skill(self, name: str) -> None:
        """Give a skill a new body."""
        word = self.word()

        def run(kb: KnowledgeBase, _: Path) -> None:
            kb.skill_learn(name, "", text_of(word))

        self.add("skill", run, self.model.with_document(f"skill-{name}", [word]))

    def agent(self, name: str) -> None:
        """Give an agent a new persona."""
        word = self.word()

        def run(kb: KnowledgeBase, _: Path) -> None:
            kb.agent_create(name, "", text_of(word))

        self.add("agent", run, self.model.with_document(f"agent-{name}", [word]))

    def image(self, docid: str) -> None:
        """Learn an image, whose body lies in a file beside the section's."""
        word = self.word()

        def run(kb: KnowledgeBase, _: Path) -> None:
            kb.learn(_PNG, type="image/png", title=f"Picture {word}", docid=docid)

        held = self.model.documents.get(docid, ())
        self.add("image", run, self.model.with_document(docid, (*held, word)))

    def reopen(self) -> None:
        """Close the knowledge base and open it again."""

        def run(kb: KnowledgeBase, _: Path) -> None:
            kb.close()
            KnowledgeBase.__init__(kb, kb.path)

        self.add("reopen", run, self.model)


def short_script() -> list[Step]:
    """Return a sequence with each kind of step, that crosses folds and a reopening."""
    script = Script()
    script.learn("one")
    script.learn("two")
    script.replace("two")
    script.supersede("one")
    script.image("one")
    script.reopen()
    script.unlearn("one")
    script.batch(["three", "two", "three"])
    script.folder(["a", "b"])
    script.folder(["b", "c"])
    script.skill("help")
    script.skill("help")
    script.relearn("four")
    return script.steps


def random_script(seed: int, length: int) -> list[Step]:
    """Return a random sequence."""
    chance = random.Random(seed)
    script = Script()
    docids = [f"doc-{n}" for n in range(5)]
    while len(script.steps) < length:
        held = [docid for docid in script.model.documents if docid.startswith("doc-")]
        docid = chance.choice(docids)
        kind = chance.randrange(10)
        if kind == 0:
            script.reopen()
        elif kind == 1:
            script.batch([chance.choice(docids) for _ in range(chance.randint(1, 6))])
        elif kind == 2:
            script.folder(chance.sample("abcdef", chance.randint(1, 4)))
        elif kind == 3:
            script.skill(chance.choice(["help", "plan"]))
        elif kind == 4:
            script.replace(docid)
        elif kind in {5, 6} and held:
            (script.supersede if kind == 5 else script.unlearn)(chance.choice(held))
        else:
            script.learn(docid)
    return script.steps


def all_words(steps: Sequence[Step]) -> list[str]:
    """Return every word that the steps ever learn."""
    return sorted({word for step in steps for word in step.after.live | step.after.retired})


@dataclass(frozen=True, slots=True)
class Found:
    """What a knowledge base holds, seen by every way there is."""

    searched: frozenset[str]
    common: frozenset[str]
    documents: dict[str, tuple[str, ...]]
    retired: frozenset[str]
    counts: tuple[int, ...]

    def problems(self, model: Model) -> list[str]:
        """Say where this differs from what should be there."""
        pairs = {
            "search": (self.searched, model.live),
            "documents": (self.documents, model.documents),
            "retired": (self.retired, model.retired),
            "counts": (
                self.counts[:3],
                (len(model.documents), len(model.live), len(model.retired)),
            ),
        }
        return [
            f"{name}: found {found}, expected {wanted}"
            for name, (found, wanted) in pairs.items()
            if found != wanted
        ]


def look(kb: KnowledgeBase, words: Sequence[str]) -> Found:
    """Read a knowledge base by every way there is."""
    records = Records(kb.path, publish=lambda _: None)
    documents = {}
    for docid in records.docids():
        document = records.document(docid)
        assert document is not None
        documents[docid] = tuple(_word_in(records.section(ref.kbid)) for ref in document.sections)
    retired = frozenset(_word_in(records.section(kbid)) for kbid in records.tombstone_ids())
    hits = {word: kb.search(word, limit=100).hits for word in words}
    for word, found in hits.items():
        assert all(word in _word_in(records.section(hit.kbid)) for hit in found), (word, found)
        for hit in found:
            view = kb.retrieve(hit.kbid)
            assert isinstance(view, SectionView)
            assert hit.docid in view.docids
    status = kb.status()
    common = kb.search("common note said twice", limit=1000).hits
    return Found(
        searched=frozenset(word for word, found in hits.items() if found),
        common=frozenset(hit.kbid for hit in common),
        documents=documents,
        retired=retired,
        counts=(
            status.documents,
            status.sections,
            status.retired,
            status.skills,
            status.agents,
        ),
    )


def _word_in(section: Section | None) -> str:
    assert section is not None
    words = f"{section.title} {section.text}".replace(",", " ").replace(".", " ").split()
    return next(word for word in words if word.startswith("zq"))
