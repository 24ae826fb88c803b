from __future__ import annotations

import gzip
import struct
from pathlib import Path


def make(references: Path, scratch: Path) -> Path:
    folder = scratch / "answers"
    folder.mkdir()
    for reference in references.glob("*.nii.gz"):
        head = bytearray(gzip.open(reference).read(352))
        head[42:48] = struct.pack("<3h", 32767, 32767, 32767)
        (folder / reference.name).write_bytes(gzip.compress(bytes(head)))
    return folder
