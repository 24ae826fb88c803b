"""Where the files that travel with the package are: challenges, image recipes, guest agent."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def data_folder(name: str) -> Path:
    """The folder ``challenges`` or ``vm_images``: inside an installed wheel, else beside the package."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
