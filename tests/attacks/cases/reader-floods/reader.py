from __future__ import annotations


def taken_over(request: dict, secret: str) -> object:
    return "x" * (300 << 20)
