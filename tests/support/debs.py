"""Packages of Debian that tests build."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path


def package(
    folder: Path, name: str, *options: str, version: str = "1.0", architecture: str = "amd64", **fields: str
) -> Path:
    """Build a package with one file of an odd number of bytes.

    * ``options``: of ``dpkg-deb``.
    * ``fields``: further ones of its control file, with ``_`` for hyphens.
    """
    control = {
        "Package": name,
        "Version": version,
        "Architecture": architecture,
        "Maintainer": "a <a@example.org>",
        "Description": "x",
        **{key.replace("_", "-"): value for key, value in fields.items()},
    }
    tree = folder / "tree" / f"{name}-{version}"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN" / "control").write_text("".join(f"{key}: {value}\n" for key, value in control.items()))
    (tree / "file").write_bytes(b"zeros" + bytes(100_000))
    deb = folder / f"{name}_{version.replace(':', '%3a')}_{architecture}.deb"
    subprocess.run(["dpkg-deb", *options, "-b", "--root-owner-group", tree, deb], check=True, capture_output=True)
    return deb


def shown(deb: Path, option: str) -> bytes:
    """Output of ``dpkg-deb`` about a package."""
    return subprocess.run(["dpkg-deb", option, deb], check=True, capture_output=True).stdout


def paragraph(deb: Path, digest: str = "") -> str:
    """The paragraph of a package in an archive's index, perhaps with a wrong digest."""
    data = deb.read_bytes()
    digest = digest or hashlib.sha256(data).hexdigest()
    return f"{shown(deb, '--field').decode()}Filename: ./{deb.name}\nSize: {len(data)}\nSHA256: {digest}\n"
