"""The pictures of each metric's report, as `metrics.plots`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import metrics
from metrics.base import MeanOfRecords, ScoreReport
from metrics.challenges.adaptor2021 import RADIUS_PX
from metrics.challenges.cinc2017 import LABELS
from metrics.challenges.mlperf_kits19 import TARGET
from metrics.measures.auc import roc
from metrics.measures.froc import RATES
from metrics.plots.data import (
    Agreement,
    CaseDice,
    Confusion,
    FrocCurve,
    LandmarkErrors,
    Plot,
    PrecisionRecall,
    RecordValues,
    Reliability,
    RocCurve,
)
from metrics.statistics.uncertainty import FEWEST_CLUSTERS, draws, intervals

_NO_BOUNDS = (math.nan, math.nan)
_RATE, _SCORE, _CURVE = "sensitivity_at_", "score[", "precision["
_BINS, _BAND_POINTS = 10, 60
_RHYTHMS = ("non-AF", "persistent", "paroxysmal", "")
_STRUCTURES: Mapping[str, Mapping[str, str]] = {
    "kits19": {"tk_dice": "kidney and tumour", "tu_dice": "tumour"},
    "mlperf_kits19": {"l1_dice": "kidney", "l2_dice": "tumour"},
    "kits23": {"dice_kidney_and_mass": "kidney and masses", "dice_mass": "masses", "dice_tumor": "tumour"},
}
Rows = Mapping[str, Mapping[str, float]]
"""Record -> its values by name."""


def plots_of(report: ScoreReport) -> tuple[Plot, ...]:
    """The pictures that a report's numbers allow."""
    family, _, measure = report.metric.partition("(")[0].partition(".")
    maker = _MAKERS.get(f"{family}.{measure}" if measure else family) or _MAKERS.get(family)
    if maker is None:
        return () if measure else _of_own(report)
    if not any(report.per_record.values()):
        return ()
    made = maker(report)
    return made if isinstance(made, tuple) else (made,)


def _of_own(report: ScoreReport) -> tuple[Plot, ...]:
    """The pictures of a metric of one's own, by what it returns.

    The texts ``reference`` and ``answer`` of every record in ``per_record`` give a confusion matrix. The curves
    ``roc_false_positive_rate`` and ``roc_true_positive_rate`` give a ROC curve, whose area is the value ``auroc``.
    Numbers of which the primary value is the mean are shown record by record, unless all are 0 or 1.
    """
    plots: list[Plot] = []
    if report.per_record and all({"reference", "answer"} <= row.keys() for row in report.per_record.values()):
        plots.append(_confusion(report))
    if report.curves.get("roc_false_positive_rate"):
        plots.append(_roc(report))
    means = report.resampler
    if isinstance(means, MeanOfRecords) and not set(means.columns[report.primary]) <= {0.0, 1.0}:
        order = sorted(range(len(means.records)), key=lambda i: (means.columns[report.primary][i], means.records[i]))
        plots.append(
            RecordValues(
                **_head(report),
                cases=tuple(means.records[i] for i in order),
                series={key: tuple(column[i] for i in order) for key, column in means.columns.items()},
                means={key: report.values[key] for key in means.columns},
            )
        )
    return tuple(plots)


def _head(report: ScoreReport, of: str = "records", key: str | None = None) -> dict[str, Any]:
    """Subject and title of a picture; only a challenge has two sets of rules."""
    value, n = report.values[key or report.primary], len(report.per_record)
    shown = "undefined" if math.isnan(value) else f"= {value:.4f}"
    rules = f", {report.rules} rules" if report.metric in metrics.names() else ""
    title = f"{report.metric}: {key or report.primary} {shown}, {n} {of if n != 1 else of.removesuffix('s')}{rules}"
    return {"subject": report.metric, "title": title}


def _confusion(report: ScoreReport) -> Confusion:
    """The table of the labels that occur."""
    pairs = [(str(row["reference"]), str(row["answer"])) for row in report.per_record.values()]
    return _table(report, sorted({label for pair in pairs for label in pair if label}), pairs)


def _rhythms(report: ScoreReport) -> Confusion:
    rows = report.per_record.values()
    pairs = [(_RHYTHMS[int(row["class_true"])], _RHYTHMS[int(row["class_pred"])]) for row in rows]
    return _table(report, _RHYTHMS[:-1], pairs)


def _table(report: ScoreReport, labels: Sequence[str], pairs: Iterable[tuple[str, str]]) -> Confusion:
    """The table of pairs of reference and answer; it has a column of missing answers only if some are missing."""
    times = Counter(pairs)
    answers = (*labels, "") if any(not answer for _, answer in times) else tuple(labels)
    counts = tuple(tuple(times[reference, answer] for answer in answers) for reference in labels)
    return Confusion(
        **_head(report),
        references=tuple(labels),
        answers=tuple(label or "none" for label in answers),
        counts=counts,
        shares=tuple(tuple(n / sum(row) if sum(row) else math.nan for n in row) for row in counts),
    )


def _letters(report: ScoreReport) -> Confusion:
    return _table(report, LABELS, ((str(r["reference"]), str(r["answer"])) for r in report.per_record.values()))


def _froc(report: ScoreReport) -> FrocCurve:
    slides = report.metric == "camelyon16"
    false_positives, sensitivity = _corners(report.curves["total_FPs"][::-1], report.curves["total_sensitivity"][::-1])
    return FrocCurve(
        **_head(report, "slides" if slides else "records"),
        record="slide" if slides else "record",
        objects="lesions" if slides else "objects",
        false_positives=false_positives,
        sensitivity=sensitivity,
        points=tuple(
            (float(key.removeprefix(_RATE)), value) for key, value in report.values.items() if key.startswith(_RATE)
        ),
        score=report.values["froc"],
        interval=intervals(report).of.get("froc", _NO_BOUNDS),
        band=_band(report) if slides else (),
    )


def _corners(x: Sequence[float], y: Sequence[float]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The same line without the points inside level stretches, which are nearly all if false positives are many."""
    x_all, y_all = np.array(x), np.array(y)
    kept = np.ones(y_all.size, np.bool_)
    kept[1:-1] = (y_all[1:-1] != y_all[:-2]) | (y_all[1:-1] != y_all[2:])
    return tuple(x_all[kept].tolist()), tuple(y_all[kept].tolist())


def _band(report: ScoreReport) -> tuple[tuple[float, float, float], ...]:
    """Pointwise percentiles of the resampled curves."""
    resampler: Any = report.resampler
    if resampler is None or len(set(resampler.clusters)) < FEWEST_CLUSTERS:
        return ()
    grid = np.geomspace(RATES[0] / 4, RATES[-1] * 1.5, _BAND_POINTS)
    curves = [resampler.froc.sensitivities(row, grid) for weights in draws(resampler) for row in weights]
    curves = [curve for curve in curves if np.isfinite(curve).all()]  # a resample may contain no lesion
    if not curves:
        return ()
    low, high = np.percentile(np.array(curves), [2.5, 97.5], axis=0)
    return tuple(zip(grid.tolist(), low.tolist(), high.tolist(), strict=True))


def _slides(report: ScoreReport) -> tuple[Plot, ...]:
    curve = report.curves.get("roc_false_positive_rate")
    return (_froc(report), _roc(report, "slides", "auc")) if curve else (_froc(report),)


def _roc(report: ScoreReport, of: str = "records", key: str = "auroc") -> RocCurve:
    false, true = (np.array(report.curves[f"roc_{side}_positive_rate"]) for side in ("false", "true"))
    area = float(np.diff(false) @ (true[1:] + true[:-1]) / 2)
    return RocCurve(
        **_head(report, of, key if key in report.values else None),
        false_positive_rate=tuple(report.curves["roc_false_positive_rate"]),
        true_positive_rate=tuple(report.curves["roc_true_positive_rate"]),
        auc=report.values.get(key, area),
        interval=intervals(report).of.get(key, _NO_BOUNDS),
    )


def _rocs(report: ScoreReport) -> tuple[RocCurve, ...]:
    """One of two classes, or one for each class against all others."""
    if report.curves.get("roc_false_positive_rate"):
        return (_roc(report),)
    bounds, head = intervals(report).of, _head(report)
    curves = []
    for label in _scored_labels(report):
        false, true = roc(*_scores(report, label))
        curves.append(
            RocCurve(
                subject=f"{report.metric}-{label}",
                title=f"{head['title']}; {label} against all others",
                false_positive_rate=tuple(false.tolist()),
                true_positive_rate=tuple(true.tolist()),
                auc=report.values[f"auroc[{label}]"],
                interval=bounds.get(f"auroc[{label}]", _NO_BOUNDS),
            )
        )
    return tuple(curves)


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
    """Return the curves of the report for detections, or curves made of what each record has for scores."""
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
    only = report.values[report.primary] if len(curves) == 1 else math.nan
    areas = {name: report.values.get(f"auprc[{name}]", report.values.get(f"ap[{name}]", only)) for name in curves}
    return PrecisionRecall(**_head(report), curves=curves, areas=areas)


def _reliability(report: ScoreReport) -> Reliability:
    """Records with an answer, in bins of equal width by the probability of the positive or most probable class."""
    labels = _scored_labels(report)
    rows = [row for row in report.per_record.values() if labels and f"{_SCORE}{labels[0]}]" in row]
    chances = np.array([[float(row[f"{_SCORE}{label}]"]) for label in labels] for row in rows])
    chances = chances.reshape(-1, len(labels))
    best = chances.argmax(axis=1) if chances.size else np.zeros(0, np.int64)
    right = np.array([labels[k] == row["reference"] for k, row in zip(best.tolist(), rows, strict=True)], np.float64)
    confidence = chances.max(axis=1)
    bin_of = np.clip(np.ceil(confidence * _BINS).astype(np.int64) - 1, 0, _BINS - 1)
    sizes = np.bincount(bin_of, minlength=_BINS)
    used = np.flatnonzero(sizes)

    def mean(values: NDArray[np.float64]) -> tuple[float, ...]:
        return tuple((np.bincount(bin_of, values, _BINS)[used] / sizes[used]).tolist())

    return Reliability(
        **_head(report),
        of=labels[0] if len(labels) == 1 else "the most probable class",
        confidence=mean(confidence),
        right=mean(right),
        records=tuple(sizes[used].tolist()),
    )


def _classes(report: ScoreReport) -> Plot | tuple[Plot, ...]:
    """The ROC curve of scores, or the confusion matrix of labels; scores of records of one class have no curve."""
    if report.curves.get("roc_false_positive_rate"):
        return _roc(report)
    return _confusion(report) if "confusion" in report.curves else ()


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


def _dice(report: ScoreReport) -> CaseDice:
    """Dice of each case; of a challenge its structures, under names that say what they are."""
    names = _STRUCTURES.get(report.metric)
    rows: Rows = _numbers(report)
    if names is not None:
        rows = {case: {name: row[key] for key, name in names.items()} for case, row in rows.items()}
    means = None if names is None else {name: report.values[key] for key, name in names.items()}
    return CaseDice(
        **_head(report, "records" if names is None else "cases"),
        record="record" if names is None else "case",
        **_sorted_cases(report, rows, means),
        target=TARGET if report.metric == "mlperf_kits19" else math.nan,
    )


def _structures(report: ScoreReport) -> RecordValues:
    return RecordValues(**_head(report), **_sorted_cases(report, _numbers(report)))


def _numbers(report: ScoreReport) -> Rows:
    return {name: {key: float(value) for key, value in row.items()} for name, row in report.per_record.items() if row}


def _sorted_cases(report: ScoreReport, rows: Rows, means: Mapping[str, float] | None = None) -> dict[str, Any]:
    """Records by their mean over the series, undefined ones first, and for each series its values and their mean."""
    series = tuple(dict.fromkeys(key for row in rows.values() for key in row))
    cases = tuple(sorted(rows, key=lambda name: (float(np.nan_to_num([*rows[name].values()], nan=-1).mean()), name)))
    key = report.primary.removeprefix("neg_")
    return {
        "cases": cases,
        "series": {name: tuple(rows[case].get(name, math.nan) for case in cases) for name in series},
        "means": means or {name: report.values.get(f"{key}[{name}]", report.values[key]) for name in series},
    }


def _channels(report: ScoreReport) -> RecordValues:
    """Records by the mean of their channels or landmarks."""
    key = report.primary.removeprefix("neg_")
    key = "mre" if key.startswith("sdr_") else key
    rows = {name: {key: math.fsum(row.values()) / len(row)} for name, row in _numbers(report).items()}
    return RecordValues(**_head(report), **_sorted_cases(report, rows, {key: report.values[key]}))


def _landmarks(report: ScoreReport) -> LandmarkErrors:
    distances = tuple(report.curves["distances_px"])
    return LandmarkErrors(**_head(report, "frames"), distances_px=distances, radius_px=RADIUS_PX)


_MAKERS: dict[str, Callable[[ScoreReport], Plot | tuple[Plot, ...]]] = {
    "cinc2017": _letters,
    "cpsc2021": _rhythms,
    "camelyon16": _slides,
    "adaptor2021": _landmarks,
    **dict.fromkeys(_STRUCTURES, _dice),
    "classification": _classes,
    "classification.auroc": _rocs,
    "classification.auprc": _precision_recall,
    "classification.log_loss": _reliability,
    "classification.brier": _reliability,
    "multilabel.auroc": _rocs,
    "multilabel.auprc": _precision_recall,
    "physionet": _classes,
    "physionet.snr2024": _channels,
    "regression": _agreement,
    "segmentation": _structures,
    "segmentation.dice": _dice,
    "detection.froc": _froc,
    "detection.map": _precision_recall,
    "landmarks": _channels,
}
"""By metric, by measure, or by the family of a measure."""
