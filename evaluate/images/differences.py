"""`evaluate image diff A B`: what is different in two images, by package and by file."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluate.confine.children import ended, piped
from evaluate.core.errors import ImageFault, UsageError
from evaluate.images.apt import Package
from evaluate.images.manifest import MANIFEST, Manifest

_LISTS, _LIST = "var/lib/dpkg/info/", ".list"
ROOT = "root.squashfs"
_MEANING = {
    "recipe_digest": "the recipe",
    "cpu_model": "the processor model",
    "cpu_disabled": "the list of features removed from the processor",
    "sources": "the list of package archives",
}


@dataclass(frozen=True, kw_only=True)
class RootContent:
    """The files of a root file system."""

    files: dict[str, str]
    """Path -> what it is: digest, mode, owner, target of a link."""
    owners: dict[str, str]
    """Path -> the package that it is of."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One thing that is not the same."""

    what: str
    """``package``, ``file``, or a part of the manifest."""
    name: str
    before: str
    """Empty: only in the second."""
    after: str
    package: str = ""
    """Of a file: whose it is; empty if it is of none."""

    @property
    def change(self) -> str:
        """Both values."""
        return f"{self.before or 'absent'} → {self.after or 'absent'}"


def image_folder(name: str, state: Path) -> Path:
    """The folder of a built image: its newest build by ``NAME``, any one by ``NAME-<digest>``.

    Raises UsageError if there is none.
    """
    folder = state / "images" / name
    if "/" in name or not (folder / MANIFEST).is_file():
        there = ", ".join(sorted(path.name for path in (state / "images").glob("[!.]*"))) or "none"
        raise UsageError(f"no image {name!r} in {state}; there is: {there}")
    return folder.resolve()


def differences(before: Path, after: Path) -> Iterator[Difference]:
    """What is different in the images of two folders; packages first, then files of the root."""
    one, other = Manifest.read(before), Manifest.read(after)
    for name in ("recipe_digest", "cpu_model", "cpu_disabled", "sources"):
        if (a := getattr(one, name)) != (b := getattr(other, name)):
            yield Difference(what="manifest", name=name, before=str(a), after=str(b))
    for what, a, b in (
        ("kernel", one.kernel_packages, other.kernel_packages),
        ("package", one.packages, other.packages),
    ):
        yield from _packages(what, a, b)
    for name in sorted({*one.files, *other.files}):
        old, new = one.files.get(name), other.files.get(name)
        if old != new:
            digests = (part.sha256 if part is not None else "" for part in (old, new))
            first, second = digests
            yield Difference(what="image", name=name, before=first, after=second)
    if one.files.get(ROOT) != other.files.get(ROOT):
        yield from _files(content(before / ROOT), content(after / ROOT))


def sentences(found: Sequence[Difference], before: str, after: str) -> Iterator[str]:
    """Differences in words, for two images with these names; files follow the sentence on their package, indented."""
    for one in found:
        if one.what in ("package", "kernel"):
            yield _package_sentence(one, before, after)
        elif one.what != "file":
            yield f"{_MEANING.get(one.name, one.name)} differs: {one.change}"
    files = [one for one in found if one.what == "file"]
    if not files and any(one.what == "image" and one.name == ROOT for one in found):
        yield f"{ROOT} has the same files, which were packed otherwise, as by another version"
    owners = sorted({one.package for one in files})
    for owner in owners:
        of = [one for one in files if one.package == owner]
        count = "1 file differs" if len(of) == 1 else f"{len(of)} files differ"
        every = ", all" if len(owners) == 1 and len(of) > 1 else ","
        yield f"{count}{every} of {f'package {owner}' if owner else 'no package'}:"
        yield from (f"  {one.name}: {one.change}" for one in of)


def _package_sentence(one: Difference, before: str, after: str) -> str:
    name = one.name.removesuffix(":amd64").removesuffix(":all")
    name = f"kernel package {name}" if one.what == "kernel" else name
    if not one.before or not one.after:
        return f"{name} is only in {after if one.after else before}: {one.before or one.after}"
    argv = ["dpkg", "--compare-versions", one.before, "lt", one.after]
    newer = ended(argv, doing="comparing versions", fault=ImageFault).returncode == 0
    return f"{name} is {'newer' if newer else 'older'} in {after}: {one.change}"


def _packages(what: str, one: tuple[Package, ...], other: tuple[Package, ...]) -> Iterator[Difference]:
    old, new = ({f"{p.name}:{p.architecture}": p.version for p in found} for found in (one, other))
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield Difference(what=what, name=name, before=old.get(name, ""), after=new.get(name, ""))


def _files(one: RootContent, other: RootContent) -> Iterator[Difference]:
    for name in sorted({*one.files, *other.files}):
        old, new = one.files.get(name, ""), other.files.get(name, "")
        if old != new:
            owner = other.owners.get(name) or one.owners.get(name, "")
            yield Difference(what="file", name=name, before=old, after=new, package=owner)


def content(root: Path) -> RootContent:
    """The files of a squashfs. Raises ImageFault if it cannot be read."""
    doing = f"reading {root}"
    try:
        with (
            piped(["sqfs2tar", "--no-skip", root], doing=doing, fault=ImageFault) as stream,
            tarfile.open(fileobj=stream, mode="r|") as tar,
        ):
            return _content(tar)
    except tarfile.TarError as e:
        raise ImageFault(f"{doing}: expected a whole squashfs, found one that sqfs2tar cannot list: {e}") from e


def _content(tar: tarfile.TarFile) -> RootContent:
    files: dict[str, str] = {}
    owners: dict[str, str] = {}
    for member in tar:
        name = member.name.removeprefix("./")
        about = f"{member.mode:o} {member.uid}:{member.gid}"
        if member.isfile():
            file = tar.extractfile(member)
            data = file.read() if file is not None else b""
            files[name] = f"{about} {hashlib.sha256(data).hexdigest()}"
            if name.startswith(_LISTS) and name.endswith(_LIST):
                package = name.removeprefix(_LISTS).removesuffix(_LIST)
                owners |= {line.lstrip("/"): package for line in data.decode(errors="replace").splitlines()}
        elif member.issym() or member.islnk():
            files[name] = f"{about} -> {member.linkname}"
        elif not member.isdir():
            files[name] = f"{about} device {member.devmajor}:{member.devminor}"
    return RootContent(files=files, owners=owners)
