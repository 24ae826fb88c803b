"""Classification: one label, or one probability per class, for each record.

Conventions
-----------
References have a row ``record,label[,patient]``.  Answers have ``record,label`` for the measures that count labels, and
``record,p_<label>,…`` (or ``record,score`` for two classes) for those that read probabilities or scores.

* *Classes* are those of the option ``labels``, or those of the references (and of columns ``p_<label>``).
* *Missing answers* (``missing``): ``wrong`` is a miss of the record's class and a hit of none; ``worst`` is the worst
  score, probability or loss that an answer can have; ``exclude-with-note`` leaves the record out.
* *Absent classes* (``absent``): a class with neither reference nor answer has no value (0/0).  By default it is left
  out of the mean over classes; ``zero`` and ``one`` count it as such.
* *Unknown labels* in answers (``unknown``) reject the answers if ``labels`` are declared, and are wrong otherwise.
* *Ties*: equal scores share a threshold, so no order of the file changes a value; in the ROC area they count one half.

Sources: Maier-Hein et al., Metrics reloaded, Nature Methods 21 (2024) 195; scikit-learn for averages, average
precision, multi-class MCC, log loss; Brier, Monthly Weather Review 78 (1950) 1.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, Note, ReferenceDataError, failing_between, some
from metrics.generic.base import (
    EXCLUDE,
    Bools,
    Floats,
    Ints,
    Measured,
    Records,
    Statistic,
    Values,
    averaged,
    by_class,
    by_name,
    loss,
    mean_over,
    ratio,
    scattered,
    sums,
)
from metrics.generic.options import TEXT, SpecError, mapping, nearest, number, one_of, option, or_none, several
from metrics.generic.tables import OfTables, Paired, Table
from metrics.measures.auc import Ranked, average_precisions, roc_areas, roc_curves
from metrics.readers.names import probably

_LABELS = or_none(several(TEXT, "at least two different labels", least=2, unique=True))
_AVERAGE = one_of("macro", "micro", "weighted", "binary")
_AVERAGE_PRECISION = "auprc"
_TWO = {"0", "1"}
_FEWEST_SCORES = 4
"""Scores from which a note says that all are 0 or 1."""
_WORST = {"mcc": -1.0, "kappa": -1.0, "youden": -1.0}
"""Values of the confusion table that may be below 0."""


@dataclass(frozen=True, kw_only=True)
class _OfLabels(OfTables):
    """Options of every measure of classes."""

    label_column: str = option("label", TEXT, "name of the column of labels")
    labels: tuple[str, ...] | None = option(None, _LABELS, "the classes, in order; by default those of the references")

    @property
    def _declared(self) -> tuple[str, ...] | None:
        """The classes, where they do not depend on the data."""
        return self.labels

    @property
    def _reference_columns(self) -> tuple[str, ...]:
        return (self.label_column,)

    @property
    def _has_positive(self) -> bool:
        """True if one class is judged against the others: references that are all 0, or all 1, are of both classes."""
        return hasattr(self, "positive") and getattr(self, "average", "binary") == "binary"

    def _truth(self, of: Paired, answered: Sequence[str] = ()) -> tuple[tuple[str, ...], Ints]:
        """The classes, and the class of each record; ``answered`` are classes too, if none are declared."""
        column = of.of_references(of.truth.classes(self.label_column))
        present = {*column.tolist(), *answered}
        if self._has_positive and present and present <= _TWO:
            present = _TWO
        labels = self._declared or tuple(sorted(present))
        codes = _coded(labels, column)
        wrong = np.flatnonzero(codes < 0) if codes.min(initial=0) < 0 else np.zeros(0, np.int64)
        if wrong.size:
            row, word = int(of.references[wrong[0]]), column[wrong[0]]
            raise of.truth.fail(f"expected one of the labels {some(labels, 12)}, found {word[:80]!r}", row)
        return labels, codes


@dataclass(frozen=True, kw_only=True)
class OfCounts(_OfLabels):
    """A measure of the confusion table."""

    worst_value: ClassVar[float | None] = 0.0
    missing: str = option("wrong", one_of("wrong", EXCLUDE), "what a record without an answer counts")
    unknown: str | None = option(
        None, or_none(one_of("reject", "wrong")), "an answered label outside the classes; see the module"
    )

    _missing_counts = "counted as wrong"

    @property
    def _answer_columns(self) -> tuple[str, ...]:
        return (self.label_column,)

    def measured_of(self, of: Paired) -> Measured:
        """The table of classes; ``curves["confusion"]`` has its rows, "none" as last column."""
        labels, reference = self._truth(of)
        answer, strangers = self._answered(of, labels)
        notes = list(of.notes)
        if strangers:
            words = [of.given.column(self.label_column)[row] for row in strangers.values()]
            why = probably(labels, words)
            if len(strangers) == np.count_nonzero(of.answered):
                predicted = some(sorted({word[:80] for word in words}))
                reason = f"no answer has one of the classes {some(labels)}{why}; found {predicted}"
                raise AnswerError(reason, file=of.given.file)
            text = f"{len(strangers)} answers outside the classes count as wrong{why}: {some(list(strangers))}"
            notes.append(Note(text, ""))
        columns = len(labels) + 1
        counted, width = self._used(of), len(labels) * columns
        cells = reference * columns + answer
        if not counted.all():
            cells = cells[counted]
        table = np.bincount(cells, minlength=width).reshape(len(labels), columns)
        rows = scattered(np.flatnonzero(counted), cells, np.ones(cells.size), (reference.size, width))
        formula = self._formula(labels)

        def of_tables(total: Floats) -> Values:
            values: Values = formula(total.reshape(-1, len(labels), columns))
            return values

        words, shown = of.given.column(self.label_column), (reference, answer, of.answers, counted)
        return Measured(
            records=of.records,
            statistic=sums(rows, of_tables),
            per_record={
                name: {
                    "reference": labels[right],
                    "answer": words[row] if row >= 0 else "",
                    "correct": float(right == predicted),
                }
                for name, right, predicted, row, used in zip(
                    of.records.names, *map(np.ndarray.tolist, shown), strict=True
                )
                if used
            },
            curves={"confusion": table.ravel().astype(float).tolist()},
            notes=(*notes, *self._class_notes(labels, table)),
            failing=self._with_misses(of_tables, table, of.records),
            shares=self._shares(labels, table),
            overlaps=self._overlaps(labels, table),
        )

    def _with_misses(
        self, formula: Callable[[Floats], Values], table: Ints, records: Records
    ) -> Mapping[str, tuple[float, float]]:
        """The values if one more record, or of a mean over classes one of each, had no answer."""
        if self.worst_value is None:
            return {}
        support = table.sum(axis=1)
        missed = (support > 0) if self._is_of_classes else support / max(1, int(support.sum()))
        more = table.astype(np.float64)
        more[:, -1] += missed * (len(records.names) / records.units)
        with np.errstate(invalid="ignore", divide="ignore"):
            both = formula(np.stack([table, more]).reshape(2, -1))
        values, less = ({key: float(each[row]) for key, each in both.items()} for row in range(2))
        return failing_between(values, less, lambda key: _WORST.get(key, 0.0))

    @property
    def _is_of_classes(self) -> bool:
        """True if each class counts by itself, however few records it has."""
        return True

    def _answered(self, of: Paired, labels: tuple[str, ...]) -> tuple[Ints, dict[str, int]]:
        """The class of each answer, the number of classes where there is none; records of unknown labels, and rows."""
        given, column = of.given, of.given.classes(self.label_column)
        reject = self.unknown == "reject" or (self.unknown is None and self._declared is not None)
        codes = of.of_answers(_coded(labels, column), len(labels))
        strangers: dict[str, int] = {}
        if codes.min(initial=0) >= 0:
            return codes, strangers
        wrong: dict[int, str] = {}
        for row in of.answers[codes < 0].tolist():
            word = column[row]
            if reject or not word:
                why = probably(labels, [word])
                wrong[row] = f"expected one of the labels {some(labels, 12)}, found {word[:80]!r}{why}"
            strangers[given.names[row]] = row
        if wrong:
            raise given.wrong(wrong)
        return np.where(codes < 0, len(labels), codes), strangers

    @abstractmethod
    def _formula(self, labels: tuple[str, ...]) -> Any:
        """A function from tables of shape (b, classes, classes + 1) to values."""

    def _class_notes(self, labels: tuple[str, ...], table: Ints) -> list[Note]:
        return []

    def _shares(self, labels: tuple[str, ...], table: Ints) -> Mapping[str, tuple[int, int]]:
        """Values that are shares of records, see `Measured.shares`."""
        return {}

    def _overlaps(self, labels: tuple[str, ...], table: Ints) -> Mapping[str, tuple[int, int]]:
        """Values that are F1 of one class, see `Measured.overlaps`."""
        return {}


def _coded(labels: Sequence[str], column: NDArray[np.object_]) -> Ints:
    """The place of each row's word among the labels, -1 of one that is none of them."""
    code_of = {label: number for number, label in enumerate(labels) if label}
    return np.array([code_of.get(word, -1) for word in column.tolist()], np.int64)


@dataclass(frozen=True, kw_only=True)
class Accuracy(OfCounts):
    """Share of records with the right label.

    Misleading where classes are of unequal size; `BalancedAccuracy` is not.
    """

    measure = "classification.accuracy"
    _is_of_classes = False

    def _formula(self, labels: tuple[str, ...]) -> Any:
        return lambda table: {"accuracy": ratio(_hits(table).sum(axis=1), table.sum(axis=(1, 2)))}

    def _shares(self, labels: tuple[str, ...], table: Ints) -> Mapping[str, tuple[int, int]]:
        return {"accuracy": (int(np.trace(table)), int(table.sum()))}


@dataclass(frozen=True, kw_only=True)
class BalancedAccuracy(OfCounts):
    """Mean recall over the classes that have a reference; the recall of another class is not defined and left out."""

    measure = "classification.balanced_accuracy"

    def _formula(self, labels: tuple[str, ...]) -> Any:
        def formula(table: Floats) -> Values:
            recall = ratio(_hits(table), table.sum(axis=2))
            return {"balanced_accuracy": mean_over(recall)} | by_class("recall", labels, recall)

        return formula

    def _class_notes(self, labels: tuple[str, ...], table: Ints) -> list[Note]:
        return _absent_note(labels, table.sum(axis=1) == 0, "no reference, left out of the mean")

    def _shares(self, labels: tuple[str, ...], table: Ints) -> Mapping[str, tuple[int, int]]:
        return {f"recall[{label}]": (int(table[k, k]), int(table[k].sum())) for k, label in enumerate(labels)}


@dataclass(frozen=True, kw_only=True)
class F1(OfCounts):
    """F1 = 2 TP / (2 TP + FP + FN) of each class, and one number of all.

    ``average``: ``macro`` (default) is the plain mean over classes, ``weighted`` weights by the number of references,
    ``micro`` counts hits and errors over all classes together, ``binary`` is the F1 of the class ``positive``.
    """

    measure = "classification.f1"
    scales: ClassVar[Mapping[str, str]] = {"f1_macro": "fraction"}
    average: str = option("macro", _AVERAGE, "how classes are put together")
    positive: str | None = option(None, or_none(TEXT), "the class of average: binary")
    absent: str = option(EXCLUDE, one_of(EXCLUDE, "zero", "one"), "a class with neither reference nor answer")

    def __post_init__(self) -> None:
        _check_positive(self.measure, self.average, self.positive, self.labels)

    def _formula(self, labels: tuple[str, ...]) -> Any:
        only = _index_of(labels, self.positive) if self.average == "binary" else 0
        fill = {"zero": 0.0, "one": 1.0, EXCLUDE: math.nan}[self.absent]

        def formula(table: Floats) -> Values:
            hits, support, answered = _hits(table), table.sum(axis=2), table.sum(axis=1)[:, :-1]
            f1 = ratio(2 * hits, support + answered)
            f1 = np.where(np.isnan(f1), fill, f1)
            if self.average == "micro":
                value = ratio(2 * hits.sum(axis=1), support.sum(axis=1) + answered.sum(axis=1))
            else:
                value = f1[:, only] if self.average == "binary" else averaged(f1, support, self.average)
            return {f"f1_{self.average}": value} | by_class("f1", labels, f1)

        return formula

    @property
    def _is_of_classes(self) -> bool:
        return self.average in ("macro", "binary")

    def _shares(self, labels: tuple[str, ...], table: Ints) -> Mapping[str, tuple[int, int]]:
        """Counts of micro F1 where every record has an answer, since it is the accuracy then; else empty."""
        whole = self.average == "micro" and not table[:, -1].any()
        return {"f1_micro": (int(np.trace(table)), int(table.sum()))} if whole else {}

    def _overlaps(self, labels: tuple[str, ...], table: Ints) -> Mapping[str, tuple[int, int]]:
        overlaps = {
            f"f1[{label}]": (int(table[k, k]), int(table[k].sum() + table[:, k].sum() - table[k, k]))
            for k, label in enumerate(labels)
        }
        return overlaps | ({"f1_binary": overlaps[f"f1[{self.positive}]"]} if self.average == "binary" else {})

    def _class_notes(self, labels: tuple[str, ...], table: Ints) -> list[Note]:
        if self.average not in ("macro", "binary"):
            return []
        empty = (table.sum(axis=1) == 0) & (table.sum(axis=0)[:-1] == 0)
        how = {"zero": "counted as 0", "one": "counted as 1", EXCLUDE: "left out of the mean"}[self.absent]
        return _absent_note(labels, empty, f"neither reference nor answer, {how}")


@dataclass(frozen=True, kw_only=True)
class Mcc(OfCounts):
    """Matthews' correlation of references and answers, of two or more classes (Gorodkin's R_K).

    A missing answer is an answer in a separate class.  Where all references, or all answers, are of one class, the
    denominator is 0 and the value 0, no better than chance, as in scikit-learn.
    """

    measure = "classification.mcc"

    def _formula(self, labels: tuple[str, ...]) -> Any:
        def formula(table: Floats) -> Values:
            total, support, answered = table.sum(axis=(1, 2)), table.sum(axis=2), table.sum(axis=1)
            agreement = _hits(table).sum(axis=1) * total - (support * answered[:, :-1]).sum(axis=1)
            spread = (total**2 - (support**2).sum(axis=1)) * (total**2 - (answered**2).sum(axis=1))
            value = ratio(agreement, np.sqrt(spread))
            return {"mcc": np.where((spread == 0) & (total > 0), 0.0, value)}

        return formula


@dataclass(frozen=True, kw_only=True)
class Cost(OfCounts):
    """Mean cost of a record by a table of costs, and that cost relative to the best constant answer.

    ``costs: {reference: {answer: cost}}`` names the classes and every pair of them; a right answer that is not named
    costs nothing.  A missing answer costs ``missing_cost``, by default that of the most expensive answer to its
    reference; so does an unknown label. ``normalised_cost`` divides by the cost of the constant answer that is cheapest
    on these references (1: as good as knowing only how frequent the classes are).
    """

    measure = "classification.cost"
    worst_value = None
    costs: Mapping[str, Mapping[str, float]] = option(
        MISSING,
        mapping(mapping(number(0), least=0), "reference labels to mappings of answered labels to costs from 0"),
        "the table",
    )
    missing_cost: float | None = option(None, or_none(number(0)), "of a missing answer")

    def __post_init__(self) -> None:
        classes = self._declared
        for row in classes:
            for column in classes:
                if row != column and column not in self.costs.get(row, {}):
                    raise SpecError(f"{self.measure}: costs", f"a cost of {column!r} where {row!r} is right", None)
        for name in (name for row, costs in self.costs.items() for name in (row, *costs)):
            if name not in classes:
                close = nearest(name, classes)
                raise SpecError(f"{self.measure}: costs", f"labels {', '.join(classes)}", name, nearest=close)

    @property
    def _declared(self) -> tuple[str, ...]:
        return self.labels or tuple(self.costs)

    def _formula(self, labels: tuple[str, ...]) -> Any:
        table_of_costs = np.array([[self.costs[row].get(column, 0.0) for column in labels] for row in labels])
        worst = table_of_costs.max(axis=1) if self.missing_cost is None else np.full(len(labels), self.missing_cost)
        with_missing = np.column_stack([table_of_costs, worst])

        def formula(table: Floats) -> Values:
            total, support = table.sum(axis=(1, 2)), table.sum(axis=2)
            cost = ratio((table * with_missing).sum(axis=(1, 2)), total)
            constant = ratio((support @ table_of_costs).min(axis=1), total)
            return loss("cost", cost) | {"normalised_cost": ratio(cost, constant)}

        return formula


@dataclass(frozen=True, kw_only=True)
class OfScores(_OfLabels):
    """A measure of scores or probabilities."""

    score_column: str = option("score", TEXT, "of the positive class, where there are two")
    probability_prefix: str = option("p_", TEXT, "in front of the label in the columns of probabilities")
    positive: str | None = option(None, or_none(TEXT), "by default the last of two declared labels, or 1 of 0 and 1")

    def _truth(self, of: Paired, answered: Sequence[str] = ()) -> tuple[tuple[str, ...], Ints]:
        """The same; the columns of probabilities name classes too."""
        prefix = self.probability_prefix
        names = (name.removeprefix(prefix) for name in of.given.header if name.startswith(prefix))
        return super()._truth(of, [*answered, *names])

    @property
    def _answer_columns(self) -> tuple[str, ...]:
        """The score, or the probabilities of the declared labels."""
        if self.labels is None or len(self.labels) == 2:
            return (self.score_column,)
        return tuple(self.probability_prefix + label for label in self.labels)

    def _positive(self, labels: tuple[str, ...]) -> int:
        return index_of_positive(labels, self.positive, self.labels is not None)


@dataclass(frozen=True, kw_only=True)
class OfRanks(OfScores):
    """A measure of the order of scores, one class against the rest."""

    average: str = option("binary", one_of("binary", "macro", "weighted"), "how classes are put together")
    _closed_form: ClassVar[bool] = False
    """True if the value is the area whose error DeLong gives."""

    def __post_init__(self) -> None:
        _check_positive(self.measure, "macro", self.positive, self.labels)

    def measured_of(self, of: Paired) -> Measured:
        """The areas; the ROC curve of two classes is in ``curves``."""
        labels, truth = self._truth(of)
        classes = [self._positive(labels)] if self.average == "binary" else list(range(len(labels)))
        used = np.flatnonzero(self._used(of))
        # the worst: below all others for a positive record, above them for a negative one
        scores = {
            each: np.where(of.answered, self._score_of(of, labels[each]), np.where(truth == each, -math.inf, math.inf))
            for each in classes
        }
        key = self.key
        areas = [self._area(scores[k][used], truth[used] == k) for k in classes]

        def statistic(weights: Ints) -> Values:
            kept = weights if used.size == weights.shape[1] else np.take(weights, used, axis=1)
            parts = np.stack([area(kept) for area in areas], axis=1)
            if self.average == "binary":
                return {key: parts[:, 0]}
            support = np.stack([kept @ (truth[used] == k) for k in classes], axis=1).astype(np.float64)
            value = averaged(parts, support, self.average)
            return {f"{key}_{self.average}": value} | by_class(key, [labels[k] for k in classes], parts)

        absent = np.array([not (truth == k).any() for k in classes])
        names = of.records.names
        ranked, curves = None, dict[str, list[float]]()
        if self.average == "binary":
            class_scores, positive = scores[classes[0]][used], truth[used] == classes[0]
            curves = roc_curves(class_scores, positive)
            if self._closed_form and of.records.units == len(names):
                ranked = Ranked(
                    key=key, records=tuple(names[row] for row in used.tolist()), scores=class_scores, positive=positive
                )
        return Measured(
            records=of.records,
            statistic=statistic,
            per_record=per_record(of, labels, truth, {labels[k]: scores[k] for k in classes}),
            curves=curves,
            notes=(
                *of.notes,
                *_absent_note([labels[k] for k in classes], absent, "no reference, left out"),
                *_label_note(np.concatenate([scores[k][of.answered] for k in classes])),
            ),
            failing=failing_areas(
                key, self.average, [labels[k] for k in classes], truth[used, None] == classes, of.records
            ),
            ranked=ranked,
        )

    def _score_of(self, of: Paired, label: str) -> Floats:
        """The score of a class for each record; NaN where there is no answer."""
        column = self.probability_prefix + label
        if self.average == "binary" and column not in of.given.header:
            column = self.score_column
        scores: Floats = of.of_answers(of.given.numbers(column))
        return scores

    @abstractmethod
    def _area(self, scores: Floats, positive: Bools) -> Callable[[Ints], Floats]:
        """Return a function that gives the area for each multiset, shape (b,)."""


@dataclass(frozen=True, kw_only=True)
class Auroc(OfRanks):
    """Area under the ROC curve: the chance that a positive record has a larger score than a negative one.

    Ties count one half.  With three and more classes each is judged against the rest and ``average`` is needed.
    Interval (see `metrics.measures.auc.area_interval`) and comparison of two classes are in closed form, unless several
    records are of one patient.
    """

    measure = "classification.auroc"
    _closed_form = True

    def _area(self, scores: Floats, positive: Bools) -> Callable[[Ints], Floats]:
        return roc_areas(scores, positive)


@dataclass(frozen=True, kw_only=True)
class Auprc(OfRanks):
    """Average precision: precision summed over the steps of recall, without interpolation.

    Its level without skill is the share of positive records, so values of different data sets cannot be compared.
    """

    measure = "classification.auprc"

    def _area(self, scores: Floats, positive: Bools) -> Callable[[Ints], Floats]:
        return average_precisions(scores, positive)


def failing_areas(
    key: str, average: str, labels: Sequence[str], positive: Bools, records: Records
) -> Mapping[str, tuple[float, float]]:
    """The values of `Measured.failing` for areas: in each class one more record that no threshold gets right.

    Of average precision it is the worse of a positive record that is found last and another that is found first, which
    costs each of m positive ones, if they follow in order, 1 / (rank + 1).

    ``positive``, shape (n_records, classes): of the records that count.
    """
    clusters_of_one = records.units / len(records.names)

    def share(right: int, total: int) -> float:
        last = 1 / (1 + clusters_of_one * (min(right, total - right) or right))
        if key != _AVERAGE_PRECISION:
            return last
        m = max(1, round(clusters_of_one * right))
        return max(last, float((1 / np.arange(2, m + 2)).mean()))

    support = positive.sum(axis=0)
    shares = np.array([share(each, len(positive)) for each in support.tolist()])
    if average == "binary":
        return {key: (0.0, float(shares[0]))}
    of_all: dict[str, Any] = {
        "macro": mean_over(np.where(support > 0, shares, math.nan)),
        "weighted": (support * shares).sum() / max(1, support.sum()),
        "micro": share(int(support.sum()), positive.size),
    }
    by_label = {f"{key}[{label}]": (0.0, float(each)) for label, each in zip(labels, shares, strict=True)}
    return {f"{key}_{average}": (0.0, float(of_all[average]))} | by_label


@dataclass(frozen=True, kw_only=True)
class OfChances(OfScores):
    """A measure of probabilities, which must be from 0 to 1 and sum to 1."""

    sum_tolerance: float = option(0.01, number(0, 1), "how far the sum of a record's probabilities may be off 1")

    def _probabilities(self, given: Table, labels: tuple[str, ...]) -> Floats:
        """Shape (rows, classes)."""
        names = [self.probability_prefix + label for label in labels]
        if len(labels) <= 2 and not all(name in given.header for name in names):
            only = self._positive(labels)
            column = names[only] if names[only] in given.header else self.score_column
            chance = given.numbers(column, low=0, high=1)
            return np.column_stack([chance if k == only else 1 - chance for k in range(len(labels))])
        parts = np.column_stack([given.numbers(name, low=0, high=1) for name in names])
        if len(labels) < 2:
            return parts
        totals = parts.sum(axis=1)
        wrong = np.flatnonzero(np.abs(totals - 1) > self.sum_tolerance)
        if wrong.size:
            wish = "expected probabilities that sum to 1, found"
            raise given.wrong({row: f"{wish} {totals[row]:.6g}" for row in wrong.tolist()})
        return np.asarray(parts / totals[:, None])

    def measured_of(self, of: Paired) -> Measured:
        labels, truth = self._truth(of)
        chances, used = of.of_answers(self._probabilities(of.given, labels)), self._used(of)
        return Measured(
            records=of.records,
            statistic=self._statistic(chances, truth, used, labels),
            per_record=per_record(of, labels, truth, dict(zip(labels, chances.T, strict=True))),
            notes=of.notes,
        )

    @abstractmethod
    def _statistic(self, chances: Floats, truth: Ints, used: Bools, labels: tuple[str, ...]) -> Statistic:
        """The statistic of probabilities of shape (records, classes), NaN for missing answers."""


@dataclass(frozen=True, kw_only=True)
class LogLoss(OfChances):
    """Mean of -log of the probability given to the right class, in nats.

    Probabilities are cut to at least ``clip``; a missing answer counts as one that gave the right class that little.
    """

    measure = "classification.log_loss"
    is_loss = True
    clip: float = option(float(np.finfo(np.float64).eps), number(0, 0.5, above=True), "smallest probability counted")

    def _statistic(self, chances: Floats, truth: Ints, used: Bools, labels: tuple[str, ...]) -> Statistic:
        right = np.nan_to_num(chances[np.arange(truth.size), truth])
        losses = -np.log(np.clip(right, self.clip, 1 - self.clip))
        return self.mean_of(np.where(used, losses, math.nan))


@dataclass(frozen=True, kw_only=True)
class Brier(OfChances):
    """Mean squared error of the probabilities.

    With two classes that of the positive one, in [0, 1]; with more the sum over classes, in [0, 2].  A missing answer
    counts as one that was certain of a wrong class.
    """

    measure = "classification.brier"
    is_loss = True

    def _statistic(self, chances: Floats, truth: Ints, used: Bools, labels: tuple[str, ...]) -> Statistic:
        squares = [(chance - (truth == k)) ** 2 for k, chance in enumerate(chances.T)]
        errors, worst = sum(squares[1:], start=squares[0]), 2.0
        if chances.shape[1] <= 2:
            errors, worst = errors / chances.shape[1], 1.0
        return self.mean_of(np.where(used, np.where(np.isnan(errors), worst, errors), math.nan))


MEASURES = by_name(Accuracy, BalancedAccuracy, F1, Mcc, Cost, Auroc, Auprc, LogLoss, Brier)


def _hits(table: Floats) -> Floats:
    return np.diagonal(table, axis1=1, axis2=2)


def per_record(
    of: Paired, labels: Sequence[str], truth: Ints, scores: Mapping[str, Floats]
) -> Mapping[str, Mapping[str, float | str]]:
    """Numbers and words of reports about single records: the class, and the scores of an answer."""
    rows: dict[str, dict[str, float | str]] = {}
    for i, name in enumerate(of.records.names):
        rows[name] = {"reference": labels[truth[i]]}
        if of.answers[i] >= 0:
            rows[name] |= {f"score[{label}]": float(numbers[i]) for label, numbers in scores.items()}
    return rows


def _absent_note(labels: Sequence[str], absent: Any, what: str) -> list[Note]:
    names = [label for label, empty in zip(labels, absent, strict=True) if empty]
    return [Note(f"classes with {what}: {some(names)}")] if names else []


def _label_note(scores: Floats) -> list[Note]:
    """A note on scores that leave nothing to order."""
    if scores.size < _FEWEST_SCORES or not ((scores == 0) | (scores == 1)).all():
        return []
    return [Note("all scores are 0 or 1: labels are no scores, and have one operating point")]


def _check_positive(measure: str, average: str, positive: str | None, labels: tuple[str, ...] | None) -> None:
    if average == "binary" and positive is None:
        raise SpecError(f"{measure}: positive", "the positive class, as average is binary", None)
    if positive is not None and labels is not None and positive not in labels:
        raise SpecError(f"{measure}: positive", f"one of the labels {', '.join(labels)}", positive)


def index_of_positive(labels: tuple[str, ...], positive: str | None, declared: bool) -> int:
    """The index of the positive class: the one that is named, the last of two declared ones, or 1 of 0 and 1.

    Raises ReferenceDataError if there is none of these.
    """
    if positive is not None:
        return _index_of(labels, positive)
    if len(labels) == 2 and (declared or labels == ("0", "1")):
        return 1
    raise ReferenceDataError(
        f"expected labels 0 and 1, or an option 'positive' that names the positive class, found {some(labels)}"
    )


def _index_of(labels: tuple[str, ...], positive: str | None) -> int:
    if positive not in labels:
        raise ReferenceDataError(f"expected references of the positive class {positive!r}, found {some(labels)}")
    return labels.index(positive)
