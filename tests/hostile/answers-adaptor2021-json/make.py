from __future__ import annotations

from pathlib import Path


def make(references: Path, scratch: Path) -> Path:
    folder = scratch / "answers"
    for reference in references.rglob("*.json"):
        target = folder / reference.relative_to(references).parent.parent / reference.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text('{"points": [{"x": ' + "9" * 400_000 + ', "y": 1e999}]}')
    return folder
