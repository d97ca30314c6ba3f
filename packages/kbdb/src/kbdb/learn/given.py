"""What a caller gives, checked for its kind: Python itself would find out late, or never."""

import contextlib
import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from kbdb.errors import UsageError
from kbdb.model import BatchItem, SkillArgument

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Check = tuple[Callable[[object], bool], str]
_SHOWN = 60


def checked(operation: Callable[_P, _R]) -> Callable[_P, _R]:
    """Refuse values of a kind that a parameter does not take; the parameter's name tells which.

    The wrapped operation raises ``UsageError`` naming the parameter and what it takes.
    """
    signature = inspect.signature(operation)
    checks = {name: _TAKES[name] for name in signature.parameters if name not in {"self", "cls"}}

    @functools.wraps(operation)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        # What does not fit the signature at all, the call itself reports best.
        with contextlib.suppress(TypeError):
            _check(signature.bind(*args, **kwargs).arguments, checks)
        return operation(*args, **kwargs)

    return run


def check_item(item: BatchItem) -> None:
    """Refuse what is no item of a batch.

    Raises:
        UsageError: It is something else, or a field of it is.
    """
    if not isinstance(item, BatchItem):
        raise UsageError(f"{_shown(item)} is no BatchItem", hint="give BatchItem objects")
    fields = {name: getattr(item, name) for name in BatchItem.__dataclass_fields__}
    _check(fields, {**_TAKES, "content": _TEXT})


def tags_of(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the tags, each once; a string holds them between commas."""
    given = tags.split(",") if isinstance(tags, str) else tags
    tidy = (" ".join(tag.split()) for tag in given)
    return tuple(dict.fromkeys(tag for tag in tidy if tag))


def _check(values: Mapping[str, object], checks: Mapping[str, _Check]) -> None:
    for name, value in values.items():
        if name in checks:
            takes, what = checks[name]
            if not takes(value):
                raise UsageError(f"{name} is {_shown(value)}", hint=f"{name} takes {what}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _is(*kinds: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kinds)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_path(value: object) -> bool:
    return isinstance(value, str | Path)


def _are_texts(value: object) -> bool:
    return (
        isinstance(value, Collection)
        and not isinstance(value, str)
        and all(isinstance(one, str) for one in value)
    )


def _are_arguments(value: object) -> bool:
    return isinstance(value, Collection) and all(
        isinstance(one, SkillArgument) and _are_texts([one.name, one.description]) for one in value
    )


def _or_none(check: _Check) -> _Check:
    takes, what = check
    return lambda value: value is None or takes(value), f"{what}, or None"


_TEXT: _Check = (_is(str), "a string")
_NUMBER: _Check = (_is_number, "a whole number")
_CALL: _Check = (callable, "a function of two numbers")
_TEXTS: _Check = (_are_texts, "a list of strings, also for a single one")
_TAKES: Mapping[str, _Check] = MappingProxyType(
    {
        **dict.fromkeys(
            ("type", "title", "description", "docid", "query", "mode", "ident", "kbid", "name"),
            _TEXT,
        ),
        "body": _TEXT,
        "persona": _TEXT,
        "content": (_is(str, bytes), "a string or bytes"),
        "tags": (lambda value: isinstance(value, str) or _are_texts(value), "a list of strings"),
        "ids": _TEXTS,
        "skills": _TEXTS,
        "arguments": (_are_arguments, "a list of SkillArgument objects"),
        "items": (
            lambda value: isinstance(value, Iterable) and not isinstance(value, str | bytes),
            "BatchItem objects",
        ),
        "path": (_is_path, "a string or a Path"),
        "replace": (_is(bool), "True or False"),
        "replaces": _or_none(_TEXT),
        "limit": _NUMBER,
        "max_tokens": _or_none(_NUMBER),
        "max_bytes": _or_none(_NUMBER),
        "confirm": _or_none(_CALL),
        "progress": _or_none(_CALL),
    }
)
