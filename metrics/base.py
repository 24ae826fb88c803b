"""Interface of all metrics: what each provides and every caller may rely on.

A metric module has four parts: its conventions (shape, unit, order, source, what empty means), parsers that
turn files into checked values, pure functions on those values, and one ``score`` that joins them.

Order of arguments is always *reference* before *answer*.  Files that a team wrote are bounded before they are
read; what is wrong with them is an `AnswerError`, what is wrong with the organiser's files a
`ReferenceDataError`.  Both name the file, the record, what was expected and what was found.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from metrics.display import table

if TYPE_CHECKING:  # errors and reports are needed by programs that never score
    import numpy as np
    from numpy.typing import NDArray

RULES = ("official", "corrected")


class MetricError(Exception):
    """Base of the two errors a metric raises on purpose."""

    def __init__(self, reason: str, *, file: Path | str | None = None, record: str | None = None) -> None:
        self.reason = reason
        self.file = str(file) if file is not None else None
        self.record = record
        position = ", ".join(part for part in (self.file, f"record {record}" if record is not None else None) if part)
        super().__init__(f"{position}: {reason}" if position else reason)


class AnswerError(MetricError):
    """The team's answers cannot be scored."""


class UnusableAnswers(AnswerError):
    """The answers of some records cannot be used; those of the others can."""

    def __init__(self, reasons: Mapping[str, str], *, file: Path | str | None = None) -> None:
        self.reasons = reasons
        record, reason = next(iter(reasons.items()))
        super().__init__(reason, file=file, record=record[:80] or None)


class ReferenceDataError(MetricError):
    """The organiser's references (or record list) cannot be used."""


class Note(str):
    """One sentence about a scoring, and whether it reveals something about a single record.

    A note prints as its text. Code that shows notes to a team withholds those with a ``record`` where the records are
    secret: only a note with ``record=None`` is free of names and contents of records.
    """

    record: str | None
    """The record that the text names, quotes or describes, the first one if there are several; an empty text where
    the text quotes a file without naming a record; None for a general statement."""

    def __new__(cls, text: str, record: str | None = None) -> Note:
        """A note with that text."""
        note = super().__new__(cls, text)
        note.record = record
        return note


def named_notes(statement: str, names: Sequence[str], shown: int = 5) -> tuple[Note, ...]:
    """A general note with the number of records, and one that names the first of them; none for no records.

    >>> named_notes("slides have no CSV", ["Tumor_001", "Test_002"])
    ('2 slides have no CSV', '2 slides have no CSV: Tumor_001, Test_002')
    """
    if not names:
        return ()
    general = f"{len(names)} {statement}"
    return Note(general), Note(f"{general}: {some(names, shown)}", names[0])


def some(names: Sequence[str], shown: int = 5) -> str:
    """The first names of a list, and how many more there are."""
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more} more" if more > 0 else "")


class Resampler(Protocol):
    """Scores a weighted set of records without reading anything again.

    What each metric keeps of a record (a row of a confusion matrix, an overlap count, sorted
    confidences) is enough to give every number of `ScoreReport.values` for any multiset of records.
    """

    @property
    def records(self) -> tuple[str, ...]:
        """Names, in the order of the columns of ``weights``."""

    @property
    def clusters(self) -> tuple[str, ...]:
        """For each record the unit that is drawn in a bootstrap: the patient where known, else the record."""

    def values(self, weights: NDArray[np.int64]) -> Mapping[str, NDArray[np.float64]]:
        """Values for many multisets at once.

        Parameters
        ----------
        weights : shape (b, n_records)
            How often each record occurs in each of the b multisets; 0 leaves it out.

        Returns
        -------
        mapping of str to shape (b,)
            The keys that can be resampled, the primary among them.
        """


@runtime_checkable
class PairedInClosedForm(Protocol):
    """A `Resampler` that can also compare a value of two entries by a formula, without resampling."""

    def paired(self, other: Resampler, key: str, level: float) -> tuple[float, float, float] | None:
        """Lower and upper bound and two-sided p value of the difference, own minus ``other``.

        None where this key has no closed form, or where it does not hold for these two.
        """


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanOfRecords:
    """The `Resampler` of a metric that says what each record scores: its values are means of those columns."""

    records: tuple[str, ...]
    clusters: tuple[str, ...]
    columns: Mapping[str, Sequence[float]]
    """Key of `ScoreReport.values` -> its value for each record."""

    def values(self, weights: NDArray[np.int64]) -> Mapping[str, NDArray[np.float64]]:
        """Means of the columns, NaN where a record of weight above 0 is NaN."""
        import numpy as np  # noqa: PLC0415  # see above

        from metrics.products import product  # noqa: PLC0415

        rows = np.array(list(self.columns.values()), np.float64).T
        unknown = np.isnan(rows)
        with np.errstate(invalid="ignore"):  # a multiset without records has no mean
            means = product(weights, np.where(unknown, 0.0, rows)) / weights.sum(axis=1)[:, None]
        if unknown.any():
            means[product(weights, unknown.astype(np.float64)) > 0] = math.nan
        return dict(zip(self.columns, means.T, strict=True))

    def failing(self) -> Mapping[str, tuple[float, float]]:
        """One more record at 0, of the columns from 0 to 1, as `ScoreReport.failing` has it."""
        share = 1 / (len(set(self.clusters)) + 1)
        return {
            key: (0.0, share)
            for key, column in self.columns.items()
            if f"neg_{key}" not in self.columns and all(0 <= value <= 1 for value in column)
        }


def failing_between(
    values: Mapping[str, float], less: Mapping[str, float], worst: Callable[[str], float] = lambda key: 0.0
) -> dict[str, tuple[float, float]]:
    """`ScoreReport.failing` from the values, and what they would be with one more failure."""
    return {
        key: (worst(key), (value - less[key]) / (value - worst(key)))
        for key, value in values.items()
        if worst(key) < value and less[key] < value
    }


_NAMED = 20
"""Unusable answers that a report explains one by one."""
PATIENT = "patient"
"""A text with this name in ``per_record`` says which records are not independent of each other."""
_SAME = 1e-9


def means_of_records(report: ScoreReport) -> MeanOfRecords | None:
    """The resampler of a report whose primary value is the mean of a number with the same name in ``per_record``."""
    columns: dict[str, list[float]] = {}
    for key, value in report.values.items():
        column = [row.get(key, math.nan) for row in report.per_record.values()]
        numbers = [float(number) for number in column if not isinstance(number, str) and math.isfinite(number)]
        mean = math.fsum(numbers) / len(numbers) if numbers else math.nan
        if len(numbers) == len(column) and math.isclose(mean, value, rel_tol=_SAME, abs_tol=_SAME):
            columns[key] = numbers
    if report.primary not in columns:
        return None
    patients = [str(row.get(PATIENT, record)) for record, row in report.per_record.items()]
    return MeanOfRecords(records=tuple(report.per_record), clusters=tuple(patients), columns=columns)


@dataclass(frozen=True, kw_only=True)
class ScoreReport:
    """The result of one scoring."""

    metric: str
    rules: str
    primary: str
    """The key of `values` that ranks the board; larger is better."""
    values: Mapping[str, float]
    """Every number, the primary first.  A value that is NaN always has a note."""
    per_record: Mapping[str, Mapping[str, float | str]] = field(default_factory=dict, repr=False)
    curves: Mapping[str, Sequence[float]] = field(default_factory=dict, repr=False)
    notes: tuple[Note, ...] = ()
    """A plain string, as metrics of other packages may give, becomes a note about the first record that it names."""
    unusable: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Record -> the reason why its answer cannot be used; by the corrected rules it counts as missing."""
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """95 % intervals that the metric knows in closed form; `metrics.uncertainty.intervals` gives those of all."""
    failing: Mapping[str, tuple[float, float]] = field(default_factory=dict, compare=False, repr=False)
    """Key -> the worst value there can be, and by what share of the way there one more failing record (of a mean over
    classes: one in each class) would move the value.  Intervals from resamples count that record, since no resample
    has a failure that is not among the records.  Made here for the means of ``resampler`` that are from 0 to 1."""
    scales: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Key -> a name in `metrics.statistics.bca.SCALES`, for a second interval whose outer bounds count too."""
    resampler: Resampler | None = field(default=None, compare=False, repr=False)
    """For confidence intervals and ties; None where nothing can be resampled.  Made here if it is not given and the
    primary value is the mean of a number of that name in ``per_record`` (see `means_of_records`)."""

    def __post_init__(self) -> None:
        names = (*self.per_record, *(self.resampler.records if self.resampler is not None else ()))
        notes = tuple(
            note if isinstance(note, Note) else Note(note, next((name for name in names if name in note), None))
            for note in self.notes
        )
        unusable = (
            *named_notes("answers cannot be used and count as missing", tuple(self.unusable)),
            *[Note(f"{record}: {reason}", record) for record, reason in self.unusable.items()][:_NAMED],
        )
        object.__setattr__(self, "notes", (*notes, *(note for note in unusable if note not in notes)))
        if self.resampler is None:
            object.__setattr__(self, "resampler", means_of_records(self))
        if not self.failing and isinstance(self.resampler, MeanOfRecords):
            object.__setattr__(self, "failing", self.resampler.failing())

    def __str__(self) -> str:
        """The values, their intervals in closed form, and the notes; `metrics.scoring.as_text` adds all intervals."""
        return table(self.metric, self.rules, self.values, None, self.intervals, self.notes)


Progress = Callable[[int, int], None]
"""Called with the number of records done and their total."""


@dataclass(frozen=True, kw_only=True)
class AnswerFile:
    """The answer to one record."""

    record: str
    answer: Path | None
    """None if there is no answer."""


_Files = TypeVar("_Files", bound=AnswerFile)
_Scored = TypeVar("_Scored")


@dataclass(frozen=True, kw_only=True)
class Given:
    """Arguments that a metric is called with, see `Metric.score`."""

    references: Path
    answers: Path
    records: Sequence[str] | None = None
    rules: str = "corrected"
    workers: int = 1
    progress: Progress | None = None
    strict: bool = False
    """True if one unusable answer ends the scoring, as it ends the organisers' programs."""
    answered: set[str] = field(default_factory=set)
    """Records with an answer, usable or not; filled by the readers of answers."""
    unusable: dict[str, AnswerError] = field(default_factory=dict)
    """Record -> the reason why its answer cannot be used, so that it counts as missing; filled by `refuse`."""

    refused: list[AnswerError] = field(default_factory=list)
    """Why all answers are refused; raised once the references have been read, of which mistakes come first."""

    def require_answered(self, expected: str = "an answer to a record of the list") -> None:
        """Refuse all answers if there is none."""
        if not self.answered and not self.strict:
            self.refused.append(AnswerError(f"expected {expected}, found none", file=self.answers))

    def refuse(self, record: str, error: AnswerError) -> None:
        """Take the answer of a record for a missing one. Raises the error where the rules are strict."""
        if self.strict:
            raise error
        self.answered.add(record)
        error.__context__ = None
        self.unusable.setdefault(record, error.with_traceback(None))  # whose frames would keep files open

    def refusal(self, record_of: Callable[[Path], str | None]) -> Callable[[Path, MetricError], None]:
        """A function that refuses the answer of the record that a path is called after, if it is called after one."""

        def refuse(path: Path, error: MetricError) -> None:
            record = record_of(path)
            if record is not None:
                self.refuse(record, AnswerError(error.reason, file=path, record=record))

        return refuse

    def with_usable(self, score: Callable[[_Files], _Scored]) -> Callable[[_Files], _Scored]:
        """The same function of a record's files, for which an answer that cannot be used is a missing one."""

        def usable(files: _Files) -> _Scored:
            if files.record in self.unusable:
                return score(replace(files, answer=None))
            try:
                return score(files)
            except AnswerError as error:
                self.refuse(files.record, error)
                return score(replace(files, answer=None))

        return usable

    def require_usable(self, listed: Container[str] | None = None) -> None:
        """Raise AnswerError if there are answers to records of the list, and none of them can be used."""
        answered = sorted(record for record in self.answered if listed is None or record in listed)
        if not answered or not self.unusable.keys() >= set(answered):
            return
        error = self.unusable[answered[0]]
        if len(answered) == 1:
            raise error
        reason = f"no answer can be used; of this record: {error.reason}"
        raise AnswerError(reason, file=error.file, record=error.record)


def _in_file(error: AnswerError) -> str:
    """The reason of an error, with the name of the file."""
    name = Path(error.file).name if error.file is not None else ""
    return error.reason if name in error.reason else f"{name}: {error.reason}"


class OfFiles(ABC):
    """A metric of this package: the head of every ``score``, and what follows it in `scored`."""

    def score(
        self,
        references: Path | str,
        answers: Path | str,
        *,
        records: Sequence[str] | None = None,
        rules: str = "corrected",
        workers: int = 1,
        progress: Progress | None = None,
    ) -> ScoreReport:
        """The report of a team's answers; ``workers`` threads share volumes, slides and masks."""
        if rules not in RULES:
            raise ValueError(f"expected rules to be one of {', '.join(RULES)}, found {rules!r}")
        given = Given(
            references=Path(references),  # in a notebook often a plain string
            answers=Path(answers),
            records=records,
            rules=rules,
            workers=workers,
            progress=progress,
            strict=rules == "official" and getattr(self, "has_official", True),
        )
        return self._without_unusable(given)

    def _without_unusable(self, given: Given) -> ScoreReport:
        """The report in which unusable answers are missing ones, with notes that name them.

        Raises AnswerError if none can be used.
        """
        while True:
            refused = len(given.unusable)
            try:
                report = self.scored(given)
                break
            except UnusableAnswers as error:  # rows of a table, which is read again without these records
                for record, reason in error.reasons.items():
                    given.refuse(record, AnswerError(reason, file=error.file, record=record[:80] or None))
                if len(given.unusable) == refused:
                    raise
        if given.refused:
            raise given.refused[0]
        if not given.unusable:
            return report
        listed = dict.fromkeys(report.per_record if report.resampler is None else report.resampler.records)
        given.require_usable(listed)
        unusable = {record: _in_file(given.unusable[record]) for record in listed if record in given.unusable}
        others = [f"{name[:80]}: {_in_file(error)}" for name, error in given.unusable.items() if name not in unusable]
        strangers = named_notes("answers that cannot be used are for no record of the list and ignored", others)
        return replace(report, notes=(*report.notes, *strangers), unusable=unusable)

    @abstractmethod
    def scored(self, given: Given) -> ScoreReport:
        """The report; the rules are known, paths are paths."""


class Metric(Protocol):
    """One challenge's way of scoring."""

    @property
    def name(self) -> str:
        """The name in `metrics.names`."""

    def score(
        self, references: Path, answers: Path, *, records: Sequence[str] | None = None, rules: str = "corrected"
    ) -> ScoreReport:
        """Score a team's answers.

        Parameters
        ----------
        references, answers : Path (this package's metrics take plain strings too)
            Files or folders, see the metric's module.
        records : sequence of str, optional
            The organiser's record list; every record in the references if not given.
        rules : "official" or "corrected"
            The organisers' published program to 1e-9, quirks included; or the challenge's text, with
            missing answers as misses.

        Raises
        ------
        AnswerError
            The team's files are at fault; also where the official program stops because of them.
        ReferenceDataError
            The organiser's files are at fault.
        """
