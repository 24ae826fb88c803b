from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(sample.iterdir()):
            archive.write(path, path.name)
    data = bytearray(packed.getvalue())
    end = data.rindex(b"PK\5\6")
    data[end + 8 : end + 12] = struct.pack("<HH", 60000, 60000)
    upload = scratch / "entry.zip"
    upload.write_bytes(data)
    return upload
