from __future__ import annotations

from pathlib import Path


def make(references: Path, scratch: Path) -> Path:
    folder = scratch / "answers"
    folder.mkdir()
    for reference in references.iterdir():
        (folder / f"{reference.stem}.json").write_text('{"predict_endpoints": ' + "[" * 100_000)
    return folder
