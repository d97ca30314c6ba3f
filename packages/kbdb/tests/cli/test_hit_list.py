import re

import pytest

from kbdb.cli.hit_list import hit_list
from kbdb.cli.text import cell_count
from kbdb.model import Hit, Mode, SearchResult, Verdict

KBID = "3f7k2m9q4r8s5t6v7w8x9y0z1a"
BOLD_YELLOW = "\x1b[33m\x1b[1m"


def answer(
    *hits: Hit, verdict: Verdict = Verdict.ANSWERED, hidden: int = 0, more: int = 0
) -> SearchResult:
    return SearchResult(
        query="rotate keys",
        mode=Mode.LEXICAL,
        hits=hits,
        verdict=verdict,
        hidden_below_floor=hidden,
        more=more,
    )


def hit(snippet: str, *, title: str = "Keys", highlights: tuple[tuple[int, int], ...] = ()) -> Hit:
    return Hit(
        kbid=KBID,
        docid="guide",
        title=title,
        score=3.0,
        confidence=0.87,
        matched_terms=(),
        snippet=snippet,
        tags=("ops",),
        type="text/markdown",
        highlights=highlights,
    )


@pytest.fixture(autouse=True)
def _no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("CLICOLOR_FORCE", raising=False)


def test_hit_shows_rank_title_ids_confidence_and_snippet() -> None:
    assert hit_list(answer(hit("Rotate the keys.")), width=None) == (
        f"1. Keys\n   guide · {KBID} · 87% · #ops\n   Rotate the keys."
    )


def test_no_hits_say_so_with_the_verdict() -> None:
    text = hit_list(answer(verdict=Verdict.UNANSWERED), width=None)

    assert text.startswith("nothing found for 'rotate keys'\nunanswered")


@pytest.mark.parametrize("verdict", [Verdict.WEAK, Verdict.UNANSWERED])
def test_verdict_stands_before_the_hits_and_what_is_left_out_behind(verdict: Verdict) -> None:
    shown = hit_list(answer(hit("x"), verdict=verdict, hidden=2, more=1), width=None)

    lines = shown.splitlines()
    assert lines[0].startswith(f"{verdict}: ")
    assert lines[2] == "1. Keys"
    assert [line.split()[0] for line in lines[-2:]] == ["1", "2"]


def test_stored_text_cannot_command_the_terminal() -> None:
    text = hit_list(answer(hit("\x1b]0;x\x07\u202e", title="\x1b[2J")), width=40)

    assert "\x1b" not in text
    assert "\u202e" not in text


def test_snippet_is_wrapped_to_the_width_and_one_line_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    snippet = "word 漢字漢字漢字 " * 20

    wrapped = hit_list(answer(hit(snippet)), width=30).splitlines()[2:]
    plain = hit_list(answer(hit(snippet)), width=None).splitlines()[2:]

    assert max(map(cell_count, wrapped)) <= 30
    assert len(plain) == 1


def test_highlights_are_coloured_also_across_a_line_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    snippet = "aaaa bbbb cccc"

    text = hit_list(answer(hit(snippet, highlights=((0, 4), (5, 14)))), width=12)

    assert text.count(BOLD_YELLOW) == 3
    assert f"{BOLD_YELLOW}aaaa\x1b[0m {BOLD_YELLOW}bbbb\x1b[0m\n   {BOLD_YELLOW}cccc\x1b[0m" in text


def test_no_color_wins_over_force_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")

    assert "\x1b" not in hit_list(answer(hit("a", highlights=((0, 1),))), width=30)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_budget_that_leaves_out_every_hit_is_named(verdict: Verdict) -> None:
    assert hit_list(answer(more=2, verdict=verdict), width=None) == (
        "no hit fits in --max-tokens: 2 hits left out"
    )


@pytest.mark.parametrize(
    ("piece", "word"),
    [
        ("`keys`:", "keys"),
        ("[keys](x)", "keys](x"),
        ("(C++),", "C++"),
        (".env.", ".env"),
        ("**bold**", "bold"),
        ("snake_case_", "snake_case_"),
        ("``", "``"),
    ],
)
def test_only_the_word_is_coloured_not_the_marks_around_it(
    piece: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")

    text = hit_list(answer(hit(f"a {piece} b", highlights=((2, 2 + len(piece)),))), width=80)

    assert f"{BOLD_YELLOW}{word}\x1b[0m" in text
    assert re.sub(r"\x1b\[\d*m", "", text).endswith(f"a {piece} b")
