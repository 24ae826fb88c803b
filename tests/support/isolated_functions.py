"""Functions that tests call in a bounded process; it imports them by name."""

import ctypes
import errno
import locale
import os
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from evaluate.core.errors import EntryError, ImageFault


@dataclass(frozen=True, kw_only=True)
class Found:
    """A value with everything that a reader returns."""

    names: dict[str, int]
    data: bytes
    size: float


def describe(path: Path, names: tuple[str, ...], *, times: int = 1) -> Found:
    print("what a library prints")
    return Found(names=dict.fromkeys(names, times), data=path.read_bytes(), size=path.stat().st_size)


def encodings() -> tuple[str, str]:
    """Encodings of names of files, and of texts such as ``.pth`` files."""
    return sys.getfilesystemencoding().lower(), locale.getpreferredencoding(False).lower()


def spin() -> None:
    while True:
        pass


def sleep() -> None:
    threading.Event().wait()


def swell() -> int:
    return len(bytearray(8 << 30))


def refuse(kind: str) -> None:
    raise {"entry": EntryError, "image": ImageFault}[kind](f"{kind} is at fault")


def fail() -> None:
    raise KeyError("a defect of the host")


def die() -> None:
    ctypes.string_at(0)


def chatter() -> str:
    sys.stderr.write("x" * (1 << 19))
    return "y" * (1 << 21)


def fill_folder(folder: Path) -> None:
    for n in count():
        (folder / str(n)).write_bytes(bytes(1 << 18))


def write_file(path: Path, size: int) -> None:
    path.write_bytes(b"x" * size)


def reserve(folder: Path, mode: int, size: int) -> str:
    """Reserve space for a file as the kernel's `fallocate` does; how that ended."""
    libc = ctypes.CDLL(None, use_errno=True)
    with (folder / "reserved").open("wb") as f:
        status = libc.fallocate(f.fileno(), mode, ctypes.c_long(0), ctypes.c_long(size))
        return errno.errorcode[ctypes.get_errno()] if status else "done"


def nest(folder: Path, depth: int) -> int:
    """Make folders in each other; how many there are."""
    os.chdir(folder)
    for made in range(depth):
        try:
            Path("d").mkdir()
        except OSError:
            return made
        os.chdir("d")
    return depth


def path_of(path: Path) -> Path:
    return path


def forge(reply: bytes) -> str:
    """Write a reply as a process that was taken over may, and end."""
    for descriptor in range(3, 64):  # one of them is where `evaluate.confine.isolated_child` writes its reply
        with suppress(OSError):
            os.write(descriptor, reply)
    os._exit(0)


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    return sum(len(file.read_bytes()) for file in ([path] if path.is_file() else path.iterdir()))


def names_in(folder: Path) -> list[str]:
    """Names of all files and folders, each of which can be read."""
    paths = set(folder.rglob("*"))
    for path in paths:
        if path.is_file():
            path.read_bytes()
    return sorted(path.name for path in paths)


def spin_on() -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    spin()
