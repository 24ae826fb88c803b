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
    directory = data.index(b"PK\1\2")
    while directory >= 0:
        data[directory + 16 : directory + 20] = bytes(4)
        directory = data.find(b"PK\1\2", directory + 4)
    upload = scratch / "entry.zip"
    upload.write_bytes(data)
    return upload
