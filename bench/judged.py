"""Judged test collections in the SMART format, read into documents, queries and judgements."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
_RECORD = re.compile(r"^\.I +", re.MULTILINE)
_FIELD = re.compile(r"^\.([A-Z])[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedDocument:
    """One document of a collection."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One query of a collection."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Documents, the judged queries, and for each query the gain of every relevant document.

    ``digest`` is over the files that were read.
    """

    name: str
    documents: tuple[JudgedDocument, ...]
    queries: tuple[Query, ...]
    judgements: Mapping[str, Mapping[str, float]]
    digest: str


def load_cranfield(folder: Path = DATA / "cranfield") -> Collection:
    """Read Cranfield: 1,398 documents with text, 225 queries, gains 4 (complete answer) to 1.

    A judgement names a query by its position in the file, not by its number. Grade -1 marks the
    paper a query came from and counts as not judged. Each abstract repeats its title first; it is
    left there, because published results, and the floors here, are of the documents as they are.
    """
    sources = [folder / name for name in ("cran.all.1400", "cran.qry", "cranqrel")]
    documents, queries, judgements = (path.read_text("ascii") for path in sources)
    gains: dict[str, dict[str, float]] = {}
    for line in judgements.splitlines():
        query, document, grade = line.split()[:3]
        if int(grade) > 0:
            gains.setdefault(query, {})[document] = 5.0 - int(grade)
    asked = [
        Query(id=str(position), text=fields["W"])
        for position, (_, fields) in enumerate(_records(queries), start=1)
    ]
    return _collection("cranfield", sources, documents, asked, gains)


def load_cisi(folder: Path = DATA / "cisi") -> Collection:
    """Read CISI: 1,460 documents, the 76 of its 112 queries that are judged, every gain 1.

    A query is its text alone: where it was made from a paper, the paper's title is not asked.
    """
    sources = [folder / name for name in ("CISI.ALL", "CISI.QRY", "CISI.REL")]
    documents, queries, judgements = (path.read_text("ascii") for path in sources)
    gains: dict[str, dict[str, float]] = {}
    for line in judgements.splitlines():
        query, document = line.split()[:2]
        gains.setdefault(query, {})[document] = 1.0
    asked = [Query(id=number, text=fields["W"]) for number, fields in _records(queries)]
    return _collection("cisi", sources, documents, asked, gains)


LOADERS = {"cranfield": load_cranfield, "cisi": load_cisi}


def _collection(
    name: str,
    sources: list[Path],
    documents: str,
    asked: list[Query],
    gains: Mapping[str, Mapping[str, float]],
) -> Collection:
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    return Collection(
        name=name,
        documents=tuple(_documents(documents)),
        queries=tuple(query for query in asked if query.id in gains),
        judgements=gains,
        digest=f"sha256:{digest}",
    )


def _documents(text: str) -> Iterator[JudgedDocument]:
    for number, fields in _records(text):
        title, body = fields.get("T", ""), fields.get("W", "")
        if not body:
            continue
        yield JudgedDocument(id=number, title=title, text=body)


def _records(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    for record in _RECORD.split(text)[1:]:
        number, *rest = _FIELD.split(record)
        fields: dict[str, str] = {}
        for name, value in zip(rest[::2], rest[1::2], strict=True):
            fields[name] = f"{fields.get(name, '')} {' '.join(value.split())}".strip()
        yield number.strip(), fields
