"""Fault for bytes that cannot be read: the entry's if decoding them fails, ours if the machine fails."""

from __future__ import annotations

import errno
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluate.core.errors import EntryError, Fault

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
