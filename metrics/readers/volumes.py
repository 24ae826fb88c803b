"""Label volumes in NIfTI files, read as a bounded stream.

Conventions
-----------
A label volume is three-dimensional; its voxels come in file order (first axis fastest), as *label codes*: small
whole numbers in ``uint8``.  A stored value is converted by a *coder*, a function from values to
codes that every metric chooses (see `whole_labels` and the metrics' own); by corrected rules `NearWhole` rounds what a
scaling (``scl_slope``) has left beside whole numbers, in every metric alike.  Spacing is in mm, in the order of the
file's axes.  A file is compressed if it starts like gzip, whatever its name.

Memory is never allocated for a size that a file merely declares: the shape is checked against a limit (and, for an
answer, against its reference) before a voxel is read, and voxels are processed in pieces of `PIECE_VOXELS`.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BufferedIOBase
from pathlib import Path
from typing import Any

import nibabel
import numpy as np
from numpy.typing import NDArray

from metrics.base import MetricError, Note
from metrics.readers.files import raise_if_the_machines, stand_in
from metrics.readers.foreign import format_of, pointer

Codes = NDArray[np.uint8]
Coder = Callable[[NDArray[Any]], Codes]
"""Values of one piece to label codes, 0 to 0. Raises `ValueError` with expected and found for one it refuses."""

OUTSIDE = 255
"""The code of a value that is not one of the challenge's labels."""
NEAR_WHOLE = 1e-3
"""Distance from a whole number up to which a value is that number, stored with a scaling."""
MAX_VOXELS = 1 << 29
"""Six times the largest CT of the challenges (300 slices of 512 x 512)."""
CHUNK_BYTES = 1 << 19
"""Bytes that are decompressed at once: more do not fit into the cache, of fewer the calls take time."""
PIECE_VOXELS = 1 << 18
"""Voxels of one piece, a slice of most CTs: the smaller, the more pieces are only background, and the more calls."""
BLANK: Codes = np.zeros(PIECE_VOXELS, np.uint8)
"""A piece of only background is this same array object, so that it need not be searched again."""
BLANK.setflags(write=False)
_MAX_SKIPPED = 1 << 24
"""Bytes of header extensions in front of the voxels."""

_GZIP_MAGIC = b"\x1f\x8b"
_HEADERS: dict[int, tuple[Any, bytes]] = {
    348: (nibabel.Nifti1Header, b"n+1\0"),
    540: (nibabel.Nifti2Header, b"n+2\0\r\n\x1a\n"),
}
_BAD_STREAM = (EOFError, OSError, zlib.error)
_ALIGNED = 1 - 1e-6
"""Cosine of the angle between two directions that are the same."""
_MM_PER_UNIT = {1: 1000.0, 3: 0.001}


@dataclass(frozen=True, kw_only=True, eq=False)
class Volume:
    """The checked header of one NIfTI file; voxels are read when needed.

    Made by `open_volume`.  ``error`` is raised for everything that is wrong with the file.
    """

    path: Path
    record: str
    error: type[MetricError]
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    slope: float
    intercept: float
    spacing_mm: tuple[float, float, float]
    affine: NDArray[np.float64] | None
    """Voxel to world, shape (4, 4); None where the header has none, or none that can be computed."""
    data_offset: int

    @property
    def voxels(self) -> int:
        """The number of voxels."""
        return int(np.prod(self.shape, dtype=np.int64))

    def fail(self, reason: str) -> MetricError:
        """The error about this file, for the caller to raise."""
        return self.error(reason, file=self.path, record=self.record)

    def without_last_axes(self, axes: int) -> Volume:
        """The same volume without further axes of length 1 behind the first ``axes``: they are no axes."""
        shape = self.shape
        while len(shape) > axes and shape[-1] == 1:
            shape = shape[:-1]
        return replace(self, shape=shape)

    def require_3d(self) -> None:
        """Raise unless this is a label map and not, for example, a network's output with a class axis."""
        if len(self.shape) != 3:
            raise self.fail(f"expected a label map with 3 axes, found shape {self.shape}")

    def codes(self, coder: Coder) -> Iterator[Codes]:
        """The label codes in file order, `PIECE_VOXELS` at a time (the last piece may be shorter).

        A piece is valid until the next one is requested.
        """
        zeros = bytes(PIECE_VOXELS * self.dtype.itemsize)
        buffer = bytearray(max(CHUNK_BYTES, len(zeros)))
        scaled = (self.slope, self.intercept) != (1.0, 0.0)
        left = self.voxels * self.dtype.itemsize
        with _stream(self.path, self.error, self.record) as stream:
            self._skip(stream)
            while left:
                count = min(left, len(buffer))
                self._fill(stream, memoryview(buffer)[:count])
                for start in range(0, count, len(zeros)):
                    # one memcmp: most of a CT is background
                    if not self.intercept and buffer.startswith(zeros, start, count):
                        yield BLANK
                        continue
                    piece = memoryview(buffer)[start : min(start + len(zeros), count)]
                    values: NDArray[Any] = np.frombuffer(piece, self.dtype)
                    if scaled:
                        # a slope of 1e300 may overflow; the coders refuse the infinity
                        with np.errstate(over="ignore", invalid="ignore"):
                            values = values * self.slope + self.intercept
                    yield self.coded(coder, values)
                left -= count
            self._read_to_end(stream)

    def load(self, coder: Coder) -> Codes:
        """All label codes at once; C-ordered array of the *reversed* shape (z, y, x), one byte per voxel."""
        codes = np.zeros(self.voxels, np.uint8)
        start = 0
        for piece in self.codes(coder):
            if piece is not BLANK:  # pages that are never written cost nothing
                codes[start : start + piece.size] = piece
            start += piece.size
        return codes.reshape(self.shape[::-1])

    def coded(self, coder: Coder, values: NDArray[Any]) -> Codes:
        """The codes of some values, or the error about this file if the coder refuses one."""
        try:
            return coder(values)
        except ValueError as reason:
            raise self.fail(f"{reason}{self._behind_slope()}") from None

    def _behind_slope(self) -> str:
        scaled = (self.slope, self.intercept) != (1.0, 0.0)
        return f" (stored values times scl_slope {self.slope:g} plus scl_inter {self.intercept:g})" if scaled else ""

    def rounding_note(self, whose: str, rounded: int) -> tuple[Note, ...]:
        """A note on values that `NearWhole` has rounded, if there are any."""
        if not rounded:
            return ()
        text = f"{rounded:,} voxels of the {whose} are not quite whole numbers{self._behind_slope()} and are rounded"
        return (Note(f"{self.record}: {text}", self.record),)

    def _skip(self, stream: BufferedIOBase) -> None:
        left = self.data_offset
        while left:
            piece = min(left, CHUNK_BYTES)
            self._fill(stream, memoryview(bytearray(piece)))
            left -= piece

    def _fill(self, stream: BufferedIOBase, view: memoryview) -> None:
        wanted = len(view)
        while view:
            try:
                count = stream.readinto(view)
            except _BAD_STREAM as reason:
                raise_if_the_machines(reason)
                raise self.fail(f"expected {self._promise()}, found a damaged file: {reason}") from None
            if not count:
                raise self.fail(f"expected {self._promise()}, found the end of the file {wanted} bytes early")
            view = view[count:]

    def _promise(self) -> str:
        return f"{self.voxels:,} voxels of {self.dtype.name} as its header declares"

    def _read_to_end(self, stream: BufferedIOBase) -> None:
        """Check the gzip trailer, which comes after the last voxel; a long tail is left alone."""
        try:
            stream.read(CHUNK_BYTES)
        except _BAD_STREAM as reason:
            raise_if_the_machines(reason)
            raise self.fail(f"expected a whole file, found a damaged end: {reason}") from None


def open_volume(path: Path, error: type[MetricError], *, record: str) -> Volume:
    """Read and check the header of a NIfTI-1 or NIfTI-2 file (``.nii``, ``.nii.gz``).

    Raises ``error`` if the file does not exist, is not a regular file, has no NIfTI header, voxels that are not real
    numbers, or more than `MAX_VOXELS` voxels.
    """

    def fail(reason: str) -> MetricError:
        return error(reason, file=path, record=record)

    with _stream(path, error, record) as stream:
        try:
            block = stream.read(540)
        except _BAD_STREAM as reason:
            raise_if_the_machines(reason)
            raise fail(f"expected a NIfTI header, found a damaged file: {reason}") from None
    size = next((n for order in ("<i4", ">i4") if (n := _first(block, order)) in _HEADERS), 0)
    if not size or len(block) < size:
        content = pointer(block) or format_of(block) or block[:8].hex(" ") or "an empty file"
        raise fail(f"expected a NIfTI header, found {content}")
    kind, magic = _HEADERS[size]
    header = kind(block[:size], check=False)
    signature = block[344:348] if size == 348 else block[4:12]
    if signature != magic:
        raise fail(f"expected a single-file NIfTI (magic {magic!r}), found {signature!r}")

    axes = int(header["dim"][0])
    if not 1 <= axes <= 7:
        raise fail(f"expected 1 to 7 axes in the header, found {axes}")
    shape = tuple(int(n) for n in header["dim"][1 : 1 + axes])
    if min(shape) < 1:
        raise fail(f"expected axes of at least one voxel, found shape {shape}")
    # Python integers do not overflow, which 7 declared axes of 32767 would do to a numpy product
    voxels = 1
    for length in shape:
        voxels *= length
    if voxels > MAX_VOXELS:
        raise fail(f"expected at most {MAX_VOXELS:,} voxels, found {voxels:,} declared by shape {shape}")
    return Volume(
        path=path,
        record=record,
        error=error,
        shape=shape,
        dtype=_voxel_type(header, fail),
        **_scaling(header, fail),
        spacing_mm=_spacing_mm(header),
        affine=_affine(header),
        data_offset=_data_offset(header, size, fail),
    )


class NearWhole:
    """A coder before which values within `NEAR_WHOLE` of a whole number are rounded to it, and counted.

    ``coder``: converts the values then.
    """

    def __init__(self, coder: Callable[[NDArray[Any]], Any]) -> None:
        self._coder = coder
        self.rounded = 0

    def __call__(self, values: NDArray[Any]) -> Any:
        if values.dtype.kind == "f":
            with np.errstate(invalid="ignore"):  # infinity, which the coder refuses
                whole = np.rint(values)
                near = (values != whole) & (np.abs(values - whole) <= NEAR_WHOLE)
            count = int(np.count_nonzero(near))
            if count:
                self.rounded += count
                values = np.where(near, whole, values)
        return self._coder(values)


def whole_labels(highest: int, *, strict: bool = False) -> Coder:
    """A coder for whole numbers: 0 to ``highest`` are kept, all others become `OUTSIDE`.

    A fraction, NaN or infinity is refused; with ``strict`` every value outside the set is.
    """

    def code(values: NDArray[Any]) -> Codes:
        if values.dtype.kind == "f":
            require_finite(values)
            fractions = values != np.rint(values)
            if fractions.any():
                raise ValueError(f"expected whole numbers as labels, found {values[fractions][0]!s}")
        codes = inside(values, highest)
        if strict and codes.max(initial=0) == OUTSIDE:
            raise ValueError(f"expected labels 0 to {highest}, found {values[codes == OUTSIDE][0]!s}")
        return codes

    return code


def inside(values: NDArray[Any], highest: int) -> Codes:
    """Codes of finite values: exactly 0 to ``highest`` are kept, everything else is `OUTSIDE`."""
    if values.dtype == np.uint8 and values.max(initial=0) <= highest:
        return values
    ok = (values >= 0) & (values <= highest)
    if values.dtype.kind == "f":
        ok &= values == np.rint(values)
    # a typed constant: 255 would not fit the int8 of `values`
    return np.where(ok, values, np.uint8(OUTSIDE)).astype(np.uint8)


def require_finite(values: NDArray[Any]) -> None:
    """Raise `ValueError` if a floating-point value is NaN or infinite."""
    if values.dtype.kind == "f" and not (finite := np.isfinite(values)).all():
        raise ValueError(f"expected numbers as labels, found {values[~finite][0]!s}")


def joint_histogram(pairs: Iterable[tuple[Codes, Codes]]) -> NDArray[np.int64]:
    """The number of times that each code of the reference (row) meets each of the answer (column), shape (256, 256).

    ``pairs`` (iterable of (reference, answer)): pieces of equal size.
    """
    counts = np.zeros(1 << 16, np.int64)
    for reference, answer in pairs:
        if reference is BLANK and answer is BLANK:
            counts[0] += reference.size
            continue
        first, second = reference.ravel(), answer.ravel()
        for start in range(0, first.size, PIECE_VOXELS):
            parts = [side[start : start + PIECE_VOXELS] for side in (first, second)]
            occupied = np.flatnonzero((parts[0] | parts[1]) > 0)
            codes = parts[0][occupied].astype(np.uint16) << 8 | parts[1][occupied]
            counts += np.bincount(codes, minlength=counts.size)
            counts[0] += parts[0].size - occupied.size
    return counts.reshape(256, 256)


def compare(reference: Volume, answer: Volume, reference_coder: Coder, answer_coder: Coder) -> NDArray[np.int64]:
    """`joint_histogram` of two files, both read once and in parallel, in constant memory.

    Raises AnswerError or ReferenceDataError if a volume does not have three axes, or their shapes differ (the answer's
    fault).
    """
    reference.require_3d()
    answer.require_3d()
    if answer.shape != reference.shape:
        raise answer.fail(f"expected shape {reference.shape} as the reference has, found {answer.shape}")
    return joint_histogram(zip(reference.codes(reference_coder), answer.codes(answer_coder), strict=True))


def count_codes(volume: Volume, coder: Coder) -> NDArray[np.int64]:
    """Count how often each code occurs in one file, shape (256,)."""
    nothing = np.zeros(PIECE_VOXELS, np.uint8)
    pairs = ((codes, nothing[: codes.size]) for codes in volume.codes(coder))
    return joint_histogram(pairs)[:, 0]


def affine_note(reference: Volume, answer: Volume) -> str | None:
    """Say how the answer's header places voxels otherwise than its reference's, for example "mirrored in x"; or None.

    Axes are those of the file.
    """
    how = " and ".join(_differences(reference, answer))
    return f"{answer.record}: by its header the answer is {how}" if how else None


def _differences(reference: Volume, answer: Volume) -> list[str]:
    differences: list[str] = []
    if not np.allclose(reference.spacing_mm, answer.spacing_mm, rtol=1e-4):
        differences.append(f"of another spacing, {_unlike(answer.spacing_mm, reference.spacing_mm)}")
    if reference.affine is None or answer.affine is None:
        if reference.affine is not answer.affine:
            differences.append(
                "without an orientation" if answer.affine is None else "with an orientation, the reference not"
            )
        return differences
    if np.allclose(reference.affine, answer.affine, rtol=1e-4, atol=1e-3):
        return differences
    reference_axes, answer_axes = (_directions(volume.affine) for volume in (reference, answer))
    origins = [volume.affine[:3, 3] for volume in (reference, answer) if volume.affine is not None]
    cosines = (reference_axes * answer_axes).sum(axis=0)
    if mirrored := [name for name, cosine in zip("xyz", cosines, strict=True) if cosine < -_ALIGNED]:
        differences.append(f"mirrored in {' and '.join(mirrored)}")
    if turned := [name for name, cosine in zip("xyz", cosines, strict=True) if abs(cosine) < _ALIGNED]:
        differences.append(f"turned or sheared in {' and '.join(turned)}")
    if not (mirrored or turned) and not np.allclose(origins[0], origins[1], rtol=1e-4, atol=1e-3):
        differences.append(f"of another origin, {_unlike(origins[1], origins[0])}")
    return differences


def header_note(reference: Volume, answer: Volume, consequence: str) -> tuple[Note, ...]:
    """`affine_note` with its consequence for the score, if there is one."""
    how = affine_note(reference, answer)
    return (Note(f"{how}; {consequence}", answer.record),) if how else ()


def _directions(affine: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Unit vectors of the file's axes in the world, as columns; 0 of an axis without length."""
    assert affine is not None
    lengths = np.linalg.norm(affine[:3, :3], axis=0)
    return affine[:3, :3] / np.where(lengths > 0, lengths, 1)


def _unlike(answer: Sequence[float] | NDArray[np.float64], reference: Sequence[float] | NDArray[np.float64]) -> str:
    """Both in mm, with as many digits as it takes to tell them apart."""
    for digits in (4, 9, 17):
        shown = [" x ".join(f"{length:.{digits}g}" for length in lengths) for lengths in (answer, reference)]
        if shown[0] != shown[1]:
            break
    return f"{shown[0]} mm, and the reference has {shown[1]} mm"


@contextlib.contextmanager
def _stream(path: Path, error: type[MetricError], record: str) -> Iterator[BufferedIOBase]:
    """The decompressed bytes of a regular file."""
    try:
        # O_NONBLOCK: opening a pipe must not wait for a writer
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as reason:  # ValueError: a NUL byte in the name
        raise_if_the_machines(reason)
        why = f"found {elsewhere}" if (elsewhere := stand_in(path)) else f"cannot read it: {reason}"
        raise error(f"expected a NIfTI file, {why}", file=path, record=record) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise error("expected a NIfTI file, found no regular file", file=path, record=record)
    with os.fdopen(handle, "rb") as raw:
        compressed = raw.read(2) == _GZIP_MAGIC
        raw.seek(0)
        if compressed:
            with gzip.open(raw, "rb") as stream:
                yield stream
        else:
            yield raw


def _first(block: bytes, order: str) -> int:
    return int(np.frombuffer(block, order, 1)[0]) if len(block) >= 4 else 0


def _voxel_type(header: Any, fail: Callable[[str], MetricError]) -> np.dtype[Any]:
    try:
        dtype: np.dtype[Any] = header.get_data_dtype()
    except (KeyError, nibabel.spatialimages.HeaderDataError):
        raise fail(f"expected a known type of voxel, found code {int(header['datatype'])}") from None
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        raise fail(f"expected integer or floating-point voxels of at most 8 bytes, found {dtype}")
    return dtype


def _scaling(header: Any, fail: Callable[[str], MetricError]) -> dict[str, float]:
    try:
        slope, intercept = header.get_slope_inter()
    except nibabel.spatialimages.HeaderDataError as reason:
        raise fail(f"expected a usable scaling of voxel values, found {reason}") from None
    return {"slope": 1.0 if slope is None else float(slope), "intercept": float(intercept or 0.0)}


def _spacing_mm(header: Any) -> tuple[float, float, float]:
    unit = _MM_PER_UNIT.get(int(header["xyzt_units"]) & 7, 1.0)
    x, y, z = (abs(float(length)) * unit for length in header["pixdim"][1:4])
    return x, y, z


def _affine(header: Any) -> NDArray[np.float64] | None:
    if not (header["sform_code"] or header["qform_code"]):
        return None
    try:
        with np.errstate(all="ignore"):
            affine: NDArray[np.float64] = header.get_best_affine()
    except (ValueError, nibabel.spatialimages.HeaderDataError):  # impossible quaternions
        return None
    return affine if np.isfinite(affine).all() else None


def _data_offset(header: Any, size: int, fail: Callable[[str], MetricError]) -> int:
    offset = float(header["vox_offset"])
    if not size <= (offset or size) <= _MAX_SKIPPED:  # also refuses NaN
        raise fail(f"expected voxels to start {size} to {_MAX_SKIPPED:,} bytes into the file, found {offset:g}")
    # 0 means "after the header and its four bytes of extension flags", as in the common readers
    return int(offset) or size + 4
