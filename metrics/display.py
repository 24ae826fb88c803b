"""Results as small tables of text, which `print` shows, and text of others made safe for a terminal."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_KEY = re.compile(r"(?P<value>.+)\[(?P<column>[^\[\]=]+)=(?P<group>[^\[\]]*)\](?P<difference> difference)?")
"""Pattern of the keys that `group_key` makes."""


def interval_text(low: float, high: float) -> str:
    """``0.712 to 0.801``; empty for NaN."""
    return "" if math.isnan(low) else f"{low:.3f} to {high:.3f}"


def table(
    title: str,
    rules: str,
    values: Mapping[str, float],
    official: Mapping[str, float] | None,
    bounds: Mapping[str, tuple[float, float]],
    notes: Sequence[str],
) -> str:
    """The numbers of a scoring as a table for people.

    * ``official``: values by the organisers' program; empty where it stops, None to leave out the column.
    * ``bounds``: the 95 % intervals of ``values``.
    """
    keys = list(dict.fromkeys([*values, *(official or {})]))
    columns = [[rules, *(_cell(values, key) for key in keys)]]
    if bounds:
        intervals = (interval_text(*bounds.get(key, (math.nan, math.nan))) for key in keys)
        columns.append(["95 % interval", *intervals])
    if official is not None:
        columns.append(["official", *(_cell(official, key) for key in keys)])
    width = max(map(len, [title, *keys])) + 2
    # as wide as usual, or as the longest cell needs
    widths = [max(18 if cells[0].startswith("95") else 12, 2 + max(map(len, cells))) for cells in columns]
    lines = [
        f"{name:<{width}}" + "".join(f"{cell:>{size}}" for cell, size in zip(row, widths, strict=True))
        for name, *row in zip([title, *keys], *columns, strict=True)
    ]
    lines.extend(f"note: {note}" for note in notes)
    return "\n".join(lines)


def _cell(values: Mapping[str, float], key: str) -> str:
    return f"{values[key]:.4f}" if key in values else "-"


def sanitize(text: str) -> str:
    """The text without characters that move a cursor, change a colour, or are not text.

    Line ends and tabs are kept; other white space becomes a blank; every other control character and every lone
    surrogate becomes a replacement character.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_sanitize, text.replace("\r\n", "\n")))


def _sanitize(character: str) -> str:
    if character.isprintable() or character in "\n\t":
        return character
    return " " if character.isspace() else "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, kw_only=True)
class GroupLine:
    """One group in a table of subgroups."""

    column: str
    group: str
    value: float
    interval: tuple[float, float] | None
    difference: float
    """From all other records; NaN where it is not known."""
    difference_interval: tuple[float, float] | None
    worst: bool
    """True if its value is the one of the worst group of the column, where that is known."""


def group_lines(
    primary: str, values: Mapping[str, float], intervals: Mapping[str, tuple[float, float]]
) -> tuple[GroupLine, ...]:
    """The table of subgroups in the values of a score; empty if it has none."""
    matches = [match for key in values if (match := _KEY.fullmatch(key)) and match["value"] == primary]
    lines = []
    for each in matches:
        if each["difference"]:
            continue
        apart = f"{each.string} difference"
        lines.append(
            GroupLine(
                column=each["column"],
                group=each["group"],
                value=values[each.string],
                interval=intervals.get(each.string),
                difference=values.get(apart, math.nan),
                difference_interval=intervals.get(apart),
                worst=values[each.string] == values.get(worst_key(primary, each["column"])),
            )
        )
    return tuple(lines)


def group_key(value: str, column: str, group: str) -> str:
    """The name of the value of a group in a score."""
    return f"{value}[{column}={re.sub(r'[][]', '_', group)}]"


def worst_key(value: str, column: str) -> str:
    """The name of the value of a column's worst group."""
    return f"{value}[worst {column}]"
