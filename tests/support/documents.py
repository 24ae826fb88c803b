"""The code blocks of the documentation, so that tests can run what it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    """What stands behind the fence; empty if nothing does."""
    text: str
    line: int
    """Number of its first line in the file."""

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands of a block of shell, without comments."""
        lines = (line.partition("  #")[0].strip() for line in self.text.replace("\\\n", " ").splitlines())
        return tuple(line for line in lines if line and not line.startswith("#"))


def blocks(page: Path) -> Iterator[Block]:
    """Every fenced block of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _FENCED.finditer(text):
        yield Block(language=found[2], text=found[3], line=text.count("\n", 0, found.start()) + 2)
