"""Unpacks an entry in the guest, as the user the entry will run as; an ordinary command of the sandbox.

    python3 -I -S -c PROGRAM KIND BYTES PREFIX <archive

KIND is ``zip`` or ``tar``, BYTES how much of standard input is the archive (a disk is longer), PREFIX the top
folder to leave out.  The host has refused what is hostile by its listing; what is refused here again ends with
one line on standard error and exit code 1.  What had to be mended is said on standard output.
"""

from __future__ import annotations

import io
import os
import shutil
import stat
import sys
import tarfile
import zipfile
from collections.abc import Callable
from typing import IO

_JUNK = ("__MACOSX", ".DS_Store")


class Slice(io.RawIOBase):
    """The first ``size`` bytes of a seekable descriptor."""

    def __init__(self, fd: int, size: int) -> None:
        self._fd, self._size, self._at = fd, size, 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """As `io.IOBase.seek`."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """As `io.RawIOBase.readinto`."""
        data = os.pread(self._fd, min(len(buffer), max(0, self._size - self._at)), self._at)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def place(name: str, prefix: str) -> str | None:
    """Where a member goes, relative to the working directory; None for junk and for the top folder itself."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    if ".." in parts or name.startswith("/"):
        raise ValueError(f"{name!r} leaves the entry's folder")
    if any(part in _JUNK or part.startswith("._") for part in parts):
        return None
    if prefix and parts and parts[0] == prefix:
        parts = parts[1:]
    return "/".join(parts) or None


def write(path: str, mode: int, copy: Callable[[IO[bytes]], None]) -> None:
    """A regular file; readable and writable for its owner, scripts executable too."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "xb") as f:
        copy(f)
    runs = 0o111 if path.endswith(".sh") else 0
    os.chmod(path, (mode & 0o777) | 0o600 | runs)


def unpack_zip(archive: IO[bytes], prefix: str) -> None:
    """A zip archive, also one made where files have no modes and folders are divided by backslashes."""
    with zipfile.ZipFile(archive) as bundle:
        for info in bundle.infolist():
            path = place(info.filename, prefix)
            if path is None:
                continue
            unix = info.external_attr >> 16
            if info.is_dir() or info.filename.endswith("\\"):
                os.makedirs(path, exist_ok=True)
            elif stat.S_ISLNK(unix):
                os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
                os.symlink(bundle.read(info).decode(), path)
            else:
                with bundle.open(info) as source:
                    write(path, unix & 0o777 or 0o644, lambda f, source=source: shutil.copyfileobj(source, f))  # type: ignore[misc]


def unpack_tar(archive: IO[bytes], prefix: str) -> None:
    """A tar archive, compressed or not."""
    with tarfile.open(fileobj=archive, mode="r:*") as bundle:
        for member in bundle:
            path = place(member.name, prefix)
            if path is None:
                continue
            if member.isdir():
                os.makedirs(path, exist_ok=True)
            elif member.issym():
                os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
                os.symlink(member.linkname, path)
            elif member.islnk():
                target = place(member.linkname, prefix)
                if target is None:
                    raise ValueError(f"{member.name!r} links to nothing")
                os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
                os.link(target, path, follow_symlinks=False)
            elif member.isreg():
                data = bundle.extractfile(member)
                if data is not None:
                    write(path, member.mode, lambda f, data=data: shutil.copyfileobj(data, f))  # type: ignore[misc]
            else:
                raise ValueError(f"{member.name!r} is neither a file, a folder nor a link")


def mend_line_ends() -> list[str]:
    """Shell scripts written on Windows: bash takes the carriage return for a part of each line."""
    mended = []
    for folder, _folders, files in os.walk("."):
        for name in files:
            path = os.path.join(folder, name)
            if not name.endswith(".sh") or os.path.islink(path):
                continue
            with open(path, "rb") as f:
                text = f.read()
            if b"\r\n" in text:
                with open(path, "wb") as f:
                    f.write(text.replace(b"\r\n", b"\n"))
                mended.append(os.path.relpath(path))
    return sorted(mended)


def main() -> int:
    """Unpack; the exit code."""
    kind, size, prefix = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    archive = io.BufferedReader(Slice(0, size), 1 << 16)
    try:
        (unpack_zip if kind == "zip" else unpack_tar)(archive, prefix)
    except (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, tarfile.TarError) as e:
        print(e, file=sys.stderr)
        return 1
    for path in mend_line_ends():
        print(f"{path}: Windows line ends were changed to Unix ones")
    return 0


if __name__ == "__main__":
    sys.exit(main())
