"""The sockets of an algorithm on grand-challenge: its inputs and outputs, each with a path and a kind.

A JSON file has the lists ``inputs`` and ``outputs``, as ``evaluate challenge import`` writes them; a socket has a slug,
a relative path and a super kind, or, as local test kits write it, ``is_image_kind`` and the like in its place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any

from evaluate.core.errors import ChallengeError
from evaluate.core.sanitize import parsed

IMAGES = (".mha", ".tif", ".tiff")
"""Possible ends of the name of an image's file."""
INPUTS_FILE = "inputs.json"


class SuperKind(StrEnum):
    """Form in which the content of a socket lies in its place."""

    IMAGE = "Image"
    """A folder with one image of any name."""
    FILE = "File"
    VALUE = "Value"
    """A JSON file."""


_SHORT = {"is_image_kind": SuperKind.IMAGE, "is_json_kind": SuperKind.VALUE, "is_file_kind": SuperKind.FILE}


@dataclass(frozen=True, kw_only=True)
class Socket:
    """One input or output."""

    slug: str
    super_kind: SuperKind
    relative_path: str
    """Below ``/input`` or ``/output``; of an image, its folder, which may be empty."""
    values: Mapping[str, Any]
    """All keys of it in its file."""

    def files(self, suffixes: Sequence[str] = IMAGES) -> tuple[str, ...]:
        """Return the paths at which its file may be: an image by any of these suffixes, under the slug."""
        if self.super_kind is not SuperKind.IMAGE:
            return (self.relative_path,)
        return tuple(str(PurePosixPath(self.relative_path) / f"{self.slug}{suffix}") for suffix in suffixes)

    @property
    def is_dicom(self) -> bool:
        """True if it is a folder of DICOM files."""
        kind = str(self.values.get("kind", "")).lower()
        return self.super_kind is SuperKind.IMAGE and bool(
            self.values.get("is_dicom_image_kind") or kind.startswith("dicom")
        )

    @property
    def pattern(self) -> str:
        """Pattern of its files below a record's folder."""
        return f"{self.relative_path}/*" if self.is_dicom else self.files()[0]

    @property
    def described(self) -> dict[str, Any]:
        """As entries read it, with the names of both the platform and its test kits."""
        return {
            "title": self.slug,
            "description": "",
            "kind": "",
            "pk": 1,
            "default_value": None,
            "overlay_segments": [],
            "look_up_table": None,
            **{name: self.super_kind is kind for name, kind in _SHORT.items()},
            "is_panimg_kind": self.super_kind is SuperKind.IMAGE and not self.is_dicom,
            "is_dicom_image_kind": self.is_dicom,
            **self.values,
            "slug": self.slug,
            "super_kind": self.super_kind.value,
            "relative_path": self.relative_path,
        }


@dataclass(frozen=True, kw_only=True)
class Sockets:
    """One interface of an algorithm."""

    file: Path
    inputs: tuple[Socket, ...] = ()
    outputs: tuple[Socket, ...] = ()
    sha256: str = ""
    """Digest of their file."""

    @property
    def keys(self) -> dict[str, Any]:
        """Values that they give to keys of a ``challenge.yaml`` that does not give them itself."""
        first = self.outputs[0].files() if self.outputs else ()
        return {
            "inputs": [f"{{record}}/{socket.pattern}" for socket in self.inputs],
            "answers": {"files": [f"{{record}}/{name}" for name in first]},
        }


def read_sockets(path: Path) -> Sockets:
    """The sockets of a file. Raises ChallengeError, naming the file, the socket and its mistake."""
    try:
        data = path.read_bytes()
        document = parsed(data)
    except (OSError, ValueError) as e:
        raise ChallengeError(f"{path}: expected JSON: {e}") from e
    lists: dict[str, tuple[Socket, ...]] = {}
    for key in ("inputs", "outputs"):
        sockets = document.get(key) if isinstance(document, dict) else None
        if not isinstance(sockets, list):
            raise ChallengeError(f"{path}: expected an object with inputs and outputs, lists of sockets; no list {key}")
        lists[key] = tuple(socket(item, f"{path}: {key}") for item in sockets)
        if len({item.slug for item in lists[key]}) < len(sockets):
            raise ChallengeError(f"{path}: {key}: two sockets have the same slug")
    if not lists["outputs"]:
        raise ChallengeError(f"{path}: outputs: expected a socket, found none")
    return Sockets(file=path, **lists, sha256=hashlib.sha256(data).hexdigest())


def socket(description: Any, where: str) -> Socket:
    """One socket; ChallengeError, which begins with ``where``, if it is none."""
    slug = description.get("slug") if isinstance(description, dict) else None
    if not isinstance(slug, str) or not slug or "/" in slug or slug.startswith("."):
        raise ChallengeError(f"{where}: expected sockets with a slug, found {str(description)[:80]!r}")
    path = PurePosixPath(str(description.get("relative_path") or "."))
    if path.is_absolute() or ".." in path.parts:
        raise ChallengeError(f"{where}: {slug}: relative_path: leads out: {path}")
    kinds = [kind for kind in SuperKind if str(description.get("super_kind", "")).lower() == kind.lower()]
    kinds += [kind for name, kind in _SHORT.items() if "super_kind" not in description and description.get(name)]
    if not kinds:
        raise ChallengeError(f"{where}: {slug}: super_kind: expected one of {', '.join(SuperKind)}")
    relative = "" if str(path) == "." else str(path)
    if kinds[0] is not SuperKind.IMAGE and relative in ("", INPUTS_FILE):
        raise ChallengeError(f"{where}: {slug}: relative_path: expected the path of a file, found {relative!r}")
    made = Socket(slug=slug, super_kind=kinds[0], relative_path=relative, values=description)
    if made.is_dicom and not relative:
        raise ChallengeError(f"{where}: {slug}: relative_path: expected a folder of its own for DICOM files")
    return made
