from __future__ import annotations

import io
import zipfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    data = bytes(1 << 20)
    for level in range(9):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(10):
                archive.writestr(f"{level}-{number}.zip", data)
        data = packed.getvalue()
    upload = scratch / "entry.zip"
    upload.write_bytes(data)
    return upload
