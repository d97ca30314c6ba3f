"""What a query asks of an index."""

from hypothesis import given
from hypothesis import strategies as st

from kbdb.index.matching import Unit, idf, labels_of


@given(df=st.integers(0, 1_000), more=st.integers(1, 1_000), extra=st.integers(0, 1_000))
def test_rarer_terms_weigh_more_and_every_term_weighs_something(
    df: int, more: int, extra: int
) -> None:
    count = df + more + extra

    assert 0 < idf(df + more, count) < idf(df, count)


def test_whole_word_weighs_more_than_its_parts_and_repeats_count() -> None:
    plain = Unit("key", (("key",),), count=3)
    compound = Unit("getUser", (("getus",), ("get", "user")), count=2)

    assert plain.weights == {"key": 3.0}
    assert compound.terms == ("getus", "get", "user")
    assert compound.weights["getus"] > compound.weights["get"] == compound.weights["user"] > 0
    assert compound.weights == {
        term: 2 * weight for term, weight in Unit("getUser", compound.alternatives).weights.items()
    }


def test_labels_tell_types_documents_and_tags_apart() -> None:
    labels = labels_of(type="text/plain", docids=("one", "two"), tags=("one",))

    assert labels == ("type:text/plain", "docid:one", "docid:two", "tag:one")
