"""One matrix of numbers out of a MATLAB MAT file of version 5, as MATLAB (``-v6``, ``-v7``), Octave and scipy write.

A team's file is read here and not by ``scipy.io.loadmat``, because compressed parts and declared sizes must be checked
before memory is allocated for them.  The values have the type they are stored in, as ``loadmat`` gives them:
MATLAB stores whole doubles as small unsigned integers.

Source: MAT-File Format, The MathWorks, chapter "Level 5 MAT-File Format".
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.readers.files import MIB, ErrorClass, read_bounded

_HEADER_BYTES = 128
_OCTAVE = (b"# Created by Octave", b"# name: ", b"Octave-1-")
_MATRIX = 14
_COMPRESSED = 15
_COMPLEX_OR_LOGICAL = 0x0A00
_NUMBER_CLASSES = range(6, 16)  # double, single and the eight kinds of integers
_STORED = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}


def read_matrix(
    path: Path, name: str, error: ErrorClass, *, max_bytes: int = 4 * MIB, record: str | None = None
) -> NDArray[Any]:
    """The variable ``name``, a full real matrix of two dimensions.

    ``max_bytes``: maximum size of the file, and of all its compressed parts together when expanded.

    Raises ``error`` for a file that is no MAT file of version 5, cut short, too large, or without such a variable.
    """
    content = read_bounded(path, max_bytes, error, record=record)
    try:
        order = _byte_order(content)
        values = None
        for body in _matrices(content, order, max_bytes):
            parts = _parts(body, order)
            if len(parts) > 2 and parts[2][1] == name.encode():
                values = _numbers(parts, order)  # if there are several, the last one, as in loadmat
    except _Malformed as reason:
        raise error(f"expected a MAT file of version 5, found {reason}", file=path, record=record) from None
    if values is None:
        raise error(f"expected a variable {name}, found none", file=path, record=record)
    return values


class _Malformed(Exception):
    """Why some bytes are not a MAT file that can be read here."""


def _byte_order(content: bytes) -> str:
    if content.startswith((b"MATLAB 7.3", b"\x89HDF")):
        raise _Malformed("version 7.3 of MATLAB or -hdf5 of Octave, which is HDF5: save it with 'save -v7'")
    if content.startswith(_OCTAVE):
        raise _Malformed("the form of Octave itself, which it writes without an option: save it with 'save -v7'")
    version = content[124:_HEADER_BYTES]
    if version == b"\x00\x01IM":
        return "<"
    if version == b"\x01\x00MI":
        return ">"
    raise _Malformed("something else (an older version, to be saved with 'save -v7', or no MAT file)")


def _elements(body: bytes, order: str, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Type and content of each data element."""
    while start + 8 <= len(body):
        kind, size = struct.unpack_from(order + "II", body, start)
        begin = start + 8
        if kind >> 16:  # a small element: size and type share one word, the content is in the other
            kind, size, begin = kind & 0xFFFF, kind >> 16, start + 4
            if size > 4:
                raise _Malformed("a small element of more than four bytes")
        if size > len(body) - begin:
            raise _Malformed(f"an element that declares {size:,} bytes where {len(body) - begin:,} are left")
        yield kind, body[begin : begin + size]
        start = begin + size
        if kind != _COMPRESSED:
            start += -start % 8


def _matrices(content: bytes, order: str, max_bytes: int) -> Iterator[bytes]:
    """The content of each variable, expanded if need be."""
    left = max_bytes
    for kind, body in _elements(content, order, _HEADER_BYTES):
        if kind == _MATRIX:
            yield body
        elif kind == _COMPRESSED:
            try:
                plain = zlib.decompressobj().decompress(body, left + 1)
            except zlib.error as reason:
                raise _Malformed(f"a part that cannot be expanded ({reason})") from None
            left -= len(plain)
            if left < 0:
                raise _Malformed(f"compressed parts that expand to more than {max_bytes:,} bytes")
            yield from (inner for inner_kind, inner in _elements(plain, order) if inner_kind == _MATRIX)


def _parts(body: bytes, order: str) -> list[tuple[int, bytes]]:
    """The first elements of a variable: flags, dimensions, name, numbers."""
    elements = _elements(body, order)
    return [element for _, element in zip(range(4), elements, strict=False)]


def _numbers(parts: list[tuple[int, bytes]], order: str) -> NDArray[Any]:
    (_, flags), (_, dimensions) = parts[:2]
    if len(flags) != 8 or len(dimensions) != 8:
        raise _Malformed("a variable that is not a matrix of two dimensions")
    flag = struct.unpack(order + "II", flags)[0]
    if flag & 0xFF not in _NUMBER_CLASSES or flag & _COMPLEX_OR_LOGICAL:
        raise _Malformed("a variable that is not a matrix of real numbers")
    rows, columns = struct.unpack(order + "ii", dimensions)
    kind, stored = parts[3] if len(parts) > 3 else (9, b"")
    if kind not in _STORED:
        raise _Malformed(f"numbers of the unknown type {kind}")
    dtype = np.dtype(order + _STORED[kind])
    if rows < 0 or columns < 0 or rows * columns * dtype.itemsize != len(stored):
        raise _Malformed(f"{len(stored):,} bytes for {rows} x {columns} numbers")
    values = np.frombuffer(stored, dtype).reshape((rows, columns), order="F")
    return values.astype(dtype.newbyteorder("="))
