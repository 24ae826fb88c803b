from __future__ import annotations

import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar"
    with tarfile.open(upload, "w") as tar:
        tar.add(sample, "entry")
        tar.addfile(tarfile.TarInfo("entry/" + "d/" * 4000 + "f"))
    return upload
