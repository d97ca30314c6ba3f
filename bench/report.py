"""Records of what was measured, written as JSON and shown as a Markdown table."""

import json
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
_ENGINES = ("kbdb", "tantivy", "PyStemmer", "markdown-it-py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One number that a suite found.

    ``spread`` is the interval that holds it, where there is one; ``digest`` names the input;
    ``target`` is what the number has to reach, in words, and ``reached`` whether it did.
    """

    subject: str
    metric: str
    unit: str
    value: float
    n: int
    spread: tuple[float, float] | None = None
    seed: int = 0
    digest: str = ""
    target: str = ""
    reached: bool | None = None


def at_least(value: float, floor: float) -> tuple[str, bool]:
    """Return a target in words and whether the value reaches it."""
    return f">= {floor:g}", value >= floor


def below(value: float, limit: float, unit: str = "") -> tuple[str, bool]:
    """Return an upper limit in words and whether the value stays below it."""
    return f"< {limit:.3g} {unit}".rstrip(), value < limit


def as_markdown(records: Iterable[Record]) -> str:
    """Return a table with one row a record."""
    lines = [
        "| subject | metric | value | interval | n | target | reached |",
        "|---|---|---|---|---|---|---|",
    ]
    for record in records:
        interval = " … ".join(f"{bound:.4g}" for bound in record.spread) if record.spread else ""
        reached = {None: "", True: "yes", False: "**no**"}[record.reached]
        value = f"{record.value:.4g} {record.unit}".rstrip()
        lines.append(
            f"| {record.subject} | {record.metric} | {value} | {interval} | {record.n} "
            f"| {record.target} | {reached} |"
        )
    return "\n".join(lines)


def save(suite: str, records: Sequence[Record], *, size: str, folder: Path = RESULTS) -> Path:
    """Write the records with what they were measured on; return the file."""
    now = datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{suite}-{size}-{now:%Y%m%dT%H%M%S}.json"
    content = {
        "suite": suite,
        "size": size,
        "timestamp": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "versions": versions(),
        "machine": machine(),
        "records": [asdict(record) for record in records],
    }
    path.write_text(json.dumps(content, indent=2) + "\n", "utf-8")
    return path


def conclude(suite: str, records: Sequence[Record], *, size: str) -> int:
    """Print and save the records; return 1 if a target was missed, else 0."""
    path = save(suite, records, size=size)
    print(f"\n## {suite} ({size})\n\n{as_markdown(records)}\n\n{path}")
    return int(any(record.reached is False for record in records))


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that a result depends on."""
    found = {"python": platform.python_version()}
    for name in _ENGINES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def machine() -> dict[str, str | int | float]:
    """Return what a time depends on besides the code; the load is that of the last minute."""
    return {
        "platform": sys.platform,
        "architecture": platform.machine(),
        "cpu_count": os.cpu_count() or 0,
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0,
    }
