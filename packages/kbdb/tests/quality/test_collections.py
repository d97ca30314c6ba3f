"""What the judged collections and the synthetic corpus hold."""

import hashlib
import io
import tarfile
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from bench.generate_corpus import TAGS, SyntheticSection, Vocabulary, sections, write_jsonl
from bench.get_markdown import Release, markdown_files
from bench.judged import load_cisi, load_cranfield
from bench.known_items import Kind, known_items
from bench.stream import Stream
from bench.suites.known_item import PAGES

# What the stream and the corpus begin with, written down once.
STREAM_START = [226, 203, 99, 350, 885]
CORPUS_START = "ab6247bf8aedb5d6"


def test_cranfield_holds_its_documents_queries_and_judgements() -> None:
    cranfield = load_cranfield()

    assert len(cranfield.documents) == 1_398  # two of the 1,400 have no text
    assert len(cranfield.queries) == 225
    assert sum(map(len, cranfield.judgements.values())) == 1_612


def test_cranfield_judgements_name_queries_by_position() -> None:
    cranfield = load_cranfield()

    assert cranfield.queries[2].text.startswith("what problems of heat conduction in composite")
    assert {document.id for document in cranfield.documents} >= cranfield.judgements["3"].keys()
    assert cranfield.judgements["1"]["184"] == 3.0  # grade 2


def test_cranfield_texts_repeat_the_title_as_published() -> None:
    documents = load_cranfield().documents

    assert documents[0].title.startswith("experimental investigation of the aerodynamics")
    assert sum(one.text.startswith(one.title) for one in documents) == 1_396  # two have a typo


def test_cisi_holds_its_documents_and_the_judged_queries() -> None:
    cisi = load_cisi()

    assert len(cisi.documents) == 1_460
    assert len(cisi.queries) == 76
    assert cisi.judgements.keys() == {query.id for query in cisi.queries}
    assert all(document.title and document.text for document in cisi.documents)


def test_stream_draws_the_same_numbers_on_every_machine() -> None:
    stream = Stream(42, "test")
    assert [stream.below(1_000) for _ in range(5)] == STREAM_START


def test_corpus_is_pinned_for_its_seed() -> None:
    texts = "".join(f"{item.title}{item.body}{item.tags}" for item in sections(50))

    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == CORPUS_START


def test_small_corpus_is_the_beginning_of_a_large_one() -> None:
    assert list(sections(30))[20:] == list(sections(10, start=20))


def test_corpus_keeps_the_stated_lengths_tags_and_links() -> None:
    made = list(sections(2_000))
    lengths = [len(item.body.split("\n\n")[0].split()) for item in made]
    linked = [item for item in made if "$(link:" in item.body]

    assert min(lengths) >= 100
    assert max(lengths) <= 500
    assert sum(lengths) / len(lengths) == pytest.approx(250, abs=5)
    assert all(3 <= len(item.title.split()) <= 8 for item in made)
    assert all(1 <= len(item.tags) <= 3 and set(item.tags) <= set(TAGS) for item in made)
    assert len(linked) / len(made) == pytest.approx(0.05, abs=0.015)


def test_vocabulary_holds_fifty_thousand_words_drawn_by_rank() -> None:
    vocabulary = Vocabulary()

    drawn = Counter(vocabulary.draw(Stream(1), 200_000))

    assert len(set(vocabulary.words)) == 50_000
    first, tenth, thousandth = (drawn[vocabulary.words[rank]] for rank in (0, 9, 999))
    assert 2 < first / tenth < 5
    assert 40 < tenth / max(1, thousandth) < 150


def test_corpus_is_written_one_json_object_a_line(tmp_path: Path) -> None:
    made: list[SyntheticSection] = list(islice(sections(3), 3))

    assert write_jsonl(made, tmp_path / "corpus.jsonl") == 3
    assert (tmp_path / "corpus.jsonl").read_text("utf-8").count("\n") == 3


def test_known_items_are_in_the_one_file_they_name() -> None:
    paths = sorted(PAGES.rglob("*.md"))

    items = known_items(paths, count=40, seed=7)

    assert Counter(item.kind for item in items) == dict.fromkeys(Kind, 40)
    for item in items:
        words = item.query.split()
        text = item.path.read_text("utf-8")
        assert sum(word in text for word in words) >= 0.8 * len(words)


def test_archive_gives_up_only_wanted_markdown_within_its_folder() -> None:
    buffer = io.BytesIO()
    names = ["p-1/docs/a.md", "p-1/docs/b.py", "p-1/x.md", "p-1/docs/../../../e.md", "/docs/f.md"]
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = 1
            tar.addfile(info, io.BytesIO(b"x"))
        link = tarfile.TarInfo("p-1/docs/link.md")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    release = Release(name="p", version="1", sha256="", keep=("docs/",))

    found = [str(path) for path, _ in markdown_files(release, buffer.getvalue())]

    assert found == ["docs/a.md"]
