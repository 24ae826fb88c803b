from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

ZEROS = 300 << 20


class Zeros:
    def read(self, size: int = -1) -> bytes:
        return bytes(size)


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "image.tar.gz"
    with gzip.open(upload, "wb", 9) as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
        manifest = tarfile.TarInfo("manifest.json")
        manifest.size = 2
        tar.addfile(manifest, io.BytesIO(b"[]"))
        layer = tarfile.TarInfo("layer.tar")
        layer.size = ZEROS
        tar.addfile(layer, Zeros())
    return upload
