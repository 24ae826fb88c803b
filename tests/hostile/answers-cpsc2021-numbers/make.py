from __future__ import annotations

from pathlib import Path


def make(references: Path, scratch: Path) -> Path:
    folder = scratch / "answers"
    folder.mkdir()
    for reference in references.iterdir():
        text = '{"predict_endpoints": [[-1, 1e999], [NaN, 9223372036854775808], [5, 4]]}'
        (folder / f"{reference.stem}.json").write_text(text)
    return folder
