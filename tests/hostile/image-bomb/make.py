from __future__ import annotations

import runpy
import tarfile
from pathlib import Path

_WRITERS = runpy.run_path(str(Path(__file__).parents[1] / "_writers.py"))
image = _WRITERS["image"]


def make(sample: Path, scratch: Path) -> Path:
    member = tarfile.TarInfo("big")
    member.size = 1 << 62
    return image(scratch, member.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
