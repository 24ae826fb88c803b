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
from tests.support.challenge_files import KEY, saved


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
    content = saved(matrix, do_compression=compressed)
    values, expected = _read(tmp_path, content), scipy.io.loadmat(BytesIO(content))[KEY]
    assert (values.dtype, values.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(values, expected)


def big_endian(numbers: bytes, kind: int) -> bytes:
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
    content = big_endian(numbers, code)
    for array in (_read(tmp_path, content), scipy.io.loadmat(BytesIO(content))[KEY]):
        assert (array.tolist(), array.dtype.newbyteorder("=")) == (values, np.dtype(kind))
