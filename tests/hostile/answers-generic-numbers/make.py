from __future__ import annotations

from pathlib import Path


def make(references: Path, scratch: Path) -> Path:
    folder = scratch / "references"
    folder.mkdir()
    (folder / "r.csv").write_text("record,value\na,1\nb,2\n")
    answers = scratch / "answers.csv"
    answers.write_text("record,value\na," + "9" * 100_000 + "\nb,1e999\n")
    return answers, folder / "r.csv"
