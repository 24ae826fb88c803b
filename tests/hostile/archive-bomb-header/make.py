from __future__ import annotations

import gzip
import tarfile
from pathlib import Path

GIB = 1 << 30


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar.gz"
    member = tarfile.TarInfo("entry/prediction_00210.nii.gz")
    member.size = 94 * GIB
    # some zeros, compressed once; each copy of them is a further member of the gzip file
    zeros = gzip.compress(bytes(GIB >> 6))
    with upload.open("wb") as f:
        f.write(gzip.compress(member.tobuf(tarfile.PAX_FORMAT)))
        for _ in range(94 << 6):
            f.write(zeros)
    return upload
