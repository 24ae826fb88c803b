from __future__ import annotations

import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar"
    with tarfile.open(upload, "w") as tar:
        tar.add(sample, "entry")
        member = tarfile.TarInfo("entry/harmless")
        member.pax_headers = {"path": "../../evaluate-escaped", "size": str(1 << 61), "linkpath": "/etc/passwd"}
        tar.addfile(member)
    return upload
