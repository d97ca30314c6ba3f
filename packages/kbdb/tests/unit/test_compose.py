"""Sections and documents as one Markdown text."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kbdb import KnowledgeBase
from kbdb.errors import UnknownIdError


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path / "kb") as opened:
        yield opened


def test_document_is_composed_with_its_headings_in_order(base: KnowledgeBase) -> None:
    text = "# Top\n\nfirst\n\n## Below\n\nsecond\n\n# Next\n\nthird\n"
    base.learn(text, docid="doc")

    assert base.content(["doc"]) == text


def test_order_is_that_of_the_ids_and_one_may_come_twice(base: KnowledgeBase) -> None:
    one = base.learn("# One\n\n1", docid="one").sections[0].kbid
    base.learn("# Two\n\n2", docid="two")

    assert base.content(["two", one]) == "# Two\n\n2\n\n# One\n\n1\n"
    assert base.content([one, "one"]) == "# One\n\n1\n\n# One\n\n1\n"


def test_data_is_fenced_even_when_it_holds_fences(base: KnowledgeBase) -> None:
    base.add_section('{"a": "````"}', type="application/json", title="Data", docid="data")

    assert base.content(["data"]) == '# Data\n\n`````json\n{"a": "````"}\n`````\n'


def test_image_is_a_reference(base: KnowledgeBase) -> None:
    kbid = base.learn(b"\x89PNG", type="image/png", title="A dot", docid="dot").sections[0].kbid

    assert base.content(["dot"]) == f"![A dot](kbdb://section/{kbid})\n"


def test_links_to_what_is_live_are_rendered_and_others_left(base: KnowledgeBase) -> None:
    target = base.learn("# Target\n\nhere", docid="target").sections[0].kbid
    base.learn(f"$(link:{target}) $(link:target) $(link:none)", title="From", docid="from")

    shown = base.content(["from"])
    assert f"[Target](kbdb://section/{target})" in shown
    assert "[Target](kbdb://document/target)" in shown
    assert "$(link:none)" in shown

    base.unlearn(target)
    assert f"$(link:{target})" in base.content(["from"])
    assert "$(link:target)" in base.content(["from"])


def test_retired_section_is_not_composed_and_names_its_successor(base: KnowledgeBase) -> None:
    old = base.learn("# Old\n\nold text", docid="doc").sections[0].kbid
    new = base.learn("# New\n\nnew text", replaces=old).sections[0].kbid

    with pytest.raises(UnknownIdError) as refused:
        base.content([old])

    assert new in (refused.value.hint or "")
    assert base.content(["doc"]) == "# New\n\nnew text\n"
