"""How the outcome of learning looks to a person."""

from collections import Counter
from collections.abc import Sequence

from kbdb.cli.output import note, painted, write_line
from kbdb.cli.text import harmless_line, plural
from kbdb.model import FolderResult, LearnedSection, LearnResult, Skipped

_FEW = 10


def report_learned(path: str, result: LearnResult | FolderResult, *, verbose: bool) -> None:
    """Say what became of a path; all sections and skipped paths with ``verbose``, else a few."""
    if isinstance(result, FolderResult):
        _report_folder(path, result, verbose=verbose)
    else:
        _report_document(path, result, verbose=verbose)
    for warning in result.warnings:
        note(f"warning: {harmless_line(warning)}")


def _report_document(path: str, result: LearnResult, *, verbose: bool) -> None:
    new = sum(section.new for section in result.sections)
    where = "standard input" if path == "-" else harmless_line(path)
    write_line(
        f"learned {where} as {harmless_line(result.docid)}: "
        f"{plural(len(result.sections), 'section')}, {new} new{_retired(result.retired)}"
    )
    shown = result.sections if verbose else result.sections[:_FEW]
    for section in shown:
        _report_section(section)
    if len(shown) < len(result.sections):
        write_line(f"  … {len(result.sections) - len(shown)} more; --verbose lists all")


def _report_section(section: LearnedSection) -> None:
    title = harmless_line(section.title) or "(untitled)"
    known = "" if section.new else "  (known)"
    write_line(f"  {painted(section.kbid, dim=True)}  {title}{known}")
    for near in section.near_duplicates:
        write_line(
            f"    {near.similarity:.0%} like {near.kbid}  {harmless_line(near.title)}"
            f"; supersede it with --replaces {near.kbid}"
        )


def _report_folder(path: str, result: FolderResult, *, verbose: bool) -> None:
    counts = ", ".join(
        f"{len(docids)} {what}"
        for what, docids in (
            ("added", result.added),
            ("updated", result.updated),
            ("unchanged", result.unchanged),
            ("moved", result.moved),
            ("retired", result.retired),
        )
    )
    write_line(f"learned {harmless_line(path)}: {counts}")
    write_line(f"  {plural(result.section_count, 'section')}, {result.new_section_count} new")
    if result.kept_retired:
        count = plural(len(result.kept_retired), "section")
        write_line(f"  {count} left out, because they were unlearned or superseded on purpose")
    _report_skipped(result.skipped, verbose=verbose)


def _report_skipped(skipped: Sequence[Skipped], *, verbose: bool) -> None:
    by_reason = Counter(skip.reason for skip in skipped)
    if not by_reason:
        return
    reasons = [
        f"{harmless_line(reason)} ({count})" for reason, count in by_reason.most_common(_FEW)
    ]
    if len(by_reason) > _FEW:
        rest = len(skipped) - sum(count for _, count in by_reason.most_common(_FEW))
        reasons.append(f"other reasons ({rest})")
    write_line(f"  skipped {len(skipped)}: {'; '.join(reasons)}")
    if verbose:
        for skip in skipped:
            write_line(f"    {harmless_line(skip.path)}: {harmless_line(skip.reason)}")


def _retired(kbids: Sequence[str]) -> str:
    return f", {len(kbids)} retired" if kbids else ""
