"""Fresh sections in memory: put, replaced, hidden, found."""

from hypothesis import given
from hypothesis import strategies as st

from kbdb.index.matching import Lookup, Unit
from kbdb.index.overlay import Overlay, Statistics

TERMS = ("a", "b", "c")
texts = st.lists(st.sampled_from(TERMS), max_size=5).map(" ".join)
steps = st.lists(
    st.tuples(st.sampled_from(("put", "hide", "look")), st.integers(1, 3), texts), max_size=12
)


def search(overlay: Overlay, *terms: str, need_all: bool = True, **asked: object) -> set[int]:
    lookup = Lookup(units=tuple(Unit(term, ((term,),)) for term in terms), **asked)  # type: ignore[arg-type]  # the fields of a lookup, by name
    statistics = Statistics(max(1, overlay.live_count), 3.0, overlay.df)
    return {ident for _, ident in overlay.search(lookup, need_all=need_all, statistics=statistics)}


@given(some=steps)
def test_overlay_holds_what_was_put_last(some: list[tuple[str, int, str]]) -> None:
    overlay = Overlay()
    model: dict[int, str | None] = {}
    for what, ident, terms in some:
        if what == "put":
            overlay.put(ident, terms, ())
            model[ident] = terms
        elif what == "hide":
            overlay.hide(ident)
            model[ident] = None
        else:
            overlay.df("a")

    live = {ident: terms.split() for ident, terms in model.items() if terms is not None}
    assert len(overlay) == len(model)
    assert all(ident in overlay for ident in model)
    assert overlay.live_count == len(live)
    assert overlay.token_count == sum(map(len, live.values()))
    for term in TERMS:
        holders = {ident for ident, terms in live.items() if term in terms}
        assert overlay.df(term) == len(holders)
        assert search(overlay, term) == holders
        assert overlay.with_prefix(term) == ({term} if holders else set())
    both = {ident for ident, terms in live.items() if {"a", "b"} <= set(terms)}
    assert search(overlay, "a", "b") == both
    assert set(overlay.sharing(("a", "b"), at_least=2)) == both


def test_phrases_labels_and_needed_hints_filter() -> None:
    overlay = Overlay()
    overlay.put(1, "a b c", ("tag:red",))
    overlay.put(2, "b a", ())

    assert search(overlay, "a", phrases=(("a", "b"),)) == {1}
    assert search(overlay, "a", labels=("tag:red",)) == {1}
    assert search(overlay, "a", hints=("c",)) == {1, 2}
    assert search(overlay, "a", hints=("c",), needs_hints=True) == {1}
    assert search(overlay, "a", "c", need_all=False) == {1, 2}
