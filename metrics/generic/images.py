"""Images against images: reconstruction, denoising, super-resolution, synthesis.

Conventions
-----------
Files are those of `metrics.generic.masks` with intensities in place of labels: ``<record>.nii.gz``, ``.nii`` or
``.png`` of two or three axes, a PNG of one channel or several.  Each record has a value; the primary value is their
mean.

* *Range* (``data_range``): what one is compared with, such as 255 or 4095; by default the largest value of each
  reference minus its smallest, which makes no sense for references of one value only: those are refused.
* *By slice* (``by_slice: first``): the mean over the slices of the array's first axis (z of a volume), as fastMRI has
  it; the range stays that of the volume.
* *Channels* of a PNG: the mean of their values (SSIM, MS-SSIM); together (PSNR, NMSE).
* *Missing answers* (``missing``): ``blank`` (default) scores the record as an image of zeros, ``exclude-with-note``
  leaves it out.
* *Equal images*: SSIM 1, NMSE 0, and PSNR ``most_db``, which no other value exceeds.
* Values that are not numbers are refused.

Sources: Wang et al., IEEE TIP 13 (2004) 600, for SSIM, with the window of Gaussian weights that they use
(``window: gaussian``) or the even one of 7 that scikit-image has by default (``uniform``); Wang et al., Asilomar 2003,
for MS-SSIM, with the weights of its five scales; Zbontar et al., fastMRI, arXiv:1811.08839, for NMSE.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from metrics.base import AnswerError, Given, MetricError, ReferenceDataError, named_notes
from metrics.generic.base import EXCLUDE, Floats, GenericMeasure, Measured, by_name
from metrics.generic.masks import Pair, pair_masks, read_pixels, read_voxels
from metrics.generic.options import number, one_of, option, or_none
from metrics.readers.volumes import open_volume
from metrics.statistics.workers import map_records

_TIMES = 10
_ELSEWHERE = (
    "answers have a range of intensities of more than ten times, or less than a tenth, of their reference's: "
    "are they in the same unit?"
)
_K1, _K2 = 0.01, 0.03
"""Of Wang et al.: constants that keep quotients finite, as shares of the range."""
_SIGMA, _RADIUS, _UNIFORM = 1.5, 5, 7
"""Of windows, in pixels."""
_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
_SMALLEST = 2 * _RADIUS * 2 ** (len(_SCALES) - 1) + 1
"""Pixels of a side that MS-SSIM needs."""


@dataclass(frozen=True, kw_only=True)
class OfImages(GenericMeasure):
    """Options of every measure of images."""

    by_slice: str = option("none", one_of("none", "first"), "the axis of an array whose slices are averaged")
    missing: str = option("blank", one_of("blank", EXCLUDE), "what a record without an answer counts")

    def measured(self, given: Given) -> Measured:
        """See `GenericMeasure.measured`."""
        what = "left out" if self.missing == EXCLUDE else "scored as images of zeros"
        pairs, known, notes = pair_masks(given, missing=what)
        cases = map_records(self._scored, pairs, workers=given.workers, progress=given.progress)
        found = np.array([value for value, _ in cases])
        odd = [pair.record for pair, (_, is_odd) in zip(pairs, cases, strict=True) if is_odd]
        return Measured(
            records=known,
            statistic=self.mean_of(found),
            per_record={
                name: {} if math.isnan(value) else {self.key: value}
                for name, value in zip(known.names, found.tolist(), strict=True)
            },
            notes=(*notes, *named_notes(_ELSEWHERE, odd)),
        )

    def _scored(self, pair: Pair) -> tuple[float, bool]:
        """The value of one record, NaN where it is left out, and whether the answer's range is of another size."""
        if pair.answer is None and self.missing == EXCLUDE:
            return math.nan, False
        reference = read_image(pair.reference, ReferenceDataError, record=pair.record)
        if pair.answer is None:
            answer = np.zeros(reference.shape)
        else:
            answer = read_image(pair.answer, AnswerError, record=pair.record, shape=reference.shape)
        ranges = [float(np.ptp(each)) for each in (reference, answer)]
        is_odd = pair.answer is not None and not ranges[0] / _TIMES <= ranges[1] <= ranges[0] * _TIMES
        try:
            return self.value_of_arrays(reference, answer), is_odd
        except ValueError as reason:
            raise ReferenceDataError(str(reason), file=pair.reference, record=pair.record) from None

    def value_of_arrays(self, reference: Floats, answer: Floats, channels: bool | None = None) -> float:
        """The value of two arrays of one shape. Raises ValueError if the reference has no range, or is too small.

        ``channels``: whether the last axis is one of channels; by default if there are three and the last has 2 to 4
        places.
        """
        if channels is None:
            channels = reference.ndim == 3 and 2 <= reference.shape[-1] <= 4 < min(reference.shape[:2])
        span = self._span(reference)
        if self.by_slice == "first" and not channels and reference.ndim == 3:
            parts = zip(reference, answer, strict=True)
        elif channels and self._alone:
            parts = zip(np.moveaxis(reference, -1, 0), np.moveaxis(answer, -1, 0), strict=True)
        else:
            return self.compare(reference, answer, span)
        return float(np.mean([self.compare(one, other, span) for one, other in parts]))

    def _span(self, reference: Floats) -> float:
        declared: float | None = getattr(self, "data_range", None)
        span = float(reference.max() - reference.min()) if declared is None else declared
        if not span:
            raise ValueError(f"expected different values, or the option data_range, found only {reference.flat[0]:g}")
        return span

    @property
    def _alone(self) -> bool:
        """Whether each channel has a value of its own."""
        return False

    @abstractmethod
    def compare(self, reference: Floats, answer: Floats, span: float) -> float:
        """The value for two arrays of one shape, and the range."""


_RANGE: Callable[[], Any] = lambda: option(  # noqa: E731  # a field of several classes
    None, or_none(number(0, above=True)), "what differences are compared with; null: the reference's own"
)


@dataclass(frozen=True, kw_only=True)
class PeakSignalToNoise(OfImages):
    """PSNR = 10 log10 (range² / mean squared error), in dB."""

    measure = "images.psnr"
    data_range: float | None = _RANGE()
    most_db: float = option(100.0, number(0, above=True), "the value of equal images")

    def compare(self, reference: Floats, answer: Floats, span: float) -> float:
        """See the class."""
        error = mean_square(reference - answer)
        return min(self.most_db, 20 * math.log10(span) - 10 * math.log10(error)) if error else self.most_db


@dataclass(frozen=True, kw_only=True)
class StructuralSimilarity(OfImages):
    """SSIM: the mean over windows of the similarity of means, variances and structure."""

    measure = "images.ssim"
    data_range: float | None = _RANGE()
    window: str = option("gaussian", one_of("gaussian", "uniform"), "weights of the pixels around each")

    @property
    def _alone(self) -> bool:
        return True

    def compare(self, reference: Floats, answer: Floats, span: float) -> float:
        """See the class."""
        whole, _, rim = similarity(reference, answer, span, self.window)
        if min(reference.shape) <= 2 * rim:
            raise ValueError(f"expected at least {2 * rim + 1} pixels along each axis, found {reference.shape}")
        return float(whole[(slice(rim, -rim),) * whole.ndim].mean())


@dataclass(frozen=True, kw_only=True)
class MultiScaleSimilarity(OfImages):
    """MS-SSIM: contrast and structure at five scales, each half as fine as the one before, and SSIM at the last.

    A negative mean at a scale counts 0.
    """

    measure = "images.ms_ssim"
    data_range: float | None = _RANGE()

    @property
    def _alone(self) -> bool:
        return True

    def compare(self, reference: Floats, answer: Floats, span: float) -> float:
        """See the class."""
        if min(reference.shape) < _SMALLEST:
            raise ValueError(f"expected at least {_SMALLEST} pixels along each axis, found {reference.shape}")
        value, inner = 1.0, (slice(_RADIUS, -_RADIUS),) * reference.ndim
        for scale, weight in enumerate(_SCALES):
            whole, contrast, _ = similarity(reference, answer, span, "gaussian")
            used = whole if scale == len(_SCALES) - 1 else contrast
            value *= max(0.0, float(used[inner].mean())) ** weight
            reference, answer = halved(reference), halved(answer)
        return value


@dataclass(frozen=True, kw_only=True)
class NormalisedError(OfImages):
    """NMSE = Σ (reference - answer)² / Σ reference²; an answer of zeros has 1."""

    measure = "images.nmse"
    is_loss = True

    def _span(self, reference: Floats) -> float:
        return 1.0

    def compare(self, reference: Floats, answer: Floats, span: float) -> float:
        """See the class."""
        power = mean_square(reference)
        if not power:
            raise ValueError("expected a reference with a value other than 0, found none")
        return mean_square(reference - answer) / power


def mean_square(values: Floats) -> float:
    """The mean of squares."""
    flat = values.ravel()
    return float(np.einsum("i,i->", flat, flat)) / flat.size  # a product by BLAS would start threads


def similarity(reference: Floats, answer: Floats, span: float, window: str) -> tuple[Floats, Floats, int]:
    """SSIM around each pixel, its factor of contrast and structure, and the width of the rim where windows leave."""
    size = 2 * _RADIUS + 1
    if window == "uniform":
        size = _UNIFORM
        # the covariances of a sample
        unbiased = size**reference.ndim / (size**reference.ndim - 1)
    else:
        unbiased = 1.0

    def smooth(values: Floats) -> Floats:
        if window == "uniform":
            return np.asarray(ndimage.uniform_filter(values, size))
        return np.asarray(ndimage.gaussian_filter(values, _SIGMA, radius=_RADIUS))

    own, other = smooth(reference), smooth(answer)
    squares, both = own * own + other * other, own * other
    # only the sum of the two variances is needed
    variances = unbiased * (smooth(reference * reference + answer * answer) - squares)
    covariance = unbiased * (smooth(reference * answer) - both)
    c1, c2 = (_K1 * span) ** 2, (_K2 * span) ** 2
    contrast = (2 * covariance + c2) / (variances + c2)
    return contrast * (2 * both + c1) / (squares + c1), contrast, size // 2


def halved(values: Floats) -> Floats:
    """Means of two places along each axis; an odd last one is dropped."""
    for axis in range(values.ndim):
        even = 2 * (values.shape[axis] // 2)
        at = [slice(None)] * values.ndim
        parts = []
        for start in (0, 1):
            at[axis] = slice(start, even, 2)
            parts.append(values[tuple(at)])
        values = (parts[0] + parts[1]) / 2
    return values


def read_image(
    path: Path, error: type[MetricError], *, record: str, shape: tuple[int, ...] | None = None
) -> NDArray[np.float64]:
    """The intensities of one file, with the file's axes reversed; channels of a PNG come last.

    ``shape``: shape of the reference; an answer must have the same.

    Raises
    ------
    error
        Not an image, a value that is no number, or another shape.
    """
    if path.suffix.lower() == ".png":
        return read_pixels(path, error, record, shape).astype(np.float64)
    return read_voxels(open_volume(path, error, record=record), "an image", shape, np.float64, _numbers)


def _numbers(values: NDArray[Any]) -> Floats:
    found = values.astype(np.float64)
    # squares of larger numbers may be infinite
    wrong = ~(np.abs(found) <= 1e100)
    if wrong.any():
        raise ValueError(f"expected numbers from -1e100 to 1e100, found {values[wrong][0]!s}")
    return found


MEASURES = by_name(PeakSignalToNoise, StructuralSimilarity, MultiScaleSimilarity, NormalisedError)
