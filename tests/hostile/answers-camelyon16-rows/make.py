from __future__ import annotations

from pathlib import Path


def make(references: Path, scratch: Path) -> Path:
    folder = scratch / "answers"
    folder.mkdir()
    (folder / "test_001.csv").write_bytes(b"0.5,100,100\n" * 5_000_000)
    return folder
