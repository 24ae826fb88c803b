"""The lines that stay on a terminal after a program wrote to it."""

from __future__ import annotations

import re

_PART = re.compile(r"\x1b\[(?P<number>\d*)(?P<what>[A-Za-z])|\x1b\[\?\d+[hl]|(?P<move>[\r\n])|(?P<text>[^\x1b\r\n]+)")


def shown(written: str) -> list[str]:
    """The lines that are left on a terminal of any width, colours left out, without empty ones at the end."""
    lines, row, column = [""], 0, 0
    for part in _PART.finditer(written):
        if text := part["text"]:
            lines[row] = lines[row][:column].ljust(column) + text + lines[row][column + len(text) :]
            column += len(text)
        elif part["move"] == "\r":
            column = 0
        elif part["move"] == "\n":
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        elif part["what"] == "A":
            row = max(0, row - int(part["number"] or 1))
        elif part["what"] == "K":
            lines[row] = "" if part["number"] == "2" else lines[row][:column]
    while lines and not lines[-1].strip():
        lines.pop()
    return lines
