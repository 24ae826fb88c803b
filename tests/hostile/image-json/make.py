from __future__ import annotations

import io
import runpy
import tarfile
from pathlib import Path

_WRITERS = runpy.run_path(str(Path(__file__).parents[1] / "_writers.py"))
image, layer = _WRITERS["image"], _WRITERS["layer"]


def make(sample: Path, scratch: Path) -> Path:
    upload = image(scratch, layer(("run.sh", tarfile.REGTYPE, "", 5)))
    data = b'[{"Config": "config.json", "Layers": ["layer.tar"], "RepoTags": ' + b"[" * 100000
    member = tarfile.TarInfo("manifest.json")
    member.size = len(data)
    with tarfile.open(upload, "a") as tar:
        tar.addfile(member, io.BytesIO(data))
    return upload
