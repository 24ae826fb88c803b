"""A built image as the rest of the program sees it.

``<state>/images/NAME`` is a link to the folder of its newest build, ``NAME-<digest>``; older builds stay, since
receipts name them and guests may run on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluate.core.errors import ImageFault, UsageError
from evaluate.core.files import sha256_file
from evaluate.images import initrd
from evaluate.images.apt import Package
from evaluate.images.manifest import MANIFEST, Manifest


@dataclass(frozen=True, kw_only=True)
class Image:
    """A kernel, an initial file system with the guest agent, and a read-only root; see ``manifest.json``."""

    name: str
    digest: str
    """``sha256:…`` of the manifest's content part (kernel, modules, root, package list), not of the agent."""
    kernel: Path
    initrd: Path
    """Modules and the guest agent of this version of the program."""
    root: Path
    """squashfs"""
    cpu_model: str
    """libvirt's name of the processor model; the same under every accelerator."""
    cpu_disabled: tuple[str, ...]
    """Features removed from the model."""
    packages: tuple[Package, ...]
    """What is installed in the root, sorted by name."""
    recipe_digest: str
    """`Recipe.digest` of the recipe it was built from."""

    @property
    def agent(self) -> str:
        """Digest of the guest agent, as hexadecimal digits."""
        return self.initrd.stem.removeprefix(initrd.AGENT)

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.root.parent


def image_folder(name: str, state: Path) -> Path:
    """The folder of a built image: its newest build by ``NAME``, any one by ``NAME-<digest>``.

    Raises UsageError if there is none.
    """
    folder = state / "images" / name
    if "/" in name or not (folder / MANIFEST).is_file():
        there = ", ".join(sorted(path.name for path in (state / "images").glob("[!.]*"))) or "none"
        raise UsageError(f"no image {name!r} in {state}; there is: {there}")
    return folder.resolve()


def load_image(name: str, state: Path) -> Image:
    """The newest build of an image, with the guest agent of this version of the program.

    Raises ImageFault if it is not built, or a file is missing or has another size than the manifest says.
    """
    link = state / "images" / name
    if not (link / MANIFEST).is_file():
        raise ImageFault(f"image {name!r} is not built in {state}; build it with: evaluate image build {name}")
    folder = link.resolve()
    manifest = Manifest.read(folder)
    for file, entry in manifest.files.items():
        path = folder / file
        size = path.stat().st_size if path.is_file() else None
        if size != entry.size:
            found = "it is missing" if size is None else f"it has {size}"
            raise ImageFault(f"image {name!r}: {path} should have {entry.size} bytes, {found}; {_rebuild(name)}")
    return Image(
        name=name,
        digest=manifest.digest,
        kernel=folder / "vmlinuz",
        initrd=initrd.with_agent(folder),
        root=folder / "root.squashfs",
        cpu_model=manifest.cpu_model,
        cpu_disabled=manifest.cpu_disabled,
        packages=manifest.packages,
        recipe_digest=manifest.recipe_digest,
    )


def verify_image(name: str, state: Path) -> Image:
    """Load an image and compute every digest again; `ImageFault` names the first file that has changed."""
    image = load_image(name, state)
    for file, entry in Manifest.read(image.folder).files.items():
        found = sha256_file(image.folder / file)
        if found != entry.sha256:
            path = image.folder / file
            raise ImageFault(
                f"image {name!r}: {path} should have SHA-256 {entry.sha256}, it has {found}; {_rebuild(name)}"
            )
    return image


def list_images(state: Path) -> tuple[str, ...]:
    """Names of the images that are built."""
    return tuple(sorted(path.name for path in (state / "images").glob("[!.]*") if path.is_symlink()))


def _rebuild(name: str) -> str:
    return f"build it again with: evaluate image build {name} --rebuild"
