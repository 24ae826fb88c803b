from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar"
    with tarfile.open(upload, "w") as tar:
        tar.add(sample, "entry")
        link = tarfile.TarInfo("entry/out")
        link.type, link.linkname = tarfile.SYMTYPE, "/tmp"
        tar.addfile(link)
        member = tarfile.TarInfo("entry/out/evaluate-escaped")
        member.size = 3
        tar.addfile(member, io.BytesIO(b"out"))
    return upload
