"""Skills and agents: made, named, changed, deleted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import UnknownIdError, UsageError
from kbdb.model import SkillArgument


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path / "kb") as opened:
        yield opened


def test_skill_comes_back_as_it_was_given(base: KnowledgeBase) -> None:
    argument = SkillArgument(name="file", description="Which", required=True)
    made = base.skill_learn("Code review", "Reviews", "Review {{file}}.", [argument])

    assert base.skill_get(name="Code review") == base.skill_get(kbid=made.kbid) == made
    assert base.skill_list() == (made,)
    assert base.search("review", type="skill").hits[0].kbid == made.kbid


def test_placeholders_nobody_explained_are_optional_arguments(base: KnowledgeBase) -> None:
    given = SkillArgument(name="file", description="Which", required=True)
    body = "Review {{file}} for {{ who }} and {{who}}; {{#if x}} {{}} {{{y}}} {{größe_1}}"
    made = base.skill_learn("review", "", body, [given])

    added = (SkillArgument(name=name) for name in ("who", "y", "größe_1"))
    assert made.arguments == (given, *added)
    assert base.skill_get(name="review") == made


def test_argument_that_the_body_does_not_use_is_refused(base: KnowledgeBase) -> None:
    for names in (["file"], ["who", "file"], ["who", "who"]):
        arguments = [SkillArgument(name=name) for name in names]
        with pytest.raises(UsageError) as refused:
            base.skill_learn("review", "", "Review for {{who}}.", arguments)
        assert refused.value.hint
    assert base.skill_list() == ()


def test_skill_named_twice_is_listed_once(base: KnowledgeBase) -> None:
    first, second = (base.skill_learn(name, "", f"Do {name}.") for name in ("one", "two"))
    made = base.agent_create("editor", "", "You edit.", ["two", "one", second.kbid, "Two"])

    assert [one.skill for one in made.skills] == [second, first]
    assert base.agent_get("editor") == made


def test_skill_of_the_same_name_has_its_new_body_under_the_old_id_too(base: KnowledgeBase) -> None:
    old = base.skill_learn("Code review", "", "Old body.")
    new = base.skill_learn("code-review", "", "New body.")

    assert base.skill_list() == (new,)
    assert base.skill_get(kbid=old.kbid).body == "New body."


@pytest.mark.parametrize(
    "names", [("C", "C++", "C#"), ("😀", "👍"), ("café", "cafe"), ("n" * 99 + "a", "n" * 99 + "b")]
)
def test_names_of_one_slug_are_skills_and_agents_of_their_own(
    base: KnowledgeBase, names: tuple[str, ...]
) -> None:
    for name in names:
        base.skill_learn(name, "", f"Do {name}.")
        base.agent_create(name, "", f"Be {name}.", [name])

    assert sorted(skill.name for skill in base.skill_list()) == sorted(names)
    for name in names:
        assert base.skill_get(name=name).body == f"Do {name}."
        agent = base.agent_get(name)
        assert (agent.persona, base.agent_get(agent.docid)) == (f"Be {name}.", agent)
        assert [one.skill and one.skill.name for one in agent.skills] == [name]


def test_agent_keeps_a_dangling_reference_to_a_deleted_skill(base: KnowledgeBase) -> None:
    kept, gone = (base.skill_learn(name, "", f"Do {name}.") for name in ("kept", "gone"))
    agent = base.agent_create("editor", "", "You edit.", ["gone", kept.kbid])
    base.skill_delete(gone.kbid)

    first, second = base.agent_get(agent.docid).skills
    assert (first.kbid, first.skill) == (gone.kbid, None)
    assert second.skill == kept
    base.skill_learn("gone", "", "Do gone.")
    assert base.agent_get("editor").skills[0].skill is not None


def test_agent_made_again_replaces_its_persona(base: KnowledgeBase) -> None:
    base.agent_create("editor", "", "You edit.")
    base.agent_create("Editor", "Better", "You edit well.")

    (agent,) = base.agent_list()
    assert (agent.persona, agent.description) == ("You edit well.", "Better")
    assert base.agent_delete("editor").docid == agent.docid
    assert base.agent_list() == ()
    with pytest.raises(UnknownIdError):
        base.agent_get(agent.docid)


def test_unknown_names_are_told_the_nearest(base: KnowledgeBase) -> None:
    base.skill_learn("reviewer", "", "Review.")
    base.agent_create("editor", "", "Edit.")

    with pytest.raises(UnknownIdError) as refused:
        base.skill_get(name="reviewr")
    assert "reviewer" in (refused.value.hint or "")
    with pytest.raises(UnknownIdError) as refused:
        base.agent_get("agent-editr")
    assert "agent-editor" in (refused.value.hint or "")
