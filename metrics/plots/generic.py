"""The pictures of generic measures and of metrics of one's own: what their reports contain, as `metrics.plots`."""

from __future__ import annotations

import math
from collections import Counter

from metrics.base import MeanOfRecords, ScoreReport
from metrics.plots.data import CaseDice, Confusion, FrocCurve, Plot, RecordValues, RocCurve
from metrics.statistics.uncertainty import intervals

_NO_BOUNDS = (math.nan, math.nan)
_RATE = "sensitivity_at_"


def plots_of(report: ScoreReport) -> tuple[Plot, ...]:
    """The pictures that a report of a generic measure allows."""
    measure = report.metric.partition("(")[0]
    if "confusion" in report.curves:
        return (_confusion(report),)
    if report.curves.get("roc_false_positive_rate"):
        return (_roc(report),)
    if measure == "detection.froc":
        return (_froc(report),)
    if measure == "segmentation.dice" and any(report.per_record.values()):
        return (_dice(report),)
    return ()


def plots_of_own(report: ScoreReport) -> tuple[Plot, ...]:
    """The pictures of a metric of one's own, by what it returns.

    The texts ``reference`` and ``answer`` of every record in ``per_record`` give a confusion matrix. The curves
    ``roc_false_positive_rate`` and ``roc_true_positive_rate`` give a ROC curve, whose area is the value ``auroc``.
    Numbers of which the primary value is the mean are shown record by record, unless all are 0 or 1.
    """
    found: list[Plot] = []
    if report.per_record and all({"reference", "answer"} <= row.keys() for row in report.per_record.values()):
        found.append(_confusion(report))
    if report.curves.get("roc_false_positive_rate"):
        found.append(_roc(report))
    means = report.resampler
    if isinstance(means, MeanOfRecords) and not set(means.columns[report.primary]) <= {0.0, 1.0}:
        found.append(_records(report, means))
    return tuple(found)


def _records(report: ScoreReport, means: MeanOfRecords) -> RecordValues:
    order = sorted(range(len(means.records)), key=lambda i: (means.columns[report.primary][i], means.records[i]))
    return RecordValues(
        subject=report.metric,
        title=_title(report),
        cases=tuple(means.records[i] for i in order),
        series={key: tuple(column[i] for i in order) for key, column in means.columns.items()},
        means={key: report.values[key] for key in means.columns},
    )


def _title(report: ScoreReport) -> str:
    value = report.values[report.primary]
    found = "undefined" if math.isnan(value) else f"= {value:.4f}"
    return f"{report.metric}: {report.primary} {found}, {len(report.per_record)} records"


def _confusion(report: ScoreReport) -> Confusion:
    """The table of the labels that occur; it has a column of missing answers only if some are missing."""
    pairs = Counter((str(row["reference"]), str(row["answer"])) for row in report.per_record.values())
    labels = tuple(sorted({label for pair in pairs for label in pair if label}))
    answers = (*labels, "") if any(not answer for _, answer in pairs) else labels
    counts = tuple(tuple(pairs[reference, answer] for answer in answers) for reference in labels)
    return Confusion(
        subject=report.metric,
        title=_title(report),
        references=labels,
        answers=tuple(label or "none" for label in answers),
        counts=counts,
        shares=tuple(tuple(n / sum(row) if sum(row) else math.nan for n in row) for row in counts),
    )


def _roc(report: ScoreReport) -> RocCurve:
    auc = report.values.get("auroc", math.nan)
    return RocCurve(
        subject=report.metric,
        title=_title(report),
        false_positive_rate=tuple(report.curves["roc_false_positive_rate"]),
        true_positive_rate=tuple(report.curves["roc_true_positive_rate"]),
        auc=auc,
        interval=intervals(report).of.get("auroc", _NO_BOUNDS),
    )


def _froc(report: ScoreReport) -> FrocCurve:
    return FrocCurve(
        subject=report.metric,
        title=_title(report),
        false_positives=tuple(report.curves["total_FPs"][::-1]),
        sensitivity=tuple(report.curves["total_sensitivity"][::-1]),
        points=tuple(
            (float(key.removeprefix(_RATE)), value) for key, value in report.values.items() if key.startswith(_RATE)
        ),
        score=report.values["froc"],
        interval=intervals(report).of.get("froc", _NO_BOUNDS),
        band=(),
    )


def _dice(report: ScoreReport) -> CaseDice:
    rows = {name: {key: float(value) for key, value in row.items()} for name, row in report.per_record.items() if row}
    structures = tuple(dict.fromkeys(key for row in rows.values() for key in row))
    cases = tuple(sorted(rows, key=lambda name: (sum(rows[name].values()) / len(rows[name]), name)))
    return CaseDice(
        subject=report.metric,
        title=_title(report),
        cases=cases,
        series={name: tuple(rows[case].get(name, math.nan) for case in cases) for name in structures},
        means={name: report.values.get(f"dice[{name}]", report.values["dice"]) for name in structures},
        target=math.nan,
    )
