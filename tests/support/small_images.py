"""Images of four small files, for tests that start no machine."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

from evaluate.core.files import point
from evaluate.images import initrd
from evaluate.images.apt import Package
from evaluate.images.image import Manifest, describe_files
from evaluate.images.recipe import Recipe


def small_image(name: str, recipe: Recipe, state: Path, version: str) -> str:
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
    manifest.write(parts, {})
    folder = state / "images" / f"{name}-{manifest.digest.removeprefix('sha256:')[:16]}"
    folder.parent.mkdir(exist_ok=True)
    parts.rename(folder)
    point(folder.parent / name, folder.name)
    return manifest.digest
