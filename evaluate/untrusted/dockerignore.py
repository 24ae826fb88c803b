"""``.dockerignore``: which files of an entry a build does not see, by the rules of Docker's own matcher.

A pattern is regular expressions' work, and one with many stars can take for ever: call it behind walls.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass

from evaluate.core.errors import EntryError

FILE = ".dockerignore"
FILES = (f"Dockerfile{FILE}", FILE)
"""The first of these that exists counts."""
_MOST_PATTERNS, _MOST_CHARACTERS = 1000, 1000


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """One line."""

    line: int
    text: str
    matches: re.Pattern[str]
    keeps: bool
    """Whether it begins with ``!``: what it matches is seen after all."""


def parse_dockerignore(text: bytes, file: str = FILE) -> tuple[Pattern, ...]:
    """The patterns of a file, in order. Raises EntryError if there are too many, one is too long, or is no pattern."""
    found: list[Pattern] = []
    for number, raw in enumerate(text.decode("utf-8-sig", errors="replace").splitlines(), 1):
        line = raw.strip()
        if not line or raw.startswith("#"):
            continue
        if len(line) > _MOST_CHARACTERS or len(found) >= _MOST_PATTERNS:
            raise EntryError(
                f"{file} line {number}: expected at most {_MOST_PATTERNS} patterns of {_MOST_CHARACTERS} characters"
            )
        keeps = line.startswith("!")
        inner = line[1:].strip() if keeps else line
        clean = posixpath.normpath(inner).lstrip("/") if inner else ""
        if clean in ("", "."):
            continue
        try:
            matches = re.compile(expression(clean), re.DOTALL)
        except (ValueError, re.error) as e:
            raise EntryError(f"{file} line {number}: expected a pattern such as data/*.csv, found {line[:80]!r}") from e
        found.append(Pattern(line=number, text=line, matches=matches, keeps=keeps))
    return tuple(found)


def ignored(names: Iterable[str], patterns: tuple[Pattern, ...]) -> dict[str, Pattern]:
    """Of these names, those that are left out, and the pattern that decided.

    A pattern that matches a folder matches all that is below it; the last that matches decides.
    """
    known: dict[str, int] = {"": 0}
    single = [(1 << number, pattern.matches.fullmatch) for number, pattern in enumerate(patterns)]

    def matching(name: str) -> int:
        """A bit for each pattern that matches the name or a folder that it is in."""
        above = known.get(folder := name.rpartition("/")[0])
        bits = matching(folder) if above is None else above
        bits |= sum(bit for bit, matches in single if matches(name))
        known[name] = bits
        return bits

    found = {}
    for name in names:
        last = matching(name).bit_length() - 1
        if last >= 0 and not patterns[last].keeps:
            found[name] = patterns[last]
    return found


def expression(pattern: str) -> str:
    """A regular expression for a pattern of Go's ``filepath.Match`` with ``**``, which also matches folders.

    Raises ValueError if a bracket is not closed, or nothing follows a backslash.
    """
    found = []
    at, n = 0, len(pattern)
    while at < n:
        c = pattern[at]
        at += 1
        if c == "*" and pattern.startswith("*", at):
            while pattern.startswith("*", at):
                at += 1
            if pattern.startswith("/", at):
                at += 1
            found.append(".*" if at >= n else "(?:.*/)?")
        elif c == "*":
            found.append("[^/]*")
        elif c == "?":
            found.append("[^/]")
        elif c == "\\":
            if at >= n:
                raise ValueError(pattern)
            found.append(re.escape(pattern[at]))
            at += 1
        elif c == "[":
            inside, at = _bracket(pattern, at)
            found.append(inside)
        else:
            found.append(re.escape(c))
    return "".join(found)


def _bracket(pattern: str, at: int) -> tuple[str, int]:
    """A set of characters in brackets."""
    n = len(pattern)
    negated = pattern.startswith("^", at)
    at += negated
    members: list[str] = []
    while at < n and (pattern[at] != "]" or not members):
        ends = []
        for _ in range(2):
            if pattern.startswith("\\", at):
                at += 1
            if at >= n:
                raise ValueError(pattern)
            ends.append(pattern[at])
            at += 1
            if len(ends) == 1 and not pattern.startswith("-", at):
                break
            at += len(ends) == 1
        if ends[0] > ends[-1]:
            raise ValueError(pattern)
        members.append("-".join(map(re.escape, ends)))
    if at >= n:
        raise ValueError(pattern)
    return f"[{'^' if negated else ''}{''.join(members)}]", at + 1
