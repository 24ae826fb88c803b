"""NIfTI files for tests."""

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nibabel
import numpy as np
from numpy.typing import NDArray


def nifti_bytes(
    values: NDArray[Any],
    *,
    spacing_mm: tuple[float, ...] = (1.0, 1.0, 1.0),
    scaling: tuple[float, float] | None = None,
    big_endian: bool = False,
    version: int = 1,
) -> bytes:
    """An uncompressed single-file NIfTI; ``scaling`` is (slope, intercept) in the header, values stay as stored."""
    kind: Any = nibabel.Nifti1Header if version == 1 else nibabel.Nifti2Header
    header = kind(endianness=">" if big_endian else "<")
    header.set_data_shape(values.shape)
    header.set_data_dtype(values.dtype)
    header["pixdim"][1:4] = spacing_mm
    header["magic"] = b"n+1" if version == 1 else b"n+2\0\r\n\x1a\n"
    header["vox_offset"] = 352 if version == 1 else 544
    if scaling is not None:
        header["scl_slope"], header["scl_inter"] = scaling
    stored = values.astype(values.dtype.newbyteorder(">" if big_endian else "<"))
    return bytes(header.binaryblock) + bytes(4) + stored.tobytes(order="F")


def write_volume(path: Path, values: NDArray[Any], **options: Any) -> Path:
    """Write `nifti_bytes` to a ``.nii`` or ``.nii.gz`` file, folders included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = nifti_bytes(values, **options)
    path.write_bytes(gzip.compress(content, 1) if path.suffix == ".gz" else content)
    return path


def write_pairs(folder: Path, pairs: Mapping[str, Sequence[NDArray[Any] | None]], **options: Any) -> tuple[Path, Path]:
    """Write reference and answer of each record, None for no file; returns the two folders."""
    for name, pair in pairs.items():
        for side, mask in zip(("references", "answers"), pair, strict=True):
            if mask is not None:
                write_volume(folder / side / f"{name}.nii.gz", mask, **options)
    return folder / "references", folder / "answers"


def labels(*rows: str) -> NDArray[np.uint8]:
    """A volume of shape (rows, columns, 1) from drawings such as ``"0012"``."""
    return np.array([[int(digit) for digit in row] for row in rows], np.uint8)[..., None]
