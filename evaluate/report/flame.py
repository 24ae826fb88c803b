"""A flame graph: what lies in what, and how wide it is; a picture (SVG) that needs no program to be looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from zlib import crc32

_WIDTH, _ROW, _LETTER = 1000.0, 18, 6.5
_NARROWEST = 0.5
"""Frames that are narrower are left out."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """One box."""

    name: str
    left: float
    width: float
    row: int
    """0 is at the top: what lies outside."""
    percent: float

    @property
    def label(self) -> str:
        """What fits into the box."""
        letters = int((self.width - 6) / _LETTER)
        return self.name if len(self.name) <= letters else (self.name[: letters - 1] + "…" if letters > 3 else "")

    @property
    def hue(self) -> int:
        """Of its colour, from yellow to red: the same name has the same."""
        return crc32(self.name.encode()) % 55


@dataclass(frozen=True, kw_only=True)
class Flame:
    """The picture; the template draws it."""

    frames: tuple[Box, ...]
    width: float = _WIDTH
    row: int = _ROW

    @property
    def height(self) -> int:
        """In the same units as the width."""
        return self.row * (1 + max((frame.row for frame in self.frames), default=0))


def flame(counts: Mapping[tuple[str, ...], float]) -> Flame:
    """Lay out a flame graph.

    ``counts``: names from outside to inside -> what was spent in the innermost.
    """
    total = sum(counts.values())
    return Flame(frames=tuple(_boxes(counts, 0.0, 0, total)) if total > 0 else ())


def _boxes(counts: Mapping[tuple[str, ...], float], left: float, row: int, total: float) -> Iterator[Box]:
    below: dict[str, dict[tuple[str, ...], float]] = {}
    for (first, *rest), count in counts.items():
        below.setdefault(first, {})[tuple(rest)] = count
    for name in sorted(below):
        spent = sum(below[name].values())
        width = _WIDTH * spent / total
        if width >= _NARROWEST:
            yield Box(name=name, left=left, width=width, row=row, percent=100 * spent / total)
            yield from _boxes({rest: n for rest, n in below[name].items() if rest}, left, row + 1, total)
        left += width
