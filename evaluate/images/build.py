"""Builds an image from its recipe: root file system, kernel, initial file system, probe, manifest.

``mmdebstrap`` makes the root file system in its own namespaces, so no root rights are needed; it gets the checked
indexes through a pipe, and gives the root to ``tar2sqfs`` through another.  The same packages give the same bytes on
every machine with the same tools.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import IO

from evaluate.confine.children import piped, require, tool
from evaluate.confine.ownership import set_mode
from evaluate.core.errors import ImageFault, UsageError
from evaluate.core.files import data_folder, point, publish
from evaluate.images import initrd, squashfs
from evaluate.images.apt import Apt, Package, Unsolvable, host_settings, parse_status
from evaluate.images.image import LOCKED, Image, Lock, Manifest, describe_files, load_image, locked
from evaluate.images.recipe import Recipe
from evaluate.images.staging import Progress, building, phase, remove_tree

# Extracts the kernel and the modules that a guest needs from a kernel package; nothing is installed or run


_DEPENDS = re.compile(rb"\0depends=([^\0]*)\0")


def read_kernel(deb: Path, wanted: Sequence[str]) -> tuple[bytes, dict[str, bytes]]:
    """The kernel of a package; the wanted modules and those they depend on, by name, as they can be loaded."""
    needed = r"\./boot/vmlinuz-.*|\./(usr/)?lib/modules/[^/]+/(kernel/.*\.ko|modules\.builtin)"
    files = {}
    with tempfile.TemporaryFile() as unpacked:
        tool(["dpkg-deb", "--fsys-tarfile", deb], doing=f"unpacking {deb.name}", fault=ImageFault, stdout=unpacked)
        unpacked.seek(0)
        with tarfile.open(fileobj=unpacked, mode="r:") as tar:
            for member in tar:
                if member.isfile() and re.fullmatch(needed, member.name):
                    content = tar.extractfile(member)
                    assert content is not None
                    files[member.name] = content.read()
    images = [path for path in files if "/boot/vmlinuz-" in path]
    if len(images) != 1:
        raise ImageFault(f"{deb.name}: expected one kernel ./boot/vmlinuz-…, found {len(images)}")
    builtin = next((data for path, data in files.items() if path.endswith("/modules.builtin")), b"")
    modules = {_module_name(path): data for path, data in files.items() if path.endswith(".ko")}
    present = frozenset(_module_name(line) for line in builtin.decode().splitlines())
    return files[images[0]], load_order(wanted, modules, present)


def load_order(wanted: Sequence[str], modules: Mapping[str, bytes], builtin: frozenset[str]) -> dict[str, bytes]:
    """The wanted modules in order, each after the modules its ``depends=`` names.

    A package has no ``modules.dep`` (depmod writes that at installation), but each module names what it needs.
    """
    ordered: dict[str, bytes] = {}

    def add(name: str, asked_by: str) -> None:
        if name in ordered or name in builtin:
            return
        if name not in modules:
            raise ImageFault(f"the kernel has no module {name!r}, wanted by {asked_by}")
        match = _DEPENDS.search(modules[name])
        for needed in match[1].decode().split(",") if match and match[1] else []:
            add(needed.replace("-", "_"), f"module {name!r}")
        ordered[name] = modules[name]

    for name in wanted:
        add(name.replace("-", "_"), "the recipe")
    return ordered


def _module_name(path: str) -> str:
    return PurePosixPath(path).name.removesuffix(".ko").replace("-", "_")


USER, UID, HOME = "challenge", 1000, "/home/challenge"
"""The user that the guest agent runs the entry's commands as."""
_PINS = "etc/apt/preferences.d/evaluate-lock"
_BASE = "?essential", "?priority(required)"
"""Packages that mmdebstrap installs besides what is asked for, as patterns of apt."""
_SECONDS = 6 * 3600.0
"""Enough for hundreds of packages from a slow mirror."""
_TOOLS = ("apt-get", "dpkg-deb", "gcc", "gpgv", "mmdebstrap", "rdsquashfs", "sqfs2tar", "tar2sqfs", "unshare")


def build_image(
    recipe: Recipe, state: Path, progress: Progress, *, rebuild: bool = False, lock: Lock | None = None
) -> Image:
    """Build an image, or return the one already built from exactly this recipe.

    Raises UsageError if the lock is of another recipe. Raises ImageFault if a tool is missing, the archive does not
    have what the lock names, an archive cannot be reached, or what was built cannot be read. No partial build remains.

    * ``state``: the program's folder; the image goes to ``<state>/images/<name>``.
    * ``progress``: called for each phase, with its duration.
    * ``rebuild``: build again, with today's package versions, even if there is an image.
    * ``lock``: build with exactly these packages.
    """
    if lock is not None and lock.recipe_digest != recipe.digest:
        raise UsageError(f"the lock is of a recipe {lock.recipe} that is not the present one: expected {recipe.digest}")
    images = state / "images"
    current = images / recipe.name

    def wait() -> None:
        nonlocal rebuild
        rebuild = False
        progress(f"another process is building image {recipe.name}; waiting for it")

    with building(images, recipe.name, wait) as scratch:
        if not rebuild and current.exists():
            image = load_image(recipe.name, state)
            if image.recipe_digest == recipe.digest and (lock is None or image.digest == lock.image):
                progress(f"image {recipe.name} is built: {image.digest}")
                return image
        require(_TOOLS, ImageFault)
        folder = scratch / "image"
        folder.mkdir()
        manifest = _build(recipe, folder, scratch, progress, lock)
        target = images / f"{recipe.name}-{manifest.digest.removeprefix('sha256:')[:16]}"
        if not target.exists():
            set_mode(folder, 0o755)
            publish(folder, target)
        point(current, target.name)
    progress(f"image {recipe.name}: {manifest.digest}")
    return load_image(recipe.name, state)


def _build(recipe: Recipe, folder: Path, scratch: Path, progress: Progress, lock: Lock | None) -> Manifest:
    with phase(progress, "package indexes"):
        apt = Apt(scratch / "apt", recipe.signed_sources())
        apt.update()
        check_available(recipe, apt, lock)
    with phase(progress, "kernel"):
        kernel_packages = (_kernel(recipe, apt, folder, scratch / "kernel", lock),)
    with phase(progress, "root file system"):
        _root(recipe, folder / "root.squashfs", apt.lists, lock)
    manifest = Manifest(
        recipe_digest=recipe.digest,
        sources=recipe.sources(),
        cpu_model=recipe.cpu_model,
        cpu_disabled=recipe.cpu_disabled,
        kernel_packages=kernel_packages,
        packages=parse_status(squashfs.read_file(folder / "root.squashfs", "var/lib/dpkg/status")),
        files=describe_files(folder),
    )
    digests = apt.digests([*kernel_packages, *manifest.packages])
    kernel, packages = locked(kernel_packages, digests), locked(manifest.packages, digests)
    if lock is not None:
        lock.check(kernel, packages, recipe.archive)
    built = Lock(recipe=recipe.name, recipe_digest=recipe.digest, image="", kernel=kernel, packages=packages)
    manifest.write(folder, {"tools": _tool_versions(), LOCKED: asdict(built)})
    return manifest


def check_available(recipe: Recipe, apt: Apt, lock: Lock | None) -> None:
    """Check by the indexes alone that an archive has what an image is built from.

    Raises ImageFault, naming what it lacks, and the archive's date.
    """
    asked = [*_BASE, *recipe.packages]
    if lock is not None:
        asked = [f"{package.name}={package.version}" for package in lock.packages]
    try:
        apt.plan(asked)
    except Unsolvable as e:
        raise ImageFault(f"{recipe.archive} does not have the packages of recipe {recipe.name}: {e}") from e


def _kernel(recipe: Recipe, apt: Apt, folder: Path, scratch: Path, lock: Lock | None) -> Package:
    """Write the kernel, its modules and the probe; returns the package that they are of."""
    if lock is not None:
        (asked,) = [f"{package.name}={package.version}" for package in lock.kernel]
    else:
        asked = next((name for name in apt.depends(recipe.kernel) if name.startswith("linux-image-")), recipe.kernel)
    deb = apt.download(asked, scratch)
    kernel, modules = read_kernel(deb, recipe.modules)
    (folder / "vmlinuz").write_bytes(kernel)
    (folder / initrd.BASE).write_bytes(initrd.base_archive(modules))
    _probe(folder / initrd.PROBE)
    name, version, _ = deb.name.split("_")
    return Package(name, version.replace("%3a", ":"), "amd64")


def _probe(target: Path) -> None:
    source = data_folder("vm_images") / "guest" / "probe.S"
    flags = ("-static", "-nostdlib", "-Wl,--build-id=none,-z,noseparate-code,--strip-all")
    tool(["gcc", *flags, "-o", target, source], doing="building the probe", fault=ImageFault)


def _root(recipe: Recipe, target: Path, lists: Path, lock: Lock | None) -> None:
    with _reachable() as folder:
        settings = folder / "apt.conf"
        settings.write_text("".join(f"{line}\n" for line in host_settings()))
        argv = [
            "mmdebstrap",
            "--mode=unshare",
            "--format=tar",
            "--variant=minbase",
            "--architectures=amd64",
            f"--include={','.join(recipe.packages)}",
            f"--aptopt={settings}",
            "--dpkgopt=force-unsafe-io",  # what is left when the machine fails is removed, and the image is synced
            '--setup-hook=tar -C "$1" --no-same-owner -xf -',
            "--skip=update",  # the indexes are here, and their signatures were checked
            *(f"--customize-hook={command}" for command in _finish(recipe)),
            recipe.release,
            "-",
            *recipe.signed_sources(),
        ]
        epoch = str(recipe.source_date_epoch)
        env = {**os.environ, "SOURCE_DATE_EPOCH": epoch, "LC_ALL": "C.UTF-8", "TMPDIR": str(folder)}
        doing = "making the root file system"
        with (
            squashfs.packer(target) as packed,
            piped(argv, doing=doing, fault=ImageFault, env=env, seconds=_SECONDS, stdout=packed) as to,
        ):
            _send({_PINS: lock.pins.encode()} if lock else {}, lists, to)


@contextmanager
def _reachable() -> Iterator[Path]:
    """A folder for programs in a user namespace; what they leave when they are ended is removed, whose it may be."""
    folder = Path(tempfile.mkdtemp(prefix="evaluate-"))
    try:
        set_mode(folder, 0o755)
        yield folder
    finally:
        remove_tree(folder)


def _send(begin: Mapping[str, bytes], lists: Path, stream: IO[bytes]) -> None:
    """Send what a root begins with as a tar archive, which needs no right to read our folders: files, then indexes."""
    indexes = {
        f"var/lib/apt/lists/{file.name}": file.read_bytes() for file in sorted(lists.iterdir()) if file.is_file()
    }
    with tarfile.open(fileobj=stream, mode="w|") as tar:
        for path, content in {**begin, **indexes}.items():
            member = tarfile.TarInfo(f"./{path}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def _finish(recipe: Recipe) -> tuple[str, ...]:
    """Shell commands, ``$1`` the root: create the user, and remove what shows where or when it was built."""
    sources = "".join(f"{line}\n" for line in recipe.sources())
    files = {
        "etc/apt/sources.list": sources,
        "etc/default/locale": "LANG=C.UTF-8\n",
        "etc/hostname": "evaluate\n",
        "etc/hosts": "127.0.0.1 localhost evaluate\n",
        "etc/resolv.conf": "",
    }
    return (
        f'chroot "$1" useradd --uid {UID} --user-group --create-home --home-dir {HOME} --shell /bin/bash {USER}',
        f'rm -f "$1"/{_PINS}',
        'rm -f "$1"/etc/apt/apt.conf.d/99mmdebstrap "$1"/etc/dpkg/dpkg.cfg.d/99mmdebstrap "$1"/etc/apt/sources.list.d/*'
        ' "$1"/etc/*- "$1"/var/lib/dpkg/*-old "$1"/var/cache/debconf/*-old "$1"/var/cache/ldconfig/aux-cache',
        # find returns to where it began, which may be a home that the namespace's root cannot enter
        'cd / && find "$1"/var/log -type f -delete',
        # byte code that Debian's installer left when it imported itself: it differs from run to run
        'rm -rf "$1"/usr/share/python3/debpython/__pycache__',
        *(f'printf %s {shlex.quote(text)} > "$1"/{path}; chmod 644 "$1"/{path}' for path, text in files.items()),
    )


def _tool_versions() -> dict[str, str]:
    first_line = {
        name: tool([name, "--version"], doing=f"asking {name} for its version", fault=ImageFault)
        for name in ("gcc", "mmdebstrap", "tar2sqfs")
    }
    return {name: output.decode().splitlines()[0] for name, output in first_line.items()}
