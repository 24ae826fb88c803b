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
from metrics.readers.wfdb_files import read_annotations, read_header

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


def load_reference(folder: Path, record: str) -> Reference:
    """Read header and annotations of a record.

    Raises
    ------
    ReferenceDataError
        A file is missing or malformed, the class is unknown, or starts and ends differ in number.
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
    onsets = tuple(index for index, note in annotations.notes.items() if note in _STARTS)
    offsets = tuple(index for index, note in annotations.notes.items() if note in _ENDS)
    if len(onsets) != len(offsets):
        raise ReferenceDataError(
            f"expected an end for every start of an episode, found {len(onsets)} starts and {len(offsets)} ends",
            file=path,
            record=record,
        )
    return Reference(
        record=record,
        n_samples=header.n_samples,
        class_true=class_true,
        annotation_samples=annotations.samples.data,  # only a few of thousands are looked at
        onsets=onsets,
        offsets=offsets,
    )


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
