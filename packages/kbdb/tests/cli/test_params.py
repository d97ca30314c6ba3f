import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.cli import params
from kbdb.errors import UnknownValueError
from kbdb.model import SkillArgument


@pytest.mark.parametrize(
    ("word", "size_bytes"),
    [
        ("1", 1),
        ("500kB", 500_000),
        ("20MB", 20_000_000),
        ("300M", 300_000_000),
        ("1GiB", 2**30),
        ("1.5 mib", 3 * 2**19),
        ("2gb", 2_000_000_000),
    ],
)
def test_size_takes_decimal_and_binary_units(word: str, size_bytes: int) -> None:
    assert params.size(word) == size_bytes


@pytest.mark.parametrize("word", ["", "0", "-1", "MB", "20XB", "1e9", "١MB", "9" * 400])
def test_size_refuses_what_is_none(word: str) -> None:
    with pytest.raises(click.BadParameter):
        params.size(word)


@given(tags=st.lists(st.text(st.characters(codec="utf-8", exclude_characters=","), max_size=5)))
def test_tags_are_the_same_whether_repeated_or_in_one_word(tags: list[str]) -> None:
    together, apart = params.split_tags([",".join(tags)]), params.split_tags(tags)

    assert together == apart
    assert len(set(apart)) == len(apart)
    assert all(tag == tag.strip() != "" for tag in apart)


@pytest.mark.parametrize(
    ("word", "argument"),
    [
        ("who", SkillArgument(name="who")),
        ("who!", SkillArgument(name="who", required=True)),
        ("who:a name", SkillArgument(name="who", description="a name")),
        ("who!: a: b!", SkillArgument(name="who", description="a: b!", required=True)),
    ],
)
def test_skill_argument_reads_name_need_and_description(word: str, argument: SkillArgument) -> None:
    assert params.skill_argument(word) == argument


@pytest.mark.parametrize("word", ["", "!", ":x", "two words", "1st"])
def test_skill_argument_refuses_what_is_no_name(word: str) -> None:
    with pytest.raises(click.BadParameter):
        params.skill_argument(word)


def test_type_is_known_by_its_short_name_and_images_by_prefix() -> None:
    known = params.LEARNABLE_TYPES

    assert params.media_type(known, "Markdown") == "text/markdown"
    assert params.media_type(known, "image/png") == "image/png"
    assert params.media_type(known, "") == ""


def test_unknown_type_names_the_nearest_known_one() -> None:
    with pytest.raises(UnknownValueError) as caught:
        params.media_type(params.LEARNABLE_TYPES, "text/markdwn")

    assert "did you mean 'text/markdown'" in (caught.value.hint or "")


def test_argument_bytes_that_are_no_text_become_replacement_characters() -> None:
    assert params.text("caf\udce9") == "caf\ufffd"
