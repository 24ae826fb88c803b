"""Folders of masks: label images in NIfTI files or as PNG, one for each record.

Conventions
-----------
A mask is ``<record>.nii.gz``, ``<record>.nii`` or ``<record>.png`` in a folder; two single files are one record
whatever their names.  Values are whole numbers from 0 (background) to 65535.  Arrays have the file's axes reversed, (z,
y, x) of a volume and (y, x) of an image, and spacing is in mm in that order.  A PNG has no spacing.  A value within
0.001 of a whole number, as a scaling of stored values leaves it, is rounded; a last axis of length 1 is no axis.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, Given, MetricError, Note, ReferenceDataError, some
from metrics.generic.base import Records
from metrics.generic.tables import answer_notes, clusters_beside, require_all
from metrics.readers.cases import Case
from metrics.readers.files import check_records, list_files, read_bounded, require_no_pointer
from metrics.readers.volumes import NearWhole, Volume, open_volume, require_finite

Labels = NDArray[np.int32]
HIGHEST = 65535
MAX_PIXELS = 1 << 26
"""Pixels of a PNG."""
_MAX_PNG_BYTES = 1 << 28
"""More than so many pixels need."""
_SUFFIX = re.compile(r"(\.nii(\.gz)?|\.png)$", re.IGNORECASE)
_BESIDE = re.compile(r"^\.|\.(csv|json|txt)$")
"""Pattern of tables beside masks, and of hidden files."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Mask:
    """One label image."""

    labels: Labels
    spacing_mm: tuple[float, ...] | None
    volume: Volume | None = None
    """The header, unless it is a PNG."""
    rounded: int = 0
    """Voxels that were not quite whole numbers."""


def pair_masks(given: Given, *, missing: str) -> tuple[tuple[Case, ...], Records, tuple[Note, ...]]:
    """The files of each record of the list, that list, and notes on missing and surplus answers.

    Raises AnswerError if the file or folder does not exist, or a record has two files. Raises ReferenceDataError if the
    same is true of the references, or a record of the list has no reference.
    """
    references, answers = given.references, given.answers
    reference_of = _files(references, ReferenceDataError)
    if not reference_of:
        raise ReferenceDataError("expected at least one <record>.nii.gz or .png, found none", file=references)
    answer_of = _files(answers, AnswerError, given)
    names = check_records(tuple(reference_of) if given.records is None else given.records)
    if references.is_file() and answers.is_file() and len(names) == 1:
        reference_of, answer_of = {names[0]: references}, {names[0]: answers}
    require_all(names, reference_of, "a mask for every record of the list", references)
    pairs = tuple(Case(record=name, reference=reference_of[name], answer=answer_of.get(name)) for name in names)
    given.answered.update(answer_of)
    given.require_answered("at least one <record>.nii.gz or .png")
    notes = answer_notes(names, answer_of, missing)
    listed = () if answers.is_file() else list_files(answers, AnswerError, refuse=lambda *_: None)
    others = [file.name for file in listed if not (_SUFFIX.search(file.name) or _BESIDE.search(file.name))]
    if others and not answer_of:
        raise AnswerError(f"expected files <record>.nii.gz or .png, found only {some(others)}", file=answers)
    if others:
        text = f"{len(others)} files of the answers are neither .nii, .nii.gz nor .png and are ignored: {some(others)}"
        notes += (Note(text, ""),)
    return pairs, clusters_beside(references, names), notes


def usable_pairs(given: Given, pairs: Sequence[Case]) -> tuple[Case, ...]:
    """The same, of which those that turned out to be unusable have no answer."""
    return tuple(replace(pair, answer=None) if pair.record in given.unusable else pair for pair in pairs)


def read_mask(path: Path, error: type[MetricError], *, record: str, shape: tuple[int, ...] | None = None) -> Mask:
    """One label image.

    Raises ``error`` for another file, values that are not labels, or another ``shape`` than the reference's.
    """
    if path.suffix.lower() == ".png":
        return Mask(labels=_read_pixels(path, error, record, shape), spacing_mm=None)
    near = NearWhole(_whole)
    volume = open_volume(path, error, record=record).without_last_axes(3)
    if shape is not None and volume.without_last_axes(len(shape)).shape[::-1] == shape:
        volume = volume.without_last_axes(len(shape))
    if len(volume.shape) not in (2, 3):
        raise volume.fail(f"expected a label map with 2 or 3 axes, found shape {volume.shape}")
    if shape is not None and volume.shape[::-1] != shape:
        raise volume.fail(f"expected shape {shape[::-1]} as the reference has, found {volume.shape}")
    labels, start = np.zeros(volume.voxels, np.int32), 0
    for piece in volume.codes(near):
        labels[start : start + piece.size] = piece
        start += piece.size
    spacing = volume.spacing_mm[: len(volume.shape)][::-1]
    return Mask(
        labels=labels.reshape(volume.shape[::-1]),
        spacing_mm=spacing if all(0 < length < math.inf for length in spacing) else None,
        volume=volume,
        rounded=near.rounded,
    )


def instance_overlaps(
    reference: NDArray[np.integer[Any]], answer: NDArray[np.integer[Any]], *, most_pairs: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The labels of an answer, and their IoU with each label of the reference, shape (answered, reference labels).

    Raises ValueError for more pairs of labels, that of the background among them.
    """
    occupied = (reference > 0) | (answer > 0)
    reference_labels, answer_labels = reference[occupied].astype(np.int64), answer[occupied].astype(np.int64)
    base = int(answer_labels.max(initial=0)) + 1
    pairs, sizes = np.unique(reference_labels * base + answer_labels, return_counts=True)
    r_labels, rows = np.unique(pairs // base, return_inverse=True)
    a_labels, columns = np.unique(pairs % base, return_inverse=True)
    if a_labels.size * r_labels.size > most_pairs:
        raise ValueError(f"expected fewer instances, found {a_labels.size:,}")
    common = np.zeros((a_labels.size, r_labels.size))
    common[columns, rows] = sizes
    union = common.sum(axis=1)[:, None] + common.sum(axis=0)[None] - common
    overlaps = (common / np.maximum(union, 1))[a_labels > 0][:, r_labels > 0]
    return a_labels[a_labels > 0], overlaps


def _whole(values: NDArray[Any]) -> Labels:
    require_finite(values)
    wrong = (values < 0) | (values > HIGHEST)
    if values.dtype.kind == "f":
        wrong |= values != np.rint(values)
    if wrong.any():
        raise ValueError(f"expected whole numbers from 0 to {HIGHEST} as labels, found {values[wrong][0]!s}")
    return values.astype(np.int32)


def _read_pixels(path: Path, error: type[MetricError], record: str, shape: tuple[int, ...] | None) -> Labels:
    """The values of a PNG, shape (y, x).

    Raises ``error`` for another file, too many pixels, several channels, or another shape than the reference's.
    """

    def fail(reason: str) -> MetricError:
        return error(reason, file=path, record=record)

    try:
        from PIL.PngImagePlugin import PngImageFile  # noqa: PLC0415  # an extra, and volumes do without it
    except ImportError:
        raise ReferenceDataError("PNG masks need Pillow: pip install 'sandbox-evaluate[images]'", file=path) from None
    content = read_bounded(path, _MAX_PNG_BYTES, error, record=record)
    require_no_pointer(path, error, record=record)
    try:
        with BytesIO(content) as stream:
            image: Any = PngImageFile(stream)
            if image.width * image.height > MAX_PIXELS:
                raise fail(f"expected at most {MAX_PIXELS:,} pixels, found {image.width} x {image.height}")
            if shape is not None and (image.height, image.width) != shape:
                raise fail(f"expected shape {shape} as the reference has, found {(image.height, image.width)}")
            pixels = np.asarray(image)
    except MetricError:
        raise
    except Exception as reason:  # a decoder may raise anything over a damaged file
        raise fail(f"expected a PNG image, cannot read it: {reason or type(reason).__name__}") from None
    if pixels.ndim != 2:
        raise fail(f"expected one channel of labels, found {pixels.shape[2]}")
    return pixels.astype(np.int32)


def _record_of(file: Path) -> str | None:
    return _SUFFIX.sub("", file.name) if _SUFFIX.search(file.name) else None


def _files(path: Path, error: type[MetricError], given: Given | None = None) -> dict[str, Path]:
    """The file of each record; of two answers to one record neither can be used."""
    if path.is_file():
        return {_SUFFIX.sub("", path.name): path}
    file_of: dict[str, Path] = {}
    refuse = None if given is None else given.refusal(_record_of)
    for file in list_files(path, error, refuse=refuse):
        if not _SUFFIX.search(file.name):
            continue
        name = _SUFFIX.sub("", file.name)
        if name in file_of:
            twice = error(f"expected one mask, found {file_of[name].name} and {file.name}", file=path, record=name)
            if given is None or not isinstance(twice, AnswerError):
                raise twice
            given.refuse(name, twice)
        file_of[name] = file
    return file_of
