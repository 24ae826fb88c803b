from __future__ import annotations

import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar"
    with tarfile.open(upload, "w") as tar:
        tar.add(sample, "entry")
        link = tarfile.TarInfo("entry/answers2.txt")
        link.type, link.linkname = tarfile.LNKTYPE, "/etc/passwd"
        tar.addfile(link)
    return upload
