from __future__ import annotations

from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    (sample / "requirements.txt").write_text("!\n" * (2 << 20))
    return sample
