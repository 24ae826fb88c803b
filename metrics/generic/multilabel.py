"""Several labels for each record: sets of labels, or a score for every label.

Conventions
-----------
References have a row ``record,labels[,patient]`` whose cell lists the labels of the record, ``AF|PVC``, or one column
of 0 and 1 for each label.  Answers have the same, or one column ``p_<label>`` for each label where a measure reads
scores.  A blank cell is a record without any label.

* *Labels* are those of the option ``labels``, else those of the references.  An answered label outside them is refused;
  with ``unknown: ignore`` it does not count.
* *Missing answers* (``missing: wrong``) miss all labels of the record and hit none, and are never an exact match; of
  scores, the worst of each label.  ``exclude-with-note`` leaves the record out.
* *Absent labels* (``absent``), without reference and answer, have no F1: left out of the mean, or counted as 0 or 1.
  A label that all records have, or none, has no ROC area; one that none has no average precision.
* *Records without labels*: an empty answer is right (the F1 of the record is 1).

Sources: scikit-learn for averages; Perez Alday et al., Physiological Measurement 41 (2020) 124003, for the reward.
"""

from __future__ import annotations

import csv
import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from metrics.base import Note, ReferenceDataError, some
from metrics.generic.base import (
    EXCLUDE,
    Bools,
    Floats,
    Ints,
    Measured,
    Statistic,
    Values,
    averaged,
    by_class,
    by_name,
    mean_over,
    ratio,
    sums,
)
from metrics.generic.classification import failing_areas
from metrics.generic.options import TEXT, SpecError, mapping, number, one_of, option, or_none, several
from metrics.generic.tables import OfTables, Paired, Table, strange_classes
from metrics.measures.auc import average_precisions, roc_areas
from metrics.readers.files import read_text
from metrics.readers.foreign import plain_number, separator_hint
from metrics.readers.names import probably

_LABELS = or_none(several(TEXT, "different labels", unique=True))


@dataclass(frozen=True, kw_only=True)
class OfSets(OfTables):
    """Options of every measure of several labels."""

    labels_column: str = option("labels", TEXT, "name of the column of sets of labels")
    separator: str = option("|", TEXT, "between the labels of a cell")
    labels: tuple[str, ...] | None = option(None, _LABELS, "the labels; by default those of the references")
    missing: str = option("wrong", one_of("wrong", EXCLUDE), "what a record without an answer counts")
    _missing_counts = "counted as wrong"
    _all_known: ClassVar[bool] = True
    """True if references have no other labels."""

    def _members(self, label: str) -> tuple[str, ...]:
        """The words that mean a label."""
        return (label,)

    @property
    def _reference_columns(self) -> tuple[str, ...]:
        return (self.labels_column,)

    @property
    def _answer_columns(self) -> tuple[str, ...]:
        return (self.labels_column,)

    def _truth(self, of: Paired) -> _Truth:
        labels = self._known_labels(of.truth, of.references)
        if not labels:
            raise of.truth.fail("expected at least one label in the references, found none")
        truth = of.of_references(self._sets(of.truth, labels, refuse=self._all_known))
        if not (self._all_known or truth.any()):
            raise of.truth.fail(f"expected labels of {some(labels, 12)} in the references, found none of these")
        return _Truth(paired=of, labels=labels, truth=truth, used=self._used(of))

    def _known_labels(self, table: Table, rows: Ints) -> tuple[str, ...]:
        if self.labels is not None:
            return self.labels
        if self.labels_column not in table.header:
            return tuple(name for name in table.header if name not in (self.cluster, "patient"))
        cells = table.column(self.labels_column)
        return tuple(sorted({label for row in rows.tolist() for label in self._split(cells[row])}))

    def _split(self, cell: str) -> list[str]:
        return [word for each in cell.split(self.separator) if (word := each.strip())]

    def _sets(self, table: Table, labels: Sequence[str], *, refuse: bool) -> Bools:
        """True for the labels of each row of a table, shape (rows, labels)."""
        if self.labels_column not in table.header and table.header:
            return np.column_stack([table.flags(label) for label in labels])
        members = np.zeros((len(table.names), len(labels)), np.bool_)
        column_of = {word: k for k, label in enumerate(labels) for word in self._members(label)}
        wrong: dict[int, str] = {}
        for row, cell in enumerate(table.column(self.labels_column)):
            words = self._split(cell)
            if len(set(words)) < len(words) or (words and len(words) <= cell.count(self.separator)):
                wrong[row] = f"expected each label once, {self.separator!r} between two, found {cell[:80]!r}"
            for word in words:
                if word in column_of:
                    members[row, column_of[word]] = True
                elif refuse:
                    why = probably(list(column_of), [word])
                    wrong[row] = f"expected labels of {some(labels, 12)}, found {word[:80]!r}{why}"
        if wrong:
            raise table.wrong(wrong)
        return members


@dataclass(frozen=True, kw_only=True, eq=False)
class _Truth:
    """References, and which answer belongs to each."""

    paired: Paired
    labels: tuple[str, ...]
    truth: Bools
    """Shape (records, labels)."""
    used: Bools


@dataclass(frozen=True, kw_only=True)
class _OfAnsweredSets(OfSets):
    """A measure of answered sets."""

    unknown: str = option("reject", one_of("reject", "ignore"), "an answered label outside the labels")

    def measured_of(self, of: Paired) -> Measured:
        truth = self._truth(of)
        labels = truth.labels
        answer = of.of_answers(self._sets(of.given, labels, refuse=self.unknown == "reject"), False)
        if self.labels_column in of.given.header:
            words = (word for cell in of.given.column(self.labels_column) for word in self._split(cell))
            strange_classes((word for label in labels for word in self._members(label)), words, of.given.file, "labels")

        return Measured(
            records=of.records,
            statistic=self._statistic(truth, answer),
            failing=self._failing_of(truth, answer),
            per_record={
                name: {"reference": _joined(labels, right), "answer": _joined(labels, predicted)}
                for name, right, predicted, used in zip(of.records.names, truth.truth, answer, truth.used, strict=True)
                if used
            },
            notes=of.notes,
        )

    @abstractmethod
    def _statistic(self, of: _Truth, answer: Bools) -> Statistic:
        """The statistic of answers of shape (records, labels)."""

    def _failing_of(self, of: _Truth, answer: Bools) -> Mapping[str, tuple[float, float]] | None:
        return None


def _joined(labels: Sequence[str], row: Bools) -> str:
    return "|".join(label for label, there in zip(labels, row.tolist(), strict=True) if there)


@dataclass(frozen=True, kw_only=True)
class F1(_OfAnsweredSets):
    """F1 = 2 TP / (2 TP + FP + FN) of each label, and one number of all.

    ``average``: ``macro`` (default) is the mean over labels, ``weighted`` weights by the number of references,
    ``micro`` counts over all labels together, ``samples`` is the mean over records of the F1 of their sets.
    """

    measure = "multilabel.f1"
    worst_value = 0.0
    average: str = option("macro", one_of("macro", "micro", "weighted", "samples"), "how labels are put together")
    absent: str = option(EXCLUDE, one_of(EXCLUDE, "zero", "one"), "a label with neither reference nor answer")

    def _statistic(self, of: _Truth, answer: Bools) -> Statistic:
        truth, k = of.truth, len(of.labels)
        counted = of.used[:, None]
        rows = np.concatenate([truth & answer & counted, truth & counted, answer & counted], axis=1).astype(np.float64)
        common, either = 2 * (truth & answer).sum(axis=1), truth.sum(axis=1) + answer.sum(axis=1)
        of_records = np.where(either > 0, common / np.maximum(either, 1), 1.0)
        of_records = np.where(of.paired.answers < 0, 0.0, of_records)
        rows = np.column_stack([rows, np.where(of.used, of_records, 0.0), of.used])
        fill = {"zero": 0.0, "one": 1.0, EXCLUDE: math.nan}[self.absent]

        def formula(total: Floats) -> Values:
            hits, support, answered = (total[:, part * k : (part + 1) * k] for part in range(3))
            f1 = ratio(2 * hits, support + answered)
            f1 = np.where(np.isnan(f1), fill, f1)
            if self.average == "micro":
                value = ratio(2 * hits.sum(axis=1), (support + answered).sum(axis=1))
            elif self.average == "samples":
                value = ratio(total[:, -2], total[:, -1])
            else:
                value = averaged(f1, support, self.average)
            return {f"f1_{self.average}": value} | by_class("f1", of.labels, f1)

        return sums(rows, formula)

    def _failing_of(self, of: _Truth, answer: Bools) -> Mapping[str, tuple[float, float]] | None:
        """One record more of each label has not got it; of the mean over records one more has none right."""
        if self.average == "samples":
            return super()._failing_of(of, answer)
        support, answered = ((each & of.used[:, None]).sum(axis=0) for each in (of.truth, answer))
        records = of.paired.records
        lost = len(records.names) / records.units
        shares = lost / (support + answered + lost)
        present = support + answered > 0
        of_all: dict[str, Any] = {
            "macro": mean_over(np.where(present, shares, math.nan)),
            "weighted": (support * shares).sum() / max(1, support.sum()),
            "micro": lost / ((support + answered).sum() + lost),
        }
        by_label = {f"f1[{label}]": (0.0, float(each)) for label, each in zip(of.labels, shares, strict=True)}
        return {f"f1_{self.average}": (0.0, float(of_all[self.average]))} | by_label


@dataclass(frozen=True, kw_only=True)
class ExactMatch(_OfAnsweredSets):
    """Share of records whose set is the reference's (subset accuracy)."""

    measure = "multilabel.exact_match"
    worst_value = 0.0

    def _statistic(self, of: _Truth, answer: Bools) -> Statistic:
        right = (of.truth == answer).all(axis=1) & (of.paired.answers >= 0)
        return self.mean_of(np.where(of.used, np.asarray(right, np.float64), math.nan))


@dataclass(frozen=True, kw_only=True)
class _Area(OfSets):
    """An area of a score for every label, and one number of all."""

    probability_prefix: str = option("p_", TEXT, "in front of the label in the columns of scores")
    average: str = option("macro", one_of("macro", "micro", "weighted"), "how labels are put together")

    @property
    def _answer_columns(self) -> tuple[str, ...]:
        return tuple(self.probability_prefix + label for label in self.labels or ()) or ("scores",)

    def measured_of(self, of: Paired) -> Measured:
        truth = self._truth(of)
        numbers = [of.given.numbers(self.probability_prefix + each) for each in truth.labels] if of.given.names else []
        scores = of.of_answers(np.column_stack(numbers) if numbers else np.zeros((0, len(truth.labels))))
        # the worst: below all others for a label of the record, above them for another
        scores = np.where(np.isnan(scores), np.where(truth.truth, -math.inf, math.inf), scores)
        keys = [f"score[{label}]" for label in truth.labels]
        columns = of.records.names, truth.truth, scores.tolist(), of.answered
        count = truth.truth[truth.used].sum(axis=0)
        unseen = [label for label, n in zip(truth.labels, count.tolist(), strict=True) if not n]
        absent = [Note(f"labels that no record has, left out of the mean: {some(unseen)}")] if unseen else []
        return Measured(
            records=of.records,
            statistic=self._statistic(truth, scores),
            per_record={
                name: {"reference": _joined(truth.labels, right)} | (dict(zip(keys, row, strict=True)) if given else {})
                for name, right, row, given in zip(*columns, strict=True)
            },
            notes=(*of.notes, *absent),
            failing=failing_areas(self.key, self.average, truth.labels, truth.truth[truth.used], of.records),
        )

    def _statistic(self, of: _Truth, scores: Floats) -> Statistic:
        used = np.flatnonzero(of.used)
        truth, used_scores, key = of.truth[used], scores[used], self.key
        k = len(of.labels)
        by_label = [self._area(used_scores[:, i], truth[:, i]) for i in range(k)]
        pooled = self._area(used_scores.ravel(), truth.ravel()) if self.average == "micro" else None

        def statistic(weights: Ints) -> Values:
            kept = np.take(weights, used, axis=1)
            parts = np.stack([area(kept) for area in by_label], axis=1)
            if pooled is not None:
                value = pooled(np.repeat(kept, k, axis=1))
            else:
                value = averaged(parts, kept @ truth, self.average)
            return {f"{key}_{self.average}": value} | by_class(key, of.labels, parts)

        return statistic

    @abstractmethod
    def _area(self, scores: Floats, positive: Bools) -> Callable[[Ints], Floats]:
        """Return a function that gives the area for each multiset, shape (b,)."""


@dataclass(frozen=True, kw_only=True)
class Auroc(_Area):
    """Area under the ROC curve of each label, see `metrics.generic.classification.Auroc`."""

    measure = "multilabel.auroc"

    def _area(self, scores: Floats, positive: Bools) -> Callable[[Ints], Floats]:
        return roc_areas(scores, positive)


@dataclass(frozen=True, kw_only=True)
class Auprc(_Area):
    """Average precision of each label, see `metrics.generic.classification.Auprc`."""

    measure = "multilabel.auprc"

    def _area(self, scores: Floats, positive: Bools) -> Callable[[Ints], Floats]:
        return average_precisions(scores, positive)


@dataclass(frozen=True, kw_only=True)
class Reward(_OfAnsweredSets):
    """The score of the PhysioNet Challenges 2020 and 2021: rewards for related answers, 1 for all right, 0 for normal.

    A record with n labels that its reference or its answer has adds 1 / n times the reward of each pair of a label of
    the reference and an answered one.  From the sum that of always answering ``normal`` is taken away, and what is left
    divided by what the references themselves would get.  Labels joined by ``|`` mean the same.  A missing answer is an
    empty one.  Where nothing can be gained over ``normal`` the score is 0, as in the official program.
    """

    measure = "multilabel.reward"
    normal: str | None = option(None, or_none(TEXT), "the label of an answer that is worth 0; none if not given")
    rewards: Mapping[str, Mapping[str, float]] | None = option(
        None,
        or_none(mapping(mapping(number(), least=0), "reference labels to mappings of answered labels to rewards")),
        "all",
    )
    matrix: str | None = option(None, or_none(TEXT), "or a CSV file of them, in the folder of the references")
    unknown: str = option("ignore", one_of("reject", "ignore"), "an answered label outside the labels")
    _all_known = False

    def __post_init__(self) -> None:
        if (self.rewards is None) == (self.matrix is None):
            raise SpecError(f"{self.measure}: rewards", "either rewards or matrix", None)

    def _members(self, label: str) -> tuple[str, ...]:
        return tuple(label.split("|"))

    def _known_labels(self, table: Table, rows: Ints) -> tuple[str, ...]:
        return self._table(table.file)[0]

    def _table(self, references: Path) -> tuple[tuple[str, ...], Floats]:
        """The labels, and the reward of each reference (row) and answered label, shape (labels, labels)."""
        if self.rewards is not None:
            labels = self.labels or tuple(self.rewards)
            return labels, np.array([[self.rewards.get(a, {}).get(b, 0.0) for b in labels] for a in labels])
        file = (references if references.is_dir() else references.parent) / str(self.matrix)
        head, *rows = csv.reader(read_text(file, ReferenceDataError).splitlines() or [""])
        labels = tuple(head[1:])
        try:
            row_of = {row[0]: [float(plain_number(cell)) for cell in row[1:]] for row in rows}
            table = np.array([row_of[label] for label in labels])
        except (ValueError, KeyError, IndexError) as reason:
            hint = separator_hint(",".join(head))
            raise ReferenceDataError(f"expected a square table of rewards, found {reason}{hint}", file=file) from None
        if table.shape != (len(labels),) * 2 or not np.isfinite(table).all():
            raise ReferenceDataError(f"expected {len(labels)} rewards in each row", file=file)
        return labels, table

    def _place_of_normal(self, labels: tuple[str, ...]) -> int:
        for k, label in enumerate(labels):
            if self.normal == label or self.normal in self._members(label):
                return k
        raise ReferenceDataError(f"expected rewards of the label normal: {self.normal}, found {some(labels, 30)}")

    def _statistic(self, of: _Truth, answer: Bools) -> Statistic:
        truth, table = of.truth.astype(np.float64), self._table(of.paired.truth.file)[1]

        def reward(given: Floats) -> Floats:
            size = np.maximum((of.truth | (given > 0)).sum(axis=1), 1)
            return np.where(of.used, ((truth @ table) * given).sum(axis=1) / size, 0.0)

        normal = np.zeros(truth.shape)
        if self.normal is not None:
            normal[:, self._place_of_normal(of.labels)] = 1
        rows = np.column_stack([reward(answer.astype(np.float64)), reward(truth), reward(normal)])

        def formula(total: Floats) -> Values:
            reached, best, idle = total.T
            return {"reward": np.where(best == idle, 0.0, ratio(reached - idle, best - idle))}

        return sums(rows, formula)


MEASURES = by_name(F1, ExactMatch, Auroc, Auprc, Reward)
