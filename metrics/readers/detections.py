"""The text files of CAMELYON16, and how detections are counted.

Conventions
-----------
Coordinates in files are pixels of level 0; `Detections` holds the pixel of level 5 that each is in, as
(row, column) = (Y div 32, X div 32), rounded down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, MetricError, ReferenceDataError
from metrics.measures.froc import SlideHits
from metrics.measures.lesions import DOWNSAMPLING, EvaluationMask
from metrics.readers.foreign import plain_number, separator_hint

MAX_DETECTIONS = 100_000
"""Maximum number of detections of one slide; real entries have some hundred."""
_FARTHEST = 1 << 40
"""Coordinates beyond this are set to it; it is outside every slide and keeps them within 64 bits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Detections:
    """The detections of one slide, each array of shape (k,)."""

    confidences: NDArray[np.float64]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]


NO_DETECTIONS = Detections(confidences=np.zeros(0), rows=np.zeros(0, np.int64), columns=np.zeros(0, np.int64))


def parse_detections(text: str, *, file: Path, record: str, finite: bool) -> Detections:
    """Lines ``confidence,X,Y``; further columns are not read, as in the official program.

    Raises AnswerError if a line is something else (a header, a decimal point in a coordinate, nothing at all), or there
    are more than `MAX_DETECTIONS`.

    ``finite``: whether NaN and infinite confidences are refused.
    """
    confidences: list[float] = []
    places: list[tuple[int, int]] = []
    for number, line in _lines(text, AnswerError, file, record):
        fields = line.split(",")
        try:
            plain_number("".join(fields[:3]))
            confidence, x, y = float(fields[0]), int(fields[1]), int(fields[2])
        except (ValueError, IndexError):
            raise AnswerError(
                f"expected a number and two whole numbers, such as 0.98,41200,9733, in line {number}, "
                f"found {line[:80]!r}{_advice(number, line)}",
                file=file,
                record=record,
            ) from None
        if finite and not math.isfinite(confidence):
            raise AnswerError(
                f"expected a finite confidence in line {number}, found {fields[0][:80]!r}", file=file, record=record
            )
        confidences.append(confidence)
        places.append((_near(y), _near(x)))
    rows, columns = np.array(places, np.int64).reshape(-1, 2).T // DOWNSAMPLING
    return Detections(confidences=np.array(confidences, np.float64), rows=rows, columns=columns)


def parse_slide_scores(text: str, *, file: Path, refused: dict[str, str] | None = None) -> dict[str, float]:
    """Lines ``slide,probability``, any finite number; from the slide, as spelled there, to its score.

    ``refused``: takes the slides, in lower case, of lines that are something else, or that appear twice, and the
    reasons. Raises AnswerError for the first one if there is no ``refused``.
    """
    scores: dict[str, float] = {}

    def refuse(slide: str, reason: str) -> None:
        if refused is None:
            raise AnswerError(reason, file=file, record=slide or None)
        refused.setdefault(slide.lower(), reason)

    for number, line in _lines(text, AnswerError, file, None):
        slide, _, score = line.partition(",")
        try:
            value = float(plain_number(score))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            wish = f"expected a slide and a finite number, such as Test_001,0.93, in line {number}"
            refuse(slide[:80], f"{wish}, found {line[:80]!r}{_advice(number, line)}")
        elif slide in scores:
            refuse(slide[:80], f"expected every slide once, found it again in line {number}")
        else:
            scores[slide] = value
    return {slide: score for slide, score in scores.items() if not refused or slide.lower() not in refused}


def parse_slide_list(text: str, *, file: Path) -> dict[str, bool]:
    """Lines ``slide,Tumor`` or ``slide,Normal``, further columns not read; from the slide to whether it has tumour.

    Raises ReferenceDataError if a line is something else, or a slide appears twice.
    """
    kinds = {"tumor": True, "normal": False}
    listed: dict[str, bool] = {}
    for number, line in _lines(text, ReferenceDataError, file, None):
        slide, kind = (*line.split(","), "")[:2]
        if kind.lower() not in kinds:
            raise ReferenceDataError(
                f"expected a slide and Tumor or Normal, such as Test_001,Tumor, in line {number}, "
                f"found {line[:80]!r}{_advice(number, line)}",
                file=file,
            )
        if slide in listed:
            raise ReferenceDataError("expected every slide once, found it twice", file=file, record=slide)
        listed[slide] = kinds[kind.lower()]
    return listed


def official_hits(detections: Detections, lesions: EvaluationMask | None, *, file: Path, record: str) -> SlideHits:
    """As the organisers' program sorts detections; ``lesions`` is None for a slide it takes for normal.

    Lesion scores are one per label, in single precision, 0 for what was not found and for ITC. Raises AnswerError if a
    detection is outside the mask, on either side.
    """
    if lesions is None:
        return SlideHits(false_positives=detections.confidences, lesion_scores=np.zeros(0), lesions=0)
    rows, columns = detections.rows, detections.columns
    if lesions.shape is not None:
        for indices, length in ((rows, lesions.shape[0]), (columns, lesions.shape[1])):
            if not ((indices >= -length) & (indices < length)).all():
                raise AnswerError(
                    f"expected detections within {lesions.shape[1] * DOWNSAMPLING} x "
                    f"{lesions.shape[0] * DOWNSAMPLING} pixels, found one beyond",
                    file=file,
                    record=record,
                )
        rows, columns = rows % lesions.shape[0], columns % lesions.shape[1]
    labels = lesions.labels(rows, columns)
    itc = np.array([False, *(lesion.itc for lesion in lesions.lesions)])
    hits = (labels > 0) & ~itc[labels]
    scores = np.zeros(len(lesions.lesions), np.float32)
    with np.errstate(over="ignore"):
        # fmax: NaN is never larger than the score so far
        np.fmax.at(scores, labels[hits] - 1, detections.confidences[hits].astype(np.float32))
    return SlideHits(
        false_positives=detections.confidences[labels == 0],
        lesion_scores=scores.astype(np.float64),
        lesions=int((~itc[1:]).sum()),
    )


def corrected_hits(detections: Detections, lesions: EvaluationMask) -> SlideHits:
    """Every detection is a hit, ignored (ITC), or a false positive; scores only of lesions that were found."""
    labels = lesions.labels(detections.rows, detections.columns)
    itc = np.array([False, *(lesion.itc for lesion in lesions.lesions)])
    hits = (labels > 0) & ~itc[labels]
    scores = np.full(itc.size, -np.inf)
    np.maximum.at(scores, labels[hits], detections.confidences[hits])
    return SlideHits(
        false_positives=detections.confidences[labels == 0],
        lesion_scores=scores[scores > -np.inf],
        lesions=int((~itc[1:]).sum()),
    )


def outside_slide(detections: Detections, shape: tuple[int, int]) -> int:
    """Number of detections beyond the edges of a slide of that many level-5 rows and columns."""
    rows, columns = detections.rows, detections.columns
    within = (rows >= 0) & (rows < shape[0]) & (columns >= 0) & (columns < shape[1])
    return int((~within).sum())


def _advice(number: int, line: str) -> str:
    """Advice about a first line that has words only, or about other marks than commas between cells."""
    words = number == 1 and not any(character.isdigit() for character in line)
    return " (the file must not have a header)" if words and "," in line else separator_hint(line)


def _near(coordinate: int) -> int:
    return max(-_FARTHEST, min(_FARTHEST, coordinate))


def _lines(text: str, error: type[MetricError], file: Path, record: str | None) -> Iterator[tuple[int, str]]:
    """Number and content of each line, with any kind of line end; white space at the end is dropped."""
    count = text.count("\n") + text.count("\r")
    if count > 2 * MAX_DETECTIONS:
        raise error(f"expected at most {MAX_DETECTIONS:,} lines, found more", file=file, record=record)
    for number, line in enumerate(StringIO(text, newline=None), start=1):
        if number > MAX_DETECTIONS:
            raise error(f"expected at most {MAX_DETECTIONS:,} lines, found more", file=file, record=record)
        yield number, line.rstrip()
