"""Reading tar archives that strangers wrote: the bounds that Python's `tarfile` does not have."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import IO

_MOST_HEADER_BYTES = 1 << 20
_MOST_EXTENSIONS = 8
"""Before one member: a long name, a long link, PAX records of the file and of all; `tarfile` reads them nested."""
_MOST_GLOBAL_RECORDS = 100
"""`tarfile` copies them for each member."""
_META = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)


class BoundedTarInfo(tarfile.TarInfo):
    """A header whose extension (a long name, PAX records) is small: `tarfile` reads it into memory whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> BoundedTarInfo:
        """As of `tarfile.TarInfo`; TarError where an extension is larger than a mebibyte."""
        member = super().frombuf(buf, encoding, errors)
        if member.type in _META and member.size > _MOST_HEADER_BYTES:
            raise tarfile.ReadError(f"an extended header of {member.size} bytes")
        return member

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> BoundedTarInfo:
        """As of `tarfile.TarInfo`; TarError where extensions have no end or a size is below zero."""
        depth = getattr(tarfile_, "extensions", 0)
        if depth > _MOST_EXTENSIONS or len(tarfile_.pax_headers) > _MOST_GLOBAL_RECORDS:
            raise tarfile.ReadError("more extended headers than any file needs")
        tarfile_.extensions = depth + 1  # type: ignore[attr-defined]
        try:
            member = super().fromtarfile(tarfile_)
        except (ValueError, OverflowError) as e:  # numbers in PAX records of sparse files
            raise tarfile.ReadError(f"an extended header of a wrong form: {e}") from e
        finally:
            tarfile_.extensions = depth  # type: ignore[attr-defined]
        if member.size < 0:
            raise tarfile.ReadError(f"a file of {member.size} bytes")
        return member


def open_stream(stream: IO[bytes]) -> tarfile.TarFile:
    """A plain tar archive, to be read from front to end."""
    return tarfile.open(fileobj=stream, mode="r|", tarinfo=BoundedTarInfo)


def open_file(stream: IO[bytes]) -> tarfile.TarFile:
    """A plain tar archive in a file that can be searched."""
    return tarfile.open(fileobj=stream, mode="r:", tarinfo=BoundedTarInfo)


def members(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members in order, none of them remembered: a bomb has many."""
    for member in tar:
        tar.members.clear()  # type: ignore[attr-defined]
        yield member
