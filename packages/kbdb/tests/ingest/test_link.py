"""Link markers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.ingest.link import find_links, render_links

markdownish = st.lists(
    st.sampled_from(
        [
            "$(link:a)",
            "$(link:b-c)",
            "$(link:",
            ")",
            "`",
            "``",
            "```\n",
            "~~~\n",
            "\n",
            "\n\n",
            "x ",
        ]
    )
).map("".join)


def test_targets_come_in_order_and_once() -> None:
    assert find_links("$(link:b) $(link:a) and $(link:b)") == ("b", "a")


@pytest.mark.parametrize(
    "text",
    [
        "`$(link:a)`",
        "`` ` $(link:a) ``",
        "```\n$(link:a)\n```",
        "~~~ text\n```\n$(link:a)\n~~~",
        "- item\n  ```\n  $(link:a)\n  ```",
        "```\nnever closed $(link:a)\n\n$(link:a)",
    ],
)
def test_markers_in_code_are_no_links(text: str) -> None:
    assert find_links(text) == ()
    assert render_links(text, lambda _: "resolved") == text


@pytest.mark.parametrize(
    "text",
    [
        "a ` alone and $(link:a)",
        "`code` $(link:a) `code`",
        "one ` here\n\n$(link:a)\n\none ` there",
        "```\nfence\n```\n$(link:a)",
        "```not a fence``` $(link:a)",
    ],
)
def test_markers_beside_code_are_links(text: str) -> None:
    assert find_links(text) == ("a",)


@pytest.mark.parametrize("text", ["$(link:)", "$(link:../etc)", "$(link:a\nb)", "$(link:<kb-id>)"])
def test_target_that_could_be_no_docid_is_no_link(text: str) -> None:
    assert find_links(text) == ()


def test_rendering_replaces_what_resolves_and_leaves_the_rest() -> None:
    resolve = {"a": "Title of A"}.get

    assert render_links("see $(link:a), $(link:b).", resolve) == "see Title of A, $(link:b)."


@given(markdownish)
def test_rendering_asks_for_exactly_the_targets_found(text: str) -> None:
    asked: list[str] = []

    def resolve(target: str) -> None:
        asked.append(target)

    assert render_links(text, resolve) == text
    assert tuple(dict.fromkeys(asked)) == find_links(text)
