from __future__ import annotations

import zipfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.zip"
    with zipfile.ZipFile(upload, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(32):
            archive.writestr(f"big{number}", bytes(4 << 20))
    return upload
