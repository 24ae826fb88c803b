"""The pictures of generic measures and of metrics of one's own: what their reports contain, as `metrics.plots`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import MeanOfRecords, ScoreReport
from metrics.measures.auc import roc
from metrics.plots.data import (
    Agreement,
    CaseDice,
    Confusion,
    FrocCurve,
    Plot,
    PrecisionRecall,
    RecordCounts,
    RecordValues,
    Reliability,
    RocCurve,
    Survival,
)
from metrics.statistics.uncertainty import intervals

_NO_BOUNDS = (math.nan, math.nan)
_RATE, _SCORE, _CURVE = "sensitivity_at_", "score[", "precision["
_BINS = 10
_OBJECTS: Mapping[str, str] = {"TP": "found (TP)", "FP": "false (FP)", "FN": "missed (FN)"}


def plots_of(report: ScoreReport) -> tuple[Plot, ...]:
    """The pictures of a report of a generic measure."""
    family, measure = _measure_name(report)
    maker = _MAKERS.get(f"{family}.{measure}") or _MAKERS.get(family)
    if maker is None or not any(report.per_record.values()):
        return ()
    made = maker(report)
    return made if isinstance(made, tuple) else (made,)


def _measure_name(report: ScoreReport) -> tuple[str, str]:
    family, _, measure = report.metric.partition("(")[0].partition(".")
    return family, measure


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
        **_head(report),
        cases=tuple(means.records[i] for i in order),
        series={key: tuple(column[i] for i in order) for key, column in means.columns.items()},
        means={key: report.values[key] for key in means.columns},
    )


def _head(report: ScoreReport) -> dict[str, Any]:
    return {"subject": report.metric, "title": _title(report)}


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
        **_head(report),
        references=labels,
        answers=tuple(label or "none" for label in answers),
        counts=counts,
        shares=tuple(tuple(n / sum(row) if sum(row) else math.nan for n in row) for row in counts),
    )


def _roc(report: ScoreReport) -> RocCurve:
    false, true = (np.array(report.curves[f"roc_{side}_positive_rate"]) for side in ("false", "true"))
    area = float(np.diff(false) @ (true[1:] + true[:-1]) / 2)
    auc = report.values.get("auroc", area)
    return RocCurve(
        **_head(report),
        false_positive_rate=tuple(report.curves["roc_false_positive_rate"]),
        true_positive_rate=tuple(report.curves["roc_true_positive_rate"]),
        auc=auc,
        interval=intervals(report).of.get("auroc", _NO_BOUNDS),
    )


def _rocs(report: ScoreReport) -> tuple[RocCurve, ...]:
    """One of two classes, or one for each class against all others."""
    if report.curves.get("roc_false_positive_rate"):
        return (_roc(report),)
    bounds = intervals(report).of
    found = []
    for label in _scored_labels(report):
        false, true = roc(*_scores(report, label))
        key = f"auroc[{label}]"
        found.append(
            RocCurve(
                subject=f"{report.metric}-{label}",
                title=f"{_title(report)}; {label} against all others",
                false_positive_rate=tuple(false.tolist()),
                true_positive_rate=tuple(true.tolist()),
                auc=report.values[key],
                interval=bounds.get(key, _NO_BOUNDS),
            )
        )
    return tuple(found)


def _scored_labels(report: ScoreReport) -> tuple[str, ...]:
    keys = dict.fromkeys(key for row in report.per_record.values() for key in row if key.startswith(_SCORE))
    return tuple(key.removeprefix(_SCORE).removesuffix("]") for key in keys)


def _scores(report: ScoreReport, label: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The scores of a class, shape (n,), and which references are of it; a missing answer is as wrong as can be."""
    several = report.metric.startswith("multilabel.")
    references = [str(row["reference"]) for row in report.per_record.values()]
    positive = np.array([label in each.split("|") if several else label == each for each in references], np.bool_)
    scores = [
        float(row.get(f"{_SCORE}{label}]", -math.inf if of_class else math.inf))
        for row, of_class in zip(report.per_record.values(), positive, strict=True)
    ]
    return np.array(scores), positive


def _precision_recall(report: ScoreReport) -> PrecisionRecall:
    """Of detections the report has the curves; of scores they are made of what each record has."""
    curves = {}
    for key, precision in report.curves.items():
        if key.startswith(_CURVE):
            name = key.removeprefix(_CURVE).removesuffix("]")
            curves[name] = tuple(report.curves[f"recall[{name}]"]), tuple(precision)
    for label in () if curves else _scored_labels(report):
        scores, positive = _scores(report, label)
        order = np.argsort(-scores, kind="stable")
        last = np.flatnonzero(np.append(scores[order][1:] != scores[order][:-1], True))  # equal ones share a threshold
        true = np.cumsum(positive[order])[last]
        recall, precision_of = true / max(1, int(positive.sum())), true / (last + 1)
        curves[label] = tuple(recall.tolist()), tuple(precision_of.tolist())
    only = report.values[report.primary]
    areas = {
        name: report.values.get(
            f"auprc[{name}]", report.values.get(f"ap[{name}]", only if len(curves) == 1 else math.nan)
        )
        for name in curves
    }
    return PrecisionRecall(**_head(report), curves=curves, areas=areas)


def _reliability(report: ScoreReport) -> Reliability:
    """Records with an answer, in bins of equal width by the probability of the positive or most probable class."""
    labels = _scored_labels(report)
    chances = np.array(
        [
            [float(row[f"{_SCORE}{label}]"]) for label in labels]
            for row in report.per_record.values()
            if f"{_SCORE}{labels[0]}]" in row
        ]
    ).reshape(-1, len(labels))
    answered = [row["reference"] for row in report.per_record.values() if labels and f"{_SCORE}{labels[0]}]" in row]
    best = chances.argmax(axis=1) if chances.size else np.zeros(0, np.int64)
    right = np.array([labels[k] == reference for k, reference in zip(best.tolist(), answered, strict=True)], np.float64)
    confidence = chances.max(axis=1)
    place = np.clip(np.ceil(confidence * _BINS).astype(np.int64) - 1, 0, _BINS - 1)
    sizes = np.bincount(place, minlength=_BINS)
    used = np.flatnonzero(sizes)

    def mean(values: NDArray[np.float64]) -> tuple[float, ...]:
        return tuple((np.bincount(place, values, _BINS)[used] / sizes[used]).tolist())

    return Reliability(
        **_head(report),
        of=labels[0] if len(labels) == 1 else "the most probable class",
        confidence=mean(confidence),
        right=mean(right),
        records=tuple(sizes[used].tolist()),
    )


def _classes(report: ScoreReport) -> Plot:
    """The ROC curve of scores, or the confusion matrix of labels."""
    return _roc(report) if report.curves.get("roc_false_positive_rate") else _confusion(report)


def _agreement(report: ScoreReport) -> Agreement:
    pairs = [(float(row["reference"]), float(row["answer"])) for row in report.per_record.values() if "answer" in row]
    reference, answer = np.array(pairs).reshape(-1, 2).T
    differences = answer - reference
    bias = float(differences.mean()) if pairs else math.nan
    spread = 1.96 * float(differences.std(ddof=1)) if len(pairs) > 1 else math.nan
    return Agreement(
        **_head(report),
        means=tuple(((reference + answer) / 2).tolist()),
        differences=tuple(differences.tolist()),
        bias=bias,
        limits=(bias - spread, bias + spread),
    )


def _survival(report: ScoreReport) -> Survival:
    """Two groups by the median of the answered risks; records without an answer are in neither."""
    rows = [row for row in report.per_record.values() if "risk" in row and not math.isnan(float(row["risk"]))]
    middle = float(np.median([float(row["risk"]) for row in rows])) if rows else math.nan
    groups = {
        "higher risk": [row for row in rows if float(row["risk"]) > middle],
        "lower risk": [row for row in rows if float(row["risk"]) <= middle],
    }
    return Survival(
        **_head(report),
        curves={
            name: kaplan_meier([float(row["time"]) for row in group], [bool(row["event"]) for row in group])
            for name, group in groups.items()
        },
        sizes={name: len(group) for name, group in groups.items()},
    )


def kaplan_meier(times: Sequence[float], events: Sequence[bool]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Times of events, from 0, and the share of records without an event from each on.

    Who is censored at the time of an event is still at risk then.
    """
    shown, shares, share = [0.0], [1.0], 1.0
    for moment in sorted({time for time, event in zip(times, events, strict=True) if event}):
        at_risk = sum(time >= moment for time in times)
        died = sum(time == moment and event for time, event in zip(times, events, strict=True))
        share *= 1 - died / at_risk
        shown.append(moment)
        shares.append(share)
    last = max(times, default=0.0)
    if last > shown[-1]:
        shown.append(last)
        shares.append(share)
    return tuple(shown), tuple(shares)


def _counts(report: ScoreReport) -> RecordCounts:
    rows = {name: _parts(row) for name, row in report.per_record.items()}
    names = tuple(dict.fromkeys(key for row in rows.values() for key in row))
    cases = tuple(sorted(rows, key=lambda case: (-sum(list(rows[case].values())[1:]), case)))
    return RecordCounts(
        **_head(report),
        unit="seconds" if "common" in names else "objects",
        cases=cases,
        parts={name: tuple(rows[case].get(name, 0.0) for case in cases) for name in names},
    )


def _of_labels(report: ScoreReport) -> RecordCounts:
    """Of each label how often it is found, answered wrongly and missed."""
    pairs = [
        [set(filter(None, str(row[side]).split("|"))) for side in ("reference", "answer")]
        for row in report.per_record.values()
    ]
    labels = sorted(set().union(*(each for pair in pairs for each in pair)))
    parts = {
        "found (TP)": [sum(label in own and label in other for own, other in pairs) for label in labels],
        "false (FP)": [sum(label in other - own for own, other in pairs) for label in labels],
        "missed (FN)": [sum(label in own - other for own, other in pairs) for label in labels],
    }
    return RecordCounts(
        **_head(report),
        record="label",
        unit="records",
        cases=tuple(labels),
        parts={name: tuple(map(float, counts)) for name, counts in parts.items()},
    )


def _parts(row: Mapping[str, float | str]) -> dict[str, float]:
    """What one record adds to the sums, in words."""
    numbers = {key: float(value) for key, value in row.items()}
    if "TP" in numbers:
        return {word: numbers[key] for key, word in _OBJECTS.items()}
    if "common_seconds" in numbers:
        common = numbers["common_seconds"]
        return {
            "common": common,
            "answer only": numbers["answer_seconds"] - common,
            "reference only": numbers["reference_seconds"] - common,
        }
    if "objects" in numbers:
        return {"found": numbers["found"], "missed": numbers["objects"] - numbers["found"]}
    return {
        "found": numbers["found"],
        "wrong": numbers["answered"] - numbers["right"],
        "missed": numbers["episodes"] - numbers["found"],
    }


def _froc(report: ScoreReport) -> FrocCurve:
    return FrocCurve(
        **_head(report),
        record="record",
        objects="objects",
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
    cases, series, means = _by_structure(report)
    head = _head(report)
    return CaseDice(**head, record="record", cases=cases, series=series, means=means, target=math.nan)


def _structures(report: ScoreReport) -> RecordValues:
    cases, series, means = _by_structure(report)
    return RecordValues(**_head(report), cases=cases, series=series, means=means)


def _channels(report: ScoreReport) -> RecordValues:
    """Records by the mean of their channels or landmarks."""
    rows = {name: [float(value) for value in row.values()] for name, row in report.per_record.items() if row}
    key = report.primary.removeprefix("neg_")
    key = "mre" if key.startswith("sdr_") else key
    return _of_means(report, key, {name: math.fsum(row) / len(row) for name, row in rows.items()}, report.values[key])


def _kappas(report: ScoreReport) -> RecordValues:
    """Records by their kappa."""
    rows = {name: float(row["kappa"]) for name, row in report.per_record.items() if "kappa" in row}
    return _of_means(report, "kappa", rows, report.values["mean_kappa"])


def _of_means(report: ScoreReport, key: str, rows: Mapping[str, float], mean: float) -> RecordValues:
    cases = tuple(sorted(rows, key=lambda name: (rows[name], name)))
    series = {key: tuple(rows[case] for case in cases)}
    return RecordValues(**_head(report), cases=cases, series=series, means={key: mean})


def _by_structure(report: ScoreReport) -> tuple[tuple[str, ...], dict[str, tuple[float, ...]], dict[str, float]]:
    """Records by their mean over the structures, and for each structure its values and their mean."""
    rows = {name: {key: float(value) for key, value in row.items()} for name, row in report.per_record.items() if row}
    structures = tuple(dict.fromkeys(key for row in rows.values() for key in row))
    cases = tuple(sorted(rows, key=lambda name: (sum(rows[name].values()) / len(rows[name]), name)))
    _, key = _measure_name(report)
    return (
        cases,
        {name: tuple(rows[case].get(name, math.nan) for case in cases) for name in structures},
        {name: report.values.get(f"{key}[{name}]", report.values[key]) for name in structures},
    )


_MAKERS: dict[str, Callable[[ScoreReport], Plot | tuple[Plot, ...]]] = {
    "classification": _classes,
    "classification.auroc": _rocs,
    "classification.auprc": _precision_recall,
    "classification.log_loss": _reliability,
    "classification.brier": _reliability,
    "classification.calibration_error": _reliability,
    "multilabel": _of_labels,
    "multilabel.auroc": _rocs,
    "multilabel.auprc": _precision_recall,
    "physionet": _classes,
    "regression": _agreement,
    "survival": _survival,
    "segmentation": _structures,
    "segmentation.dice": _dice,
    "detection": _counts,
    "detection.froc": _froc,
    "landmarks": _channels,
    "detection.map": _precision_recall,
    "physionet.snr2024": _channels,
    "events.stage_kappa": _kappas,
    "events": _counts,
}
"""By measure, or by family."""
