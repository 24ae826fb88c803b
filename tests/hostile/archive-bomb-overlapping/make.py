from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    one = io.BytesIO()
    with zipfile.ZipFile(one, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bytes(8 << 20))
    data = one.getvalue()
    directory = data.index(b"PK\1\2")
    end = data.rindex(b"PK\5\6")
    entry = data[directory:end]
    count = 500
    size = count * len(entry)
    tail = struct.pack("<4sHHHHIIH", b"PK" + bytes((5, 6)), 0, 0, count, count, size, directory, 0)
    upload = scratch / "entry.zip"
    upload.write_bytes(data[:directory] + entry * count + tail)
    return upload
