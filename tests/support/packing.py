"""The archive of a folder, as participants upload it."""

from __future__ import annotations

from pathlib import Path

from evaluate.untrusted.packing import pack
from evaluate.untrusted.selection import select


def pack_folder(folder: Path, target: Path) -> Path:
    return pack(select(folder), target)
