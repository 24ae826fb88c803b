"""Writes archives of the kernel's initial file system: cpio, format "newc".

Source: Documentation/driver-api/early-userspace/buffer-format.rst of Linux.  It is not compressed: the kernel then
starts sooner under emulation, and the bytes depend on no compressor's version.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

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


def symlink(path: str, target: str) -> CpioMember:
    """A symbolic link."""
    return CpioMember(path, stat.S_IFLNK | 0o777, target.encode())


def folder(path: str) -> CpioMember:
    """A folder that stays empty, or must be listed first."""
    return CpioMember(path, stat.S_IFDIR | 0o755)


def character_device(path: str, major: int, minor: int) -> CpioMember:
    """A device node."""
    return CpioMember(path, stat.S_IFCHR | 0o600, device=(major, minor))


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
