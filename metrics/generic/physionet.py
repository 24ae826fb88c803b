"""The scores of PhysioNet Challenges that no general measure has.

Conventions
-----------
Files are those of `metrics.generic.classification`, with further columns where a score needs them.  The murmur and
outcome scores of 2022 are ``classification.weighted_accuracy``, the rewards of 2020 and 2021 ``multilabel.reward``,
the F-measure of 2024 is ``multilabel.f1``, its
signal-to-noise ratio is in `metrics.generic.physionet_signals`.

These measures have an official program, so both sets of rules differ:

* *missing answers*: by the official rules 0 (2025, 2026), or the end of the program (2022, 2023); by the corrected ones
  wrong, or the worst score.
* *2023*: the official program divides false positives by the number of **positive** records where it limits the false
  positive rate; corrected, by the number of the others.
* *2025*: the official program puts equal probabilities in 10,000 random orders of a fixed seed; corrected, the mean
  over all orders.

Sources: physionetchallenges/evaluation-2022 e5540fbb, evaluation-2023 f492d950, evaluation-2025 1eb40548, and
python-example-2026 c0bcd78d; formulas in our own words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from metrics.base import PATIENT, AnswerError, Given, ReferenceDataError, ScoreReport
from metrics.generic.base import (
    Bools,
    Floats,
    GenericMeasure,
    Ints,
    Measured,
    Statistic,
    Values,
    averaged,
    by_name,
    loss,
    ratio,
)
from metrics.generic.classification import OfCounts, OfScores, per_record
from metrics.generic.diagnostic import TopFraction, four_of, operating_points
from metrics.generic.options import TEXT, number, option, or_none
from metrics.generic.tables import OfTables, Paired, read_table
from metrics.measures.auc import average_precisions, roc_areas, roc_curves

_MOST_PAIRS = 1 << 24
"""Pairs of a positive and a negative record that are kept in memory."""


@dataclass(frozen=True, kw_only=True)
class Official(GenericMeasure):
    """A measure whose rules differ."""

    has_official: ClassVar[bool] = True
    official: bool = False

    def scored(self, given: Given) -> ScoreReport:
        metric = replace(self, official=given.rules == "official")
        return super(Official, metric).scored(given)

    def _refuse_missing(self, of: Paired) -> None:
        if self.official and not of.answered.all():
            name = of.records.names[int(np.argmin(of.answered))]
            raise AnswerError("expected an answer for each record, found none", record=name)


@dataclass(frozen=True, kw_only=True)
class Cost2022(Official, OfCounts):
    """Cost of screening, prescreening, treatment and missed disease for each patient (outcome score of 2022).

    [10 n + (25 + 397 x - 1718 x² + 11296 x⁴) n + 10000 TP + 50000 FN] / n with x = (TP + FP) / n.  A missing answer is
    a missed disease or a false alarm.
    """

    measure = "physionet.cost2022"
    worst_value = None
    positive: str | None = option(None, or_none(TEXT), "by default the last of two declared labels, or 1 of 0 and 1")

    def measured_of(self, of: Paired) -> Measured:
        self._refuse_missing(of)
        return super().measured_of(of)

    def _formula(self, labels: tuple[str, ...]) -> Any:
        def formula(table: Floats) -> Values:
            tp, fp, fn, tn = four_of(table, labels, self.positive, self.labels is not None)
            n = tp + fp + fn + tn
            x = ratio(tp + fp, n)
            expert = 25 + 397 * x - 1718 * x**2 + 11296 * x**4
            return loss("cost", 10 + expert + ratio(10000 * tp + 50000 * fn, n))

        return formula


@dataclass(frozen=True, kw_only=True)
class Outcome2023(Official, OfScores):
    """Sensitivity over all hospitals, in each at its largest operating point with a false positive rate up to 0.05."""

    measure = "physionet.outcome2023"
    hospital_column: str = option("hospital", TEXT, "name of the column of hospitals in the references")
    most: float = option(0.05, number(0, 1), "the largest false positive rate")

    def measured_of(self, of: Paired) -> Measured:
        labels, truth = self._truth(of)
        self._refuse_missing(of)
        cells = of.truth.column(self.hospital_column)
        hospitals = np.array([cells[row] for row in of.references.tolist()])
        positive, used = truth == self._positive(labels), self._used(of)
        scores = _scores(of, self.score_column, positive, self.official)
        groups = [np.flatnonzero((hospitals == name) & used) for name in np.unique(hospitals)]
        points = [operating_points(scores[rows], positive[rows]) for rows in groups]

        def statistic(weights: Ints) -> Values:
            hits, of_all = np.zeros(len(weights)), np.zeros(len(weights))
            for rows, four in zip(groups, points, strict=True):
                tp, fp, fn, tn = four(np.take(weights, rows, axis=1))
                rate = ratio(fp, tp + fn if self.official else fp + tn)
                kept = np.where((np.nan_to_num(rate, nan=math.inf) <= self.most) | (fp == 0), tp, 0.0)
                hits += kept.max(axis=1)
                of_all += (tp + fn)[:, 0]
            return {"sensitivity": ratio(hits, of_all)}

        return Measured(
            records=of.records,
            statistic=statistic,
            curves=roc_curves(scores[used], positive[used]),
            per_record=per_record(of, labels, truth, {labels[self._positive(labels)]: scores}),
            notes=of.notes,
        )


def _scores(of: Paired, column: str, positive: Bools, official: bool) -> Floats:
    """The score of each record; a missing one is 0, or the worst."""
    worst = 0.0 if official else np.where(positive, -math.inf, math.inf)
    return np.where(of.answered, of.of_answers(of.given.numbers(column)), worst)


_ORDERS, _SEED = 10_000, 12345


@dataclass(frozen=True, kw_only=True)
class Prioritised2025(Official, TopFraction):
    """``classification.top_fraction`` of 5 %; by the official rules over 10,000 random orders."""

    measure = "physionet.prioritised2025"

    def measured_of(self, of: Paired) -> Measured:
        measured = super().measured_of(of)
        if not self.official:
            return measured
        labels, truth = self._truth(of)
        positive = truth == self._positive(labels)
        column = self.probability_prefix + labels[self._positive(labels)]
        column = column if column in of.given.header else self.score_column
        value = drawn_share(_scores(of, column, positive, True), positive, self.fraction)
        return replace(measured, statistic=_once(measured.statistic, "prioritised2025", value), ranked=None)


def _once(statistic: Statistic, key: str, value: float) -> Statistic:
    """The statistic, of which all records once have another value."""

    def values(weights: Ints) -> Values:
        values_of = statistic(weights)
        return values_of | {key: np.where((weights == 1).all(axis=1), value, values_of[key])}

    return values


def drawn_share(scores: Floats, positive: Bools, fraction: float) -> float:
    """The share of positive records in the first places, as the official program of 2025 draws the order of ties."""
    random = np.random.RandomState(_SEED)
    places, hits = int(fraction * scores.size), 0
    for _ in range(_ORDERS):
        order = random.permutation(scores.size)
        first = order[np.argsort(scores[order], kind="stable")[::-1][:places]]
        hits += int(positive[first].sum())
    return hits / _ORDERS / int(positive.sum()) if positive.any() else math.nan


@dataclass(frozen=True, kw_only=True)
class Reward2026(Official, OfTables):
    """Mean reward of a decision by how frequent the disease is at that age, and ROC areas that respect age.

    With p the share of positive records among those up to ``gap`` years older or younger (at least half a record, and
    within 0.5 / n of 0 and 1): TP earns 1 / p - 1, TN 1 / (1 - p) - 1, FP and FN -1.  p comes from the column
    ``prevalence_file`` beside the references, or from the references themselves.  ``auroc_by_age`` compares pairs up to
    ``gap`` years apart, ``auroc_weighted`` is the mean of the areas in windows around each year, by their records.

    References have ``record,label,age[,patient]`` with labels 0 and 1, answers ``record,label,score``.
    """

    measure = "physionet.reward2026"
    label_column: str = option("label", TEXT, "name of the column of labels, 0 and 1")
    age_column: str = option("age", TEXT, "name of the column of ages in the references")
    score_column: str = option("score", TEXT, "name of the column of probabilities")
    prevalence_file: str | None = option(None, or_none(TEXT), "table of record, label, age beside the references")
    gap: float = option(2.0, number(0), "years within which ages count as alike")

    @property
    def _reference_columns(self) -> tuple[str, ...]:
        return self.label_column, self.age_column

    @property
    def _answer_columns(self) -> tuple[str, ...]:
        return self.label_column, self.score_column

    def measured_of(self, of: Paired) -> Measured:
        label = of.of_references(of.truth.numbers(self.label_column, low=0, high=1))
        age = of.of_references(of.truth.numbers(self.age_column))
        known_label, known_age = label, age
        if self.prevalence_file is not None:
            folder = of.truth.file if of.truth.file.is_dir() else of.truth.file.parent
            table = read_table(
                folder / self.prevalence_file,
                ReferenceDataError,
                order=(*self._reference_columns, self.cluster or PATIENT),
                record=self.record_column,
            )
            known_label, known_age = (table.numbers(name) for name in (self.label_column, self.age_column))
        positive, used = label == 1, self._used(of) | self.official
        decision = of.of_answers(of.given.numbers(self.label_column, low=0, high=1))
        decision = np.where(of.answered, decision, 0 if self.official else 1 - label)
        scores = _scores(of, self.score_column, positive, self.official)
        near = np.abs(known_age[None, :] - age[:, None]) <= self.gap
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.maximum(near @ known_label, 0.5) / near.sum(axis=1)
        share = np.clip(share, 0.5 / label.size, 1 - 0.5 / label.size)
        right = np.where(positive, 1 / share - 1, 1 / (1 - share) - 1)
        reward = np.where(decision == label, right, -1.0)
        areas = self._areas(scores, positive, age, np.flatnonzero(used))
        called = decision == 1

        def statistic(weights: Ints) -> Values:
            kept = np.asarray(weights * used, np.float64)
            total = kept.sum(axis=1)
            tp, either = kept @ (called & positive), kept @ called + kept @ positive
            return {
                "reward": ratio(kept @ reward, total),
                **areas(weights),
                "accuracy": ratio(kept @ (decision == label), total),
                "f1": ratio(2 * tp, either),
            }

        return Measured(
            records=of.records,
            statistic=statistic,
            per_record={
                name: _row(right, gain, call if answered else None, score)
                for name, right, gain, call, score, answered in zip(
                    of.records.names, positive, reward, decision, scores, of.answered, strict=True
                )
            },
            notes=of.notes,
        )

    def _areas(self, scores: Floats, positive: Bools, age: Floats, used: Ints) -> Statistic:
        members, others = used[positive[used]], used[~positive[used]]
        near = None
        if members.size * others.size <= _MOST_PAIRS:
            near = np.abs(age[members][:, None] - age[others]) <= self.gap
            won = (scores[members][:, None] > scores[others]) + (scores[members][:, None] == scores[others]) / 2
        years = np.arange(age.min() - self.gap, age.max() + self.gap + 1) if age.size else np.zeros(0)
        windows = [used[np.abs(age[used] - year) <= self.gap] for year in years]
        by_year = [roc_areas(scores[rows], positive[rows]) for rows in windows]
        whole, precision = roc_areas(scores[used], positive[used]), average_precisions(scores[used], positive[used])

        def statistic(weights: Ints) -> Values:
            values: Values = {}
            if near is not None:
                mine, theirs = weights[:, members].astype(np.float64), weights[:, others].astype(np.float64)
                pairs = [np.einsum("bi,bi->b", mine @ table.astype(np.float64), theirs) for table in (near * won, near)]
                values["auroc_by_age"] = ratio(pairs[0], pairs[1])
            areas = np.stack([area(weights[:, rows]) for area, rows in zip(by_year, windows, strict=True)], axis=1)
            sizes = np.stack([weights[:, rows].sum(axis=1) for rows in windows], axis=1)
            values["auroc_weighted"] = averaged(areas, sizes, "weighted")
            kept = weights[:, used]
            return values | {"auroc": whole(kept), "auprc": precision(kept)}

        return statistic


def _row(positive: bool, reward: float, call: float | None, score: float) -> dict[str, float | str]:
    row: dict[str, float | str] = {"reference": "1" if positive else "0", "reward": float(reward), "answer": ""}
    return row if call is None else row | {"answer": f"{call:g}", "score[1]": float(score)}


MEASURES = by_name(Cost2022, Outcome2023, Prioritised2025, Reward2026)
