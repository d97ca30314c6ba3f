"""Ignore rules of a folder tree, with git's meaning: ``.gitignore`` and ``.kbdbignore``."""

import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

# The first wins over the second in the same folder.
FILE_NAMES = (".kbdbignore", ".gitignore")
_MAX_BYTES = 1_000_000
_MAX_PATTERN_CHARACTERS = 1000
# A pattern is matched by backtracking, so each further star multiplies the cost of a near miss.
_MAX_STARS = 12
_LITERAL = re.compile(r"[^*?\[\]\\/!#\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """One pattern; ``order`` is its place in the file."""

    order: int
    excludes: bool
    dirs_only: bool
    pattern: "GitIgnoreSpecPattern | None"

    def matches(self, path: str) -> bool:
        """Say whether the pattern names this very path, not merely a folder above it."""
        if self.pattern is None:
            return True
        result = self.pattern.match_file(path)
        return result is not None and result.match.groupdict().get("ps_d") is None


@dataclass(slots=True)
class IgnoreFile:
    """The rules of one ignore file, for paths relative to its folder."""

    name: str
    _by_literal: dict[str, list[_Rule]] = field(default_factory=dict)
    _others: list[_Rule] = field(default_factory=list)

    @classmethod
    def from_lines(cls, name: str, lines: Iterable[str]) -> "IgnoreFile":
        """Read patterns; as in git, one that is not valid matches nothing."""
        rules = cls(name)
        for order, line in enumerate(lines):
            rules._add(order, line)
        return rules

    def decide(self, path: str, *, is_dir: bool) -> bool | None:
        """Return whether the last pattern that names the path excludes it, or None."""
        last: _Rule | None = None
        for rule in reversed(self._by_literal.get(path.rpartition("/")[2], ())):
            if is_dir or not rule.dirs_only:
                last = rule
                break
        for rule in reversed(self._others):
            if last is not None and rule.order < last.order:
                break
            if (is_dir or not rule.dirs_only) and rule.matches(path):
                last = rule
                break
        return None if last is None else last.excludes

    def _add(self, order: int, line: str) -> None:
        line = line if line.endswith("\\ ") else line.rstrip()
        if not line or line.startswith("#"):
            return
        excludes = not line.startswith("!")
        bare = line if excludes else line[1:]
        dirs_only = bare.endswith("/")
        bare = bare[:-1] if dirs_only else bare
        if _LITERAL.fullmatch(bare):
            # Most patterns are a bare name; a table look-up spares matching each of them.
            rule = _Rule(order=order, excludes=excludes, dirs_only=dirs_only, pattern=None)
            self._by_literal.setdefault(bare, []).append(rule)
            return
        pattern = _compile(bare)
        if pattern is not None:
            self._others.append(
                _Rule(order=order, excludes=excludes, dirs_only=dirs_only, pattern=pattern)
            )


def _compile(bare: str) -> "GitIgnoreSpecPattern | None":
    # Half as slow to import as all of kbdb, and only a folder with ignore files needs it.
    from pathspec.patterns.gitignore.base import GitIgnorePatternError
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    if not bare or len(bare) > _MAX_PATTERN_CHARACTERS or bare.count("*") > _MAX_STARS:
        return None
    # Behind the exclamation mark of a negated pattern these two are ordinary characters.
    escaped = f"\\{bare}" if bare[0] in "!#" else bare
    try:
        pattern = GitIgnoreSpecPattern(escaped)
    except (GitIgnorePatternError, re.error):
        return None
    return pattern if pattern.include else None


def read_ignore_file(path: Path) -> IgnoreFile | None:
    """Read an ignore file, or None if there is none.

    A link or a special file is not opened. At most 1 MB is read.

    Raises:
        OSError: The file is there and cannot be read.
    """
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return None
    except FileNotFoundError:
        return None
    with path.open("rb") as file:
        text = os.fsdecode(file.read(_MAX_BYTES).removeprefix(b"\xef\xbb\xbf"))
    return IgnoreFile.from_lines(path.name, text.split("\n"))
