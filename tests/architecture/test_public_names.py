import dataclasses
import enum

import pytest

import kbdb
from kbdb import errors, model

INTERNAL_VALUES = {"Part", "Parsed"}  # what parsers hand to the facade; no caller ever holds one


def test_public_names_are_sorted_and_import() -> None:
    assert kbdb.__all__ == sorted(set(kbdb.__all__))
    assert [name for name in kbdb.__all__ if getattr(kbdb, name).__name__ != name] == []


def test_every_error_and_every_value_is_public() -> None:
    values = {
        name
        for name, value in vars(model).items()
        if dataclasses.is_dataclass(value)
        or (isinstance(value, enum.EnumMeta) and value.__module__ == model.__name__)
    }
    raised = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.KbdbError)
    }

    assert set(kbdb.__all__) == {"KnowledgeBase", *raised, *(values - INTERNAL_VALUES)}


def test_public_names_are_listed_by_dir() -> None:
    assert set(kbdb.__all__) <= set(dir(kbdb))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        kbdb.no_such_name  # noqa: B018 - the access is the test


def test_every_error_has_a_code_of_its_own() -> None:
    classes = [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, errors.KbdbError)
    ]
    codes = [error.code for error in classes]

    assert sorted(codes) == sorted(set(codes))
