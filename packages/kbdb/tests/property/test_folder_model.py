"""A folder learned again and again is what a fresh base would make of it."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kbdb import KnowledgeBase
from kbdb.model import FolderResult

PATHS = ("a.md", "b.md", "c.txt", "sub/a.md", "sub/deep/d.md")
CONTENTS = (
    "# Alpha\n\nalpha text\n",
    "# Alpha\n\nalpha text\n\n## Beta\n\nbeta text\n",
    "# Beta\n\nbeta text\n",
    "---\ntitle: Gamma\ntags: [green]\n---\n# Gamma\n\ngamma text\n\n## Delta\n\n### Eps\n\ndeep\n",
    "# Delta\n\nother text\n",
    "before\n\n# Alpha\n\nalpha text\n",
    "plain words, and nothing but\n",
    "---\ntitle: a head without a body\n---\n",
    " \n\n",
    "",
)
WITHOUT_SECTIONS = CONTENTS[-3:]

path = st.sampled_from(PATHS)
write = st.tuples(st.just("write"), path, st.sampled_from(CONTENTS))
move = st.tuples(st.just("move"), path, path)
delete = st.tuples(st.just("delete"), path, st.just(""))
ignore = st.tuples(st.just("ignore"), st.sampled_from((*PATHS, "sub/", "*.txt", "")), st.just(""))
unlearn = st.tuples(st.just("unlearn"), st.just(""), st.just(""))
operation = st.one_of(write, write, write, move, delete, ignore, unlearn)
rounds = st.lists(st.lists(operation, min_size=1, max_size=4), min_size=1, max_size=4)
Place = tuple[str, int, str | None]


@dataclass
class Tree:
    """A folder, the base beside it, and what was unlearned on purpose."""

    root: Path
    base: KnowledgeBase
    gone: set[str] = field(default_factory=set)

    def change(self, what: str, at: str, more: str) -> None:
        target = self.root / at
        if what == "write":
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(more, encoding="utf-8")
        elif what == "move" and target.is_file() and at != more:
            (self.root / more).parent.mkdir(parents=True, exist_ok=True)
            target.replace(self.root / more)
        elif what == "delete":
            target.unlink(missing_ok=True)
        elif what == "ignore":
            (self.root / ".kbdbignore").write_text(f"{at}\n", encoding="utf-8")
        elif what == "unlearn":
            live = sorted(set(sections_of(self.base)))
            for kbid in live[:1]:
                self.base.unlearn(kbid)
                self.gone.add(kbid)

    def learn(self) -> FolderResult:
        return self.base.learn_folder(self.root, confirm=lambda *_: True)


def documents_of(base: KnowledgeBase) -> dict[str, tuple[str, str, tuple[str, ...], list[Place]]]:
    """Return what every file's document is, by the file's path, docids and times left out."""
    found = {}
    for docid in base._index.catalogue.docids():
        document = base._records.document(docid)
        assert document is not None
        assert document.source is not None
        found[document.source.path] = (
            document.title,
            document.source.digest,
            document.tags,
            [(ref.kbid, ref.level, ref.parent) for ref in document.sections],
        )
    return found


def sections_of(base: KnowledgeBase) -> list[str]:
    return [kbid for *_, places in documents_of(base).values() for kbid, _, _ in places]


def docids_of(base: KnowledgeBase) -> dict[str, tuple[str, str]]:
    """Return docid and digest of every file's document, by path."""
    return {one.path: (one.docid, one.digest) for one in base._index.catalogue.sources()}


def without(
    documents: dict[str, tuple[str, str, tuple[str, ...], list[Place]]], gone: set[str]
) -> dict[str, tuple[str, str, tuple[str, ...], list[str]]]:
    """Leave out the sections that were unlearned, and levels and parents with them."""
    left = {}
    for at, (title, digest, tags, places) in documents.items():
        kept = [kbid for kbid, _, _ in places if kbid not in gone]
        if kept:
            left[at] = (title, digest, tags, kept)
    return left


@settings(max_examples=40)
@given(some=rounds)
def test_folder_learned_again_is_what_a_fresh_base_makes_of_it(
    some: list[list[tuple[str, str, str]]],
) -> None:
    with tempfile.TemporaryDirectory() as path:
        home = Path(path)
        (home / "docs").mkdir()
        with KnowledgeBase.create(home / "kb") as base:
            tree = Tree(home / "docs", base)
            for number, operations in enumerate(some):
                for operation in operations:
                    tree.change(*operation)
                before = docids_of(base)
                result = tree.learn()
                after = docids_of(base)

                with KnowledgeBase.create(home / f"fresh{number}") as fresh:
                    fresh.learn_folder(tree.root)
                    expected, found = documents_of(fresh), documents_of(base)
                    live = set(sections_of(fresh)) - tree.gone
                    if not tree.gone:
                        assert found == expected
                assert without(found, tree.gone) == without(expected, tree.gone)
                assert set(sections_of(base)) == live
                assert base._index.catalogue.live(sections_of(base)) == live
                check_report(result, before, after)
                again = tree.learn()
                assert sorted(again.unchanged) == sorted(docid for docid, _ in after.values())
                assert not (again.added)
                assert not (again.updated)
                assert not (again.moved)
                assert not (again.retired)


def check_report(
    result: FolderResult, before: dict[str, tuple[str, str]], after: dict[str, tuple[str, str]]
) -> None:
    """Compare what was reported with what happened."""
    same = {docid for at, (docid, digest) in after.items() if before.get(at) == (docid, digest)}
    assert set(result.unchanged) == same
    had = {docid: (at, digest) for at, (docid, digest) in before.items()}
    has = {docid: (at, digest) for at, (docid, digest) in after.items()}
    assert set(result.retired) == set(had) - set(has)
    assert set(result.added) == set(has) - set(had)
    for docid in result.moved:
        assert had[docid][0] != has[docid][0]
        assert had[docid][1] == has[docid][1]
    left = [digest for at, (_, digest) in before.items() if at not in after]
    new = [digest for at, (_, digest) in after.items() if at not in before]
    for at, (docid, digest) in before.items():
        if at not in after and left.count(digest) == new.count(digest) == 1:
            assert docid in result.moved
