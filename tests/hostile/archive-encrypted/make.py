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

    place = data.index(b"PK\1\2")
    data[6] |= 1
    data[place + 8] |= 1
    upload = scratch / "entry.zip"
    upload.write_bytes(data)
    return upload
