"""``dependencies.txt``: Debian packages of an entry, as a read-only layer above the image.

The packages are resolved against what the image contains, fetched with checked signatures, and installed on the host
into a scratch copy of the image's root, without a network and in separate namespaces; what the installation
changed becomes the layer.  Everything is mounted only in those namespaces, so that it works in a bare container and for
an ordinary user.

A layer belongs to an image's digest and a set of lines, and is built once: entries with the same lines get the
same layer for the whole challenge.  A new build of the image resolves them again, with that day's package versions.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluate.confine.children import require, tool
from evaluate.confine.ownership import set_mode
from evaluate.core.errors import EntryError, ImageFault, refused
from evaluate.core.files import publish, write_file
from evaluate.core.model import LayerLimits
from evaluate.images import squashfs
from evaluate.images.apt import Apt, Package, Unsolvable
from evaluate.images.image import Image
from evaluate.images.recipe import Recipe
from evaluate.images.staging import Progress, building, enclosed, phase, remove_tree
from evaluate.untrusted.requirements import Dependency, of_pip

_LAYER_VERSION = 1
"""Increased when the same packages would give another layer."""
_MOST_TRIED = 20
"""Lines that are resolved one by one to find those that cannot be installed; each takes a second."""
_INSTALL_SECONDS = 6 * 3600.0


def build_layer(
    image: Image,
    recipe: Recipe,
    dependencies: Sequence[Dependency],
    state: Path,
    progress: Progress,
    limits: LayerLimits = LayerLimits(),
) -> Path | None:
    """The layer with these packages and all they need; None if the image contains them already.

    Raises EntryError if a package or version does not exist, they cannot be installed together, or are too many or too
    large; the lines are quoted. Raises ImageFault if the archive cannot be reached, a tool is missing, or an
    installation script fails.
    """
    have = {package.name: package.version for package in image.packages}
    wanted = [d for d in dependencies if d.name not in have or d.version not in (None, have[d.name])]
    if not wanted:
        return None
    asked = sorted([d.name, d.version or ""] for d in wanted)
    names = ", ".join(d.name for d in wanted)

    def pack(work: Path, layer: Path) -> dict[str, Any] | None:
        require(("apt-get", "sqfs2tar", "tar2sqfs", "unshare"), ImageFault)
        with phase(progress, f"resolving {names}"):
            apt = Apt(work / "apt", recipe.signed_sources(), squashfs.read_file(image.root, "var/lib/dpkg/status"))
            apt.update()
            check_available(apt, recipe, wanted)
            packages = resolve(apt, wanted, limits)
        if not packages:
            return None
        with phase(progress, f"downloading {len(packages)} packages"):
            debs = apt.fetch(_asked(wanted))
        with phase(progress, f"installing {len(packages)} packages, without a network"):
            install(image, debs, work / "root")
        with phase(progress, "packing the layer"):
            _pack(image, recipe, work / "root", layer)
        versions = [f"{package.name} {package.version}" for package in packages]
        return {"image": image.digest, "dependencies": asked, "packages": versions}

    waiting = f"another process is building the layer of {names}; waiting"
    return kept_layer([_LAYER_VERSION, image.digest, asked], pack, state, lambda: progress(waiting))


def kept_layer(
    identity: Any,
    pack: Callable[[Path, Path], dict[str, Any] | None],
    state: Path,
    waiting: Callable[[], None] = lambda: None,
) -> Path | None:
    """The layer that is made of ``identity`` alone, by ``pack`` where there is none yet.

    * ``identity``: as JSON.
    * ``pack``: writes the layer to its second path, and may use the folder that is its first; returns what is written
      down beside the layer, or None if it would be empty.
    * ``waiting``: called if another process makes the same layer and must finish first.
    """
    key = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:32]
    layers = state / "layers"
    target = layers / f"{key}.squashfs"
    if target.exists():
        return target
    with building(layers, key, waiting) as work:
        if not target.exists():
            packed = work / "layer.squashfs"
            text = pack(work, packed)
            if text is None:
                return None
            write_file(layers / f"{key}.json", json.dumps(text, indent=1).encode())
            set_mode(packed, 0o644)
            publish(packed, target)
    return target


def check_available(apt: Apt, recipe: Recipe, wanted: Sequence[Dependency]) -> None:
    """Check that every package exists in the requested version; one EntryError quotes all wrong lines."""
    available = apt.versions([d.name for d in wanted])
    problems = []
    names: tuple[str, ...] = ()
    for dependency in wanted:
        versions = available.get(dependency.name, ())
        if not versions:
            names = names or apt.names()
            problems.append(
                dependency.refused(f"no such package in Debian {recipe.release}", _near(dependency.name, names))
            )
        elif dependency.version is not None and dependency.version not in versions:
            problems.append(dependency.refused("no such version", f"there is {', '.join(versions)}"))
    if problems:
        raise refused(problems)


def _asked(wanted: Sequence[Dependency]) -> list[str]:
    return [d.name if d.version is None else f"{d.name}={d.version}" for d in wanted]


def resolve(apt: Apt, wanted: Sequence[Dependency], limits: LayerLimits = LayerLimits()) -> tuple[Package, ...]:
    """The packages to install for these lines.

    Raises EntryError if they cannot be installed, or only by removing a package of the image, or are too many or too
    large. Raises ImageFault if apt does not work here.
    """
    try:
        plan = apt.plan(_asked(wanted))
    except Unsolvable as e:
        raise _conflict(apt, wanted, str(e)) from e
    file = wanted[0].file
    if plan.removed:
        raise EntryError(f"{file} would remove {', '.join(plan.removed)}, which the image needs")
    if len(plan.installed) > limits.packages:
        raise EntryError(
            f"{file} needs {len(plan.installed)} packages with all that they depend on; "
            f"at most {limits.packages} are allowed"
        )
    download, installed = apt.sizes(plan.installed)
    for size, most, what in (
        (download, limits.download_bytes, "to download"),
        (installed, limits.installed_bytes, "of disk space"),
    ):
        if size > most:
            raise EntryError(f"{file} needs {size >> 20} MiB {what}; at most {most >> 20} are allowed")
    return plan.installed


def _conflict(apt: Apt, wanted: Sequence[Dependency], reason: str) -> EntryError:
    """The error for lines that cannot be installed: names those that fail alone, or else all of them together."""
    problems = []
    for dependency in wanted[:_MOST_TRIED]:
        try:
            apt.plan(_asked([dependency]))
        except Unsolvable as e:
            problems.append(dependency.refused(f"cannot be installed: {e}"))
    if problems:
        return refused(problems)
    together = [dependency.refused("not together with the others") for dependency in wanted[:_MOST_TRIED]]
    places = "\n".join(f"  {refusal.place}: {refusal.found}" for refusal in together)
    message = f"the packages of {wanted[0].file} cannot be installed together: {reason}\n{places}"
    return EntryError(message, together)


_PREFIXES = ("python3-", "r-cran-", "octave-", "node-", "lib")
_INSTEAD = {
    "matlab": "octave runs most MATLAB code",
    **dict.fromkeys(("python2", "python2.7"), "Python 2 is no longer in Debian: python3"),
}
"""Names that the archive does not have for a reason that no similar name tells -> advice."""


def _near(name: str, names: Sequence[str]) -> str:
    if name in _INSTEAD:
        return _INSTEAD[name]
    newer = re.sub(r"^python[0-9.]*(?=-|$)", "python3", name)
    if newer != name and newer in names:
        return f"did you mean {newer}?"
    if (python := of_pip(name)) in names:
        return f"write {python}, Debian's package of {name} for Python"
    # what all packages of a language begin with says nothing of their likeness
    prefix = next((start for start in _PREFIXES if newer.startswith(start)), "")
    rests = [other.removeprefix(prefix) for other in names if other.startswith(prefix)]
    near = difflib.get_close_matches(newer.removeprefix(prefix), rests, n=2, cutoff=0.8)
    return f"did you mean {' or '.join(prefix + rest for rest in near)}?" if near else ""


_INSTALL = """
set -e
mount --make-rprivate /
cd {root}
for folder in dev proc tmp run; do mkdir -p $folder; done
mount -t tmpfs -o mode=755 dev dev
for node in null zero full random urandom tty; do
    touch dev/$node
    mount --bind /dev/$node dev/$node
done
ln -s /proc/self/fd dev/fd
mkdir dev/shm dev/pts
mount -t proc proc proc
mount -t tmpfs -o mode=1777 tmp tmp
mount -t tmpfs run run
mkdir tmp/debs
mount --bind {debs} tmp/debs
printf '#!/bin/sh\\nexit 101\\n' >usr/sbin/policy-rc.d
chmod 755 usr/sbin/policy-rc.d
chroot . /usr/bin/apt-get -q -y -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=/dev/null \\
    -o APT::Sandbox::User=root -o APT::Install-Recommends=false -o Dpkg::Options::=--force-confnew \\
    -o Dpkg::Use-Pty=0 --allow-downgrades install {files} </dev/null
rm -f usr/sbin/policy-rc.d
find var/log -type f -delete
rm -rf var/cache/ldconfig/aux-cache var/cache/fontconfig/* var/cache/apt/*.bin var/cache/debconf/*-old \\
    var/lib/dpkg/*-old var/lib/dbus/machine-id var/lib/apt/lists/* usr/share/python3/debpython/__pycache__
find etc -maxdepth 1 -name '*-' -delete
"""


def install(image: Image, debs: Sequence[Path], root: Path) -> None:
    """Unpack the image's root to ``root`` and install packages into it, confined.

    Raises ImageFault if an installation script failed.
    """
    root.mkdir()
    script = f"sqfs2tar {shlex.quote(str(image.root))} | tar -x -p --numeric-owner --exclude='./dev/*' -C {{root}}\n"
    files = " ".join(shlex.quote(f"/tmp/debs/{deb.name}") for deb in debs)
    script = (script + _INSTALL).format(root=shlex.quote(str(root)), debs=shlex.quote(str(debs[0].parent)), files=files)
    env = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "LC_ALL": "C.UTF-8",
        "HOME": "/root",
        "DEBIAN_FRONTEND": "noninteractive",
    }
    # installation scripts report their errors on either stream
    argv = enclosed(["bash", "-o", "pipefail", "-c", f"exec >&2\n{script}"])
    tool(argv, doing="installing packages", fault=ImageFault, env=env, seconds=_INSTALL_SECONDS)


def _pack(image: Image, recipe: Recipe, root: Path, target: Path) -> None:
    delta = [sys.executable, "-P", "-m", "evaluate.images.delta", str(root), str(recipe.source_date_epoch)]
    command = f"sqfs2tar {shlex.quote(str(image.root))} | {shlex.join(delta)}"
    argv = enclosed(["bash", "-o", "pipefail", "-c", command])
    with squashfs.packer(target) as tar:
        tool(argv, doing="finding what was installed", fault=ImageFault, stdout=tar)
    remove_tree(root)


# Layers of symbolic links, such as those from the folder of an entry's `Dockerfile` to the entry's folder


_VERSION = 3
"""Increased when the same places would give another layer."""


def build_places_layer(links: Mapping[str, str], state: Path) -> Path:
    """The layer with these links: path -> target."""
    asked = sorted(links.items())

    def pack(_work: Path, target: Path) -> dict[str, Any]:
        squashfs.laid_out(target, {path: squashfs.Link(link) for path, link in asked})
        return {"places": asked}

    layer = kept_layer(["places", _VERSION, asked], pack, state)
    assert layer is not None
    return layer
