"""Unpacks an entry in the guest, as the user the entry will run as; an ordinary command of the sandbox.

    python3 -I -S -c PROGRAM KIND BYTES PREFIX <archive

KIND is ``zip`` or ``tar``, BYTES the length of the archive on standard input (a disk is longer), PREFIX the top
folder to leave out.  The host has already refused archives with a hostile list of members; what is refused here gives
one line on standard error and exit code 1.  Repairs are listed on standard output.
"""

from __future__ import annotations

import codecs
import io
import lzma
import os
import re
import shutil
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO

_NO_DATA = ("__macosx", ".ds_store", "thumbs.db", "desktop.ini")
"""Names that file managers leave, in any case; ``metrics/readers/foreign.py`` has the same."""
_UTF_8 = 0x800
_SEPARATOR = re.compile(r"(?<![^\0-\x7f])\\")
"""See ``evaluate/untrusted/listing.py``, which must find the same names."""
_DAMAGE = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,  # zipfile: encrypted, or a method of compression it does not know; folders nested too deep
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
)


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


@dataclass(frozen=True)
class Member:
    """One name in an archive, of either kind."""

    name: str
    path: str
    """With ``/`` between folders."""
    kind: str
    """``folder``, ``file``, ``symlink``, ``hardlink``, ``other``."""
    open: Callable[[], IO[bytes]]
    """The bytes of a file."""
    mode: int = 0o644
    target: str = ""
    """Of a link."""


def zip_members(bundle: zipfile.ZipFile) -> Iterator[Member]:
    """Members of a zip archive, also from systems without file modes and with backslashes between folders."""
    for info in bundle.infolist():

        def content(info: zipfile.ZipInfo = info) -> IO[bytes]:
            return bundle.open(info)

        unix = info.external_attr >> 16
        path = zip_path(info)
        if path.endswith("/"):
            yield Member(info.filename, path, "folder", content)
        elif stat.S_ISLNK(unix):
            yield Member(info.filename, path, "symlink", content, target=os.fsdecode(bundle.read(info)))
        elif stat.S_IFMT(unix) in (0, stat.S_IFREG):
            yield Member(info.filename, path, "file", content, mode=unix & 0o777 or 0o644)
        else:
            yield Member(info.filename, path, "other", content)


def zip_path(info: zipfile.ZipInfo) -> str:
    """The name of a member with ``/`` between folders; a backslash may also be the second byte of a letter."""
    if info.flag_bits & _UTF_8:
        return info.filename.replace("\\", "/")
    try:
        return info.filename.encode("cp437").decode().replace("\\", "/")
    except UnicodeError:
        return _SEPARATOR.sub("/", info.filename)


def tar_members(bundle: tarfile.TarFile) -> Iterator[Member]:
    """Members of a tar archive, compressed or not."""
    for info in bundle:

        def content(info: tarfile.TarInfo = info) -> IO[bytes]:
            return bundle.extractfile(info) or io.BytesIO()

        kinds = {"folder": info.isdir(), "symlink": info.issym(), "hardlink": info.islnk(), "file": info.isreg()}
        kind = next((kind for kind, holds in kinds.items() if holds), "other")
        path = _SEPARATOR.sub("/", info.name)
        yield Member(info.name, path, kind, content, mode=info.mode & 0o777, target=info.linkname)


def place(name: str, prefix: str) -> str | None:
    """Where a member goes, relative to the working directory; None for junk and for the top folder itself."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts or name.startswith("/"):
        raise ValueError("it leads out of the entry's folder")
    if any(part.startswith("._") or part.casefold() in _NO_DATA for part in parts):
        return None
    if prefix and parts and parts[0] == prefix:
        parts = parts[1:]
    return "/".join(parts) or None


def unpack(members: Iterable[Member], prefix: str) -> None:
    """Write every member to its path; ValueError names the one that is damaged or refused."""
    for member in members:
        try:
            path = place(member.path, prefix)
            if path is not None:
                _write(member, path, prefix)
        except _DAMAGE as e:
            raise ValueError(f"{member.name!r}: {e}") from e


def _write(member: Member, path: str, prefix: str) -> None:
    if member.kind == "folder":
        os.makedirs(path, exist_ok=True)
        return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    if os.path.lexists(path):
        os.unlink(path)
    if member.kind == "symlink":
        if not _is_inside(path, member.target):
            raise ValueError(f"it is a link to {member.target!r}, outside the entry's folder")
        os.symlink(member.target, path)
    elif member.kind == "hardlink":
        target = place(_SEPARATOR.sub("/", member.target), prefix)
        if target is None:
            raise ValueError(f"it is a link to {member.target!r}, which is left out")
        os.link(target, path, follow_symlinks=False)
    elif member.kind == "file":
        with member.open() as source, open(path, "xb") as f:
            shutil.copyfileobj(source, f)
        runs = 0o111 if path.endswith(".sh") else 0
        os.chmod(path, member.mode | 0o600 | runs)
    else:
        raise ValueError("it is neither a file, a folder nor a link")


def _is_inside(path: str, target: str) -> bool:
    depth = path.count("/")
    for part in target.split("/"):
        depth += -1 if part == ".." else part not in ("", ".")
        if depth < 0:
            return False
    return not target.startswith("/")


def mend_scripts() -> list[str]:
    """Convert shell scripts written on Windows: bash would read a carriage return on each line, and no UTF-16.

    Returns a line for each that was changed.
    """
    mended = []
    for folder, _folders, files in os.walk("."):
        for name in files:
            path = os.path.join(folder, name)
            if not name.endswith(".sh") or os.path.islink(path):
                continue
            with open(path, "rb") as f:
                text = f.read()
            plain, changes = _plain(text)
            if plain != text:
                with open(path, "wb") as f:
                    f.write(plain)
                mended.append(f"{os.path.relpath(path)}: {' and '.join(changes)}")
    return sorted(mended)


def _plain(text: bytes) -> tuple[bytes, list[str]]:
    """A script as bash reads it, and the changes."""
    changes = []
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = text.decode("utf-16", errors="replace").encode()
        changes.append("UTF-16 was changed to UTF-8")
    elif text.startswith(codecs.BOM_UTF8):
        text = text.removeprefix(codecs.BOM_UTF8)
        changes.append("the byte order mark was removed")
    if b"\r\n" in text:
        text = text.replace(b"\r\n", b"\n")
        changes.append("Windows line ends were changed to Unix ones")
    return text, changes


def main() -> int:
    """Unpack; returns the exit code."""
    kind, size, prefix = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    archive = io.BufferedReader(Slice(0, size), 1 << 16)
    try:
        if kind == "zip":
            with zipfile.ZipFile(archive) as zipped:
                unpack(zip_members(zipped), prefix)
        else:
            with tarfile.open(fileobj=archive, mode="r:*") as tarred:
                unpack(tar_members(tarred), prefix)
        mended = mend_scripts()
    except _DAMAGE as e:
        print(" ".join(str(e).split()), file=sys.stderr)
        return 1
    for line in mended:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
