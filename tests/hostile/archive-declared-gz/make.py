from __future__ import annotations

import gzip
import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar.gz"
    member = tarfile.TarInfo("entry/setup.sh")
    member.size = 1 << 62
    upload.write_bytes(gzip.compress(member.tobuf(tarfile.GNU_FORMAT)))
    return upload
