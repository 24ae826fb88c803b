"""The files of CPSC 2021: what a WFDB record says about atrial fibrillation, and what a team answered.

Conventions and sources: see `metrics.challenges.cpsc2021`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, ReferenceDataError
from metrics.readers.files import MIB, excerpt, read_json
from metrics.readers.matfile import read_matrix
from metrics.readers.wfdb_files import length_of, read_annotations, read_header

N, AFF, AFP = range(3)
"""The classes: no atrial fibrillation, persistent, paroxysmal."""
MAX_ANSWER_BYTES = 4 * MIB
"""Size of one answer file: enough for a hundred thousand episodes."""

_CLASS_COMMENTS = (
    ("non atrial fibrillation", N),
    ("persistent atrial fibrillation", AFF),
    ("paroxysmal atrial fibrillation", AFP),
)
_STARTS = ("(AFIB", "(AFL")
_ENDS = ("(N",)
"""By the official rules; by the corrected ones every other rhythm ends an episode."""
_KEY = "predict_endpoints"


@dataclass(frozen=True, kw_only=True)
class Reference:
    """Truth of one record; ``onsets`` and ``offsets`` are indices into the annotations."""

    record: str
    n_samples: int
    class_true: int
    annotation_samples: Sequence[int]
    onsets: tuple[int, ...]
    offsets: tuple[int, ...]


def load_reference(folder: Path, record: str, rules: str) -> Reference:
    """Read header and annotations of a record.

    Raises
    ------
    ReferenceDataError
        A file is missing or malformed, the class is unknown, or, by the official rules, starts and ends differ in
        number.
    """
    header_file, path = f"{folder}/{record}.hea", f"{folder}/{record}.atr"
    header = read_header(header_file, record)
    class_true = next((number for text, number in _CLASS_COMMENTS if text in header.comments), None)
    if class_true is None:
        raise ReferenceDataError(
            f"expected a comment that is one of {', '.join(repr(text) for text, _ in _CLASS_COMMENTS)}, "
            f"found {header.comments!r}",
            file=header_file,
            record=record,
        )
    annotations = read_annotations(path, record)
    # texts of MIT-BIH end in a zero byte, which numpy drops for the official program, too
    rhythms = [(index, note.rstrip("\0")) for index, note in annotations.notes.items()]
    n_samples, samples = length_of(header_file, header, record), annotations.samples
    if rules == "official":
        onsets = [index for index, rhythm in rhythms if rhythm in _STARTS]
        offsets = [index for index, rhythm in rhythms if rhythm in _ENDS]
    else:
        onsets, offsets = _episodes([(index, note.partition("\0")[0].strip()) for index, note in rhythms])
        if len(offsets) < len(onsets):  # it ends with the record, as if a mark were at the last sample
            offsets.append(len(samples))
            samples = np.append(samples, n_samples - 1)
    if len(onsets) != len(offsets):
        raise ReferenceDataError(
            f"expected an end for every start of an episode, found {len(onsets)} starts and {len(offsets)} ends",
            file=path,
            record=record,
        )
    return Reference(
        record=record,
        n_samples=n_samples,
        class_true=class_true,
        annotation_samples=samples.data,  # only a few of thousands are looked at
        onsets=tuple(onsets),
        offsets=tuple(offsets),
    )


def _episodes(rhythms: Sequence[tuple[int, str]]) -> tuple[list[int], list[int]]:
    """Starts and ends of atrial fibrillation or flutter; one start more if it goes on at the end.

    A rhythm lasts until the next one: flutter after fibrillation goes on with the episode, any other rhythm ends it.
    """
    onsets: list[int] = []
    offsets: list[int] = []
    for index, rhythm in rhythms:
        going_on = len(onsets) > len(offsets)
        if rhythm in _STARTS and not going_on:
            onsets.append(index)
        elif rhythm.startswith("(") and rhythm not in _STARTS and going_on:
            offsets.append(index)
    return onsets, offsets


def load_endpoints(path: Path, record: str, rules: str) -> NDArray[Any]:
    """The numbers of an answer file in 0-based samples, not checked further: shape (m, k), or (m,) if flat.

    Raises
    ------
    AnswerError
        The file is not a JSON or MAT file with rows of numbers, all of one length, under ``predict_endpoints``.
    """
    official = rules == "official"
    if path.suffix == ".mat":
        one_based = read_matrix(path, _KEY, AnswerError, max_bytes=MAX_ANSWER_BYTES, record=record)
        # in the type it is stored in, an unsigned 0 wraps around, as it does in the official program
        zero_based: NDArray[Any] = (one_based if official else one_based.astype(np.float64)) - 1
        return zero_based
    content = read_json(path, AnswerError, max_bytes=MAX_ANSWER_BYTES, record=record, keep_bom=official)
    rows = content.get(_KEY) if isinstance(content, dict) else None
    try:
        numbers = np.array(_rows_of_numbers(rows), None if official else np.float64)
        if numbers.dtype == object:  # an integer of more than 64 bits
            raise OverflowError
        return numbers
    except (TypeError, OverflowError):
        raise AnswerError(
            f'expected {{"{_KEY}": [[start, end], ...]}} in numbers, found {excerpt(content)}', file=path, record=record
        ) from None


def _rows_of_numbers(rows: object) -> list[Any]:
    """The same, if it is a list of numbers or of lists of numbers of one length; TypeError otherwise."""
    if not isinstance(rows, list):
        raise TypeError
    numbers = rows
    if rows and isinstance(rows[0], list):
        if any(not isinstance(row, list) or len(row) != len(rows[0]) for row in rows):
            raise TypeError
        numbers = [number for row in rows for number in row]
    # by type, not isinstance: true and false are not positions
    if any(type(number) not in (int, float) for number in numbers):
        raise TypeError
    return rows
