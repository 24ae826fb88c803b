"""Archives as participants upload them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from evaluate.untrusted.packing import pack
from evaluate.untrusted.selection import select


def pack_folder(folder: Path, target: Path) -> Path:
    return pack(select(folder), target)


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """A zip archive of these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            bundle.writestr(name, content)
    return path
