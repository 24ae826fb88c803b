from __future__ import annotations

FORMULA = "$" + r"\\frac{1}{" * 400 + "1" + "}" * 400 + "$"
NUMBERS = ["[" * 200_000, '{"plot": ' * 50_000, f'{{"plot": "confusion", "title": "{FORMULA}"}}']


def taken_over(request: dict, secret: str) -> object:
    if request["function"].endswith(":draw"):
        return [{"title": "x", "svg": "<svg><script>alert(1)</script></svg>"}] * 1000
    if request["function"].endswith(":thumbnail_of"):
        return {"columns": 1}
    pictures = [{"name": "Landmarks", "numbers": numbers, "record": "T00001"} for numbers in NUMBERS]
    score = {"primary": "F1", "values": {"F1": 1.0}, "official": {}, "intervals": {}, "resampled": [], "clusters": 0}
    return {"kind": "score", "message": "", "score": {**score, "notes": [], "pictures": pictures}}
