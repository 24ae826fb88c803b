"""Reading tar archives that strangers wrote: the bounds that Python's `tarfile` does not have."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import IO

_MOST_HEADER_BYTES = 1 << 20
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
