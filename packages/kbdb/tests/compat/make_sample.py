"""Make the frozen sample of a format: a small knowledge base that holds every feature.

Run once for a format, when it is released: ``python make_sample.py format-1``. From then on the
sample never changes; every later version must read it.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock

from kbdb import KnowledgeBase
from kbdb.model import BatchItem, SkillArgument

_NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
_KEYS = """\
---
title: Keys
tags: [operations, security]
description: How keys are kept
---
Before any heading.

# Rotate the keys

Every ninety days, at noon.

## By hand

Run the command twice.
"""


def minutes() -> Iterator[str]:
    """Yield times a minute apart."""
    for minute in range(1_000):
        yield (_NOON + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")


def make_sample(path: Path) -> None:
    """Make the sample in a folder that does not exist yet; the same bytes every time."""
    with (
        tempfile.TemporaryDirectory() as home,
        mock.patch("kbdb.base.utc_now", side_effect=minutes()),
    ):
        base_path = Path(home) / "kb"
        with KnowledgeBase.create(base_path) as base:
            fill(base, Path(home))
        shutil.copytree(
            base_path, path, ignore=shutil.ignore_patterns("indexes", "journal", "lock")
        )


def fill(base: KnowledgeBase, home: Path) -> None:
    """Put something of everything into an empty base."""
    file = home / "docs" / "keys.md"
    file.parent.mkdir()
    file.write_text(_KEYS, encoding="utf-8", newline="\n")
    base.learn_file(file, tags=["by hand"])
    base.learn("東京は日本の首都です。", title="東京", docid="tokyo", tags=["地理"])
    base.learn("Zwölf Boxkämpfer — naïve café 👍", title="Accents and 😀", docid="accents")
    base.learn("one\r\ntwo\r\n", type="text/plain", title="Line ends", docid="line-ends")
    base.add_section("A body alone.", docid="no-title")
    base.learn(_PIXEL, type="image/png", title="A dot", description="One pixel", docid="dot")
    base.learn('{"port": 8080}', type="application/json", title="Settings", docid="settings")
    linked = base.learn("See $(link:keys) and $(link:tokyo).", title="Links", docid="links")
    old = base.learn("The port is 80.", title="Port", docid="port")
    base.learn("The port is 8080.", title="Port", replaces=old.sections[0].kbid)
    wrong = base.learn("# Right\n\nIt holds.\n\n# Wrong\n\nIt does not.", docid="mixed")
    base.unlearn(wrong.sections[1].kbid)
    base.learn("# First\n\nearlier", docid="anew")
    base.learn("# First\n\nlater", docid="anew", replace=True)
    base.learn_batch(
        [
            BatchItem(content="A text of two documents.", docid="twice-a", title="Twice"),
            BatchItem(content="A text of two documents.", docid="twice-b", title="Twice"),
        ]
    )
    base.skill_learn("reviewer", "Reviews a file", "Review {{file}} once.")
    base.skill_learn(
        "reviewer",
        "Reviews a file",
        "Review {{file}} with care.",
        [SkillArgument(name="file", description="Which one", required=True)],
    )
    base.skill_learn("C++", "Writes C++", "Write it well.")
    base.skill_learn("C", "Writes C", "Write it short.")
    base.agent_create("Editor", "Edits texts", "You are a careful editor.", ["reviewer", "C"])
    base.learn("Nobody needs this.", title="Gone", docid="gone")
    (gone,) = base.search("nobody needs").hits
    base.unlearn(gone.kbid)
    base.learn("And $(link:links) back.", title="Back", docid="back")
    base.retrieve(linked.docid)


if __name__ == "__main__":
    make_sample(Path(__file__).parent / sys.argv[1])
