"""``manifest.json``: what an image is, in two parts.

``content`` decides the digest: recipe, packages, files.  ``build`` describes the build and does not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluate.core.errors import ImageFault
from evaluate.core.files import sha256_file
from evaluate.images.apt import Package

MANIFEST = "manifest.json"
_FORMAT = 1


@dataclass(frozen=True)
class ManifestFile:
    """Digest (hexadecimal SHA-256) and size in bytes of one file."""

    sha256: str
    size: int


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The content part."""

    recipe_digest: str
    sources: tuple[str, ...]
    """apt sources by their public names, whichever mirror was used."""
    cpu_model: str
    cpu_disabled: tuple[str, ...]
    kernel_packages: tuple[Package, ...]
    """Source packages of kernel, modules and the tools of the initial file system; not installed in the root."""
    packages: tuple[Package, ...]
    files: Mapping[str, ManifestFile]

    @property
    def digest(self) -> str:
        """``sha256:…`` of the content in one fixed serialisation."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()

    def write(self, folder: Path, build: Mapping[str, Any]) -> None:
        """Write it into a folder, with the description ``build``."""
        document = {"format": _FORMAT, "digest": self.digest, "content": asdict(self), "build": build}
        (folder / MANIFEST).write_text(json.dumps(document, indent=1) + "\n")

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of an image; `ImageFault` if it is damaged or of another format."""
        path = folder / MANIFEST
        try:
            document = json.loads(path.read_bytes())
            if document["format"] != _FORMAT:
                raise ImageFault(
                    f"{path}: expected format {_FORMAT}, found {document['format']!r}; build the image again"
                )
            content = document["content"]
            manifest = cls(
                **{
                    **content,
                    "sources": tuple(content["sources"]),
                    "cpu_disabled": tuple(content["cpu_disabled"]),
                    "kernel_packages": tuple(Package(**package) for package in content["kernel_packages"]),
                    "packages": tuple(Package(**package) for package in content["packages"]),
                    "files": {name: ManifestFile(**file) for name, file in content["files"].items()},
                }
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as e:
            raise ImageFault(f"{path} cannot be read: {e!r}; build the image again") from e
        if manifest.digest != document["digest"]:
            raise ImageFault(
                f"{path}: the content has digest {manifest.digest}, not {document['digest']}; build it again"
            )
        return manifest


def describe_files(folder: Path) -> dict[str, ManifestFile]:
    """Digest and size of every file in a folder."""
    return {p.name: ManifestFile(sha256_file(p), p.stat().st_size) for p in sorted(folder.iterdir())}
