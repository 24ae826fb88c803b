"""Layers of symbolic links, such as those from the folder of an entry's ``Dockerfile`` to the entry's folder."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from evaluate.confine.ownership import set_mode
from evaluate.core.files import publish, write_file
from evaluate.images.squashfs import packer
from evaluate.images.staging import building

_VERSION = 2
"""Increased when the same places would give another layer."""


def build_places_layer(links: Mapping[str, str], state: Path) -> Path:
    """The layer with these links: path -> target."""

    def pack(target: Path) -> None:
        with packer(target) as stream, tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as tar:
            for member in _members(links):
                tar.addfile(member)

    return kept_layer("places", sorted(links.items()), pack, state)


def kept_layer(name: str, asked: Any, pack: Callable[[Path], object], state: Path) -> Path:
    """The layer of this kind that is made of ``asked`` alone, by ``pack`` where there is none yet.

    * ``asked``: as JSON.
    * ``pack``: writes the layer to the path that it is given.
    """
    key = hashlib.sha256(json.dumps([name, _VERSION, asked]).encode()).hexdigest()[:32]
    layers = state / "layers"
    target = layers / f"{key}.squashfs"
    if target.exists():
        return target
    with building(layers, key, lambda: None) as work:
        if not target.exists():
            packed = work / "layer.squashfs"
            pack(packed)
            set_mode(packed, 0o644)
            publish(packed, target)
            write_file(layers / f"{key}.json", json.dumps({name: asked}, indent=1).encode())
    return target


def _members(links: Mapping[str, str]) -> list[tarfile.TarInfo]:
    """Folders above them have the modes that they have in the image."""
    found: dict[str, tarfile.TarInfo] = {".": _folder(".", 0o755)}
    for place, target in sorted(links.items()):
        path = PurePosixPath(place.strip("/"))
        for parent in reversed(path.parents[:-1]):
            found.setdefault(str(parent), _folder(f"./{parent}", 0o755))
        link = tarfile.TarInfo(f"./{path}")
        link.type, link.linkname = tarfile.SYMTYPE, target
        found[str(path)] = link
    return list(found.values())


def _folder(name: str, mode: int) -> tarfile.TarInfo:
    one = tarfile.TarInfo(name)
    one.type, one.mode = tarfile.DIRTYPE, mode
    return one
