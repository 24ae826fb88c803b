"""Results as small HTML tables, which notebooks show by themselves."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence


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
