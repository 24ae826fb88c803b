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
    found, expected = _read(tmp_path, content), scipy.io.loadmat(BytesIO(content))[KEY]
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)


def _big_endian(numbers: bytes, kind: int) -> bytes:
    def element(code: int, body: bytes) -> bytes:
        return struct.pack(">II", code, len(body)) + body + bytes(-len(body) % 8)

    body = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">ii", 1, 2))
    body += element(1, KEY.encode()) + element(kind, numbers)
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x01\x00MI" + element(14, body)


def test_the_byte_order_of_the_file_is_heeded(tmp_path: Path) -> None:
    content = _big_endian(struct.pack(">HH", 1, 500), 4)
    assert _read(tmp_path, content).tolist() == [[1, 500]]
    np.testing.assert_array_equal(scipy.io.loadmat(BytesIO(content))[KEY], [[1, 500]])


def test_whole_doubles_that_matlab_stores_as_small_integers_keep_that_type(tmp_path: Path) -> None:
    content = _big_endian(bytes([0, 200]), 2)
    assert _read(tmp_path, content).dtype == np.uint8
    assert scipy.io.loadmat(BytesIO(content))[KEY].dtype == np.uint8


@pytest.mark.parametrize(
    "value", [np.array([[1 + 2j]]), np.array([[True]]), np.array(["a"]), {"a": 1}, np.zeros((1, 2, 3))]
)
def test_what_is_no_real_matrix_is_refused(tmp_path: Path, value: Any) -> None:
    with pytest.raises(AnswerError, match="found a variable that is not a matrix"):
        _read(tmp_path, _saved(value))


def test_other_versions_are_refused_by_name(tmp_path: Path) -> None:
    stream = BytesIO()
    scipy.io.savemat(stream, {KEY: np.ones((1, 2))}, format="4")
    with pytest.raises(AnswerError, match=r"record r: expected a MAT file of version 5, found something else"):
        _read(tmp_path, stream.getvalue())
    with pytest.raises(AnswerError, match=r"found version 7\.3"):
        _read(tmp_path, b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM" + bytes(512))
    with pytest.raises(AnswerError, match="something else"):
        _read(tmp_path, b"")


def test_a_file_without_the_variable_is_refused(tmp_path: Path) -> None:
    stream = BytesIO()
    scipy.io.savemat(stream, {"other": np.ones((1, 2))})
    with pytest.raises(AnswerError, match="expected a variable predict_endpoints, found none"):
        _read(tmp_path, stream.getvalue())


def test_a_bomb_is_refused_before_it_is_expanded(tmp_path: Path) -> None:
    content = _saved(np.zeros((500_000, 2)), do_compression=True)
    assert len(content) < 20_000
    with pytest.raises(AnswerError, match="expand to more than 1,000,000 bytes"):
        _read(tmp_path, content, max_bytes=1_000_000)


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AnswerError, match="declares"):
        _read(tmp_path, _saved(np.ones((4, 2)))[:-200])
    packed = _saved(np.ones((4, 2)), do_compression=True)
    with pytest.raises(AnswerError, match="a part that cannot be expanded"):
        _read(tmp_path, packed[:136] + b"\xff" + packed[137:])


def test_a_declared_size_without_the_numbers_is_refused(tmp_path: Path) -> None:
    content = _big_endian(struct.pack(">HH", 1, 500), 4).replace(
        struct.pack(">ii", 1, 2), struct.pack(">ii", 1 << 30, 2)
    )
    with pytest.raises(AnswerError, match="4 bytes for 1073741824 x 2 numbers"):
        _read(tmp_path, content)


@pytest.mark.parametrize(
    "content",
    [
        b"# Created by Octave 8.4.0, Sat Nov 28 02:00:00 2026 UTC <a@b>\n# name: predict_endpoints\n# type: matrix\n",
        b"# name: predict_endpoints\n# type: matrix\n",
        b"Octave-1-L\0\1\0\0\0",
        b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(512) + b"\x89HDF\r\n\x1a\n",
        b"\x89HDF\r\n\x1a\n" + bytes(120),
    ],
)
def test_other_forms_of_matlab_and_octave_are_named_with_the_option_that_saves_the_right_one(
    tmp_path: Path, content: bytes
) -> None:
    with pytest.raises(AnswerError, match="save it with 'save -v7'"):
        _read(tmp_path, content)
