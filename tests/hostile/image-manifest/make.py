from __future__ import annotations

import runpy
import tarfile
from pathlib import Path

_WRITERS = runpy.run_path(str(Path(__file__).parents[1] / "_writers.py"))
image, layer = _WRITERS["image"], _WRITERS["layer"]


def make(sample: Path, scratch: Path) -> Path:
    return image(
        scratch,
        layer(("run.sh", tarfile.REGTYPE, "", 5)),
        {"Config": "../../../../etc/passwd", "Layers": ["/etc/shadow"]},
    )
