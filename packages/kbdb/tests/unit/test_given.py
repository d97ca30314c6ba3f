"""What a caller may not do: use a base that was closed, give a value of the wrong kind."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import ClosedError, UsageError
from kbdb.model import BatchItem

Do = Callable[[KnowledgeBase], object]
EVERY_OPERATION: tuple[Do, ...] = (
    lambda b: b.learn("text"),
    lambda b: b.add_section("text"),
    lambda b: b.learn_file(__file__),
    lambda b: b.learn_file("missing"),
    lambda b: b.learn_folder(Path(__file__).parent),
    lambda b: b.learn_folder("missing"),
    lambda b: b.learn_batch([]),
    lambda b: b.search("hello"),
    lambda b: b.retrieve("hello"),
    lambda b: b.content([]),
    lambda b: b.unlearn("i" * 26),
    lambda b: b.status(),
    lambda b: b.skill_learn("s", "", "Do."),
    lambda b: b.skill_list(),
    lambda b: b.skill_get(name="s"),
    lambda b: b.skill_delete("i" * 26),
    lambda b: b.agent_create("a", "", "Be."),
    lambda b: b.agent_list(),
    lambda b: b.agent_get("a"),
    lambda b: b.agent_delete("a"),
    lambda b: b.__enter__(),
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path_factory.mktemp("given") / "kb") as opened:
        yield opened


@pytest.mark.parametrize("do", EVERY_OPERATION)
def test_closed_base_says_so_whatever_is_asked(tmp_path: Path, do: Do) -> None:
    with KnowledgeBase.create(tmp_path / "kb") as closed:
        closed.learn("a text")
    closed.close()

    with pytest.raises(ClosedError, match="is closed") as refused:
        do(closed)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("operation", "arguments", "parameter"),
    [
        *(("search", {"query": value}, "query") for value in (None, 5, b"x", ["x"])),
        *(("search", {"query": "x", "limit": value}, "limit") for value in ("5", 2.5, True, None)),
        ("search", {"query": "x", "max_tokens": "5"}, "max_tokens"),
        ("search", {"query": "x", "mode": None}, "mode"),
        ("search", {"query": "x", "docid": 5}, "docid"),
        ("search", {"query": "x", "type": None}, "type"),
        *(("search", {"query": "x", "tags": value}, "tags") for value in ([1], 5, None)),
        *(("learn", {"content": value}, "content") for value in (None, 5, ["x"])),
        *(
            (operation, {"content": "x", name: 5}, name)
            for operation in ("learn", "add_section")
            for name in ("type", "title", "description", "docid", "tags", "replaces")
        ),
        ("learn", {"content": "x", "replace": "no"}, "replace"),
        *((operation, {"path": None}, "path") for operation in ("learn_file", "learn_folder")),
        ("learn_file", {"path": b"x"}, "path"),
        ("learn_file", {"path": __file__, "max_bytes": "1"}, "max_bytes"),
        ("learn_folder", {"path": ".", "confirm": True}, "confirm"),
        ("learn_batch", {"items": "abc"}, "items"),
        ("learn_batch", {"items": [{"content": "x"}]}, "BatchItem"),
        ("learn_batch", {"items": [BatchItem(content="x", tags=(1,))]}, "tags"),  # type: ignore[arg-type]
        ("learn_batch", {"items": [BatchItem(content=None)]}, "content"),  # type: ignore[arg-type]
        *((operation, {"ident": None}, "ident") for operation in ("retrieve",)),
        *(("content", {"ids": value}, "ids") for value in ("abc", None, [1])),
        ("unlearn", {"kbid": None}, "kbid"),
        ("skill_learn", {"name": 5, "description": "", "body": "Do."}, "name"),
        ("skill_learn", {"name": "s", "description": "", "body": None}, "body"),
        (
            "skill_learn",
            {"name": "s", "description": "", "body": "Do.", "arguments": ["x"]},
            "arguments",
        ),
        ("skill_get", {"name": None}, "name"),
        ("skill_delete", {"kbid": 5}, "kbid"),
        (
            "agent_create",
            {"name": "a", "description": "", "persona": "Be.", "skills": "reviewer"},
            "skills",
        ),
        ("agent_get", {"docid": None}, "docid"),
        ("agent_delete", {"docid": None}, "docid"),
    ],
)
def test_value_of_the_wrong_kind_is_refused_by_the_name_of_its_parameter(
    base: KnowledgeBase, operation: str, arguments: dict[str, object], parameter: str
) -> None:
    with pytest.raises(UsageError, match=parameter) as refused:
        getattr(base, operation)(**arguments)

    assert refused.value.hint
    assert base.status().documents == 0


def test_path_of_the_wrong_kind_opens_nothing() -> None:
    for make in (KnowledgeBase.open, KnowledgeBase.create, KnowledgeBase):
        with pytest.raises(UsageError, match="path"):
            make(None)  # type: ignore[arg-type]


def test_call_that_does_not_fit_is_reported_by_python(base: KnowledgeBase) -> None:
    with pytest.raises(TypeError, match=r"search\(\) missing"):
        base.search()  # type: ignore[call-arg]
