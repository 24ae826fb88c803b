"""Makes untrusted text safe for a terminal, a log, XML and a database."""

from __future__ import annotations

import json
import re
import unicodedata
from contextlib import suppress
from typing import Any

from metrics.display import sanitize

__all__ = ["for_spreadsheet", "gist", "in_one_line", "parsed", "sanitize", "worded"]


def in_one_line(text: str) -> str:
    """The text as `sanitize` gives it, without line ends and tabs: for names."""
    return sanitize(text).replace("\n", " ").replace("\t", " ")


def for_spreadsheet(text: str) -> str:
    """The text as a cell that no program for spreadsheets takes for a formula; plain numbers stay."""
    plain = re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text)
    first = unicodedata.normalize("NFKC", text[:1])  # some programs take the wide forms for the plain ones
    return f"'{text}" if first in ("=", "+", "-", "@", "\t", "\r", "\n") and not plain else text


def worded(text: str) -> list[str]:
    """The lines of an output that have a letter or digit."""
    return [line for line in text.splitlines() if any(map(str.isalnum, line))]


def gist(text: str) -> str:
    """A text as one line: of several, the first and the last, which says most in the output of a failed program.

    Lines without a letter or digit, such as those between the parts of an output, are left out.
    """
    lines = [line.strip() for line in worded(text) or text.splitlines() if line.strip()]
    return " … ".join([lines[0], lines[-1]] if len(lines) > 2 else lines)


# JSON that others wrote, as values


_MOST_DEPTH = 100
"""Brackets in each other: far more than any document of this field has, and few enough for functions that recurse."""


def parsed(text: str | bytes) -> Any:
    """As `json.loads`. Raises ValueError if it is no JSON, or has too many brackets in each other."""
    with suppress(RecursionError):
        value = json.loads(text)
        level: list[Any] = [[value]]
        for _ in range(_MOST_DEPTH + 1):
            inside = (part.values() if isinstance(part, dict) else part for part in level)
            level = [part for parts in inside for part in parts if isinstance(part, dict | list)]
            if not level:
                return value
    raise ValueError("brackets too deep in each other")
