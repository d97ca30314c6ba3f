"""Whatever is done to a knowledge base, in whatever order, it holds what a dictionary would."""

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from kbdb import KnowledgeBase
from kbdb.kbid import kbid_of
from kbdb.learn import settle
from kbdb.model import MARKDOWN, SKILL, DocumentView, SectionView, Verdict, Why

NAMES = (
    "amberite",
    "basaltic",
    "cobaltos",
    "dolomite",
    "emeraldo",
    "feldspat",
    "garnetto",
    "hematite",
)
SKILL_NAMES = ("surveyor", "assayer")
SKILL_WORDS = ("indigolite", "jasperine")
DOCIDS = ("north", "south", "east")
TAGS = ("red", "green", "blue")

places = st.lists(st.integers(0, len(NAMES) - 1), min_size=1, max_size=3)
tag_sets = st.lists(st.sampled_from(TAGS), unique=True, max_size=2).map(tuple)
docids = st.sampled_from(("", *DOCIDS))


@dataclass(frozen=True)
class Text:
    """A section of the model; ``word`` is in no other."""

    kbid: str
    title: str
    body: str
    word: str
    type: str = MARKDOWN


def text_of(type: str, title: str, body: str, word: str) -> Text:
    kbid = kbid_of(type=type, title=title, body=body.encode())
    return Text(kbid, title, body, word, type)


TEXTS = [
    text_of(MARKDOWN, f"Stone {n}", f"A shared word and {word}.", word)
    for n, word in enumerate(NAMES)
]
SKILLS = {
    (name, word): text_of(
        SKILL, name, f"A shared word of {name} and {name}{word}.", f"{name}{word}"
    )
    for name in SKILL_NAMES
    for word in SKILL_WORDS
}


@dataclass
class Model:
    """What the base should hold: by docid its sections in order with tags, and the retired."""

    documents: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    retired: dict[str, tuple[Why, str | None]] = field(default_factory=dict)

    @property
    def live(self) -> dict[str, set[str]]:
        """Every live section with the documents that hold it."""
        found: dict[str, set[str]] = {}
        for docid, sections in self.documents.items():
            for kbid in sections:
                found.setdefault(kbid, set()).add(docid)
        return found

    def tags(self, kbid: str) -> set[str]:
        return {tag for held in self.documents.values() for tag in held.get(kbid, ())}

    def put(
        self, docid: str, held: dict[str, tuple[str, ...]], why: Why, by: str | None = None
    ) -> None:
        """Replace a document; what fell out of the last one is retired."""
        before = self.documents.pop(docid, {})
        if held:
            self.documents[docid] = held
        live = self.live
        for kbid in held:
            self.retired.pop(kbid, None)
        for kbid in before:
            if kbid not in live:
                self.retired[kbid] = (why, by)


class BaseAgainstModel(RuleBasedStateMachine):
    """The base and the model, side by side."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="kbdb-model-"))
        self.patch = pytest.MonkeyPatch()
        self.model = Model()
        self.texts: dict[str, Text] = {}
        self.known: set[str] = set()

    @initialize(fold_from=st.sampled_from((1, 3, 256)))
    def create(self, fold_from: int) -> None:
        self.patch.setattr(settle, "FOLD_FROM", fold_from)
        self.base = KnowledgeBase.create(self.folder / "kb")

    @rule(some=places, docid=docids, tags=tag_sets, twice=st.booleans())
    def learn(self, some: list[int], docid: str, tags: tuple[str, ...], twice: bool) -> None:
        texts = self.drawn(some)
        was_live = set(self.model.live)
        learned = self.base.learn(markdown(texts), docid=docid, tags=tags)

        assert learned.docid == docid or (not docid and learned.docid)
        assert [one.kbid for one in learned.sections] == [text.kbid for text in texts]
        assert [one.new for one in learned.sections] == [one.kbid not in was_live for one in texts]
        held = dict(self.model.documents.get(learned.docid, {}))
        for text in texts:
            held[text.kbid] = tuple(dict.fromkeys(held.get(text.kbid, ()) + tags))
        self.model.put(learned.docid, held, Why.REPLACED)
        if twice:
            again = self.base.learn(markdown(texts), docid=docid, tags=tags)
            assert again.docid == learned.docid
            assert [(one.kbid, one.new) for one in again.sections] == [
                (one.kbid, False) for one in learned.sections
            ]

    @rule(some=places, docid=st.sampled_from(DOCIDS), tags=tag_sets)
    def learn_in_place_of_all(self, some: list[int], docid: str, tags: tuple[str, ...]) -> None:
        texts = self.drawn(some)
        self.base.learn(markdown(texts), docid=docid, tags=tags, replace=True)

        self.model.put(docid, {text.kbid: tags for text in texts}, Why.REPLACED)

    @precondition(lambda self: self.replaceable())
    @rule(data=st.data(), place=st.integers(0, len(NAMES) - 1), tags=tag_sets)
    def supersede(self, data: st.DataObject, place: int, tags: tuple[str, ...]) -> None:
        old = data.draw(st.sampled_from(self.replaceable()))
        (new,) = self.drawn([place])
        if new.kbid == old:
            return
        self.base.learn(markdown([new]), replaces=old, tags=tags)

        for docid, held in list(self.model.documents.items()):
            if old in held:
                after: dict[str, tuple[str, ...]] = {}
                for kbid, own in held.items():
                    if kbid == old and new.kbid not in held:
                        after[new.kbid] = tags or own
                    elif kbid != old:
                        more = tags if kbid == new.kbid else ()
                        after[kbid] = tuple(dict.fromkeys(own + more))
                self.model.put(docid, after, Why.SUPERSEDED, new.kbid)

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def unlearn(self, data: st.DataObject) -> None:
        kbid = data.draw(st.sampled_from(sorted(self.known)))
        docids = self.model.live.get(kbid, set())
        assert set(self.base.unlearn(kbid).docids) == docids

        for docid in docids:
            held = {key: tags for key, tags in self.model.documents[docid].items() if key != kbid}
            self.model.put(docid, held, Why.UNLEARNED)

    @rule(name=st.sampled_from(SKILL_NAMES), word=st.sampled_from(SKILL_WORDS))
    def learn_skill(self, name: str, word: str) -> None:
        text = SKILLS[name, word]
        self.note([text])
        skill = self.base.skill_learn(name, "A description", text.body)

        assert skill.kbid == text.kbid
        self.model.put(f"skill-{name}", {text.kbid: ()}, Why.SUPERSEDED, text.kbid)

    @rule(name=st.sampled_from(SKILL_NAMES))
    def delete_skill(self, name: str) -> None:
        held = self.model.documents.get(f"skill-{name}")
        if held:
            self.base.skill_delete(next(iter(held)))
            self.model.put(f"skill-{name}", {}, Why.UNLEARNED)

    @rule()
    def fold(self) -> None:
        self.base._index.fold()

    @rule(without_index=st.booleans())
    def reopen(self, without_index: bool) -> None:
        self.base.close()
        if without_index:
            shutil.rmtree(self.folder / "kb" / "indexes")
        self.base = KnowledgeBase.open(self.folder / "kb")

    @invariant()
    def counts_agree(self) -> None:
        status = self.base.status()
        skills = [docid for docid in self.model.documents if docid.startswith("skill-")]
        assert (status.documents, status.sections, status.retired, status.skills) == (
            len(self.model.documents),
            len(self.model.live),
            len(self.model.retired),
            len(skills),
        )

    @invariant()
    def every_section_is_what_the_model_says(self) -> None:
        live = self.model.live
        for kbid in self.known:
            view = self.base.retrieve(kbid)
            assert isinstance(view, SectionView)
            text = self.texts[kbid]
            assert (view.section.title, view.section.text) == (text.title, text.body)
            assert set(view.docids) == live.get(kbid, set())
            tombstone = view.tombstone and (view.tombstone.why, view.tombstone.by)
            assert tombstone == self.model.retired.get(kbid)
            if kbid in live:
                assert set(view.tags) == self.model.tags(kbid)

    @invariant()
    def every_live_section_and_no_other_is_found(self) -> None:
        live = self.model.live
        for kbid in self.known:
            found = self.base.search(self.texts[kbid].word)
            if kbid in live:
                assert (found.hits[0].kbid, found.verdict) == (kbid, Verdict.ANSWERED)
                assert set(found.hits[0].tags) == self.model.tags(kbid)
            else:
                assert (found.hits, found.verdict) == ((), Verdict.UNANSWERED)

    @invariant()
    def filters_agree(self) -> None:
        live = self.model.live
        for tag in TAGS:
            assert self.found(tags=[tag]) == {k for k in live if tag in self.model.tags(k)}
        for docid in DOCIDS:
            assert self.found(docid=docid) == set(self.model.documents.get(docid, {}))
        assert self.found(type=SKILL) == {k for k in live if self.texts[k].type == SKILL}

    @invariant()
    def documents_hold_their_sections_in_order(self) -> None:
        for docid, held in self.model.documents.items():
            view = self.base.retrieve(docid)
            assert isinstance(view, DocumentView)
            assert [one.kbid for one in view.sections] == list(held)
            composed = self.base.content([docid])
            starts = [composed.index(self.texts[kbid].body) for kbid in held]
            assert starts == sorted(starts)

    def teardown(self) -> None:
        if hasattr(self, "base"):
            self.base.close()
        self.patch.undo()
        shutil.rmtree(self.folder)

    def found(self, *, tags: list[str] | None = None, docid: str = "", type: str = "") -> set[str]:
        answer = self.base.search("shared", limit=100, tags=tags or [], docid=docid, type=type)
        return {hit.kbid for hit in answer.hits}

    def drawn(self, some: list[int]) -> list[Text]:
        """Return the texts at these places, each once."""
        return self.note([TEXTS[place] for place in dict.fromkeys(some)])

    def note(self, texts: list[Text]) -> list[Text]:
        self.texts |= {text.kbid: text for text in texts}
        self.known |= {text.kbid for text in texts}
        return texts

    def replaceable(self) -> list[str]:
        return sorted(kbid for kbid in self.model.live if self.texts[kbid].type == MARKDOWN)


def markdown(texts: list[Text]) -> str:
    return "\n".join(f"# {text.title}\n\n{text.body}\n" for text in texts)


TestBaseAgainstModel = BaseAgainstModel.TestCase
TestBaseAgainstModel.settings = settings(max_examples=25, stateful_step_count=25)
