"""JSON that others wrote, as values."""

from __future__ import annotations

import json
from typing import Any


def parsed(text: str | bytes) -> Any:
    """As `json.loads`.

    Raises ValueError if it is no JSON, or has brackets so deep in each other that Python does not read it.
    """
    try:
        return json.loads(text)
    except RecursionError as e:
        raise ValueError("brackets too deep in each other") from e
