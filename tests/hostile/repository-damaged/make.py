from __future__ import annotations

from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.bundle"
    upload.write_bytes(b"# v2 git bundle\n" + b"1" * 40 + b" HEAD\n\nPACK\0\0\0\2\x7f\xff\xff\xff")
    return upload
