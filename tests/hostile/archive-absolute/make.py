from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar"
    with tarfile.open(upload, "w") as tar:
        tar.add(sample, "entry")
        for name in ("/tmp/evaluate-escaped", "//etc/evaluate-escaped"):
            member = tarfile.TarInfo(name)
            member.size = 3
            tar.addfile(member, io.BytesIO(b"out"))
    return upload
