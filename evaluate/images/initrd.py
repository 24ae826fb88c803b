"""The initial file system: one archive built with the image, and one with the guest agent of this version.

The kernel unpacks both from one file, so a new agent needs no new image, and the image's digest does not depend on
the agent.  The agent gets the package `evaluate.protocol` as it is, and imports it under the same name.
"""

from __future__ import annotations

import hashlib
import py_compile
import stat
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluate import protocol
from evaluate.confine.children import compiled
from evaluate.core.errors import ImageFault
from evaluate.core.files import data_folder, write_file

# Writes archives of the kernel's initial file system: cpio, format "newc".
#
# Source: Documentation/driver-api/early-userspace/buffer-format.rst of Linux.  It is not compressed: the kernel then
# starts sooner under emulation, and the bytes depend on no compressor's version.


_TRAILER = "TRAILER!!!"


@dataclass(frozen=True)
class CpioMember:
    """A file, folder, link or device: ``mode`` with the type bits of `stat`, ``data`` or the link's target."""

    path: str
    mode: int
    data: bytes = b""
    device: tuple[int, int] = (0, 0)


def regular(path: str, data: bytes, permissions: int = 0o644) -> CpioMember:
    """A regular file."""
    return CpioMember(path, stat.S_IFREG | permissions, data)


def folder(path: str) -> CpioMember:
    """A folder that stays empty, or must be listed first."""
    return CpioMember(path, stat.S_IFDIR | 0o755)


def archive(members: Iterable[CpioMember]) -> bytes:
    """The archive: owned by root, without times; the folders of each file are added before it.

    Its length is a multiple of 512, so another archive may follow it in one file.
    """
    out = bytearray()
    folders = {PurePosixPath(".")}
    number = 0
    for member in members:
        missing = [p for p in reversed(PurePosixPath(member.path).parents) if p not in folders]
        folders.update(missing)
        for item in (*(CpioMember(str(p), stat.S_IFDIR | 0o755) for p in missing), member):
            number += 1
            out += _record(item, number)
            if stat.S_ISDIR(item.mode):
                folders.add(PurePosixPath(item.path))
    out += _record(CpioMember(_TRAILER, 0), 0)
    return bytes(out) + bytes(-len(out) % 512)


def _record(member: CpioMember, number: int) -> bytes:
    name = member.path.encode() + b"\0"
    links = 2 if stat.S_ISDIR(member.mode) else 1
    fields = (number, member.mode, 0, 0, links, 0, len(member.data), 0, 0, *member.device, len(name), 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields) + name
    return _padded(header) + _padded(member.data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


BASE = "modules.cpio"
PROBE = "probe"
AGENT = "initrd-"
"""Before the digest of the agent in the name of a file."""
_AGENT = ("agent.py", "container.py", "kernel.py", "licence.py")
_PROGRAMS = {"init": "boot.c", "evaluate/keeper": "keeper.c", "evaluate/invoke": "invoke.c"}
_CC = ("gcc", "-static", "-O2", "-Wall", "-Wextra", "-Werror", "-Wl,--build-id=none,--strip-all")


def base_archive(modules: Mapping[str, bytes]) -> bytes:
    """The kernel modules in load order."""
    return archive(
        [
            *(folder(path) for path in ("dev", "proc", "sys", "newroot")),
            CpioMember("dev/console", stat.S_IFCHR | 0o600, device=(5, 1)),
            regular("modules/order", "".join(f"{name}\n" for name in modules).encode()),
            *(regular(f"modules/{name}.ko", data) for name, data in modules.items()),
        ]
    )


def program(source: str, cache: Path) -> Path:
    """A C program of the guest, compiled; ImageFault if there is no compiler or static C library."""
    return compiled(_guest() / source, cache, source.removesuffix(".c"), _CC, ImageFault)


def programs(cache: Path) -> dict[str, bytes]:
    """Path in the archive -> compiled program, for all of them; raises as `program`."""
    return {path: program(source, cache).read_bytes() for path, source in _PROGRAMS.items()}


def agent_archive(probe: bytes, programs: Mapping[str, bytes]) -> bytes:
    """The program that boots, the guest agent with what it imports and starts, and the probe.

    ``programs``: path in the archive -> compiled program.
    """
    return archive(
        [
            *(regular(path, data, 0o755) for path, data in programs.items()),
            regular("evaluate/probe", probe, 0o755),
            *(member for path, source in _modules().items() for member in _module(path, source)),
        ]
    )


def _modules() -> dict[str, bytes]:
    """Path in the archive -> source."""
    sources = {f"evaluate/{name}": (_guest() / name).read_bytes() for name in _AGENT}
    sources["evaluate/evaluate/__init__.py"] = b""
    for path in sorted(Path(protocol.__file__).parent.glob("*.py")):
        sources[f"evaluate/evaluate/protocol/{path.name}"] = path.read_bytes()
    return sources


def _module(path: str, source: bytes) -> list[CpioMember]:
    """The source, and its byte code: under emulation compiling it takes longer than running it.

    A guest whose Python is not this program's does not look at the byte code, which has the version in its name.
    """
    folder, _, name = path.rpartition("/")
    with tempfile.TemporaryDirectory() as scratch:
        file, code = Path(scratch) / name, Path(scratch) / "code"
        file.write_bytes(source)
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(file), str(code), f"/run/{path}", doraise=True, invalidation_mode=mode)
        tag = sys.implementation.cache_tag
        cached = f"{folder}/__pycache__/{name.removesuffix('.py')}.{tag}.pyc"
        return [regular(path, source), regular(cached, code.read_bytes())]


def with_agent(folder: Path) -> Path:
    """The file with both archives for the image in ``folder``; made if it does not exist yet."""
    probe = (folder / PROBE).read_bytes()
    compiled_programs = programs(folder)
    # by its sources, not its bytes: the same byte code is not always written alike
    parts = [str(sys.implementation.cache_tag).encode(), probe, *compiled_programs.values(), *_modules().values()]
    digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
    path = folder / f"{AGENT}{digest}.img"
    if not path.is_file():
        write_file(path, (folder / BASE).read_bytes() + agent_archive(probe, compiled_programs))
    return path


def _guest() -> Path:
    return data_folder("vm_images") / "guest"
