from __future__ import annotations

import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar"
    with tarfile.open(upload, "w") as tar:
        tar.add(sample, "entry")
        for name, kind in (("disk", tarfile.BLKTYPE), ("null", tarfile.CHRTYPE), ("pipe", tarfile.FIFOTYPE)):
            member = tarfile.TarInfo(f"entry/{name}")
            member.type, member.devmajor, member.devminor = kind, 8, 0
            tar.addfile(member)
    return upload
