"""Reads untrusted tar archives, with the bounds that Python's `tarfile` does not have.

`blaming` says whose fault bytes are that cannot be read: the entry's if decoding them fails, ours if the machine fails.
"""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, cast

from evaluate.core.errors import EntryError, Fault

GZIP = b"\x1f\x8b"
RATIO = 200
"""The text of a real entry is compressed to a tenth, the zeros of a bomb to a thousandth."""
RATIO_FREE_BYTES = 64 << 20
_CHUNK = _MOST_HEADER_BYTES = 1 << 20
_MOST_EXTENSIONS = 8
"""Before one member: a long name, a long link, PAX records of the file and of all; `tarfile` reads them nested."""
_MOST_GLOBAL_RECORDS = 100
"""`tarfile` copies them to each member."""
_MOST_EMPTY_READS = 10
"""After the end of a stream: `tarfile` reads a few times more, and without end if it skips a missing member."""
_META = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)


class BoundedTarInfo(tarfile.TarInfo):
    """A header whose extensions (a long name, PAX records) are small and few: `tarfile` reads all of them into memory.

    Every header passes through ``_proc_member``, which `tarfile` says may be overridden; since the corrections of 2026
    extensions do not pass through the public class methods any more.
    """

    def _proc_member(self, tarfile_: tarfile.TarFile) -> tarfile.TarInfo:
        """The member, as `tarfile.TarInfo` reads it.

        Raises tarfile.TarError if extensions are large or have no end, a size is below zero, or the archive ends within
        the member. Raises EntryError if the member is larger than what is left of the bound: `tarfile` would skip it
        byte by byte.
        """
        if self.type in _META and self.size > _MOST_HEADER_BYTES:
            raise tarfile.ReadError(f"an extended header of {self.size} bytes")
        depth = getattr(tarfile_, "extensions", 0)
        if depth > _MOST_EXTENSIONS or len(tarfile_.pax_headers) > _MOST_GLOBAL_RECORDS:
            raise tarfile.ReadError("more extended headers than any file needs")
        if self.size < 0:
            raise tarfile.ReadError(f"a file of {self.size} bytes")
        tarfile_.extensions = depth + 1  # type: ignore[attr-defined]
        try:
            member: tarfile.TarInfo = super()._proc_member(tarfile_)  # type: ignore[misc]
        # numbers in PAX records; an invalid header would be taken for the end of the archive
        except (ValueError, OverflowError, tarfile.HeaderError) as e:
            raise tarfile.ReadError(f"an extended header of a wrong form: {e}") from e
        finally:
            tarfile_.extensions = depth  # type: ignore[attr-defined]
        if member.size < 0:
            raise tarfile.ReadError(f"a file of {member.size} bytes")
        if tarfile_.offset - tarfile.BLOCKSIZE >= tarfile_.end:  # type: ignore[attr-defined]
            if tarfile_.packed:  # type: ignore[attr-defined]
                raise EntryError(f"{member.name[:200]!r} has {member.size >> 20} MiB: the archive unpacks to too much")
            raise tarfile.ReadError(f"it ends within {member.name[:200]!r}")
        return member


class _BoundedTar(tarfile.TarFile):
    """An archive of at most ``end`` bytes; ``packed`` if this is a bound and not its exact size."""

    tarinfo = BoundedTarInfo

    def __init__(self, *words: Any, end: int, packed: bool, **named: Any) -> None:
        self.end, self.packed = end, packed
        super().__init__(*words, **named)


class _Compressed(io.RawIOBase):
    """A decompressed stream that raises an error for a bomb, and for a reader that continues after its end."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._left, self._empty = stream, most, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(min(len(buffer), self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise EntryError("the archive unpacks to more than is allowed")
        self._empty = 0 if data else self._empty + 1
        if self._empty > _MOST_EMPTY_READS:
            raise EOFError("it ends within a file")
        buffer[: len(data)] = data
        return len(data)


def most_unpacked(archive: Path, allowed_bytes: int) -> int:
    """Size that the files of an archive may have together: as the rules allow, and at most `RATIO` times its size."""
    return min(allowed_bytes, max(RATIO_FREE_BYTES, RATIO * archive.stat().st_size))


def is_compressed(archive: Path) -> bool:
    """True if a file is compressed by gzip."""
    with archive.open("rb") as f:
        return f.read(2) == GZIP


@contextmanager
def open_tar(archive: Path, max_bytes: int, *, whole: bool = True) -> Iterator[tarfile.TarFile]:
    """A tar archive, compressed or not, to be read from front to end; at most ``max_bytes`` are decompressed.

    With ``whole`` a member beyond these bytes is refused at its header, otherwise when it is read.
    """
    with archive.open("rb") as raw, ExitStack() as stack:
        if raw.read(2) != GZIP:
            yield stack.enter_context(open_plain(raw))
            return
        raw.seek(0)
        stream = cast(IO[bytes], stack.enter_context(gzip.GzipFile(fileobj=raw)))
        bounded = stack.enter_context(io.BufferedReader(_Compressed(stream, max_bytes), 1 << 18))
        tar = _BoundedTar.open(fileobj=bounded, mode="r|", end=max_bytes if whole else 1 << 62, packed=True)  # type: ignore[call-overload]
        yield stack.enter_context(tar)


def open_plain(stream: IO[bytes]) -> tarfile.TarFile:
    """An uncompressed tar archive in a file."""
    stream.seek(0)
    return _BoundedTar(fileobj=stream, mode="r", end=os.fstat(stream.fileno()).st_size, packed=False)


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """The same without owner, time, and the rights that depend on who made the folder."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    if not member.issym():
        member.mode = 0o755 if member.isdir() or member.mode & stat.S_IXUSR else 0o644
    return member


def members(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members in order, without keeping them in memory: a bomb has many."""
    for member in tar:
        tar.members.clear()  # type: ignore[attr-defined]
        yield member


def pieces(stream: IO[bytes] | io.BufferedIOBase, most_bytes: int, large: str, damaged: str) -> Iterator[bytes]:
    """A file of an archive piece by piece, counted. Raises EntryError if it is too ``large``, or ``damaged``."""
    left = most_bytes
    while True:
        with blaming(damaged):
            chunk = stream.read(min(_CHUNK, left + 1))
        if not chunk:
            return
        left -= len(chunk)
        if left < 0:
            raise EntryError(large)
        yield chunk


_DECODING = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    LookupError,  # zipfile: extra fields that end too early
    OverflowError,
    EOFError,
    RuntimeError,  # zipfile: encrypted; nested too deep
    NotImplementedError,  # zipfile: a method of compression it does not know
    ValueError,
)
_NOT_THE_MACHINE = (
    None,  # raised by Python's own decoders, such as gzip.BadGzipFile
    errno.EINVAL,  # an offset before the beginning of the file
    errno.ENAMETOOLONG,
    errno.EEXIST,  # names that contradict each other
    errno.EISDIR,
    errno.ENOTDIR,
)
"""Numbers of an OSError that offsets and names in the bytes cause; others come from disks, permissions, devices."""


@contextmanager
def blaming(what: str, path: Path | None = None) -> Iterator[None]:
    """Turn the errors that Python's readers raise on damaged bytes into an EntryError that begins with ``what``.

    Raises EntryError if the bytes cannot be decoded. Raises Fault if the operating system could not read or write;
    names ``path`` where the error names no file.
    """
    try:
        yield
    except OSError as e:
        if e.errno in _NOT_THE_MACHINE:
            raise EntryError(f"{what}: {e}") from e
        raise _fault(e, path) from e
    except _DECODING as e:
        raise EntryError(f"{what}: {e}") from e


@contextmanager
def host_file(path: Path) -> Iterator[None]:
    """Turn every OSError about one of our own files into a Fault that names it."""
    try:
        yield
    except OSError as e:
        raise _fault(e, path) from e


def _fault(error: OSError, path: Path | None) -> Fault:
    name = error.filename or path
    return Fault(f"{name}: {error.strerror or error}" if name else str(error))
