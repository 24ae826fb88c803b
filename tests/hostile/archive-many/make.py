from __future__ import annotations

import gzip
import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar.gz"
    member = tarfile.TarInfo("entry/f").tobuf()
    with gzip.open(upload, "wb", 1) as packed:
        for _ in range(60):
            packed.write(member * 1000)
    return upload
