"""Skills and agents: prompt templates kept as sections, and personas that refer to them."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches

from kbdb.errors import UnknownIdError, UsageError
from kbdb.index.engine import Index
from kbdb.ingest.slug import is_docid, slug
from kbdb.kbid import is_kbid
from kbdb.learn.revise import Reviser
from kbdb.learn.tidy import fit_docid, storable
from kbdb.model import (
    AGENT,
    SKILL,
    Agent,
    AgentSkill,
    Document,
    Parsed,
    Part,
    Skill,
    SkillArgument,
    Tombstone,
    Why,
)
from kbdb.records.store import Records

_MAX_HOPS = 100
_SHOWN = 200
_PLACEHOLDER = re.compile(r"\{\{([^{}\n]+)\}\}")
# What else stands between double braces, such as a condition, is the text's own affair.
_NAME = re.compile(r"\w[\w.-]*")
_BETWEEN_WORDS = re.compile(r"[-_\s]+")


class Roster:
    """Makes, lists and deletes skills and agents; the caller lets one writer in at a time."""

    def __init__(self, *, records: Records, index: Index, now: Callable[[], str]) -> None:
        """Take both halves of the knowledge base and a clock."""
        self._records = records
        self._index = index
        self._now = now

    def learn_skill(
        self, name: str, description: str, body: str, arguments: Sequence[SkillArgument]
    ) -> Skill:
        """Make a skill, or give the one of this name a new body; its old body is superseded."""
        name = _checked_name("skill", name)
        description, body = storable(description), storable(body)
        if not body.strip():
            raise UsageError("the skill's body is empty", hint="say what the skill does")
        known = _arguments_of(body, arguments)
        document = self._store(
            Document(
                docid=self._docid_for(name, SKILL),
                title=name,
                description=description,
                type=SKILL,
                arguments=known,
            ),
            body,
        )
        return Skill(
            kbid=document.sections[0].kbid,
            name=name,
            description=description,
            body=body,
            arguments=known,
        )

    def skills(self) -> tuple[Skill, ...]:
        """Return every skill, by name."""
        found = (self._skill(document) for document in self._documents(SKILL))
        return tuple(sorted((one for one in found if one), key=lambda skill: skill.name))

    def skill(self, *, name: str, kbid: str) -> Skill:
        """Return one skill; a kb-id takes precedence, and one superseded leads to its successor."""
        if not name and not kbid:
            raise UsageError("neither a name nor a kb-id was given", hint="give one of them")
        skills = self.skills()
        if kbid:
            wanted = self._successor(kbid) if is_kbid(kbid) else kbid
            found = [skill for skill in skills if skill.kbid == wanted]
        else:
            found = sorted(
                (skill for skill in skills if _slugged(skill.name, SKILL) == _slugged(name, SKILL)),
                key=lambda skill: (skill.name != name, _key(skill.name) != _key(name)),
            )
        if not found:
            names = get_close_matches(name[:_SHOWN], [skill.name for skill in skills], n=3)
            raise UnknownIdError("skill", (kbid or name)[:_SHOWN], names)
        return found[0]

    def create_agent(
        self, name: str, description: str, persona: str, skills: Sequence[str]
    ) -> Agent:
        """Make an agent, or replace the one of this name."""
        name = _checked_name("agent", name)
        description, persona = storable(description), storable(persona)
        if not persona.strip():
            raise UsageError("the agent's persona is empty", hint="say who the agent is")
        known = tuple({skill.kbid: skill for skill in map(self._named, skills)}.values())
        document = self._store(
            Document(
                docid=self._docid_for(name, AGENT),
                title=name,
                description=description,
                type=AGENT,
                skills=tuple(skill.kbid for skill in known),
            ),
            persona,
        )
        return Agent(
            docid=document.docid,
            name=name,
            description=description,
            persona=persona,
            skills=tuple(AgentSkill(kbid=skill.kbid, skill=skill) for skill in known),
        )

    def agents(self) -> tuple[Agent, ...]:
        """Return every agent, by name."""
        found = (self._agent(document) for document in self._documents(AGENT))
        return tuple(sorted(found, key=lambda agent: agent.name))

    def agent(self, docid: str) -> Agent:
        """Return one agent by docid, or by name."""
        slugged = _slugged(docid, AGENT)
        for candidate in (docid, _told_apart(slugged, docid), slugged):
            document = self._records.document(candidate) if is_docid(candidate) else None
            if document is not None and document.type == AGENT:
                return self._agent(document)
        known = self._index.catalogue.docids(type=AGENT)
        shown = docid[:_SHOWN]
        raise UnknownIdError("agent", shown, get_close_matches(shown, known, n=3))

    def delete_agent(self, docid: str) -> Agent:
        """Delete an agent and its persona; its skills stay."""
        agent = self.agent(docid)
        with self._records.transaction() as tx:
            reviser = Reviser(tx, records=self._records, index=self._index, now=self._now)
            reviser.drop_document(reviser.document(agent.docid), why=Why.UNLEARNED)
            reviser.finish()
        return agent

    def _store(self, document: Document, text: str) -> Document:
        """Put a document of one section in place of its earlier version, which is superseded."""
        with self._records.transaction() as tx:
            reviser = Reviser(tx, records=self._records, index=self._index, now=self._now)
            before = self._document(document.docid, document.type)
            parsed = _one_part(document.title, text, document.type)
            document = replace(
                document,
                created=before.created if before else reviser.at,
                sections=reviser.put_parts(parsed, known=before),
            )
            by = document.sections[0].kbid
            reviser.put_document(document, before=before, why=Why.SUPERSEDED, by=by)
            reviser.finish()
        return document

    def _named(self, name_or_kbid: str) -> Skill:
        if is_kbid(name_or_kbid):
            return self.skill(name="", kbid=name_or_kbid)
        return self.skill(name=name_or_kbid, kbid="")

    def _docid_for(self, name: str, type: str) -> str:
        """Return the docid of this name; another name of the same slug has its own."""
        docid = _slugged(name, type)
        there = self._records.document(docid)
        if there is None or there.type != type or _key(there.title) == _key(name):
            return docid
        return _told_apart(docid, name)

    def _document(self, docid: str, type: str) -> Document | None:
        document = self._records.document(docid)
        if document is not None and document.type != type:
            raise UsageError(
                f"the document {docid!r} is in the way: it is no {type}", hint="choose another name"
            )
        return document

    def _documents(self, type: str) -> Iterable[Document]:
        for docid in self._index.catalogue.docids(type=type):
            document = self._records.document(docid)
            if document is not None:
                yield document

    def _skill(self, document: Document) -> Skill | None:
        live = [ref for ref in document.sections if self._index.catalogue.live([ref.kbid])]
        section = self._records.section(live[0].kbid) if live else None
        if section is None:
            return None
        return Skill(
            kbid=section.kbid,
            name=document.title,
            description=document.description,
            body=section.text,
            arguments=document.arguments,
        )

    def _agent(self, document: Document) -> Agent:
        persona = self._records.section(document.sections[0].kbid) if document.sections else None
        return Agent(
            docid=document.docid,
            name=document.title,
            description=document.description,
            persona=persona.text if persona else "",
            skills=tuple(self._agent_skill(kbid) for kbid in document.skills),
        )

    def _agent_skill(self, kbid: str) -> AgentSkill:
        current = self._successor(kbid)
        for place in self._index.catalogue.holdings(current):
            document = self._records.document(place.docid)
            if document is not None and document.type == SKILL:
                return AgentSkill(kbid=current, skill=self._skill(document))
        return AgentSkill(kbid=kbid, skill=None)

    def _successor(self, kbid: str) -> str:
        """Follow tombstones to the section that stands in for this one now."""
        for _ in range(_MAX_HOPS):
            tombstone: Tombstone | None = self._records.tombstone(kbid)
            if tombstone is None or tombstone.by is None:
                return kbid
            kbid = tombstone.by
        return kbid


def _arguments_of(body: str, given: Sequence[SkillArgument]) -> tuple[SkillArgument, ...]:
    """Return a skill's arguments: those that were given, then what else the body asks for.

    Raises:
        UsageError: An argument has no placeholder, or is given twice.
    """
    asked = dict.fromkeys(name.strip() for name in _PLACEHOLDER.findall(body))
    tidy = {storable(one.name).strip(): one for one in given}
    unused = [name for name in tidy if name not in asked]
    if unused:
        raise UsageError(
            f"the skill's body does not use the argument {unused[0]!r}",
            hint=f"write {{{{{unused[0]}}}}} where its value belongs, or leave the argument out",
        )
    if len(tidy) < len(given):
        raise UsageError("an argument is given twice", hint="give each argument once")
    return (
        *(
            replace(one, name=name, description=storable(one.description))
            for name, one in tidy.items()
        ),
        *(SkillArgument(name=name) for name in asked if name not in tidy and _NAME.fullmatch(name)),
    )


def _slugged(name: str, type: str) -> str:
    return fit_docid(f"{type}-{slug(name, fallback='unnamed')}")


def _told_apart(docid: str, name: str) -> str:
    """Return the docid for a name whose slug another has: ``C++`` beside ``C``."""
    digest = hashlib.sha256(_key(name).encode("utf-8", "replace")).hexdigest()
    return fit_docid(docid, digest[:6])


def _key(name: str) -> str:
    """Return the name as people take it for the same, whatever its case, hyphens and spaces."""
    return _BETWEEN_WORDS.sub(" ", name.casefold()).strip()


def _one_part(title: str, text: str, type: str) -> Parsed:
    body = text.encode("utf-8", "replace")
    return Parsed(title=title, type=type, parts=(Part(title=title, body=body, type=type),))


def _checked_name(kind: str, name: str) -> str:
    tidy = " ".join(storable(name).split())
    if not tidy or len(tidy) > 100:
        raise UsageError(
            f"{name!r} cannot be the name of a {kind}", hint="give a name of 1 to 100 characters"
        )
    return tidy
