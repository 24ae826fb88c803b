"""Packages of Debian, and images of four small files, that tests build without a machine."""

import hashlib
import io
import subprocess
import tarfile
from dataclasses import asdict
from pathlib import Path

from evaluate.core.files import point
from evaluate.images import initrd
from evaluate.images.apt import Package
from evaluate.images.image import LOCKED, Lock, Manifest, describe_files
from evaluate.images.recipe import Recipe


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


def small_image(name: str, recipe: Recipe, state: Path, version: str, lock: Lock | None = None) -> str:
    """The newest build with this name, of which a package has this version; its digest."""
    parts = state / "parts"
    parts.mkdir(parents=True)
    for file in ("vmlinuz", initrd.BASE, initrd.PROBE):
        (parts / file).write_text(version)
    tree = io.BytesIO()
    with tarfile.open(fileobj=tree, mode="w") as tar:
        info = tarfile.TarInfo("version")
        info.size = len(version)
        tar.addfile(info, io.BytesIO(version.encode()))
    pack = ["tar2sqfs", "--quiet", "--defaults", "mtime=0", parts / "root.squashfs"]
    subprocess.run(pack, input=tree.getvalue(), check=True, capture_output=True)
    manifest = Manifest(
        recipe_digest=recipe.digest,
        sources=recipe.sources(),
        cpu_model=recipe.cpu_model,
        cpu_disabled=recipe.cpu_disabled,
        kernel_packages=(),
        packages=(Package("tool", version, "amd64"),),
        files=describe_files(parts),
    )
    manifest.write(parts, {LOCKED: asdict(lock)} if lock else {})
    folder = state / "images" / f"{name}-{manifest.digest.removeprefix('sha256:')[:16]}"
    folder.parent.mkdir(exist_ok=True)
    parts.rename(folder)
    point(folder.parent / name, folder.name)
    return manifest.digest
