"""Segmentation cases: which files belong together, and one score from many cases.

A case is a patient's CT.  Its file is ``<case>.nii.gz``, ``prediction_<number>.nii.gz`` or
``<case>/segmentation.nii.gz`` (all also ``.nii``); ``case_00061``, ``prediction_00061`` and ``00061`` name the same
case.  Two single files are one case whatever their names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from metrics.base import (
    AnswerError,
    AnswerFile,
    Given,
    MeanOfRecords,
    MetricError,
    Note,
    ReferenceDataError,
    ScoreReport,
    named_notes,
)
from metrics.readers.files import check_records, list_files
from metrics.readers.names import check_some_match
from metrics.statistics.workers import map_records

_SUFFIX = re.compile(r"\.nii(\.gz)?$")
_NUMBERED = re.compile(r"(?:case_|prediction_)?(\d{5})")
_IN_FOLDER = "segmentation"
_Error = TypeVar("_Error", bound=MetricError)


@dataclass(frozen=True, kw_only=True)
class Case(AnswerFile):
    """The files of one record of the list."""

    reference: Path


@dataclass(frozen=True, kw_only=True)
class CaseScore:
    """The result of one case: its numbers and notes."""

    values: Mapping[str, float]
    notes: tuple[Note, ...] = ()


def case_name(stem: str) -> str:
    """The canonical name of a case: ``prediction_00061`` and ``00061`` are ``case_00061``; others do not change."""
    numbered = _NUMBERED.fullmatch(stem)
    return f"case_{numbered[1]}" if numbered else stem


def pair_cases(given: Given) -> tuple[list[Case], tuple[Note, ...], Path | None]:
    """The files of every case of the record list (or of the references, if there is no list), in the organiser's order;
    notes on missing and surplus answers; and the first surplus one.

    Raises AnswerError if the file or folder does not exist, or has no case. Raises ReferenceDataError if the same is
    true of the references, a case has two of them or none, or the list has a case twice.
    """
    references, answers, records = given.references, given.answers, given.records
    reference_files, twice = _case_files(references, ReferenceDataError)
    if twice:
        raise next(iter(twice.values()))
    answer_files, doubtful = _case_files(answers, AnswerError)
    if not reference_files:
        raise ReferenceDataError("expected at least one <case>.nii.gz, found none", file=references)
    if records is None:
        listed = {name: name for name in reference_files}
    else:
        listed = {case_name(record): record for record in check_records(records)}
        if len(listed) != len(records):
            raise ReferenceDataError(f"expected every case once, found {len(records)} records for {len(listed)} cases")
    if references.is_file() and answers.is_file() and len(listed) == 1:
        ((name, _),) = listed.items()
        reference_files = {name: references}
        answer_files = {name: answers}
    given.answered.update(record for name, record in listed.items() if name in answer_files)
    given.require_answered("a file of a case of the list")
    for name, record in listed.items():
        if name in doubtful:
            given.refuse(record, doubtful[name])
        if name not in reference_files:
            raise ReferenceDataError(
                f"expected {name}.nii.gz or {name}/segmentation.nii.gz, found neither", file=references, record=record
            )
    cases = [
        Case(record=record, reference=reference_files[name], answer=answer_files.get(name))
        for name, record in listed.items()
    ]
    answered, missing = ([case.record for case in cases if (case.answer is None) is none] for none in (False, True))
    unlisted = {name: path for name, path in answer_files.items() if name not in listed}
    strangers = [name for name in unlisted if name not in reference_files]
    notes = (
        *check_some_match([case.record for case in cases], [*answered, *strangers], None),
        *named_notes("cases have no answer and count as missed", missing),
        *named_notes("answers for cases outside the list are ignored", [path.name for path in unlisted.values()]),
    )
    return cases, notes, next(iter(unlisted.values()), None)


def require_answer(case: Case) -> Path:
    """The answer's file, for the organisers' program, which stops without it. Raises AnswerError if there is none."""
    if case.answer is None:
        raise AnswerError("expected a prediction for this case, found none", record=case.record)
    return case.answer


def score_files(
    given: Given, score: Callable[..., CaseScore], *, answered_only: bool = False
) -> tuple[dict[str, CaseScore], tuple[Note, ...]]:
    """The score of every case, in the order of the list, and notes on the files; none by the official rules.

    * ``score``: scores a `Case` by ``rules``.
    * ``answered_only``: leave out cases without an answer.

    Raises AnswerError if nothing is left; by the official rules, whose programs stop at a prediction of an unknown
    case, also if an answer names no case of the references (with a record list other answers are not looked at).
    """
    listed, notes, unlisted = pair_cases(given)
    official = given.rules == "official"
    if official and given.records is None and unlisted is not None:
        raise AnswerError("expected a case of the references, found another name", file=unlisted)
    cases = [case for case in listed if case.answer is not None or not answered_only]
    if not cases:
        raise AnswerError("expected at least one prediction, found none", file=given.answers)
    score_case = given.with_usable(partial(score, rules=given.rules))
    results = map_records(score_case, cases, workers=given.workers, progress=given.progress)
    by_record = {case.record: result for case, result in zip(cases, results, strict=True)}
    return by_record, () if official else notes


def mean(numbers: Sequence[float]) -> float:
    """The mean with one rounding of the sum; NaN if one is NaN."""
    return math.fsum(numbers) / len(numbers)


def mean_report(
    *,
    metric: str,
    rules: str,
    keys: Sequence[str],
    cases: Mapping[str, CaseScore],
    notes: Sequence[Note] = (),
    average: Callable[[Sequence[float]], float] = mean,
    extra: Callable[[Mapping[str, float]], Mapping[str, float]] = lambda values: {},
) -> ScoreReport:
    """The plain mean of every key over the cases, each of weight 1/n; the first key is the primary.

    ``extra`` computes further values from the means, or replaces them. With the default ``average`` the sum is exact
    before its one rounding, so neither the order of the cases nor their distribution over workers changes a digit.
    """
    values = {key: average([case.values[key] for case in cases.values()]) for key in keys}
    values.update(extra(values))
    undefined = [key for key, value in values.items() if math.isnan(value)]
    all_notes = [*notes, *(note for case in cases.values() for note in case.notes)]
    if undefined:
        which = [record for record, case in cases.items() if any(map(math.isnan, case.values.values()))]
        all_notes.append(Note(f"{', '.join(undefined)} undefined (NaN)"))
        all_notes += named_notes("cases have a value that is undefined (NaN)", which)
    return ScoreReport(
        metric=metric,
        rules=rules,
        primary=keys[0],
        values=values,
        per_record={record: dict(case.values) for record, case in cases.items()},
        notes=tuple(all_notes),
        resampler=MeanOfRecords(
            records=tuple(cases),
            clusters=tuple(cases),  # a case is a patient
            columns={key: [case.values[key] for case in cases.values()] for key in keys},
        ),
    )


def _case_files(path: Path, error: type[_Error]) -> tuple[dict[str, Path], dict[str, _Error]]:
    """The file of each case, and an error for each case that has several, or something else in place of a file."""
    if path.is_file():
        return {case_name(_SUFFIX.sub("", path.name)): path}, {}
    file_of: dict[str, Path] = {}
    twice: dict[str, _Error] = {}

    def refuse(file: Path, reason: MetricError) -> None:
        if _SUFFIX.search(file.name):
            name = case_name(_SUFFIX.sub("", file.name) if file.parent == path else file.parent.name)
            twice[name] = error(reason.reason, file=file, record=name)

    for file in list_files(path, error, depth=2, refuse=None if error is ReferenceDataError else refuse):
        if not _SUFFIX.search(file.name):
            continue
        stem = _SUFFIX.sub("", file.name)
        if file.parent != path:
            if stem != _IN_FOLDER:  # the CT itself is in the same folder as its segmentation
                continue
            stem = file.parent.name
        name = case_name(stem)
        if name in file_of:
            files = f"{file_of[name].relative_to(path)} and {file.relative_to(path)}"
            twice[name] = error(f"expected one file for this case, found {files}", file=path, record=name)
        file_of[name] = file
    return file_of, twice
