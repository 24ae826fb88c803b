"""The numbers of each picture, plain enough for JSON and for any drawing program; nothing here draws."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import metrics
from metrics.adaptor2021 import RADIUS_PX
from metrics.base import ReferenceDataError, ScoreReport
from metrics.cinc2017 import LABELS
from metrics.cpsc2021 import NO_ANSWER, windows
from metrics.cpsc2021_files import load_endpoints, load_reference
from metrics.froc import RATES
from metrics.mlperf_kits19 import TARGET
from metrics.uncertainty import RESAMPLES, draws, intervals

SAMPLES_PER_SECOND = 200.0
"""Of every CPSC 2021 record."""
_BAND_POINTS = 60
_NO_BOUNDS = (math.nan, math.nan)

Bounds = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A picture; ``name`` becomes a part of a file name."""

    name: ClassVar[str]
    title: str

    def as_json(self) -> dict[str, Any]:
        """The numbers as values of JSON, NaN as null."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)), parse_constant=lambda _: None)
        return {"plot": self.name, **plain}


@dataclass(frozen=True, kw_only=True)
class Confusion(Plot):
    """Counts of records, reference by answer."""

    name = "confusion"
    references: tuple[str, ...]
    answers: tuple[str, ...]
    """The same labels, and a last one for missing answers if there are any."""
    counts: tuple[tuple[int, ...], ...]
    """A row for each reference label."""


@dataclass(frozen=True, kw_only=True)
class FrocCurve(Plot):
    """Sensitivity by mean number of false positives a slide, both rising."""

    name = "froc"
    false_positives: tuple[float, ...]
    sensitivity: tuple[float, ...]
    points: tuple[tuple[float, float], ...]
    """The six operating points; the mean of their sensitivities is the score."""
    score: float
    interval: Bounds
    band: tuple[tuple[float, float, float], ...]
    """False positives, lower and upper bound of the sensitivity there (95 %, bootstrap over slides)."""


@dataclass(frozen=True, kw_only=True)
class RocCurve(Plot):
    """True by false positive rate of slides."""

    name = "roc"
    false_positive_rate: tuple[float, ...]
    true_positive_rate: tuple[float, ...]
    auc: float
    interval: Bounds


@dataclass(frozen=True, kw_only=True)
class CaseDice(Plot):
    """Dice of each case, one series for each structure."""

    name = "dice"
    cases: tuple[str, ...]
    """From the lowest mean over the structures to the highest."""
    series: Mapping[str, tuple[float, ...]]
    target: float
    """NaN where the challenge has none."""


@dataclass(frozen=True, kw_only=True)
class LandmarkErrors(Plot):
    """Distances of matched landmarks, and counts of each patient."""

    name = "landmarks"
    distances_px: tuple[float, ...]
    radius_px: float
    counts: Mapping[str, tuple[int, int, int]]
    """Patient (first part of a frame's name) -> TP, FP, FN."""


@dataclass(frozen=True, kw_only=True)
class AfTimeline(Plot):
    """Episodes of atrial fibrillation in one record, in seconds."""

    name = "episodes"
    record: str
    seconds: float
    reference: tuple[Bounds, ...]
    answered: tuple[Bounds, ...]
    rewards: tuple[tuple[float, float, float], ...]
    """First and last second of a window about a reference's start or end, and what a position in it earns."""


def plots_of(report: ScoreReport) -> tuple[Plot, ...]:
    """The pictures that a report's numbers allow."""
    if report.metric == "cinc2017":
        return (_cinc_confusion(report),)
    if report.metric == "cpsc2021":
        return (_cpsc_confusion(report),)
    if report.metric == "camelyon16":
        found: list[Plot] = [_froc(report)]
        if report.curves.get("roc_false_positive_rate"):
            found.append(_roc(report))
        return tuple(found)
    if report.metric == "adaptor2021":
        return (_landmarks(report),)
    if report.metric in _STRUCTURES:
        return (_dice(report),)
    return ()


def _title(report: ScoreReport, of: str) -> str:
    n = len(report.per_record)
    return f"{report.metric}, {n} {of if n != 1 else of.removesuffix('s')}, {report.rules} rules"


def _cinc_confusion(report: ScoreReport) -> Confusion:
    table = np.array(report.curves["confusion"], np.int64).reshape(len(LABELS), len(LABELS))
    missing = [int(n) for n in report.curves["unanswered"]]
    rows = [tuple(map(int, row)) + ((missing[i],) if any(missing) else ()) for i, row in enumerate(table)]
    answers = (*LABELS, "none") if any(missing) else tuple(LABELS)
    return Confusion(title=_title(report, "records"), references=tuple(LABELS), answers=answers, counts=tuple(rows))


def _cpsc_confusion(report: ScoreReport) -> Confusion:
    labels = ("non-AF", "persistent", "paroxysmal")
    counts = np.zeros((3, 4), np.int64)
    for numbers in report.per_record.values():
        answered = int(numbers["class_pred"])
        counts[int(numbers["class_true"]), 3 if answered == NO_ANSWER else answered] += 1
    some = bool(counts[:, 3].any())
    return Confusion(
        title=_title(report, "records"),
        references=labels,
        answers=(*labels, "none") if some else labels,
        counts=tuple(tuple(row) for row in counts[:, : 4 if some else 3].tolist()),
    )


def _froc(report: ScoreReport) -> FrocCurve:
    false_positives = tuple(reversed(report.curves["total_FPs"]))
    sensitivity = tuple(reversed(report.curves["total_sensitivity"]))
    points = tuple((rate, report.values[f"sensitivity_at_{rate:g}"]) for rate in RATES)
    return FrocCurve(
        title=_title(report, "slides"),
        false_positives=false_positives,
        sensitivity=sensitivity,
        points=points,
        score=report.values["froc"],
        interval=intervals(report).of.get("froc", _NO_BOUNDS),
        band=_band(report),
    )


def _band(report: ScoreReport, resamples: int = RESAMPLES // 4) -> tuple[tuple[float, float, float], ...]:
    """Pointwise percentiles of the resampled curves."""
    resampler: Any = report.resampler
    if resampler is None or len(resampler.records) < 2:
        return ()
    grid = np.geomspace(RATES[0] / 4, RATES[-1] * 1.5, _BAND_POINTS)
    curves = []
    for weights in draws(resampler, resamples):
        for row in weights:
            false, found = resampler.froc.curve(row)
            if np.isfinite(found).all():  # a resample may hold no lesion
                curves.append(np.interp(grid, false[::-1], found[::-1]))
    if not curves:
        return ()
    low, high = np.percentile(np.array(curves), [2.5, 97.5], axis=0)
    return tuple(zip(grid.tolist(), low.tolist(), high.tolist(), strict=True))


def _roc(report: ScoreReport) -> RocCurve:
    return RocCurve(
        title=_title(report, "slides"),
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
        title=_title(report, "cases"),
        cases=cases,
        series={name: tuple(float(report.per_record[case][key]) for case in cases) for key, name in structures.items()},
        target=TARGET if report.metric == "mlperf_kits19" else math.nan,
    )


def _landmarks(report: ScoreReport) -> LandmarkErrors:
    counts: dict[str, tuple[int, int, int]] = {}
    for frame, numbers in report.per_record.items():
        patient = frame.partition("/")[0]
        tp, fp, fn = counts.get(patient, (0, 0, 0))
        counts[patient] = (tp + int(numbers["TP"]), fp + int(numbers["FP"]), fn + int(numbers["FN"]))
    return LandmarkErrors(
        title=_title(report, "frames"),
        distances_px=tuple(report.curves["distances_px"]),
        radius_px=RADIUS_PX,
        counts=dict(sorted(counts.items())),
    )


def af_timeline(references: Path, answers: Path, record: str, *, rules: str = "corrected") -> AfTimeline:
    """The episodes of one record of CPSC 2021, as annotated and as answered.

    Parameters
    ----------
    references, answers : Path
        As of the metric ``cpsc2021``; a record without an answer file has no answered episodes.

    Raises
    ------
    AnswerError, ReferenceDataError
        A file is missing or malformed.
    """
    truth = load_reference(references, record)
    samples = truth.annotation_samples
    report = metrics.get("cpsc2021").score(references, answers, records=[record], rules=rules)
    file = next((path for path in (answers / f"{record}.json", answers / f"{record}.mat") if path.is_file()), None)
    endpoints = [] if file is None else load_endpoints(file, record, "corrected").reshape(-1, 2).tolist()

    def inside(index: int) -> int:
        return 0 if index < 0 else truth.n_samples if index >= len(samples) else samples[index]

    if len(truth.onsets) != len(truth.offsets):
        raise ReferenceDataError("expected an end for every start of an episode", file=references, record=record)
    onset, offset = windows(truth, inside)
    numbers = report.per_record[record]
    return AfTimeline(
        title=f"{record}: U = {numbers['u']:g} (Ur {numbers['ur']:g}, Ue {numbers['ue']:g}), {rules} rules",
        record=record,
        seconds=truth.n_samples / SAMPLES_PER_SECOND,
        reference=tuple(
            (samples[start] / SAMPLES_PER_SECOND, samples[end] / SAMPLES_PER_SECOND)
            for start, end in zip(truth.onsets, truth.offsets, strict=True)
        ),
        answered=tuple((start / SAMPLES_PER_SECOND, end / SAMPLES_PER_SECOND) for start, end in endpoints),
        rewards=tuple(
            (first / SAMPLES_PER_SECOND, stop / SAMPLES_PER_SECOND, reward)
            for first, stop, reward in (*onset, *offset)
            if stop > first
        ),
    )
