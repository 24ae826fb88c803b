"""CPSC 2021: episodes of paroxysmal atrial fibrillation in dynamic ECG recordings.

Conventions
-----------
References are WFDB records, of which the header (``.hea``: number of samples L, and a comment that names the
class) and the annotations (``.atr``) are read, and the signal where the header does not say L.  ``(AFIB`` and ``(AFL``
start an episode, ``(N`` ends it; a zero byte at the end of a text is no part of it.  Classes: 0 no atrial fibrillation
(N), 1 persistent (AFf), 2 paroxysmal (AFp).

Answers are one file a record, named after it: ``.json`` with ``{"predict_endpoints": [[start, end], ...]}`` in
0-based samples, both ends included, or ``.mat`` (version 5) with a variable ``predict_endpoints``, shape (m, 2),
in 1-based samples.  No episode means class N, one from the first sample to the last class AFf.

Per record U = Ur + Ue.  Ur comes from the table `CLASS_SCORE`.  Ue adds for each start and each end what it earns
near the reference's (1 within about one annotation, 0.5 within two, see `windows`), times Ma / max(Ma, Mr) with
Ma reference and Mr answered episodes; 0 for class N.  A perfect answer earns 1 (N), 3 (AFf), 1 + 2 Ma (AFp).
U, Ur and Ue of the report are means over records; U is at least -2.

Source: ``score_2021.py`` of the organisers' Python entry (X. Wang and C. Liu, commit d3ecd29d, 2021-06-25).

``rules="official"`` is that program, quirks included:

* it scores the answer files that are there: a record without one costs nothing, one with .json and .mat counts
  twice, and no file at all gives NaN;
* positions are cut towards zero, negative ones count from the end of the record, and the answer to a record of
  class N is not looked at beyond the number and the length of its episodes;
* near the first annotations an index may be negative and then counts from the last;
* where it stops, so does this: `AnswerError` for a position outside the record, a number that is not finite, a
  wrong shape, a file for no record; `ReferenceDataError` for an unknown class, unpaired marks, an episode too
  near the last annotation, and for an AF record without a mark when nothing is answered.

``rules="corrected"``:

* the organiser's record list decides: the list given, else ``RECORDS`` in the folder of the references, else every
  header;
* a record without an answer earns the lowest value of its row of `CLASS_SCORE` (N -1, AFf -2, AFp -1) and no
  Ue, and has class_pred -1;
* answers for other records are ignored, with a note;
* a record with two answer files, or with a file that cannot be used, has no answer;
* an episode must be a pair of numbers in [0, L), otherwise the file cannot be used: nothing counts from the
  end; fractions are cut, and an end before its start is scored as given, since the challenge rewards start and end
  separately;
* windows that would start before the first or end after the last annotation start and end with the record;
* an episode lasts until the next rhythm that is neither fibrillation nor flutter, or else to the last sample;
  other rhythms outside of episodes mean nothing;
* an AF record must have an episode: `ReferenceDataError`;
* names in a list of records may have the suffix of a file, or a folder.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, AnswerFile, Given, Note, OfFiles, ReferenceDataError, ScoreReport
from metrics.products import product
from metrics.readers.files import MIB, Refuse, check_records, excerpt, list_files, list_names, read_json, read_records
from metrics.readers.matfile import read_matrix
from metrics.readers.names import as_known, check_some_match
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
CLASS_SCORE = ((1.0, -1.0, -0.5), (-2.0, 1.0, 0.0), (-1.0, 0.0, 1.0))
"""Ur by reference class (rows) and answered class (columns), both in the order N, AFf, AFp."""
NO_ANSWER = -1
_SUFFIXES = (".json", ".mat")
_PATIENT = re.compile(r"data_(\d+)_\d+")


# Validate: what a file may hold, or an error that names file and record


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

    Raises ReferenceDataError if a file is missing or malformed, the class is unknown, or, by the official rules, starts
    and ends differ in number.
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

    Raises AnswerError if it is no JSON or MAT file with rows of numbers, all of one length, under
    ``predict_endpoints``.
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


def _official_class(endpoints: NDArray[Any], n_samples: int, record: str, file: Path) -> int:
    if len(endpoints) == 0:
        return N
    if len(endpoints) > 1:
        return AFP
    if endpoints.ndim != 2 or endpoints.shape[1] > 2:
        raise _wrong_shape(endpoints, record, file)
    return AFF if np.diff(endpoints[0]).tolist() == [n_samples - 1] else AFP


def _wrong_shape(endpoints: NDArray[Any], record: str, file: Path) -> AnswerError:
    shape = " x ".join(map(str, endpoints.shape))
    return AnswerError(f"expected a list of pairs [start, end], found {shape} numbers", file=file, record=record)


def _patient(record: str) -> str:
    match = _PATIENT.fullmatch(PurePosixPath(record).name)
    return f"patient {match[1]}" if match else record


def _answer_files(answers: Path, refuse: Refuse | None = None) -> list[Path]:
    files = list_files(answers, AnswerError, refuse=refuse)
    return [path for path in files if path.name.endswith(_SUFFIXES)]


def _record_list(references: Path) -> tuple[str, ...]:
    if (references / "RECORDS").is_file():
        return _named(references, read_records(references / "RECORDS"))
    files = list_names(references, ReferenceDataError)
    return check_records([name.removesuffix(".hea") for name in files if name[1:].endswith(".hea")], file=references)


def _named(references: Path, records: Iterable[str]) -> tuple[str, ...]:
    return check_records(as_known(check_records(tuple(records)), lambda name: (references / f"{name}.hea").is_file()))


# Measure: one record, and any multiset of records, as numbers


@dataclass(frozen=True, kw_only=True)
class RecordScore:
    """Score of one record; ``ma`` reference episodes, ``mr`` answered ones."""

    class_true: int
    class_pred: int
    ma: int
    mr: int
    ur: float
    ue: float

    @property
    def u(self) -> float:
        """Ur + Ue."""
        return self.ur + self.ue

    def as_numbers(self) -> dict[str, float | str]:
        """For `ScoreReport.per_record`."""
        counts = {key: float(getattr(self, key)) for key in ("class_true", "class_pred", "ma", "mr")}
        return {**counts, "ur": self.ur, "ue": self.ue, "u": self.u}


Window = tuple[int, int, float]
"""First sample, sample after the last, reward."""


def windows(reference: Reference, at: Callable[[int], int]) -> tuple[list[Window], list[Window]]:
    """The windows in which a start and an end earn a reward; rewards of overlapping windows add up.

    ``at``: gives the sample of the annotation of an index, which may be outside the annotations.

    With A the samples of *all* annotations, marks of rhythm included, a start of index s earns 1 on
    [A[s-1], A[s+2]) and 0.5 on [A[s-2], A[s-1]) and [A[s+2], A[s+3]); an end of index e earns 1 on
    [A[e-2], A[e+1]) and 0.5 on [A[e-3], A[e-2]) and [A[e+1], A[e+2]).  Near the ends of the record, and
    always for class AFf, the outer part reaches to its first or last sample.
    """
    last = len(reference.annotation_samples) - 1
    n_samples = reference.n_samples
    persistent = reference.class_true == AFF
    onset: list[Window] = []
    for s in reference.onsets:
        stop = at(s + 2)
        if persistent or s <= 1:
            onset.append((0, stop, 1.0))
        else:
            first = at(s - 1)
            onset.append((first, stop, 1.0))
            onset.append((at(s - 2) if s > 2 else 0, first, 0.5))
        onset.append((stop, at(s + 3), 0.5))
    offset: list[Window] = []
    for e in reference.offsets:
        first = at(e - 2)
        if persistent or e + 1 >= last:
            offset.append((first, n_samples, 1.0))
        else:
            stop = at(e + 1)
            offset.append((first, stop, 1.0))
            # the official program leaves out the last sample here, and only here
            offset.append((stop, min(at(e + 2), n_samples - 1) if e + 2 < last else n_samples, 0.5))
        offset.append((at(e - 3), first, 0.5))
    return onset, offset


def earned(rewards: Iterable[Window], positions: Iterable[int], n_samples: int) -> float:
    """The sum of what all positions earn; each position is in [0, n_samples)."""
    change: dict[int, float] = defaultdict(float, {0: 0.0})
    for first, stop, reward in rewards:
        if not 0 <= first <= stop <= n_samples:
            first, stop, _ = slice(first, stop).indices(n_samples)  # noqa: PLW2901
        if first < stop:
            change[first] += reward
            change[stop] -= reward
    edges = sorted(change)
    levels = list(accumulate(change[edge] for edge in edges))
    return sum(levels[bisect_right(edges, position) - 1] for position in positions)


def score_official(reference: Reference, endpoints: NDArray[Any], file: Path) -> RecordScore:
    """Score one answer as the official program does, see the module."""
    record, n_samples, ma, mr = reference.record, reference.n_samples, len(reference.onsets), len(endpoints)
    class_pred = _official_class(endpoints, n_samples, record, file)
    ur = CLASS_SCORE[reference.class_true][class_pred]
    if reference.class_true == N:
        return RecordScore(class_true=N, class_pred=class_pred, ma=ma, mr=mr, ur=ur, ue=0.0)
    try:
        onset, offset = windows(reference, reference.annotation_samples.__getitem__)
    except IndexError:
        raise ReferenceDataError(
            "expected three annotations behind a start and before an end of an episode, found fewer", record=record
        ) from None
    if ma == mr == 0:
        raise ReferenceDataError("expected an episode in an AF record, found none", record=record)
    if mr and (endpoints.ndim != 2 or endpoints.shape[1] != 2):
        raise _wrong_shape(endpoints, record, file)
    positions = []
    for value in endpoints.ravel().tolist():
        try:
            position = int(value)
        except (ValueError, OverflowError):  # NaN, infinite
            position = n_samples
        if not -n_samples <= position < n_samples:
            raise AnswerError(
                f"expected positions below {n_samples}, the number of samples, found {str(value)[:40]}",
                file=file,
                record=record,
            )
        positions.append(position % n_samples)
    ue = earned(onset, positions[::2], n_samples) + earned(offset, positions[1::2], n_samples)
    return RecordScore(
        class_true=reference.class_true, class_pred=class_pred, ma=ma, mr=mr, ur=ur, ue=ue * (ma / max(ma, mr))
    )


def score_corrected(reference: Reference, endpoints: NDArray[Any] | None, file: Path | None) -> RecordScore:
    """Score one answer, or none, by the corrected rules, see the module."""
    record, n_samples, ma = reference.record, reference.n_samples, len(reference.onsets)
    class_true = reference.class_true
    if class_true != N and not ma:
        raise ReferenceDataError("expected an episode in an AF record, found none", record=record)
    if endpoints is None or file is None:
        worst = min(CLASS_SCORE[class_true])
        return RecordScore(class_true=class_true, class_pred=NO_ANSWER, ma=ma, mr=0, ur=worst, ue=0.0)
    mr = len(endpoints)
    if mr and (endpoints.ndim != 2 or endpoints.shape[1] != 2):
        raise _wrong_shape(endpoints, record, file)
    episodes = endpoints.reshape(-1, 2).tolist()
    for start, end in episodes:
        if not (0 <= start < n_samples and 0 <= end < n_samples):  # also false for NaN
            raise AnswerError(
                f"expected positions from 0 to {n_samples - 1} (0-based), found [{start:.15g}, {end:.15g}]",
                file=file,
                record=record,
            )
    starts = [int(start) for start, _ in episodes]
    ends = [int(end) for _, end in episodes]
    whole = mr == 1 and ends[0] - starts[0] == n_samples - 1
    class_pred = (AFF if whole else AFP) if mr else N
    ue = 0.0
    if class_true != N:
        samples = reference.annotation_samples
        count = len(samples)

        def inside(index: int) -> int:
            return samples[index] if 0 <= index < count else 0 if index < 0 else n_samples

        onset, offset = windows(reference, inside)
        ue = (earned(onset, starts, n_samples) + earned(offset, ends, n_samples)) * (ma / max(ma, mr))
    ur = CLASS_SCORE[class_true][class_pred]
    return RecordScore(class_true=class_true, class_pred=class_pred, ma=ma, mr=mr, ur=ur, ue=ue)


@dataclass(frozen=True, kw_only=True)
class Means:
    """Ur and Ue of each record; every value is a mean of these."""

    records: tuple[str, ...]
    clusters: tuple[str, ...]
    """The patient, from names ``data_<patient>_<n>``; the record itself where the name has another form."""
    scores: NDArray[np.float64]
    """Shape (n_records, 3): U, Ur, Ue."""

    def values(self, weights: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
        with np.errstate(invalid="ignore"):
            means = product(weights, self.scores) / weights.sum(axis=1, keepdims=True)
        return {key: means[:, column] for column, key in enumerate(("U", "Ur", "Ue"))}


# Report: the metric itself


class Cpsc2021(OfFiles):
    """The metric of CPSC 2021, see the module."""

    name = "cpsc2021"

    def scored(self, given: Given) -> ScoreReport:
        """Score a folder of answers, see `metrics.base.Metric.score`.

        ``per_record`` has class_true, class_pred, ma, mr, ur, ue, u.  Its keys are records; by the official
        rules file names where a record has two answer files.
        """
        references, answers, records, rules = given.references, given.answers, given.records, given.rules
        wanted = _named(references, records) if records is not None else None
        if rules == "official":
            scores, notes = _score_files(references, answers, wanted)
        else:
            scores, notes = _score_records(given, wanted)
        if not scores:
            notes.append(Note("U, Ur and Ue are undefined (NaN): there is no answer file"))
        means = Means(
            records=tuple(scores),
            clusters=tuple(map(_patient, scores)),
            scores=np.array([(s.u, s.ur, s.ue) for s in scores.values()], np.float64).reshape(-1, 3),
        )
        everyone = np.ones((1, len(scores)), np.int64)
        return ScoreReport(
            metric=self.name,
            rules=rules,
            primary="U",
            values={key: float(value[0]) for key, value in means.values(everyone).items()},
            per_record={record: score.as_numbers() for record, score in scores.items()},
            notes=tuple(notes),
            resampler=means,
        )


def _score_files(
    references: Path, answers: Path, wanted: tuple[str, ...] | None
) -> tuple[dict[str, RecordScore], list[Note]]:
    """By the official rules; a list, if given, leaves out answers for other records that have a reference."""
    files = [(path.name.split(".")[0], path) for path in _answer_files(answers)]
    times = Counter(record for record, _ in files)
    scores = {}
    notes = []
    for record, path in files:
        has_reference = (references / f"{record}.hea").is_file()
        listed = wanted is None or record in wanted
        if not has_reference and (wanted is None or not listed):
            raise AnswerError("expected the name of a record, found a file for none", file=path, record=record)
        if not listed:
            notes.append(Note(f"the answer {path.name} for a record outside the list is left out", record))
            continue
        reference = load_reference(references, record, "official")
        endpoints = load_endpoints(path, record, "official")
        key = path.name if times[record] > 1 else record
        scores[key] = score_official(reference, endpoints, path)
    return scores, notes


def _score_records(given: Given, wanted: tuple[str, ...] | None) -> tuple[dict[str, RecordScore], list[Note]]:
    """By the corrected rules."""
    references, answers = given.references, given.answers
    names = _record_list(references) if wanted is None else wanted
    file_of: dict[str, Path] = {}
    record_in_folder = {PurePosixPath(name).name: name for name in names if "/" in name}

    def record_of(path: Path) -> str | None:
        return record_in_folder.get(path.stem, path.stem) if path.name.endswith(_SUFFIXES) else None

    for path in _answer_files(answers, given.refusal(record_of)):
        record = record_of(path) or path.stem
        if record in file_of:
            reason = f"expected one answer file for the record, found {file_of[record].name} and {path.name}"
            given.refuse(record, AnswerError(reason, file=path, record=record))
        file_of[record] = path
    given.answered.update(file_of)
    given.require_answered("a <record>.json or <record>.mat")
    notes = list(check_some_match(names, list(file_of), answers, () if wanted is None else _record_list(references)))

    def score(files: AnswerFile) -> RecordScore:
        endpoints = load_endpoints(files.answer, files.record, "corrected") if files.answer is not None else None
        return score_corrected(load_reference(references, files.record, "corrected"), endpoints, files.answer)

    usable = given.with_usable(score)
    scores = {record: usable(AnswerFile(record=record, answer=file_of.get(record))) for record in names}
    missing = sum(score.class_pred == NO_ANSWER for score in scores.values())
    if missing:
        notes.append(Note(f"{missing} of {len(names)} records have no answer and earn the least of their class"))
    others = len(file_of.keys() - set(names))
    if others:
        notes.append(Note(f"{others} answer files for records outside the list are ignored"))
    return scores, notes


METRIC = Cpsc2021()
