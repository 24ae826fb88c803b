"""Packages of Debian that tests build."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path


def package(folder: Path, name: str, version: str = "1.0", **fields: str) -> Path:
    """Build a package with one file; ``fields``: further ones of its control file, with ``_`` for hyphens."""
    control = {
        "Package": name,
        "Version": version,
        "Architecture": "amd64",
        "Maintainer": "a <a@example.org>",
        "Description": "x",
        **{key.replace("_", "-"): value for key, value in fields.items()},
    }
    tree = folder / "tree" / f"{name}-{version}"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN" / "control").write_text("".join(f"{key}: {value}\n" for key, value in control.items()))
    (tree / "file").write_bytes(bytes(1000))
    deb = folder / f"{name}_{version}_amd64.deb"
    subprocess.run(["dpkg-deb", "-b", "--root-owner-group", tree, deb], check=True, capture_output=True)
    return deb


def paragraph(deb: Path) -> str:
    """The paragraph of a package in an archive's index."""
    data = deb.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    fields = subprocess.run(["dpkg-deb", "--field", deb], check=True, capture_output=True, text=True).stdout
    return f"{fields}Filename: ./{deb.name}\nSize: {len(data)}\nSHA256: {digest}\n"
