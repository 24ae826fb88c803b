"""Extracts the kernel and the modules that a guest needs from a kernel package; nothing is installed or run."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluate.confine.children import piped
from evaluate.core.errors import ImageFault

_DEPENDS = re.compile(rb"\0depends=([^\0]*)\0")


@dataclass(frozen=True, kw_only=True)
class Kernel:
    """A kernel with some of its modules."""

    image: bytes
    modules: Mapping[str, bytes]
    """Name -> module, in an order in which they can be loaded."""


def read_package(deb: Path, wanted: str) -> dict[str, bytes]:
    """Path -> content of the regular files of a Debian package whose whole path matches (it begins with ``./``)."""
    files = {}
    argv: list[str | Path] = ["dpkg-deb", "--fsys-tarfile", deb]
    with (
        piped(argv, doing=f"unpacking {deb.name}", fault=ImageFault) as stream,
        tarfile.open(fileobj=stream, mode="r|") as tar,
    ):
        for member in tar:
            if member.isfile() and re.fullmatch(wanted, member.name):
                content = tar.extractfile(member)
                assert content is not None
                files[member.name] = content.read()
    return files


def read_kernel(deb: Path, wanted: Sequence[str]) -> Kernel:
    """The kernel of a package, the wanted modules and those they depend on."""
    files = read_package(deb, r"\./boot/vmlinuz-.*|\./(usr/)?lib/modules/[^/]+/(kernel/.*\.ko|modules\.builtin)")
    images = [path for path in files if "/boot/vmlinuz-" in path]
    if len(images) != 1:
        raise ImageFault(f"{deb.name}: expected one kernel ./boot/vmlinuz-…, found {len(images)}")
    builtin = next((data for path, data in files.items() if path.endswith("/modules.builtin")), b"")
    modules = {_module_name(path): data for path, data in files.items() if path.endswith(".ko")}
    present = frozenset(_module_name(line) for line in builtin.decode().splitlines())
    return Kernel(image=files[images[0]], modules=load_order(wanted, modules, present))


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
        found = _DEPENDS.search(modules[name])
        for needed in found[1].decode().split(",") if found and found[1] else []:
            add(needed.replace("-", "_"), f"module {name!r}")
        ordered[name] = modules[name]

    for name in wanted:
        add(name.replace("-", "_"), "the recipe")
    return ordered


def _module_name(path: str) -> str:
    return PurePosixPath(path).name.removesuffix(".ko").replace("-", "_")
