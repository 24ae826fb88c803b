"""Results as small tables: of HTML, which notebooks show by themselves, and of text, which `print` shows."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]], notes: Iterable[str] = ()) -> str:
    """A table with a caption, and notes below it; numbers stand on the right, fractions with four decimals."""
    lines = [f"<table><caption>{html.escape(title)}</caption><thead><tr>"]
    lines += [f"<th>{html.escape(name)}</th>" for name in head]
    lines.append("</tr></thead><tbody>")
    for row in rows:
        cells = (
            (html.escape(str(cell)), "left")
            if not isinstance(cell, int | float)
            else (number_text(cell) if isinstance(cell, float) else str(cell), "right")
            for cell in row
        )
        lines.append("<tr>" + "".join(f'<td style="text-align:{side}">{text}</td>' for text, side in cells) + "</tr>")
    lines.append("</tbody></table>")
    lines += [f"<p>{html.escape(note)}</p>" for note in notes]
    return "".join(lines)


def number_text(value: float) -> str:
    """Four decimals; a dash for NaN."""
    return "–" if math.isnan(value) else f"{value:.4f}"


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

    Parameters
    ----------
    official : mapping or None
        Values by the organisers' program; empty where it stops, None to leave out the column.
    bounds : mapping
        The 95 % intervals of ``values``.
    """
    keys = list(dict.fromkeys([*values, *(official or {})]))
    width = max(map(len, [title, *keys])) + 2
    head = f"{title:<{width}}{rules:>12}"
    if bounds:
        head += f"{'95 % interval':>18}"
    lines = [head + (f"{'official':>12}" if official is not None else "")]
    for key in keys:
        line = f"{key:<{width}}{_cell(values, key):>12}"
        if bounds:
            line += f"{interval_text(*bounds.get(key, (math.nan, math.nan))):>18}"
        lines.append(line + (f"{_cell(official, key):>12}" if official is not None else ""))
    lines.extend(f"note: {note}" for note in notes)
    return "\n".join(lines)


def _cell(values: Mapping[str, float], key: str) -> str:
    return f"{values[key]:.4f}" if key in values else "-"
