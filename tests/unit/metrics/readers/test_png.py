"""The fast reader of grey PNG files gives Pillow's pixels or leaves the file to Pillow."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from metrics.readers.png import read_grey

LIMIT = 1 << 20


def png(pixels: NDArray[np.uint8], **options: int) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "png", **options)
    return stream.getvalue()


def filtered(rows: list[tuple[int, bytes]], width: int) -> bytes:
    """A PNG file whose rows have the given filters and bytes, written by hand."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, len(rows), 8, 0, 0, 0, 0)
    body = zlib.compress(b"".join(bytes([method]) + data for method, data in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def test_each_filter_is_undone() -> None:
    rows = [
        (0, bytes([5, 0, 0, 9])),
        (1, bytes([1, 2, 255, 0])),  # sums along the row, modulo 256: 1 3 2 2
        (2, bytes([1, 0, 0, 254])),  # plus the row above: 2 3 2 0
        (4, bytes([0, 0, 1, 0])),
    ]
    content = filtered(rows, 4)
    found = read_grey(content, LIMIT)
    assert found is not None
    assert found[:3].tolist() == [[5, 0, 0, 9], [1, 3, 2, 2], [2, 3, 2, 0]]
    assert np.array_equal(found, np.asarray(Image.open(io.BytesIO(content))))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 60), st.integers(0, 9))
def test_masks_are_read_as_by_pillow(seed: int, height: int, width: int, level: int) -> None:
    r = np.random.default_rng(seed)
    pixels = np.zeros((height, width), np.uint8)
    for _ in range(5):
        y, x = int(r.integers(height)), int(r.integers(width))
        pixels[y : y + int(r.integers(1, 30)), x : x + int(r.integers(1, 30))] = r.choice([1, 3, 255])
    found = read_grey(png(pixels, compress_level=level), LIMIT)
    assert found is None or np.array_equal(found, pixels)


def test_a_large_mask_of_many_blocks_is_read() -> None:
    rows, columns = np.ogrid[:2000, :1500]
    pixels = np.where((rows - 900) ** 2 + (columns - 700) ** 2 < 300**2, 255, 0).astype(np.uint8)
    found = read_grey(png(pixels), 1 << 22)
    assert found is not None and np.array_equal(found, pixels)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        png(np.zeros((4, 5, 3), np.uint8)),
        png(np.zeros((4, 5), np.uint8))[:-20],
        png(np.zeros((4, 5), np.uint8)).replace(b"IDAT", b"IDAU"),
        filtered([(0, bytes(4))], 5),
        filtered([(0, bytes(5)), (3, bytes(5))], 5),
        filtered([(7, bytes(5))], 5),
        filtered([(0, bytes(9))], 5),
        png(np.zeros((1025, 1024), np.uint8)),
        png(np.random.default_rng(0).integers(0, 65536, (5, 5)).astype(np.uint16)),
    ],
    ids=["empty", "bare", "colour", "cut", "renamed", "short", "average", "unknown", "long", "large", "16 bits"],
)
def test_what_it_does_not_know_is_left_to_pillow(content: bytes) -> None:
    assert read_grey(content, LIMIT) is None


def test_a_wrong_checksum_of_the_pixels_is_left_to_pillow() -> None:
    pixels = np.arange(20, dtype=np.uint8).reshape(4, 5)
    body = bytearray(zlib.compress(b"".join(b"\0" + row.tobytes() for row in pixels)))
    body[-1] ^= 1
    whole = filtered([(0, row.tobytes()) for row in pixels], 5)
    start = whole.index(b"IDAT")
    bad = b"IDAT" + bytes(body)
    size = struct.pack(">I", len(body))
    end = whole.index(b"IEND") - 4
    assert read_grey(whole, LIMIT) is not None
    assert read_grey(whole[: start - 4] + size + bad + struct.pack(">I", zlib.crc32(bad)) + whole[end:], LIMIT) is None
