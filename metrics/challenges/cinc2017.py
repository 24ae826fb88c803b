"""CinC 2017: classification of short single-lead ECG recordings, scored by F1.

Conventions
-----------
Labels are ``N`` (normal), ``A`` (atrial fibrillation), ``O`` (other rhythm) and ``~`` (too noisy).  References are
a ``REFERENCE.csv`` and answers an ``answers.txt`` (or the folders that hold them), both with lines
``record,label`` in UTF-8, order free, LF or CRLF.

With AA the table of records by reference and answer, F1 of class k is 2 AA[k,k] / (row sum + column sum), in
[0, 1]; the score is the mean over N, A and O.  Phase I used the mean of all four, which is also reported.

Source: ``score2017Challenge.m`` of the organisers' sample entry (C. Liu and Q. Li, 2017), run by GNU Octave 7.3.

``rules="official"`` is that program, quirks included:

* a record without an answer counts as answered ``~``;
* a reference name also finds the answers whose names begin with it; several hits of one label count once, hits of
  different labels (a record answered twice) take the record out of the table;
* a reference label outside the four takes the record out of the table;
* one illegal label in the answers, even of a record not in the list, stops it: `AnswerError`;
* names and labels are taken in turn, regardless of lines: a blank line, a header or a third column puts a name in
  the place of a label and so stops it too; blanks after a label and a byte order mark are part of the word;
* 0/0 is NaN.

``rules="corrected"``:

* the organiser's record list decides which records count; answers of others are ignored and noted;
* a missing answer is a miss, also of a noisy record: a program that crashes has not seen the noise;
* a line that is not ``record,label``, or a label outside the four, is no answer to its record;
* a record answered twice has no answer, because it is not clear which one is meant;
* names are compared whole, blank lines and blanks around names and labels do not matter;
* a class without a reference and without an answer has no F1 and is left out of the mean, with a note;
* a reference that is not valid or appears twice is a `ReferenceDataError`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from metrics.base import (
    AnswerError,
    Given,
    MetricError,
    Note,
    OfFiles,
    ReferenceDataError,
    ScoreReport,
    failing_between,
)
from metrics.readers.files import check_records, read_text
from metrics.readers.foreign import separator_hint
from metrics.readers.names import as_known, check_some_match, probably
from metrics.statistics.uncertainty import SumsOfRecords

LABELS = ("N", "A", "O", "~")
_CLASS_OF = {label: number for number, label in enumerate(LABELS)}
_NOISE = _CLASS_OF["~"]
_UNANSWERED = len(LABELS)
_COLUMNS = len(LABELS) + 1
_NO_CELL = len(LABELS) * _COLUMNS
_KEYS = ("F1n", "F1a", "F1o", "F1p")
_Error = TypeVar("_Error", bound=MetricError)
_LINE_END = re.compile(r"\r\n|\r|\n")


# Validate: what a file may hold, or an error that names file and record


@dataclass(frozen=True, kw_only=True)
class Words:
    """Names and labels that the official program reads from a file; the last name may lack its label."""

    names: list[str]
    labels: list[str]


def parse_words(text: str) -> Words:
    """Names and labels in turn, split at commas and line ends, as ``textscan`` of GNU Octave does."""
    ends_as_commas = text.replace("\r\n", ",").replace("\r", ",").replace("\n", ",")
    words = [word.lstrip(" \b\t") for word in ends_as_commas.split(",")]
    if words[-1] == "" and len(words) % 2:
        words.pop()  # what follows the last line end is not a word
    return Words(names=words[::2], labels=words[1::2])


def parse_lines(
    text: str, error: type[_Error], refuse: Callable[[str, _Error], object], *, file: Path
) -> dict[str, str]:
    """Label of each record, in the order of the lines; blank lines are skipped.

    ``refuse``: is given the record, as far as it is known, and the error of a line that is not ``record,label``, whose
    label is not one of `LABELS`, or whose record appears twice; such a record has no label.
    """
    label_of: dict[str, str] = {}
    refused: set[str] = set()
    for number, line in enumerate(_LINE_END.split(text), 1):
        name, comma, label = line.partition(",")
        name, label = name.strip(), label.strip()
        if label in _CLASS_OF and name and name not in label_of:
            label_of[name] = label
        elif line.strip():
            refuse(name, error(_complaint(line, name, comma, label, number), file=file, record=name[:80] or None))
            refused.add(name)
    return {name: label for name, label in label_of.items() if name not in refused} if refused else label_of


def _raise(name: str, error: MetricError) -> None:
    raise error


def _complaint(line: str, name: str, comma: str, label: str, number: int) -> str:
    if not comma or not name:
        return f"line {number}: expected 'record,label', found {line[:80]!r}{separator_hint(line)}"
    if label not in _CLASS_OF:
        hint = probably(LABELS, [label])
        if number == 1 and len(label) > 1 and not hint:
            hint = " (the file must not have a header)"
        return f"line {number}: expected one of {' '.join(LABELS)}, found {label[:80]!r}{hint}"
    return f"line {number}: expected every record once, found it again"


def _corrected(
    reference_file: Path, answer_file: Path, wanted: tuple[str, ...] | None, of: Given
) -> tuple[Cells, list[Note]]:
    truth = parse_lines(read_text(reference_file, ReferenceDataError), ReferenceDataError, _raise, file=reference_file)
    names = check_records(tuple(truth) if wanted is None else as_known(wanted, truth.__contains__), file=reference_file)
    given = parse_lines(read_text(answer_file, AnswerError), AnswerError, of.refuse, file=answer_file)
    of.answered.update(given, of.unusable)
    of.require_answered("lines 'record,label' (was the upload cut off?)")
    of.require_usable()
    for name in names:
        if name not in truth:
            raise ReferenceDataError(
                "expected a label for every record of the list, found none", file=reference_file, record=name
            )
    cells = np.fromiter(
        (
            _COLUMNS * _CLASS_OF[truth[name]] + (_CLASS_OF[given[name]] if name in given else _UNANSWERED)
            for name in names
        ),
        np.int64,
        len(names),
    )
    notes = list(check_some_match(names, list(given), answer_file, truth))
    missing = int(np.count_nonzero(cells % _COLUMNS == _UNANSWERED))
    if missing:
        notes.append(Note(f"{missing} of {len(names)} records have no answer and count as missed"))
    others = len(given) - (len(names) - missing)
    if others:
        notes.append(Note(f"{others} answers for records outside the list are ignored"))
    return Cells(records=names, cells=cells, rules="corrected"), notes


def _official(reference_file: Path, answer_file: Path, wanted: tuple[str, ...] | None) -> tuple[Cells, list[Note]]:
    truth = parse_words(read_text(reference_file, ReferenceDataError, keep_bom=True))
    given = parse_words(read_text(answer_file, AnswerError, keep_bom=True))
    for name, label in zip(given.names, given.labels, strict=False):
        if label not in _CLASS_OF:
            raise AnswerError(
                f"expected one of {' '.join(LABELS)}, found {label[:80]!r}", file=answer_file, record=name[:80]
            )
    if len(truth.labels) < len(truth.names) or "" in truth.names:
        raise ReferenceDataError("expected lines 'record,label', found one without", file=reference_file)
    listed = None if wanted is None else set(as_known(wanted, set(truth.names).__contains__))
    pairs = [pair for pair in zip(truth.names, truth.labels, strict=True) if listed is None or pair[0] in listed]
    absent = (listed or set()).difference(name for name, _ in pairs)
    if absent:
        raise ReferenceDataError(
            "expected a label for every record of the list, found none", file=reference_file, record=min(absent)
        )
    hits = _Hits(given, {len(name) for name, _ in pairs}, answer_file)
    cells = np.fromiter((_official_cell(hits.of(name), label) for name, label in pairs), np.int64, len(pairs))
    dropped = int(np.count_nonzero(cells == _NO_CELL))
    notes = []
    if dropped:
        why = "answers with different labels, or no legal reference"
        notes.append(Note(f"{dropped} of {len(pairs)} records do not count: {why}"))
    if given.names and given.names[0].startswith("\ufeff"):
        notes.append(Note("the first record is not found: a byte order mark comes before its name"))
    return Cells(records=tuple(name for name, _ in pairs), cells=cells, rules="official"), notes


def _official_cell(answered: set[str], label: str) -> int:
    if label not in _CLASS_OF or len(answered) > 1:
        return _NO_CELL
    answer = _CLASS_OF[next(iter(answered))] if answered else _NOISE
    return _COLUMNS * _CLASS_OF[label] + answer


class _Hits:
    """Labels of all answers whose name begins with a given text, of one of the given lengths."""

    def __init__(self, given: Words, lengths: set[int], file: Path) -> None:
        self._file = file
        self._unfinished = given.names[-1] if len(given.labels) < len(given.names) else None
        self._labels: dict[str, set[str]] = defaultdict(set)
        for name, label in set(zip(given.names, given.labels, strict=False)):
            for length in lengths:
                if length <= len(name):
                    self._labels[name[:length]].add(label)

    def of(self, name: str) -> set[str]:
        if self._unfinished is not None and self._unfinished.startswith(name):
            raise AnswerError("expected a label behind the last name, found none", file=self._file, record=name)
        return self._labels.get(name, set())


# Measure: one record, and any multiset of records, as numbers


def f1_per_class(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 of each class, shape (..., 4), NaN where a class has neither a reference nor an answer.

    ``table``, shape (..., 4, 5): numbers of records by reference (rows, order N A O ~) and answer (columns, the same
    order and then "none").
    """
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    total = table.sum(axis=-1) + table.sum(axis=-2)[..., : len(LABELS)]
    with np.errstate(invalid="ignore"):
        f1: NDArray[np.float64] = 2.0 * hits / total
    return f1


def mean_f1(f1: NDArray[np.float64], rules: str) -> NDArray[np.float64]:
    """Mean over the last axis; by the corrected rules only over the classes that have an F1."""
    if rules == "official":
        plain: NDArray[np.float64] = f1.sum(axis=-1) / f1.shape[-1]
        return plain
    present = ~np.isnan(f1)
    with np.errstate(invalid="ignore"):
        mean: NDArray[np.float64] = np.where(present, f1, 0.0).sum(axis=-1) / present.sum(axis=-1)
    return mean


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The cell of the table that each record is in, which is all that a score needs."""

    records: tuple[str, ...]
    cells: NDArray[np.int64]
    """Shape (n_records,): 5 * reference + answer; 20 for a record that does not count."""
    rules: str


def values_of(tables: NDArray[np.float64], rules: str) -> dict[str, NDArray[np.float64]]:
    """The values of tables of shape (b, 4, 5)."""
    f1 = f1_per_class(tables)
    return {
        "F1": mean_f1(f1[:, :3], rules),
        **{key: f1[:, number] for number, key in enumerate(_KEYS)},
        "F1_phase1_mean_of_four": mean_f1(f1, rules),
    }


# Report: the metric itself


class Cinc2017(OfFiles):
    """The metric of the PhysioNet/CinC Challenge 2017, see the module."""

    name = "cinc2017"

    def scored(self, given: Given) -> ScoreReport:
        """Score a file of answers, see `metrics.base.Metric.score`.

        ``per_record`` has ``reference``, ``answer`` ("" for none) and ``correct`` of each record that counts;
        ``curves["confusion"]`` the 4x4 table row by row (rows = reference, order N A O ~), and
        ``curves["unanswered"]`` for each class the records without an answer.
        """
        references, answers, records, rules = given.references, given.answers, given.records, given.rules
        reference_file = references / "REFERENCE.csv" if references.is_dir() else references
        answer_file = answers / "answers.txt" if answers.is_dir() else answers
        wanted = check_records(records) if records is not None else None
        if rules == "official":
            cells, notes = _official(reference_file, answer_file, wanted)
        else:
            cells, notes = _corrected(reference_file, answer_file, wanted, given)
        return _report(cells, notes)


def _report(cells: Cells, notes: list[Note]) -> ScoreReport:
    rows = np.eye(_NO_CELL + 1)[cells.cells][:, :_NO_CELL]
    table = rows.sum(axis=0).reshape(len(LABELS), _COLUMNS)
    more = table.copy()
    more[:, _UNANSWERED] += table.sum(axis=1) > 0
    values, less = (
        {key: float(value[0]) for key, value in values_of(each[None], cells.rules).items()} for each in (table, more)
    )
    undefined = [key for key, value in values.items() if np.isnan(value)]
    if undefined:
        notes.append(Note(f"{', '.join(undefined)} undefined (NaN): no reference and no answer of a class"))
    if cells.rules == "corrected" and not np.isnan(values["F1"]) and set(undefined) & set(_KEYS[:3]):
        notes.append(Note("F1 is the mean over the classes that occur"))
    answer_names = (*LABELS, "")
    return ScoreReport(
        metric=Cinc2017.name,
        rules=cells.rules,
        primary="F1",
        values=values,
        per_record={
            name: {
                "reference": LABELS[cell // _COLUMNS],
                "answer": answer_names[cell % _COLUMNS],
                "correct": 1.0 if cell // _COLUMNS == cell % _COLUMNS else 0.0,
            }
            for name, cell in zip(cells.records, cells.cells.tolist(), strict=True)
            if cell != _NO_CELL
        },
        curves={"confusion": table[:, : len(LABELS)].ravel().tolist(), "unanswered": table[:, _UNANSWERED].tolist()},
        notes=tuple(notes),
        failing=failing_between(values, less),
        resampler=SumsOfRecords(
            records=cells.records,
            rows=rows,
            formula=lambda *sums: values_of(np.stack(sums, axis=1).reshape(-1, *table.shape), cells.rules),
        ),
    )


METRIC = Cinc2017()
