"""The documentation is true: its commands run, its code runs, its links lead somewhere.

A block is run when its fence says exactly ``sh`` or ``python``. A second word says why it is not:
``sh clone`` needs a clone of the repository, ``python signature`` is no program.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    page.relative_to(ROOT)
    for pattern in ("*.md", "packages/*/README.md", "docs/**/*.md")
    for page in ROOT.glob(pattern)
)
FENCE = re.compile(r"^(`{3,})([^`\n]*)\n(.*?)^\1[ ]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!\!)\[[^\]]+\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
KNOWN_FENCES = {
    "json",
    "markdown",
    "python",
    "python signature",
    "sh",
    "sh clone",
    "text",
    "text output",
    "toml",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block; ``info`` is what stands behind its opening fence."""

    info: str
    code: str
    line: int


def blocks_of(page: Path) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(info=info.strip(), code=code, line=text.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(text)
        for _, info, code in [found.groups()]
    ]


def prose_of(page: Path) -> str:
    return FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))


def anchors_of(page: Path) -> set[str]:
    """Return the anchors that a page's headings have where Markdown is shown as a page."""
    titles = HEADING.findall(prose_of(page))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def run_block(block: Block, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a block in this folder with the installed ``kbdb`` first on the path."""
    shell = ["bash", "-euo", "pipefail", "-c", block.code]
    return subprocess.run(
        shell if block.info == "sh" else [sys.executable, "-c", block.code],
        cwd=folder,
        env={
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
            "HOME": os.environ["HOME"],
            "LANG": "C.UTF-8",
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def matches(shown: str, printed: str) -> bool:
    """Say whether the lines shown were printed in this order; an ellipsis stands for anything."""
    pattern = ".*?".join(re.escape(part) for part in shown.strip().split("…"))
    return re.search(pattern, printed, re.DOTALL) is not None


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_what_a_page_tells_to_run_runs(page: Path, tmp_path: Path) -> None:
    printed = ""
    for block in blocks_of(page):
        where = f"{page}:{block.line}"
        if block.info in {"sh", "python"}:
            ran = run_block(block, tmp_path)
            assert ran.returncode == 0, f"{where}\n{block.code}\n{ran.stdout}{ran.stderr}"
            printed = ran.stdout + ran.stderr
        elif block.info == "text output":
            assert matches(block.code, printed), f"{where}\n{block.code}\nprinted:\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_block_says_what_it_is(page: Path) -> None:
    assert [block for block in blocks_of(page) if block.info not in KNOWN_FENCES] == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_inside_the_repository_lead_to_a_page_and_a_heading(page: Path) -> None:
    broken = []
    for link in LINK.findall(prose_of(page)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        path = (ROOT / page.parent / target).resolve() if target else ROOT / page
        if not path.exists() or (anchor and anchor not in anchors_of(path.relative_to(ROOT))):
            broken.append(link)

    assert broken == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached = {Path("README.md")}
    waiting = [Path("README.md")]
    while waiting:
        page = waiting.pop()
        for link in LINK.findall(prose_of(page)):
            target = (ROOT / page.parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target.is_relative_to(ROOT):
                found = target.relative_to(ROOT)
                if found not in reached:
                    reached.add(found)
                    waiting.append(found)

    assert set(PAGES) - reached == set()


def test_reference_pages_say_what_the_code_says() -> None:
    checked = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stderr
