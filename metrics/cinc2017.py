"""CinC 2017: classification of short single-lead ECG recordings by F1.

Conventions
-----------
Labels are ``N`` (normal), ``A`` (atrial fibrillation), ``O`` (other rhythm) and ``~`` (too noisy).  References are
a ``REFERENCE.csv`` and answers an ``answers.txt``, both with lines ``record,label``, order free, LF or CRLF.

With AA the 4x4 table of records by reference and answer, F1 of class k is 2 AA[k,k] / (row sum + column sum); the
score is the mean over N, A and O.  Phase I used the mean of all four, which is reported beside it.

Source: ``score2017Challenge.m`` of the organisers' sample entry (C. Liu and Q. Li, 2017).

``rules="official"`` is that program, quirks included:

* a record without an answer counts as answered ``~``;
* a reference name also finds the answers whose names begin with it; several hits of one label count once, hits of
  different labels (a record answered twice) take the record out of the table;
* a reference label outside the four takes the record out of the table;
* one illegal label in the answers, also of a record not asked for, stops it: `AnswerError`;
* 0/0 is NaN.

``rules="corrected"``:

* the organiser's record list decides which records count; answers of others are ignored, whatever their label;
* a missing answer is answered ``~``, as the rules of 2017 say: a miss unless the record is noise;
* names are compared whole;
* a record with two different answers counts as missing;
* a class without a reference and without an answer is left out of the mean, with a note.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metrics.base import RULES, AnswerError, MetricError, ReferenceDataError, ScoreReport
from metrics.files import read_text

LABELS = ("N", "A", "O", "~")
_KEYS = ("F1n", "F1a", "F1o", "F1p")
_MISSING = LABELS.index("~")


@dataclass(frozen=True)
class Line:
    """One line of answers or references."""

    number: int
    record: str
    label: str


def parse_lines(text: str, file: Path, error: type[MetricError]) -> list[Line]:
    """The ``record,label`` lines of a file; blank lines are skipped.

    Raises
    ------
    error
        A line has no comma or an empty name.
    """
    lines = []
    for number, raw in enumerate(text.splitlines(), 1):
        if not raw.strip():
            continue
        record, comma, label = raw.partition(",")
        if not comma or not record.strip():
            raise error(f"line {number}: expected 'record,label', found {raw[:80]!r}", file=file)
        lines.append(Line(number, record.strip(), label.strip()))
    return lines


def f1_per_class(table: NDArray[np.int64]) -> NDArray[np.float64]:
    """F1 of each class.

    Parameters
    ----------
    table : shape (..., 4, 4)
        Records by reference (rows) and answer (columns), order N A O ~.

    Returns
    -------
    shape (..., 4)
        NaN where a class has neither a reference nor an answer.
    """
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    total = table.sum(axis=-1) + table.sum(axis=-2)
    with np.errstate(invalid="ignore"):
        found: NDArray[np.float64] = 2.0 * hits / total
    return found


@dataclass(frozen=True, kw_only=True)
class _Cells:
    """Reference and answer class of each record, for resampling."""

    records: tuple[str, ...]
    cells: NDArray[np.int64]
    """4 * reference + answer; 16 for a record that is in no cell."""
    corrected: bool

    @property
    def clusters(self) -> tuple[str, ...]:
        """Patients are not known."""
        return self.records

    def values(self, weights: NDArray[np.int64]) -> Mapping[str, NDArray[np.float64]]:
        """See `metrics.base.Resampler`."""
        one_hot = np.zeros((len(self.records), 17), dtype=np.float64)
        one_hot[np.arange(len(self.records)), self.cells] = 1
        tables = (weights.astype(np.float64) @ one_hot)[:, :16].reshape(-1, 4, 4)
        f1 = f1_per_class(tables.astype(np.int64))
        return {
            "F1": _mean(f1[:, :3], self.corrected),
            **{key: f1[:, k] for k, key in enumerate(_KEYS)},
            "F1_phase1_mean_of_four": _mean(f1, self.corrected),
        }


def _mean(f1: NDArray[np.float64], corrected: bool) -> NDArray[np.float64]:
    """Mean over the last axis, of the classes that exist if ``corrected``."""
    if not corrected:
        plain: NDArray[np.float64] = f1.mean(axis=-1)
        return plain
    there = ~np.isnan(f1)
    with np.errstate(invalid="ignore"):
        mean: NDArray[np.float64] = np.where(there, f1, 0.0).sum(axis=-1) / there.sum(axis=-1)
    return mean


class Cinc2017:
    """The metric, see the module."""

    name = "cinc2017"

    def score(
        self, references: Path, answers: Path, *, records: Sequence[str] | None = None, rules: str = "corrected"
    ) -> ScoreReport:
        """See `metrics.base.Metric.score`."""
        if rules not in RULES:
            raise ValueError(f"rules: expected one of {', '.join(RULES)}, found {rules!r}")
        true = parse_lines(read_text(references, ReferenceDataError), references, ReferenceDataError)
        given = parse_lines(read_text(answers, AnswerError), answers, AnswerError)
        if rules == "official":
            names, cells, found = _official(true, given, records, answers)
        else:
            names, cells, found = _corrected(true, given, records, references, answers)
        resampler = _Cells(records=names, cells=cells, corrected=rules == "corrected")
        values = {
            key: float(value[0]) for key, value in resampler.values(np.ones((1, len(names)), dtype=np.int64)).items()
        }
        notes = list(found)
        notes += [f"{key} is NaN: no reference and no answer of this class" for key in _KEYS if math.isnan(values[key])]
        return ScoreReport(
            metric=self.name,
            rules=rules,
            primary="F1",
            values=values,
            per_record={
                name: {"reference": LABELS[cell // 4], "answer": LABELS[cell % 4], "correct": float(cell % 5 == 0)}
                for name, cell in zip(names, cells.tolist(), strict=True)
                if cell < 16
            },
            notes=tuple(notes),
            resampler=resampler,
        )


def _official(
    true: Sequence[Line], given: Sequence[Line], records: Sequence[str] | None, answers: Path
) -> tuple[tuple[str, ...], NDArray[np.int64], list[str]]:
    for line in given:
        if line.label not in LABELS:
            raise AnswerError(
                f"line {line.number}: expected one of {' '.join(LABELS)}, found {line.label[:80]!r}",
                file=answers,
                record=line.record,
            )
    if records is not None:
        wanted = set(records)
        true = [line for line in true if line.record in wanted]
    names = sorted({line.record for line in given})
    labels: dict[str, set[str]] = {}
    for line in given:
        labels.setdefault(line.record, set()).add(line.label)
    cells = np.full(len(true), 16, dtype=np.int64)
    for i, line in enumerate(true):
        hit: set[str] = set()
        for name in names[bisect_left(names, line.record) :]:
            if not name.startswith(line.record):
                break
            hit |= labels[name]
        if line.label in LABELS and len(hit) <= 1:
            answer = LABELS.index(hit.pop()) if hit else _MISSING
            cells[i] = 4 * LABELS.index(line.label) + answer
    return tuple(line.record for line in true), cells, []


def _corrected(
    true: Sequence[Line], given: Sequence[Line], records: Sequence[str] | None, references: Path, answers: Path
) -> tuple[tuple[str, ...], NDArray[np.int64], list[str]]:
    label_of: dict[str, str] = {}
    for line in true:
        if line.label not in LABELS:
            raise ReferenceDataError(
                f"line {line.number}: expected one of {' '.join(LABELS)}, found {line.label[:80]!r}",
                file=references,
                record=line.record,
            )
        if label_of.setdefault(line.record, line.label) != line.label:
            raise ReferenceDataError(f"line {line.number}: two different labels", file=references, record=line.record)
    names = tuple(records) if records is not None else tuple(label_of)
    if len(set(names)) != len(names):
        raise ReferenceDataError("the record list names a record twice")
    absent = [name for name in names if name not in label_of]
    if absent:
        raise ReferenceDataError(f"no label for record {absent[0]} of the record list", file=references)
    if not names:
        raise ReferenceDataError("expected at least one record, found none", file=references)
    wanted = set(names)
    found: dict[str, set[str]] = {}
    for line in given:
        if line.record not in wanted:
            continue
        if line.label not in LABELS:
            raise AnswerError(
                f"line {line.number}: expected one of {' '.join(LABELS)}, found {line.label[:80]!r}",
                file=answers,
                record=line.record,
            )
        found.setdefault(line.record, set()).add(line.label)
    cells = np.empty(len(names), dtype=np.int64)
    missing = torn = 0
    for i, name in enumerate(names):
        hit = found.get(name, set())
        missing += not hit
        torn += len(hit) > 1
        answer = LABELS.index(next(iter(hit))) if len(hit) == 1 else _MISSING
        cells[i] = 4 * LABELS.index(label_of[name]) + answer
    notes = []
    if missing:
        notes.append(f"{missing} of {len(names)} records have no answer and count as answered ~")
    if torn:
        notes.append(f"{torn} of {len(names)} records have different answers and count as answered ~")
    return names, cells, notes


METRIC = Cinc2017()
