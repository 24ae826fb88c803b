from __future__ import annotations

import tarfile
from pathlib import Path


def make(sample: Path, scratch: Path) -> Path:
    upload = scratch / "entry.tar"
    with tarfile.open(upload, "w") as tar:
        tar.add(sample, "entry")
        folder = tarfile.TarInfo("entry/twice")
        folder.type = tarfile.DIRTYPE
        tar.addfile(folder)
        link = tarfile.TarInfo("entry/twice")
        link.type, link.linkname = tarfile.SYMTYPE, "../.."
        tar.addfile(link)
    return upload
