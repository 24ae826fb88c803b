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
    directory = data.index(b"PK\1\2")
    name, extra = data[directory + 28], data[directory + 30]
    field = struct.pack("<HHQQ", 1, 16, 1 << 63, 1 << 63)
    data[directory + 20 : directory + 28] = bytes([255] * 8)
    data[directory + 30 : directory + 32] = struct.pack("<H", len(field))
    place = directory + 46 + name
    data[place : place + extra] = field
    end = data.rindex(b"PK\5\6")
    data[end + 12 : end + 16] = struct.pack("<I", end - directory)
    upload = scratch / "entry.zip"
    upload.write_bytes(data)
    return upload
