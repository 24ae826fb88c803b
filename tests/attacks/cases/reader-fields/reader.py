from __future__ import annotations


def taken_over(request: dict, secret: str) -> object:
    return {"kind": "perfect", "message": "", "score": None, "organiser": True}
