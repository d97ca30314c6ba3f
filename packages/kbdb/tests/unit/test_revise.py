"""A document without one of its sections, or with others in its place."""

from hypothesis import given
from hypothesis import strategies as st

from kbdb.learn.revise import in_place_of, without
from kbdb.model import Document, SectionRef

NAMES = ("a", "b", "c", "d", "e")


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a document whose parents stand before their children."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
    refs = [
        SectionRef(
            kbid=name,
            parent=draw(st.sampled_from((None, *names[:place]))),
            tags=draw(st.sampled_from(((), ("red",)))),
        )
        for place, name in enumerate(names)
    ]
    return Document(docid="d", title="D", sections=tuple(refs))


def kbids(document: Document) -> list[str]:
    return [ref.kbid for ref in document.sections]


def check_parents(document: Document) -> None:
    """Every parent is in the document, and following parents comes to an end."""
    parents = {ref.kbid: ref.parent for ref in document.sections}
    for kbid in parents:
        at: str | None = kbid
        for _ in range(len(parents) + 1):
            at = parents[at] if at is not None else None
        assert at is None


@given(document=documents(), data=st.data())
def test_section_leaves_and_its_children_move_up(document: Document, data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(kbids(document)))

    left = without(document, gone)

    assert kbids(left) == [kbid for kbid in kbids(document) if kbid != gone]
    check_parents(left)


@given(document=documents(), data=st.data(), new=st.sampled_from((*NAMES, "x")))
def test_section_takes_the_place_of_another_once(
    document: Document, data: st.DataObject, new: str
) -> None:
    old = data.draw(st.sampled_from([kbid for kbid in kbids(document) if kbid != new] or [""]))
    if not old:
        return
    before = kbids(document)

    after = in_place_of(document, old, (SectionRef(kbid=new, tags=("new",)),))

    assert kbids(after) == (
        [kbid for kbid in before if kbid != old]
        if new in before
        else [new if kbid == old else kbid for kbid in before]
    )
    assert "new" in next(ref.tags for ref in after.sections if ref.kbid == new)
    check_parents(after)
