"""Files that a process has open, as the kernel tells it; also a program: to see them may need another namespace.

``python opened.py /proc/PID`` prints the same as JSON.  Imports only the standard library.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

_START_BYTES = 16
_PROC_MAGIC, _STATFS_BYTES = 0x9FA0, 256
_libc = ctypes.CDLL(None)


@dataclass(frozen=True, kw_only=True)
class OpenFile:
    """One descriptor."""

    number: str
    target: str
    """Name that the kernel shows for it."""
    mode: int
    device: int
    inode: int
    links: int
    uid: int
    flags: int
    """Flags of its opening."""
    start: str
    """The first bytes of a regular file, as Latin-1; empty if it cannot be read."""
    is_in_proc: bool
    """True if it is in the file system of /proc."""


def opened(process: Path) -> list[OpenFile]:
    """Every descriptor of a process, given its folder in ``/proc``."""
    files = []
    for entry in sorted((process / "fd").iterdir()):
        try:
            status = entry.stat()  # not lstat: of the file that is open
            lines = (process / "fdinfo" / entry.name).read_text().splitlines()
            file = OpenFile(
                number=entry.name,
                target=str(entry.readlink()),
                mode=status.st_mode,
                device=status.st_dev,
                inode=status.st_ino,
                links=status.st_nlink,
                uid=status.st_uid,
                flags=int(next(line.split()[1] for line in lines if line.startswith("flags:")), 8),
                start=_start(entry) if status.st_mode & 0o170000 == 0o100000 else "",
                is_in_proc=_is_in_proc(entry),
            )
        except FileNotFoundError:
            continue  # closed in the meantime
        files.append(file)
    return files


def _start(entry: Path) -> str:
    try:
        with entry.open("rb") as file:
            return file.read(_START_BYTES).decode("latin-1")
    except OSError:
        return ""


def _is_in_proc(entry: Path) -> bool:
    described = ctypes.create_string_buffer(_STATFS_BYTES)
    try:
        number = os.open(entry, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        _libc.fstatfs(number, described)
    finally:
        os.close(number)
    return int.from_bytes(described.raw[: ctypes.sizeof(ctypes.c_long)], sys.byteorder) == _PROC_MAGIC


if __name__ == "__main__":
    print(json.dumps([asdict(file) for file in opened(Path(sys.argv[1]))]))
