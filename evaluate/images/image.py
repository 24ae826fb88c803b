"""A built image as the rest of the program sees it.

``<state>/images/NAME`` is a link to the folder of its newest build, ``NAME-<digest>``; older builds stay, since
receipts name them and guests may run on them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluate.core.codec import from_json
from evaluate.core.errors import ImageFault, UsageError
from evaluate.core.files import sha256_file
from evaluate.images import initrd
from evaluate.images.apt import Package

# `manifest.json`: what an image is, in two parts.
#
# `content` decides the digest: recipe, packages, files.  `build` describes the build and does not.


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
            manifest = from_json(cls, document["content"])
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


@dataclass(frozen=True, kw_only=True)
class Image:
    """A kernel, an initial file system with the guest agent, and a read-only root; see ``manifest.json``.

    A computer without a machine (`--runner plain`) is an image with a name alone.
    """

    name: str
    digest: str = ""
    """``sha256:…`` of the manifest's content part (kernel, modules, root, package list), not of the agent."""
    kernel: Path = Path()
    initrd: Path = Path()
    """Modules and the guest agent of this version of the program."""
    root: Path = Path()
    """squashfs"""
    cpu_model: str = ""
    """libvirt's name of the processor model; the same under every accelerator."""
    cpu_disabled: tuple[str, ...] = ()
    """Features removed from the model."""
    packages: tuple[Package, ...] = ()
    """Packages installed in the root, sorted by name."""
    recipe_digest: str = ""
    """`Recipe.digest` of the recipe it was built from."""

    @property
    def agent(self) -> str:
        """Digest of the guest agent, as hexadecimal digits."""
        return self.initrd.stem.removeprefix(initrd.AGENT)

    @property
    def folder(self) -> Path:
        """Folder of its files."""
        return self.root.parent


def image_folder(name: str, state: Path) -> Path:
    """The folder of a built image: its newest build by ``NAME``, any one by ``NAME-<digest>``.

    Raises UsageError if there is none.
    """
    folder = state / "images" / name
    if "/" in name or not (folder / MANIFEST).is_file():
        images = ", ".join(sorted(path.name for path in (state / "images").glob("[!.]*"))) or "none"
        raise UsageError(f"no image {name!r} in {state}; there is: {images}")
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
            actual = "it is missing" if size is None else f"it has {size}"
            raise ImageFault(f"image {name!r}: {path} should have {entry.size} bytes, {actual}; {_rebuild(name)}")
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
        actual = sha256_file(image.folder / file)
        if actual != entry.sha256:
            path = image.folder / file
            raise ImageFault(
                f"image {name!r}: {path} should have SHA-256 {entry.sha256}, it has {actual}; {_rebuild(name)}"
            )
    return image


def list_images(state: Path) -> tuple[str, ...]:
    """Names of the images that are built."""
    return tuple(sorted(path.name for path in (state / "images").glob("[!.]*") if path.is_symlink()))


def _rebuild(name: str) -> str:
    return f"build it again with: evaluate image build {name} --rebuild"


# ``NAME.lock.json``: every package of an image by version and digest, so that it can be built again as it was.
#
# The digests are those of the archive's signed index.  An archive keeps only the newest versions: a recipe
# with a ``snapshot`` is built from the archive of that date.


_LOCK_FORMAT = 1
LOCKED = "locked"
"""Key of a manifest's description of the build, with the lock but for the digest of the image."""
_PRIORITY = 1001
"""Also downgrades what is newer."""


@dataclass(frozen=True, order=True)
class Locked(Package):
    """A package in a lock."""

    sha256: str
    """Digest of its ``.deb``."""


@dataclass(frozen=True, kw_only=True)
class Lock:
    """Record of what an image was built from."""

    recipe: str
    """Name of the recipe."""
    recipe_digest: str
    image: str
    """Digest of the image."""
    kernel: tuple[Locked, ...]
    packages: tuple[Locked, ...]

    @property
    def text(self) -> str:
        """The content of its file."""
        return json.dumps({"format": _LOCK_FORMAT, **asdict(self)}, indent=1) + "\n"

    @property
    def pins(self) -> str:
        """Preferences of apt that allow no other version."""
        return "\n".join(
            f"Package: {package.name}\nPin: version {package.version}\nPin-Priority: {_PRIORITY}\n"
            for package in self.packages
        )

    def check(self, kernel: Iterable[Locked], packages: Iterable[Locked], archive: str = "the archive") -> None:
        """Compare it with what was built, or with what an archive has.

        Raises ImageFault, naming the first packages that are others.
        """
        wrong = list(_differences((*self.kernel, *self.packages), (*kernel, *packages)))
        if wrong:
            more = f"; and {len(wrong) - 5} more" if len(wrong) > 5 else ""
            raise ImageFault(
                f"{archive} does not have what the lock names: {'; '.join(wrong[:5])}{more}; build from a mirror that "
                "has these versions, or from a recipe whose snapshot is of their date"
            )


def _differences(wanted: Iterable[Locked], actual: Iterable[Locked]) -> Iterable[str]:
    here = {(package.name, package.architecture): package for package in actual}
    expected = {(package.name, package.architecture): package for package in wanted}
    for key, package in sorted(expected.items()):
        other = here.get(key)
        if other is None:
            yield f"expected {package.name} {package.version}, found none"
        elif other.version != package.version:
            yield f"expected {package.name} {package.version}, found {other.version}"
        elif other.sha256 != package.sha256:
            yield f"{package.name} {package.version}: expected SHA-256 {package.sha256}, found {other.sha256}"
    yield from (
        f"{package.name} {package.version} is not in the lock"
        for key, package in sorted(here.items())
        if key not in expected
    )


def locked(packages: Iterable[Package], digests: Mapping[tuple[str, str], str]) -> tuple[Locked, ...]:
    """Packages with the digests of the index, by name and version."""
    return tuple(
        Locked(package.name, package.version, package.architecture, digests.get((package.name, package.version), ""))
        for package in packages
    )


def lock_of(folder: Path) -> Lock:
    """The lock of a built image."""
    document = json.loads((folder / MANIFEST).read_bytes())
    return from_json(Lock, {**document["build"][LOCKED], "image": document["digest"]})


def read_lock(path: Path) -> Lock:
    """A lock from its file; UsageError if it is none."""
    try:
        values = json.loads(path.read_bytes())
        if values.pop("format") != _LOCK_FORMAT:
            raise ValueError("another format")
        return from_json(Lock, values)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as e:
        raise UsageError(
            f"{path}: expected the lock of an image (evaluate image lock NAME), found something else"
        ) from e
