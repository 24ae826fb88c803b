from __future__ import annotations

import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar"
    with tarfile.open(upload, "w") as tar:
        tar.add(sample, "entry")
        for name in (
            "entry/\x1b[2J\x07",
            "entry/a\nb",
            "entry/\udcff\udcfe",
            "entry/\u202etxt.exe",
            "entry/ ",
            "entry/-rf",
        ):
            tar.addfile(tarfile.TarInfo(name))
    return upload
