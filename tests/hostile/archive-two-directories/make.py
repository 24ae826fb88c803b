from __future__ import annotations

import io
import zipfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(sample.iterdir()):
            archive.write(path, path.name)
    data = bytearray(packed.getvalue())
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("../evaluate-escaped", b"out")
    data = bytearray(other.getvalue()) + data
    upload = scratch / "entry.zip"
    upload.write_bytes(data)
    return upload
