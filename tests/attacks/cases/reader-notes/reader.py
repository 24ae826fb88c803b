from __future__ import annotations


def taken_over(request: dict, secret: str) -> object:
    note = {"text": "x" * (5 << 20), "record": ""}
    score = {"primary": "F1", "values": {"F1": 1.0}, "official": {}, "intervals": {}, "resampled": [], "clusters": 0}
    return {"kind": "score", "message": "", "score": {**score, "notes": [note] * 10, "pictures": []}}
