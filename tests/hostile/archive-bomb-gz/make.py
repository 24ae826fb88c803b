from __future__ import annotations

import gzip
import tarfile
from pathlib import Path


class Zeros:
    def read(self, size: int = -1) -> bytes:
        return bytes(size)


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar.gz"
    with gzip.open(upload, "wb", 9) as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
        member = tarfile.TarInfo("entry/big")
        member.size = 1 << 27
        tar.addfile(member, Zeros())
    return upload
