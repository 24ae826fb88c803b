"""Where the package keeps its files: challenges, image recipes, guest agent, hostile cases."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def data_folder(name: str) -> Path:
    """The folder ``challenges``, ``vm_images`` or ``tests/hostile``: in an installed wheel, or next to the package."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
