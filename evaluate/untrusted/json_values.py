"""JSON that an entry left, checked and made portable; run in a bounded process."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from evaluate.confine.isolated import Bounds, isolated

_SECONDS, _BYTES_A_SECOND = 10, 1 << 20
_GROWS = 2
"""How much longer a value may be when it is written again."""


def json_values(files: tuple[Path, ...]) -> list[str | None]:
    """What is to be written in the place of each file: "" where nothing is, None where it is no JSON."""
    size = sum(path.stat().st_size for path in files)
    bounds = Bounds(
        doing="reading JSON that the entry left",
        seconds=_SECONDS + size / _BYTES_A_SECOND,
        reply_bytes=(1 << 20) + _GROWS * 6 * size,
    )
    return isolated(bounds, read_json_values, files)


def read_json_values(files: tuple[Path, ...]) -> list[str | None]:
    """Read them; NaN and infinities, which JSON does not have, become null."""
    return [_read(path.read_bytes()) for path in files]


def _read(data: bytes) -> str | None:
    replaced = False

    def null(_: str) -> None:
        nonlocal replaced
        replaced = True

    def number(text: str) -> float | None:
        value = float(text)
        if math.isfinite(value):
            return value
        null(text)
        return None

    try:
        value: Any = json.loads(data, parse_constant=null, parse_float=number)
        return json.dumps(value) if replaced else ""
    except (ValueError, RecursionError):
        return None
