"""Which scikit-learn wrote a pickled model, by a text in it; nothing is unpickled."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from evaluate.untrusted.damage import blaming
from evaluate.untrusted.listing import open_members

_VERSION = re.compile(rb"_sklearn_version(?:\np\d{1,10})?[^0-9]{1,16}?(\d{1,2}\.\d{1,3}(?:\.\d{1,3})?)(?![\d.])")
"""As every estimator keeps it in its state; the oldest protocol has the number of a memo between."""
_CHUNK, _OVERLAP, _MOST_BYTES = 1 << 20, 64, 256 << 20


_COMPRESSED = (b"\x78", b"\x1f\x8b")
"""Beginnings of what joblib compresses with zlib and gzip."""


def sklearn_versions(archive: Path, kind: str, files: Mapping[str, str], unpacked_bytes: int) -> dict[str, str]:
    """The version of scikit-learn in each of these files (name -> name in the archive) that has one.

    Raises EntryError if the archive is damaged.
    """
    names = {origin: name for name, origin in files.items()}
    found: dict[str, str] = {}
    with blaming("a model cannot be read out of the archive", archive):
        for origin, stream in open_members(archive, kind, list(names), unpacked_bytes):
            if version := sklearn_version(stream):
                found[names[origin]] = version
    return found


def sklearn_version(stream: IO[bytes]) -> str:
    """The first version in a pickle, compressed or not; empty: none, or not in its first 256 MiB."""
    before = b""
    for piece in _pieces(stream):
        match = _VERSION.search(before + piece)
        if match is not None:
            return match[1].decode()
        before = piece[-_OVERLAP:]
    return ""


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    piece = stream.read(_CHUNK)
    packed = zlib.decompressobj(wbits=47) if piece.startswith(_COMPRESSED) else None
    left = _MOST_BYTES
    while piece and left > 0:
        if packed is None:
            plain, piece = piece, stream.read(_CHUNK)
        else:
            try:
                plain = packed.decompress(piece, _CHUNK)
            except zlib.error:  # no such file after all
                return
            piece = packed.unconsumed_tail or (b"" if packed.eof else stream.read(_CHUNK))
        left -= len(plain) + 1
        yield plain
