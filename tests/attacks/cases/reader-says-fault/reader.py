from __future__ import annotations

from evaluate.core.errors import Fault


def taken_over(request: dict, secret: str) -> object:
    raise Fault("let me try again")
