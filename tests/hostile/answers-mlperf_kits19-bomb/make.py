from __future__ import annotations

import gzip
from pathlib import Path


def make(references: Path, scratch: Path) -> Path:
    folder = scratch / "answers"
    folder.mkdir()
    for reference in sorted(references.glob("*.nii.gz"))[:1]:
        head = gzip.open(reference).read(352)
        (folder / reference.name).write_bytes(gzip.compress(head + bytes(256 << 20), 1))
    return folder
