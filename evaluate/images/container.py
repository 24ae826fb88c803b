"""A container image as a read-only layer of the guest, and how its program is started there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import ArchiveLimits
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.scratch import PLACE, Scratch
from evaluate.confine.walls import Openings
from evaluate.core.codec import from_json, to_json
from evaluate.core.files import write_file
from evaluate.core.model import ContainerProgram
from evaluate.images import squashfs
from evaluate.images.layers import kept_layer
from evaluate.images.staging import Progress, building, phase
from evaluate.untrusted.merge import merge_image
from evaluate.untrusted.oci import Blob, OciImage, read_image
from evaluate.untrusted.tar import is_compressed, most_unpacked

_VERSION = 4
"""Increased when the same image would give another layer, or none."""
BUILT = "its image was built earlier from the same files; a change of one of them builds it again"
_SECONDS, _BYTES_A_SECOND = 60, 20 << 20
"""Processor time: decompressing, two digests and two copies of what is allowed, on the slowest processor."""
_CHUNK = 1 << 20
_PACKING = 3
"""Factor by which compressing takes more time."""
_MEMORY_BYTES, _MEMORY_A_FILE = 1 << 30, 16 << 10
_REPLY_BYTES = 8 << 20
"""The words of a command."""


@dataclass(frozen=True, kw_only=True)
class ContainerLayer:
    """A container image as a layer, and how its programs are started."""

    layer: Path
    program: ContainerProgram
    notes: tuple[str, ...] = ()
    model: str = ""
    """Digest of the tarball beside the image that was unpacked into it, as hexadecimal digits; empty: none was."""


def container_layer(
    archive: Path,
    argument: str,
    state: Path,
    limits: ArchiveLimits,
    progress: Progress,
    program: str = "",
    model: str = "",
) -> ContainerLayer:
    """The layer of an image, from the cache if it was made before, and its program.

    Raises EntryError if the archive, a layer, or the way the image is to be started is at fault. Raises ImageFault if a
    tool is missing or fails.

    * ``argument``: argument of the entry point by the rules; empty: the image's own arguments.
    * ``program``: what is called in the place of an entry point that the image does not have.
    * ``model``: the folder of the image that the tarball beside it takes the place of, if there is one.
    """
    folder = state / "layers"
    folder.mkdir(parents=True, exist_ok=True)
    identity = hashlib.sha256(f"{archive.resolve()} {archive.stat().st_mtime_ns}".encode()).hexdigest()[:16]
    bounds = Bounds(
        doing="reading the container image",
        seconds=_SECONDS + most_unpacked(archive, limits.unpacked_bytes) / _BYTES_A_SECOND,
        memory_bytes=_MEMORY_BYTES + limits.files * _MEMORY_A_FILE,
        file_bytes=limits.unpacked_bytes,
    )
    waiting = "another process is reading the image; waiting"
    with building(folder, f"image-{identity}", lambda: progress(waiting)) as work:
        plain = work / "image.tar"
        plain.touch(0o600, exist_ok=False)
        bounds = replace(bounds, openings=Openings(writes=(plain,)))
        image = isolated(bounds, read_image, archive, plain, limits)
        parts = plain if is_compressed(archive) else archive
        tarball = _digest_of(parts, image.model) if model and image.model is not None else ""

        def pack(scratch: Path, packed: Path) -> dict[str, Any]:
            packed.touch(0o600, exist_ok=False)
            packing = replace(
                bounds,
                seconds=_PACKING * bounds.seconds,
                memory_bytes=max(bounds.memory_bytes, squashfs.MEMORY_BYTES),
                reply_bytes=_REPLY_BYTES,
                openings=Openings(
                    writes=(packed,),
                    scratch=Scratch(folder=scratch, most_bytes=limits.unpacked_bytes),
                    programs=squashfs.programs(),
                ),
            )
            with phase(progress, f"merging {len(image.layers)} layers of image {image.digest[7:19]}"):
                words = (parts, image, argument, PLACE, limits, packed, program, model)
                started = isolated(packing, merge_and_pack, *words)
            return {"image": image.digest, "program": to_json(started)}

        made_of = [_VERSION, image.digest, argument, program, tarball, model if tarball else ""]
        layer = kept_layer(made_of, pack, state)
        assert layer is not None
        return replace(_kept(layer, json.loads(layer.with_suffix(".json").read_bytes())), model=tarball)


def _digest_of(archive: Path, part: Blob) -> str:
    """SHA-256 of a part of a file, as the host reads it itself."""
    digest, left = hashlib.sha256(), part.size
    with archive.open("rb") as file:
        file.seek(min(part.offset, archive.stat().st_size))  # a reader that was taken over may say any number
        while left and (chunk := file.read(min(left, _CHUNK))):
            digest.update(chunk)
            left -= len(chunk)
    return digest.hexdigest()


def merge_and_pack(
    archive: Path,
    image: OciImage,
    argument: str,
    work: Path,
    limits: ArchiveLimits,
    packed: Path,
    program: str = "",
    model: str = "",
) -> ContainerProgram:
    """Behind walls: as `merge_image`, into a squashfs. Raises ImageFault if it cannot be packed."""
    with squashfs.packer(packed) as stream:
        return merge_image(archive, image, argument, work, limits, stream, program, model)


def built_layer(asked: Any, make: Callable[[], ContainerLayer], state: Path, progress: Progress) -> ContainerLayer:
    """The layer of an image that was built of ``asked`` before, if it is still there; otherwise what ``make`` makes.

    ``asked``: all that the image depends on, as JSON.
    """
    folder = state / "layers"
    key = hashlib.sha256(json.dumps(["built", _VERSION, asked], sort_keys=True).encode()).hexdigest()[:32]
    note = folder / f"{key}.json"
    with building(folder, key, lambda: progress("another process is building the same image; waiting")):
        if (layer := _built(folder, note)) is not None:
            return layer
        made = make()
        text = {"layer": made.layer.name, "program": to_json(made.program)}
        write_file(note, json.dumps(text, indent=1).encode())
        return made


def _built(folder: Path, note: Path) -> ContainerLayer | None:
    try:
        text = json.loads(note.read_bytes())
        path = folder / text["layer"]
        if not path.is_file():
            return None
        return replace(_kept(path, text), notes=(BUILT,))
    except (OSError, ValueError, KeyError, TypeError):  # a note that a full disk cut off
        return None


def _kept(layer: Path, values: Mapping[str, Any]) -> ContainerLayer:
    return ContainerLayer(layer=layer, program=from_json(ContainerProgram, values["program"]))
