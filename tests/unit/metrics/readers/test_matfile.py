from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
from numpy.typing import NDArray

from metrics.base import AnswerError
from metrics.readers.matfile import read_matrix

KEY = "predict_endpoints"


def _saved(value: Any, **options: Any) -> bytes:
    stream = BytesIO()
    scipy.io.savemat(stream, {"before": np.array(["text"]), KEY: value, "z": {"a": 1.0}}, **options)
    return stream.getvalue()


def _read(folder: Path, content: bytes, **options: Any) -> NDArray[Any]:
    (folder / "a.mat").write_bytes(content)
    return read_matrix(folder / "a.mat", KEY, AnswerError, record="r", **options)


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize(
    "matrix",
    [
        np.array([[1.0, 200.5], [300.0, np.nan]]),
        np.array([[1, 200]], "u1"),
        np.array([[-1, 200], [3, 4], [5, 6]], "i2"),
        np.array([[1, 2**40]], "i8"),
        np.array([[1.5]], "f4"),
        np.zeros((0, 0)),
        np.zeros((0, 2)),
        np.zeros((1, 0)),
    ],
)
def test_matrices_are_read_as_scipy_reads_them(tmp_path: Path, matrix: NDArray[Any], compressed: bool) -> None:
    content = _saved(matrix, do_compression=compressed)
    values, expected = _read(tmp_path, content), scipy.io.loadmat(BytesIO(content))[KEY]
    assert (values.dtype, values.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(values, expected)


def _big_endian(numbers: bytes, kind: int) -> bytes:
    def element(code: int, body: bytes) -> bytes:
        return struct.pack(">II", code, len(body)) + body + bytes(-len(body) % 8)

    body = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">ii", 1, 2))
    body += element(1, KEY.encode()) + element(kind, numbers)
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x01\x00MI" + element(14, body)


@pytest.mark.parametrize(
    ("numbers", "code", "values", "kind"),
    [(struct.pack(">HH", 1, 500), 4, [[1, 500]], "u2"), (bytes([0, 200]), 2, [[0, 200]], "u1")],
)
def test_byte_order_is_heeded_and_small_integers_keep_their_type(
    tmp_path: Path, numbers: bytes, code: int, values: Any, kind: str
) -> None:
    content = _big_endian(numbers, code)
    for array in (_read(tmp_path, content), scipy.io.loadmat(BytesIO(content))[KEY]):
        assert (array.tolist(), array.dtype.newbyteorder("=")) == (values, np.dtype(kind))


def _other(**options: Any) -> bytes:
    stream = BytesIO()
    scipy.io.savemat(stream, {"other": np.ones((1, 2))}, **options)
    return stream.getvalue()


NUMBERS = _big_endian(struct.pack(">HH", 1, 500), 4)
PACKED = _saved(np.ones((4, 2)), do_compression=True)
NO_MATRIX = (np.array([[1 + 2j]]), np.array([[True]]), np.array(["a"]), {"a": 1}, np.zeros((1, 2, 3)))
OCTAVE = b"# name: predict_endpoints\n# type: matrix\n"
OTHER_FORM = "save it with 'save -v7'"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        *((_saved(value), "found a variable that is not a matrix") for value in NO_MATRIX),
        (_other(format="4"), "record r: expected a MAT file of version 5, found something else"),
        (b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM" + bytes(512), "found version 7.3"),
        (b"", "something else"),
        (_other(), "expected a variable predict_endpoints, found none"),
        (_saved(np.zeros((500_000, 2)), do_compression=True), "expand to more than 1,000,000 bytes"),
        (_saved(np.ones((4, 2)))[:-200], "declares"),
        (PACKED[:136] + b"\xff" + PACKED[137:], "a part that cannot be expanded"),
        (NUMBERS.replace(struct.pack(">ii", 1, 2), struct.pack(">ii", 1 << 30, 2)), "for 1073741824 x 2 numbers"),
        (b"# Created by Octave 8.4.0, Sat Nov 28 02:00:00 2026 UTC <a@b>\n" + OCTAVE, OTHER_FORM),
        (OCTAVE, OTHER_FORM),
        (b"Octave-1-L\0\1\0\0\0", OTHER_FORM),
        (b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(512) + b"\x89HDF\r\n\x1a\n", OTHER_FORM),
        (b"\x89HDF\r\n\x1a\n" + bytes(120), OTHER_FORM),
    ],
)
def test_other_content_is_refused_by_name(tmp_path: Path, content: bytes, message: str) -> None:
    assert len(content) < 20_000
    with pytest.raises(AnswerError, match=message):
        _read(tmp_path, content, max_bytes=1_000_000)
