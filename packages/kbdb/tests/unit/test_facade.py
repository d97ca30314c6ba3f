"""The facade at its edges: odd input is taken, bad input is explained and changes nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import (
    KbdbError,
    ModeUnavailableError,
    NothingToLearnError,
    UnknownIdError,
    UnknownValueError,
    UsageError,
)
from kbdb.model import BatchItem, DocumentView, SectionView, SkillArgument, Verdict

SURROGATE = "\ud800"
ODD_IDS = ("", " ", "../../x", "a/b", "x" * 100_000, SURROGATE, "\0", "a\nb", "CON", "i" * 26)
Do = Callable[[KnowledgeBase], object]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path_factory.mktemp("facade") / "kb") as opened:
        opened.learn("# Hello\n\nhello world", docid="hello", tags=["red"])
        opened.learn("# Bye\n\nbye world", docid="bye")
        opened.skill_learn("reviewer", "Reviews", "Review {{file}}.")
        opened.agent_create("editor", "Edits", "You edit.", ["reviewer"])
        file = opened.path.parent / "file.md"
        file.write_text("# File\n\nfrom a file", encoding="utf-8")
        opened.learn_file(file, docid="file")
        yield opened


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path / "kb") as opened:
        yield opened


def records_of(base: KnowledgeBase) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for name in ("sections", "documents", "retired")
        for path in (base.path / name).rglob("*")
        if path.is_file()
    }


def kbid_in(base: KnowledgeBase, docid: str) -> str:
    found = base.retrieve(docid)
    assert isinstance(found, DocumentView)
    return found.sections[0].kbid


def view(base: KnowledgeBase, kbid: str) -> SectionView:
    found = base.retrieve(kbid)
    assert isinstance(found, SectionView)
    return found


def refused(base: KnowledgeBase, do: Do, kind: type[KbdbError]) -> KbdbError:
    before = records_of(base)
    with pytest.raises(kind) as error:
        do(base)
    assert error.value.hint
    assert records_of(base) == before
    return error.value


@pytest.mark.parametrize("content", ["", " \n\t", b"", b" \n", "\ufeff", "---\ntitle: x\n---\n"])
def test_content_without_anything_is_refused(base: KnowledgeBase, content: str | bytes) -> None:
    refused(base, lambda b: b.learn(content), NothingToLearnError)
    if not content.strip():
        refused(base, lambda b: b.add_section(content), NothingToLearnError)


def test_image_without_bytes_is_refused(base: KnowledgeBase) -> None:
    refused(base, lambda b: b.learn(b"", type="image/png"), NothingToLearnError)
    refused(base, lambda b: b.add_section(b"", type="image/png"), NothingToLearnError)


@pytest.mark.parametrize(
    "docid",
    [
        *(
            "../x",
            "a/b",
            "a\\b",
            "con",
            "Con",
            "com1.txt",
            "Upper",
            "x" * 300,
            ".x",
            "x.",
            " x",
            "a:b",
        ),
        *("a\nb", "a\0b", SURROGATE, "漢" * 70, "a*", "?"),
    ],
)
def test_hostile_docid_is_refused(base: KnowledgeBase, docid: str) -> None:
    for do in (
        lambda b: b.learn("some text", docid=docid),
        lambda b: b.add_section("some text", docid=docid),
        lambda b: b.learn_batch([BatchItem(content="fine"), BatchItem(content="x", docid=docid)]),
        lambda b: b.learn("some text", docid=docid, replaces=kbid_in(b, "file")),
    ):
        refused(base, do, UsageError)


@pytest.mark.parametrize(
    "type", ["", " ", "nonsense", "a/b/c", "text/x\ny", "image/../../x", "text/" + "x" * 300, "/"]
)
def test_what_is_no_media_type_is_refused(base: KnowledgeBase, type: str) -> None:
    refused(base, lambda b: b.learn("some text", type=type), UsageError)
    refused(base, lambda b: b.add_section("some text", type=type), UsageError)


@pytest.mark.parametrize("type", ["TEXT/Markdown", "text/markdown; charset=utf-8"])
def test_media_type_is_taken_in_any_spelling(fresh: KnowledgeBase, type: str) -> None:
    for learned in (fresh.learn("One text", type=type), fresh.add_section("One", type=type)):
        assert view(fresh, learned.sections[0].kbid).section.type == "text/markdown"


@pytest.mark.parametrize("ident", ODD_IDS)
def test_ids_that_nothing_has_are_explained(base: KnowledgeBase, ident: str) -> None:
    for do in (
        lambda b: b.retrieve(ident),
        lambda b: b.content(["hello", ident]),
        lambda b: b.unlearn(ident),
        lambda b: b.agent_get(ident),
        lambda b: b.agent_delete(ident),
    ):
        error = refused(base, do, UnknownIdError)
        assert len(str(error)) < 1_500
    refused(base, lambda b: b.skill_get(name=ident), KbdbError)
    refused(base, lambda b: b.skill_get(kbid=ident), KbdbError)
    refused(base, lambda b: b.skill_delete(ident), KbdbError)
    refused(base, lambda b: b.agent_create("new", "", "One.", [ident]), KbdbError)
    if ident:
        refused(base, lambda b: b.learn("new text", replaces=ident), UnknownIdError)


def test_mistyped_id_is_told_the_nearest(base: KnowledgeBase) -> None:
    kbid = kbid_in(base, "hello")

    error = refused(base, lambda b: b.retrieve(kbid[:-1]), UnknownIdError)
    assert kbid in (error.hint or "")
    error = refused(base, lambda b: b.retrieve("helo"), UnknownIdError)
    assert "hello" in (error.hint or "")


@pytest.mark.parametrize("limit", [0, -1, 1_001])
def test_limit_outside_its_range_is_refused(base: KnowledgeBase, limit: int) -> None:
    refused(base, lambda b: b.search("hello", limit=limit), UsageError)


@pytest.mark.parametrize("max_tokens", [0, -5])
def test_budget_below_one_is_refused(base: KnowledgeBase, max_tokens: int) -> None:
    refused(base, lambda b: b.search("hello", max_tokens=max_tokens), UsageError)


def test_unknown_mode_is_told_those_that_exist(base: KnowledgeBase) -> None:
    error = refused(base, lambda b: b.search("hello", mode="lexcal"), UnknownValueError)
    assert "lexical" in (error.hint or "")
    refused(base, lambda b: b.search("hello", mode="vector"), ModeUnavailableError)
    refused(base, lambda b: b.search("hello", mode="hybrid"), ModeUnavailableError)


@pytest.mark.parametrize("type", ["foo", SURROGATE, "\0", "x" * 100_000, "markdown", "a\nb"])
def test_unknown_type_is_told_those_that_exist(base: KnowledgeBase, type: str) -> None:
    error = refused(base, lambda b: b.search("hello", type=type), UnknownValueError)
    assert "text/markdown" in (error.hint or "")


def test_type_of_a_document_that_the_base_holds_can_be_searched(fresh: KnowledgeBase) -> None:
    refused(fresh, lambda b: b.search("odd", type="text/x-odd"), UnknownValueError)
    fresh.learn("odd words", type="text/x-odd")

    assert fresh.search("odd", type="Text/X-Odd").hits
    assert fresh.search("odd", type="text/html").hits == ()
    assert fresh.search("odd", type="image/tiff").hits == ()


def test_small_budget_returns_whole_hits_and_says_how_many_more(base: KnowledgeBase) -> None:
    all_hits = base.search("world").hits
    none = base.search("world", max_tokens=1)

    assert (none.hits, none.more, none.verdict) == ((), len(all_hits), Verdict.ANSWERED)
    one = base.search("world", max_tokens=80)
    assert (one.hits, one.more) == (all_hits[:1], len(all_hits) - 1)


@pytest.mark.parametrize(
    "text", ["", " ", SURROGATE, "\0", '"', '""', "\u0301", "()*^~", "a" * 9_999]
)
def test_any_text_is_a_query(base: KnowledgeBase, text: str) -> None:
    assert base.search(text).verdict is Verdict.UNANSWERED


@pytest.mark.parametrize("value", [SURROGATE, "\0", "x" * 100_000, "none", "a\nb"])
@pytest.mark.parametrize("folded", [False, True])
def test_any_text_is_a_filter(base: KnowledgeBase, value: str, folded: bool) -> None:
    if folded:
        base._index.fold()

    assert base.search("hello", docid=value).hits == ()
    assert base.search("hello", tags=[value]).hits == ()


def test_nothing_asked_for_is_nothing_composed(base: KnowledgeBase) -> None:
    assert base.content([]) == ""


def test_superseding_is_refused_where_it_makes_no_sense(fresh: KnowledgeBase) -> None:
    old = fresh.learn("# One\n\nfirst text", docid="one").sections[0].kbid
    other = fresh.learn("# Two\n\nsecond text", docid="two").sections[0].kbid
    refused(fresh, lambda b: b.learn("# One\n\nfirst text", replaces=old), UsageError)
    refused(fresh, lambda b: b.learn("new", replaces=old, docid="two"), UsageError)
    refused(fresh, lambda b: b.learn("", replaces=old), NothingToLearnError)

    fresh.learn("# One\n\nbetter text", replaces=old)
    error = refused(fresh, lambda b: b.learn("# One\n\nagain", replaces=old), UnknownIdError)
    assert (view(fresh, old).tombstone or error) is not error
    assert kbid_in(fresh, "one") in (error.hint or "")
    fresh.unlearn(other)
    refused(fresh, lambda b: b.learn("new", replaces=other), UnknownIdError)


def test_text_that_supersedes_a_file_does_not_go_into_the_files_document(
    fresh: KnowledgeBase,
) -> None:
    file = fresh.path.parent / "notes.md"
    file.write_text("# Notes\n\nfrom a file", encoding="utf-8")
    learned = fresh.learn_file(file)
    old = learned.sections[0].kbid
    refused(fresh, lambda b: b.learn("more", docid=learned.docid), UsageError)
    refused(fresh, lambda b: b.learn("new", replaces=old, docid=learned.docid), UsageError)

    new = fresh.learn("the better text", replaces=old)

    assert new.docid != learned.docid
    assert view(fresh, old).docids == ()
    assert view(fresh, new.sections[0].kbid).docids == (new.docid,)


def test_skills_and_agents_keep_their_documents_to_themselves(fresh: KnowledgeBase) -> None:
    skill = fresh.skill_learn("reviewer", "", "Review.")
    fresh.agent_create("editor", "", "You edit.")
    fresh.learn("a text", docid="skill-taken")
    refused(fresh, lambda b: b.learn("text", docid="skill-reviewer"), UsageError)
    refused(fresh, lambda b: b.learn("text", docid="agent-editor"), UsageError)
    refused(fresh, lambda b: b.learn("text", docid="agent-editor", replace=True), UsageError)
    refused(fresh, lambda b: b.learn("text", replaces=skill.kbid), UsageError)
    refused(fresh, lambda b: b.skill_learn("taken", "", "Take."), UsageError)


def test_lone_surrogates_are_taken_everywhere(fresh: KnowledgeBase) -> None:
    argument = SkillArgument(name=SURROGATE, description=SURROGATE)
    learned = fresh.learn(
        f"a{SURROGATE}b", title=SURROGATE, description=SURROGATE, tags=[SURROGATE, "red"]
    )
    added = fresh.add_section(f"c{SURROGATE}d", title=f"x{SURROGATE}")
    (item,) = fresh.learn_batch([BatchItem(content=SURROGATE * 2)]).documents
    assert "2 characters are lone surrogates" in item.warnings[0]
    fresh.learn_batch([BatchItem(content=SURROGATE, title=SURROGATE, tags=(SURROGATE,))])
    body = f"{{{{{SURROGATE}}}}}"
    skill = fresh.skill_learn(f"s{SURROGATE}", SURROGATE, body, [argument])
    agent = fresh.agent_create(f"a{SURROGATE}", SURROGATE, SURROGATE, [skill.name])

    assert "1 character is a lone surrogate" in learned.warnings[0]
    assert added.warnings
    assert view(fresh, learned.sections[0].kbid).tags == ("?", "red")
    assert view(fresh, added.sections[0].kbid).section.title == "x?"
    assert fresh.skill_get(kbid=skill.kbid).body == skill.body == "{{?}}"
    assert fresh.agent_get(agent.docid).persona == agent.persona == "?"
    fresh.status()


def test_bytes_that_are_no_utf8_become_text_with_a_warning(fresh: KnowledgeBase) -> None:
    for learned in (fresh.learn(b"caf\xe9 au lait"), fresh.add_section(b"th\xe9 vert")):
        assert learned.warnings
        view(fresh, learned.sections[0].kbid).section.body.decode("utf-8")


def test_nul_and_controls_are_kept_in_bodies_and_left_out_of_titles(fresh: KnowledgeBase) -> None:
    learned = fresh.add_section("a\0b\x1bc", title="x\0y\nz")

    section = view(fresh, learned.sections[0].kbid).section
    assert (section.title, section.body) == ("x y z", b"a\0b\x1bc")


def test_long_titles_are_shortened_and_make_a_docid(fresh: KnowledgeBase) -> None:
    for title in ("t" * 10_000, "word " * 2_000, "漢" * 10_000, "é" * 10_000, "👍" * 10_000):
        for learned in (
            fresh.learn(f"text {title[:3]}", title=title),
            fresh.add_section(f"section {title[:3]}", title=title),
        ):
            found = fresh.retrieve(learned.docid)
            assert isinstance(found, DocumentView)
            assert len(found.document.title) <= 500
            assert len(found.sections[0].title) <= 500
            assert len(learned.docid.encode()) <= 200


def test_long_names_of_skills_and_agents_make_a_docid(fresh: KnowledgeBase) -> None:
    for name in ("漢" * 100, "n" * 100, "👍" * 100):
        assert fresh.skill_get(name=fresh.skill_learn(name, "", f"Do {name}.").name).name == name
        agent = fresh.agent_create(name, "", f"Be {name}.", [name])
        assert fresh.agent_get(name).docid == agent.docid
        assert len(agent.docid.encode()) <= 200
    refused(fresh, lambda b: b.skill_learn("n" * 101, "", "Do."), UsageError)
    refused(fresh, lambda b: b.agent_create(" ", "", "Be."), UsageError)
    refused(fresh, lambda b: b.agent_create("x", "", " \n"), UsageError)


def test_tags_are_tidied_wherever_they_come_from(fresh: KnowledgeBase) -> None:
    given = ["a,b", "c\nd", " a,b ", "", " ", "c  d"]
    learned = fresh.learn("many words", tags=given)
    fresh.learn_batch([BatchItem(content="few words", docid="two", tags=tuple(given))])

    assert view(fresh, learned.sections[0].kbid).tags == ("a,b", "c d")
    assert view(fresh, kbid_in(fresh, "two")).tags == ("a,b", "c d")
    assert len(fresh.search("words", tags=["c\td"]).hits) == 2
    fresh._index.fold()
    assert len(fresh.search("words", tags=["a,b"]).hits) == 2
    assert view(fresh, fresh.learn("three", tags="x, y").sections[0].kbid).tags == ("x", "y")
    refused(fresh, lambda b: b.learn("four", tags=["x" * 201]), UsageError)
    refused(fresh, lambda b: b.learn_batch([BatchItem(content="4", tags=("x" * 201,))]), UsageError)


def test_body_of_five_megabytes_is_kept_and_found(fresh: KnowledgeBase) -> None:
    body = "word one and another. " * 240_000 + "needle"
    learned = fresh.add_section(body, title="Big")

    assert view(fresh, learned.sections[0].kbid).section.body == body.encode()
    hit = fresh.search("needle").hits[0]
    assert hit.kbid == learned.sections[0].kbid
    assert "needle" in hit.snippet
    split = fresh.learn(body)
    assert len(split.sections) > 100
    assert fresh.search("needle").verdict is Verdict.ANSWERED


def test_batch_with_one_bad_item_is_refused_whole_and_names_it(base: KnowledgeBase) -> None:
    items = [BatchItem(content="a fine text"), BatchItem(content=" ")]

    error = refused(base, lambda b: b.learn_batch(items), NothingToLearnError)

    assert "item 2" in str(error)
    assert base.search("a fine text").verdict is not Verdict.ANSWERED


def test_unlearning_twice_changes_nothing_more(fresh: KnowledgeBase) -> None:
    kbid = fresh.learn("a text").sections[0].kbid
    assert fresh.unlearn(kbid).docids
    before = records_of(fresh)

    assert fresh.unlearn(kbid).docids == ()
    assert records_of(fresh) == before
