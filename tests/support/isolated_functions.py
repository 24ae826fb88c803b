"""Functions that tests call in a bounded process; it imports them by name."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
import threading
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from evaluate.core.errors import EntryError, ImageFault


@dataclass(frozen=True, kw_only=True)
class Found:
    """A value with everything that a reader returns."""

    names: dict[str, int]
    data: bytes
    place: Path


def describe(path: Path, names: tuple[str, ...], *, times: int = 1) -> Found:
    print("what a library prints")
    return Found(names=dict.fromkeys(names, times), data=path.read_bytes(), place=path)


def spin() -> None:
    while True:
        pass


def sleep() -> None:
    threading.Event().wait()


def swell() -> int:
    return len(bytearray(8 << 30))


def refuse(kind: str) -> None:
    raise {"entry": EntryError, "image": ImageFault}[kind](f"{kind} is at fault")


def fill(path: Path) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", str(path))


def fail() -> None:
    raise KeyError("a defect of ours")


def die() -> None:
    ctypes.string_at(0)


def leave() -> None:
    """End the process with success and no reply."""
    os._exit(0)


def lie() -> str:
    """Return a value of another type than declared."""
    return 3  # type: ignore[return-value]


def chatter() -> str:
    sys.stderr.write("x" * (1 << 19))
    return "y" * (1 << 21)


def write_to(fd: int, text: str) -> None:
    with os.fdopen(fd, "w") as f:
        f.write(text)


def fill_folder(folder: Path) -> None:
    for n in count():
        (folder / str(n)).write_bytes(bytes(1 << 18))


def size_of(path: Path) -> int:
    """Of a file, or of all files in a folder."""
    return sum(len(one.read_bytes()) for one in ([path] if path.is_file() else path.iterdir()))
