from __future__ import annotations

from pathlib import Path


def make(references: Path, scratch: Path) -> Path:
    answers = scratch / "answers.txt"
    answers.write_bytes(b"T00001,N\n" * 20_000_000)
    return answers
