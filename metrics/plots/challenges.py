"""The pictures of the challenges' own metrics, as `metrics.plots`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import ScoreReport
from metrics.challenges.adaptor2021 import RADIUS_PX
from metrics.challenges.cinc2017 import LABELS
from metrics.challenges.cpsc2021 import NO_ANSWER
from metrics.challenges.mlperf_kits19 import TARGET
from metrics.measures.froc import RATES
from metrics.plots.data import CaseDice, Confusion, FrocCurve, LandmarkErrors, Plot, RocCurve
from metrics.statistics.uncertainty import FEWEST_CLUSTERS, draws, intervals

_BAND_POINTS = 60
_NO_BOUNDS = (math.nan, math.nan)


def _title(report: ScoreReport, of: str, key: str | None = None) -> str:
    key = key or report.primary
    value = report.values[key]
    n = len(report.per_record)
    counted = f"{n} {of if n != 1 else of.removesuffix('s')}"
    found = "undefined" if math.isnan(value) else f"= {value:.4f}"
    return f"{report.metric}: {key} {found}, {counted}, {report.rules} rules"


def _confusion(report: ScoreReport) -> Confusion:
    """The column of missing answers is there only if some are missing."""
    labels, table = _cinc_table(report) if report.metric == "cinc2017" else _cpsc_table(report)
    missing = bool(table[:, -1].any())
    shown = table if missing else table[:, :-1]
    totals = shown.sum(axis=1, keepdims=True)
    shares = np.divide(shown, totals, out=np.full(shown.shape, math.nan), where=totals > 0)
    return Confusion(
        subject=report.metric,
        title=_title(report, "records"),
        references=labels,
        answers=(*labels, "none") if missing else labels,
        counts=tuple(map(tuple, shown.tolist())),
        shares=tuple(map(tuple, shares.tolist())),
    )


def _cinc_table(report: ScoreReport) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    table = np.array(report.curves["confusion"], np.int64).reshape(len(LABELS), len(LABELS))
    return tuple(LABELS), np.column_stack([table, np.array(report.curves["unanswered"], np.int64)])


def _cpsc_table(report: ScoreReport) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    labels = ("non-AF", "persistent", "paroxysmal")
    counts = np.zeros((len(labels), len(labels) + 1), np.int64)
    for numbers in report.per_record.values():
        answered = int(numbers["class_pred"])
        counts[int(numbers["class_true"]), -1 if answered == NO_ANSWER else answered] += 1
    return labels, counts


def _froc(report: ScoreReport) -> FrocCurve:
    false_positives, sensitivity = _corners(report.curves["total_FPs"][::-1], report.curves["total_sensitivity"][::-1])
    return FrocCurve(
        subject=report.metric,
        title=_title(report, "slides"),
        false_positives=false_positives,
        sensitivity=sensitivity,
        points=tuple((rate, report.values[f"sensitivity_at_{rate:g}"]) for rate in RATES),
        score=report.values["froc"],
        interval=intervals(report).of.get("froc", _NO_BOUNDS),
        band=_band(report),
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
    curves = []
    for weights in draws(resampler):
        for row in weights:
            false, found = resampler.froc.curve(row)
            if np.isfinite(found).all():  # a resample may contain no lesion
                curves.append(np.interp(grid, false[::-1], found[::-1]))
    if not curves:
        return ()
    low, high = np.percentile(np.array(curves), [2.5, 97.5], axis=0)
    return tuple(zip(grid.tolist(), low.tolist(), high.tolist(), strict=True))


def _roc(report: ScoreReport) -> RocCurve:
    return RocCurve(
        subject=report.metric,
        title=_title(report, "slides", "auc"),
        false_positive_rate=tuple(report.curves["roc_false_positive_rate"]),
        true_positive_rate=tuple(report.curves["roc_true_positive_rate"]),
        auc=report.values["auc"],
        interval=report.intervals.get("auc", _NO_BOUNDS),
    )


_STRUCTURES: Mapping[str, Mapping[str, str]] = {
    "kits19": {"tk_dice": "kidney and tumour", "tu_dice": "tumour"},
    "mlperf_kits19": {"l1_dice": "kidney", "l2_dice": "tumour"},
    "kits23": {"dice_kidney_and_mass": "kidney and masses", "dice_mass": "masses", "dice_tumor": "tumour"},
}


def _dice(report: ScoreReport) -> CaseDice:
    structures = _STRUCTURES[report.metric]

    def mean(case: str) -> float:
        return float(np.nan_to_num([float(report.per_record[case][key]) for key in structures], nan=-1).mean())

    cases = tuple(sorted(report.per_record, key=lambda case: (mean(case), case)))
    return CaseDice(
        subject=report.metric,
        title=_title(report, "cases"),
        cases=cases,
        series={name: tuple(float(report.per_record[case][key]) for case in cases) for key, name in structures.items()},
        means={name: report.values[key] for key, name in structures.items()},
        target=TARGET if report.metric == "mlperf_kits19" else math.nan,
    )


def _landmarks(report: ScoreReport) -> LandmarkErrors:
    counts: dict[str, tuple[int, int, int]] = {}
    for frame, numbers in report.per_record.items():
        patient = frame.partition("/")[0]
        tp, fp, fn = counts.get(patient, (0, 0, 0))
        counts[patient] = (tp + int(numbers["TP"]), fp + int(numbers["FP"]), fn + int(numbers["FN"]))
    return LandmarkErrors(
        subject=report.metric,
        title=_title(report, "frames"),
        distances_px=tuple(report.curves["distances_px"]),
        radius_px=RADIUS_PX,
        counts=dict(sorted(counts.items())),
    )


def _slides(report: ScoreReport) -> tuple[Plot, ...]:
    curve = report.curves.get("roc_false_positive_rate")
    return (_froc(report), _roc(report)) if curve else (_froc(report),)


MAKERS: Mapping[str, Callable[[ScoreReport], tuple[Plot, ...]]] = {
    "cinc2017": lambda report: (_confusion(report),),
    "cpsc2021": lambda report: (_confusion(report),),
    "camelyon16": _slides,
    "adaptor2021": lambda report: (_landmarks(report),),
    **dict.fromkeys(_STRUCTURES, lambda report: (_dice(report),)),
}
"""By metric."""
