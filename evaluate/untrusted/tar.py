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
    """A header whose extensions (a long name, PAX records) are small and few: `tarfile` reads them into memory whole.

    Every header passes through ``_proc_member``, which `tarfile` says may be overridden; since the corrections of 2026
    extensions do not pass through the public class methods any more.
    """

    def _proc_member(self, tarfile_: tarfile.TarFile) -> tarfile.TarInfo:
        """As of `tarfile.TarInfo`; TarError where extensions are large or have no end, or a size is below zero."""
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
