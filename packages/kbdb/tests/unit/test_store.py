"""Making a knowledge base, and telling one from what is none."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import DamagedError, NewerFormatError, NotAKnowledgeBaseError
from kbdb.records import folder as kb_folder


def snapshot(path: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in path.rglob("*") if one.is_file()}


def test_a_newer_format_is_refused_and_left_untouched(tmp_path: Path) -> None:
    KnowledgeBase.create(tmp_path / "kb").close()
    (tmp_path / "kb" / "format").write_text("kbdb 2\n", encoding="ascii")
    before = snapshot(tmp_path)

    with pytest.raises(NewerFormatError) as caught:
        KnowledgeBase.open(tmp_path / "kb")

    assert caught.value.hint
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("content", [b"", b"kbdb\n", b"kbdb x\n", b"kbdb 1 2\n", b"{}"])
def test_a_format_file_that_says_something_else_is_damage(tmp_path: Path, content: bytes) -> None:
    KnowledgeBase.create(tmp_path / "kb").close()
    (tmp_path / "kb" / "format").write_bytes(content)

    with pytest.raises(DamagedError) as caught:
        KnowledgeBase.open(tmp_path / "kb")

    assert caught.value.hint


def test_a_folder_without_a_format_file_is_no_knowledge_base(tmp_path: Path) -> None:
    with pytest.raises(NotAKnowledgeBaseError):
        KnowledgeBase.open(tmp_path)
    with pytest.raises(NotAKnowledgeBaseError):
        KnowledgeBase.open(tmp_path / "missing")


class Interrupt(BaseException):
    """As a kill would be, at a call of choice."""


def interrupting(patch: pytest.MonkeyPatch, at: int) -> None:
    """Raise at one of the calls that write."""
    count = 0

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            nonlocal count
            count += 1
            if count == at:
                raise Interrupt
            return real(*args, **kwargs)

        return call

    for name in ("open", "write", "replace", "mkdir", "fsync"):
        patch.setattr(os, name, counted(getattr(os, name)))


def test_making_one_can_be_run_again_after_an_interruption_at_any_call(tmp_path: Path) -> None:
    for number in range(1, 100):
        path = tmp_path / str(number)
        with pytest.MonkeyPatch.context() as patch:
            interrupting(patch, number)
            try:
                kb_folder.create(path, settings="# settings\n")
            except Interrupt:
                pass
            else:
                break
        if not (path / "format").exists():
            with pytest.raises(NotAKnowledgeBaseError):
                kb_folder.check_format(path)
            kb_folder.create(path, settings="# settings\n")
        assert kb_folder.check_format(path) == 1
        assert kb_folder.read_settings(path) == "# settings\n"

    assert 10 < number < 99
