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

    upload = scratch / "entry.zip"
    upload.write_bytes(b"#!/bin/sh\ntouch /tmp/evaluate-escaped\n" + data)
    upload.chmod(0o755)
    return upload
