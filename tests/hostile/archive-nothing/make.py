from __future__ import annotations

from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.zip"
    upload.touch()
    return upload
