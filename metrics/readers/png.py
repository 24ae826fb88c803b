"""A fast reader of the PNG files that masks are: 8-bit grey, without interlacing.

Pillow needs 43 ms for a slide of 3000 x 6000 pixels, mostly to move 18 MB through memory several times; this needs a
quarter, since it unpacks a few hundred rows at a time and writes only those that are not 0.  What it does not know or
trust (other kinds of PNG, a checksum that is wrong, a picture that is not flat) it leaves to Pillow and its messages.

Source: W3C, Portable Network Graphics (PNG) Specification, third edition, chapters 5, 7, 9 and 10.
"""

from __future__ import annotations

import contextlib
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.uint8]

_unpacker: Callable[[], Any] = zlib.decompressobj
_broken: Any = (zlib.error,)
with contextlib.suppress(ImportError):  # the extra `fast`: the same bytes, sooner
    from isal import isal_zlib

    _unpacker, _broken = isal_zlib.decompressobj, (zlib.error, isal_zlib.error)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BLOCK_BYTES = 1 << 21
_NONE, _SUB, _UP, _AVERAGE, _PAETH = range(5)


def read_grey(content: bytes, max_pixels: int) -> Rows | None:
    """The pixels of a PNG file, shape (rows, columns); None for a file that another reader must judge."""
    chunks = _chunks(content)
    if chunks is None or not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13:
        return None
    width, height, *kind = struct.unpack(">IIBBBBB", chunks[0][1])
    # 8 bits, grey, and the only methods of compression, filtering and (none) interlacing; tRNS changes nothing of grey
    if kind != [8, 0, 0, 0, 0] or not 0 < width * height <= max_pixels:
        return None
    packed = b"".join(data for name, data in chunks if name == b"IDAT")
    pixels = np.zeros((height, width), np.uint8)
    done = 0
    try:
        for block in _blocks(packed, width + 1, height):
            if not _unfilter(block, pixels, done):
                return None
            done += len(block)
    except _broken:
        return None
    return pixels if done == height else None


def _chunks(content: bytes) -> list[tuple[bytes, bytes]] | None:
    """Name and data of every chunk up to the end mark; None if a length or a checksum is wrong."""
    if not content.startswith(_SIGNATURE):
        return None
    found: list[tuple[bytes, bytes]] = []
    place = len(_SIGNATURE)
    while len(content) - place >= 12:
        size = int.from_bytes(content[place : place + 4], "big")
        body = content[place + 4 : place + 8 + size]
        if len(body) < 4 + size or zlib.crc32(body).to_bytes(4, "big") != content[place + 8 + size : place + 12 + size]:
            return None
        found.append((body[:4], body[4:]))
        place += 12 + size
        if body[:4] == b"IEND":
            return found
    return None


def _blocks(packed: bytes, row_bytes: int, rows: int) -> Iterator[Rows]:
    """The unpacked rows, some at a time, shape (b, row_bytes)."""
    unpacker = _unpacker()
    at_once = max(1, _BLOCK_BYTES // row_bytes)
    left, rest = rows, b""
    while left:
        wanted = min(at_once, left) * row_bytes
        while len(rest) < wanted:
            more = unpacker.decompress(packed, wanted - len(rest))
            packed = unpacker.unconsumed_tail
            if not more:
                return
            rest = rest + more if rest else more
        yield np.frombuffer(rest, np.uint8).reshape(-1, row_bytes)
        left -= wanted // row_bytes
        rest = b""
    # reads the checksum behind the last row; bytes beyond it are for another reader to judge
    if unpacker.decompress(packed, 1) or not unpacker.eof:
        raise zlib.error("expected the end of the pixels")


def _unfilter(block: Rows, pixels: Rows, first: int) -> bool:
    """Write the rows of a block from row ``first`` on; False if one has a filter that is not undone here."""
    filters = block[:, 0].copy()
    if filters.max() > _PAETH or (filters == _AVERAGE).any():
        return False
    edges = np.flatnonzero(np.diff(filters, prepend=255, append=255))
    used = block.max(axis=1) != 0  # with the filter's byte, since that is faster
    for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        method = filters[start]
        rows = block[start:stop, 1:]
        target = pixels[first + start : first + stop]
        if method == _NONE:
            places = np.flatnonzero(used[start:stop])
            if places.size:  # what stays 0 costs no memory
                some = slice(places[0], places[-1] + 1)
                np.copyto(target[some], rows[some])
            continue
        if method == _SUB:
            _add_lefts(rows, target)
            continue
        above = pixels[first + start - 1] if first + start else np.zeros(pixels.shape[1], np.uint8)
        for row, here in zip(rows, target, strict=True):
            if method == _UP:
                np.add(row, above, out=here)
            elif not _paeth(row, above, here):
                return False
            above = here
    return True


def _add_lefts(rows: Rows, target: Rows) -> None:
    """Undo the filter "left" of some rows: where most bytes are 0, by stretches of equal pixels."""
    changes = rows != 0
    if np.count_nonzero(changes) > rows.size // 64:
        np.cumsum(rows, axis=1, dtype=np.uint8, out=target)
        return
    for row, changed, here in zip(rows, changes, target, strict=True):
        places = np.flatnonzero(changed)
        left, filled = 0, 0
        for place, byte in zip(places.tolist(), row[places].tolist(), strict=True):
            if left:  # the target is 0 so far
                here[filled:place] = left
            left, filled = (left + byte) & 255, place
        if left:
            here[filled:] = left


def _paeth(row: Rows, above: Rows, here: Rows) -> bool:
    """Undo the Paeth filter of one row; False if too much changes along it.

    Where the byte is 0 and the pixel above equals the one above the left, the prediction is the left pixel, so only
    the other places are computed one by one.
    """
    before = np.concatenate([np.zeros(1, np.uint8), above[:-1]])
    places = np.flatnonzero((row != 0) | (above != before))
    if places.size > row.size // 8 + 16:
        return False
    left, filled = 0, 0
    for place, byte, b, c in zip(
        places.tolist(), row[places].tolist(), above[places].tolist(), before[places].tolist(), strict=True
    ):
        here[filled:place] = left
        away = abs(b - c), abs(left - c), abs(left + b - 2 * c)  # from the left, the upper, the upper left pixel
        nearest = left if away[0] <= away[1] and away[0] <= away[2] else b if away[1] <= away[2] else c
        left = (byte + nearest) & 255
        filled = place
    here[filled:] = left
    return True
