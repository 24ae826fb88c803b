from __future__ import annotations

from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    (sample / "dependencies.txt").write_text("!\n" * (2 << 20))
    return sample
