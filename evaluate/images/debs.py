"""Packages of Debian as an image is installed from them: not compressed, with an index that has no others.

The installer unpacks one package after the other, those of the base system twice, and each time waits for one processor
to decompress it; here that is done for several at once, and once.  Its apt need not read tens of thousands of packages.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, cast

from evaluate.core.errors import ImageFault

_MAGIC = b"!<arch>\n"
_HEADER = 60
_NAME, _SIZE = slice(0, 16), slice(48, 58)
"""What the header of a member of an ar archive has there."""
_OPENED = {"data.tar.xz": lzma.open, "data.tar.gz": gzip.open, "data.tar.bz2": bz2.open}
"""Member with the files -> what decompresses it; dpkg does that for the others, such as ``data.tar.zst``."""
_FIELDS = [re.compile(rb"^%s: (\S+)$" % name, re.MULTILINE) for name in (b"Package", b"Version", b"Architecture")]
_CHANGED = re.compile(rb"^(Size|MD5sum|SHA1|SHA256|SHA512): .*\n", re.MULTILINE)


def uncompressed(deb: Path, target: Path) -> Path:
    """Write the same package with its files not compressed; returns ``target``. Raises ImageFault if it is none."""
    try:
        with deb.open("rb") as source, target.open("wb") as plain:
            if source.read(len(_MAGIC)) != _MAGIC:
                raise ValueError("it is no ar archive")
            plain.write(_MAGIC)
            while header := source.read(_HEADER):
                size = int(header[_SIZE])
                content = source.read(size + size % 2)[:size]
                if len(content) < size:
                    raise ValueError("it ends too early")
                _write(header, content, plain)
    except (ValueError, EOFError, OSError, lzma.LZMAError) as e:
        raise ImageFault(f"{deb.name} cannot be read as a package of Debian: {e}") from e
    return target


def _write(header: bytes, content: bytes, plain: IO[bytes]) -> None:
    """A member, its size only when its content has been written."""
    opened = _OPENED.get(name := header[_NAME].decode().rstrip(" /"))
    begin = plain.tell()
    plain.write(header)
    if opened is None:
        plain.write(content)
    else:
        name = "data.tar"
        with cast("Callable[[IO[bytes]], IO[bytes]]", opened)(io.BytesIO(content)) as files:
            shutil.copyfileobj(files, plain, 1 << 20)
    size = plain.tell() - begin - _HEADER
    plain.write(b"\n" * (size % 2))
    plain.seek(begin)
    plain.write(b"%-16s%s%-10d" % (name.encode(), header[_NAME.stop : _SIZE.start], size))
    plain.seek(0, io.SEEK_END)


def index_of(index: bytes, sizes: Mapping[str, int]) -> bytes:
    """The part of an index ``Packages`` that is about some packages, with all of their versions.

    ``sizes``: file name of a package, as apt names it -> the bytes that it has now. The digests of what was downloaded
    are left out there: apt compares only the size of what it need not download.
    """
    names = {name.partition("_")[0].encode() for name in sizes}
    found = []
    for paragraph in index.split(b"\n\n"):
        name = _FIELDS[0].search(paragraph)
        if name is None or name[1] not in names:
            continue
        values = [value[1] for field in _FIELDS if (value := field.search(paragraph))]
        file = b"_".join(values).replace(b":", b"%3a").decode() + ".deb"
        text = paragraph.strip(b"\n") + b"\n"
        found.append(_CHANGED.sub(b"", text) + b"Size: %d\n" % sizes[file] if file in sizes else text)
    return b"\n".join(found)
