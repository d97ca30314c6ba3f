"""HTML to sections."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbdb.ingest.parse import parse
from kbdb.model import Parsed


def html(text: str, *, name: str = "") -> Parsed:
    """Parse a page."""
    return parse(text.encode(), type="text/html", name=name)


def body(text: str) -> str:
    """Return the text of a page without headings."""
    return "".join(part.body.decode() for part in html(text).parts)


def test_headings_open_parts_wherever_they_stand() -> None:
    parsed = html("<p>intro<main><h1>One <em>x</em></h1><div><p>a<h3>Two</h3></div>b<h1>Three</h1>")

    assert [(part.level, part.title, part.body.decode()) for part in parsed.parts] == [
        (0, "One x", "intro"),
        (1, "One x", "a"),
        (3, "Two", "b"),
        (1, "Three", ""),
    ]
    assert [part.parent for part in parsed.parts] == [None, None, 1, None]
    assert {part.type for part in parsed.parts} == {"text/html"}


def test_head_gives_title_description_and_tags_and_no_text() -> None:
    parsed = html(
        "<html><head><title> A &amp; B\n</title><meta name='Description' content='About it'>"
        "<meta name=keywords content='x, y,'></head><body><h1>H</h1>text"
    )

    assert (parsed.title, parsed.description, parsed.tags) == ("A & B", "About it", ("x", "y"))
    assert [part.body for part in parsed.parts] == [b"text"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>one\n two<p>three<br>four", "one two\n\nthree\nfour"),
        ("a<script>no()</script><style>no</style><template>no</template>b", "ab"),
        ("a<noscript>no</noscript><!-- no --><svg><text>no</text></svg>b", "ab"),
        ("<ul><li>a<li><p>b</p><ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"),
        ("<ol><li>a<li>b</ol><p>after", "1. a\n2. b\n\nafter"),
        ("<pre><code>if x:\n\n    y\n</code></pre>", "```\nif x:\n\n    y\n```"),
        ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
        ("<table><tr><th>a<th>b<tr><td><p>1</p><td>2</table>", "a | b\n1 | 2"),
        ("<table><tr><td><ul><li>x</ul><p>layout</table>", "- x\n\nlayout"),
        ("see <a href='/x'>the <b>label</b></a>, <img alt='a cat' src=c>", "see the label, a cat"),
        ("<nav>menu</nav><textarea>kept</textarea>", "menu\n\nkept"),
        ("1 &lt; 2 &amp;&nbsp;3 &#x2014;", "1 < 2 & 3 —"),
        ("<b>bo</b>ld<span> x </span> y", "bold x y"),
        ("<dl><dt>term<dd>meaning</dl>", "term\n\nmeaning"),
    ],
)
def test_page_reads_as_text_in_the_manner_of_markdown(source: str, expected: str) -> None:
    assert body(source) == expected


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("windows-1252", "<meta charset=iso-8859-1>"),
        ("shift_jis", "<meta http-equiv=x content='text/html; charset=Shift_JIS'>"),
        ("koi8-r", '<?xml version="1.0" encoding="KOI8-R"?>'),
        ("utf-8", "<meta charset=windows-1252>"),
    ],
)
def test_page_that_is_not_utf8_is_read_as_it_declares(encoding: str, head: str) -> None:
    text = {"shift_jis": "設計", "koi8-r": "привет"}.get(encoding, "café “x”")

    parsed = parse(f"{head}<p>{text}".encode(encoding), type="text/html", name="p.html")

    assert [part.body.decode() for part in parsed.parts] == [text]
    assert parsed.warnings == ()


@pytest.mark.parametrize("name", ["idna", "rot13", "hex", "utf-7", "windows-9999", "nonsense"])
def test_declared_encoding_that_is_none_of_pages_is_not_used(name: str) -> None:
    parsed = parse(f"<meta charset={name}><p>caf".encode() + b"\xe9", type="text/html", name="p")

    assert parsed.parts[0].body.decode() == "caf\ufffd"
    assert len(parsed.warnings) == 1


def test_heading_in_a_layout_table_keeps_the_text_around_it_in_order() -> None:
    parsed = html("<table><tr><td>menu<td><p>before<h2>H</h2><p>after</table>end")

    assert [part.body.decode() for part in parsed.parts] == ["menu\n\nbefore", "after\n\nend"]


def test_words_inside_a_hundred_thousand_nested_tags_are_kept() -> None:
    parsed = html("<div>" * 100_000 + "deep <b>words</b>" + "</div>" * 100_000 + "<p>after")

    text = " ".join(part.body.decode() for part in parsed.parts)
    assert text.split() == ["deep", "words", "after"]


def test_long_page_is_cut_between_blocks_never_in_a_fence() -> None:
    words, code = "word " * 50, "x\n\n" * 20
    source = "".join(f"<p>{n} {words}</p><pre>{code}</pre>" for n in range(100))

    parts = html(source).parts

    assert len(parts) > 3
    assert b"".join(part.body for part in parts).decode() == body(source)
    assert all(part.body.count(b"```") % 2 == 0 for part in parts)


tags = st.sampled_from(
    [
        "html",
        "head",
        "body",
        "title",
        "p",
        "div",
        "h1",
        "h2",
        "ul",
        "ol",
        "li",
        "pre",
        "table",
        "tr",
        "td",
        "th",
        "b",
        "a",
        "br",
        "img",
        "script",
        "style",
        "svg",
        "form",
        "select",
        "option",
        "template",
        "math",
        "frameset",
        "noscript",
        "textarea",
        "button",
    ]
)
pieces = st.one_of(
    tags.map(lambda tag: f"<{tag}>"),
    tags.map(lambda tag: f"</{tag}>"),
    st.sampled_from("a <&\n>'\0"),
)


@given(st.lists(pieces, max_size=60).map("".join))
def test_any_soup_of_tags_is_read(source: str) -> None:
    for part in html(source).parts:
        assert part.body.decode() == part.body.decode().strip()


@given(
    st.lists(
        st.sampled_from(["<p>", "</p>", "<li>", "<ul>", "<td>", "<tr>", "<table>", "</table>"])
    )
)
def test_no_word_of_a_page_is_lost(markup: list[str]) -> None:
    source = "".join(f"{tag}w{n} " for n, tag in enumerate(markup))

    words = [word for word in body(source).split() if word.startswith("w")]

    assert sorted(words) == sorted(f"w{n}" for n in range(len(markup)))


@pytest.mark.parametrize("mark", ["#", "§", " ¶ ", "🔗"])
@pytest.mark.parametrize(
    "page",
    [
        "<h2 id=x>Title<a href='#x'>{}</a></h2>",
        "<h2 id=x><a href='#x'>{}</a>Title</h2>",
        "<h2 id=x>Title <a class=l href='page.html#x'><span>{}</span></a></h2>",
        "<h2 id=x><span>Title<a href='#x'>{}</a></span></h2>",
    ],
)
def test_link_of_a_heading_to_itself_is_no_part_of_the_title(page: str, mark: str) -> None:
    assert [part.title for part in html(page.format(mark)).parts] == ["Title"]


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<h2>C<b>#</b></h2>", "C#"),
        ("<h2>Using <a href='#x'>C<b>#</b></a></h2>", "Using C#"),
        ("<h2>Rule <a href='law.html'>§</a></h2>", "Rule §"),
        ("<h2><a href='#x'>Title</a></h2>", "Title"),
    ],
)
def test_mark_that_is_text_stays_in_the_title(page: str, title: str) -> None:
    assert [part.title for part in html(page).parts] == [title]


def test_mark_outside_a_heading_stays_in_the_text() -> None:
    assert body("<p>see <a href='#x'>§</a></p>") == "see §"
