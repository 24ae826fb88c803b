from __future__ import annotations


def taken_over(request: dict, secret: str) -> object:
    return {"kind": "answer_error", "message": "x" * (50 << 20), "score": None}
