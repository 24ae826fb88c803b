"""The numbers of each picture, plain enough for JSON and for any drawing program; nothing here draws."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from metrics.base import ScoreReport
from metrics.challenges.adaptor2021 import RADIUS_PX
from metrics.challenges.cinc2017 import LABELS
from metrics.challenges.cpsc2021 import NO_ANSWER
from metrics.challenges.mlperf_kits19 import TARGET
from metrics.measures.froc import RATES
from metrics.statistics.uncertainty import FEWEST_CLUSTERS, draws, intervals

_BAND_POINTS = 60
_NO_BOUNDS = (math.nan, math.nan)

Bounds = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A picture of a score; ``name`` says which."""

    name: ClassVar[str]
    subject: str
    """What it shows: a metric, or one record."""
    title: str
    """Metric, value, how many of what, and the rules."""

    def as_json(self) -> dict[str, Any]:
        """The numbers as values of JSON, NaN as null."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)), parse_constant=lambda _: None)
        return {"plot": self.name, **plain}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Plot:
        """The picture whose `as_json` this is; null becomes NaN.

        Raises
        ------
        ValueError
            No picture has such numbers.
        """
        rest = {key: _null_as_nan(value) for key, value in values.items() if key != "plot"}
        kind = next((kind for kind in cls.__subclasses__() if kind.name == values.get("plot")), None)
        if kind is None:
            raise ValueError(f"no picture is called {values.get('plot')!r}")
        return msgspec.convert(rest, kind)


@dataclass(frozen=True, kw_only=True)
class Confusion(Plot):
    """Counts of records, reference by answer."""

    name = "confusion"
    references: tuple[str, ...]
    answers: tuple[str, ...]
    """The same labels, and a last one for missing answers if there are any."""
    counts: tuple[tuple[int, ...], ...]
    """A row for each reference label."""
    shares: tuple[tuple[float, ...], ...]
    """The same as shares of their row, in [0, 1]; NaN in the row of a label that no reference has."""


@dataclass(frozen=True, kw_only=True)
class FrocCurve(Plot):
    """Sensitivity by mean number of false positives a record, both rising; straight lines join the points."""

    name = "froc"
    record: str = "slide"
    """What a record is, and what is to be found in it."""
    objects: str = "lesions"
    false_positives: tuple[float, ...]
    sensitivity: tuple[float, ...]
    points: tuple[tuple[float, float], ...]
    """The operating points; the mean of their sensitivities is the score."""
    score: float
    interval: Bounds
    band: tuple[tuple[float, float, float], ...]
    """False positives, lower and upper bound of the sensitivity there (95 %, bootstrap over slides).  Empty where a
    score has no interval either, see `metrics.statistics.uncertainty`."""


@dataclass(frozen=True, kw_only=True)
class RocCurve(Plot):
    """True positive rate by false positive rate of records."""

    name = "roc"
    false_positive_rate: tuple[float, ...]
    true_positive_rate: tuple[float, ...]
    auc: float
    interval: Bounds


@dataclass(frozen=True, kw_only=True)
class CaseDice(Plot):
    """Dice of each case, one series for each structure."""

    name = "dice"
    record: str = "case"
    cases: tuple[str, ...]
    """Names of the cases, from the lowest mean over the structures to the highest."""
    series: Mapping[str, tuple[float, ...]]
    means: Mapping[str, float]
    """Mean of each series, as in the report: NaN if the Dice of one case is NaN."""
    target: float
    """NaN where the challenge has none."""


@dataclass(frozen=True, kw_only=True)
class RecordValues(Plot):
    """What each record scores, one series for each value that is a mean over records."""

    name = "records"
    cases: tuple[str, ...]
    """Names of the records, from the lowest primary value to the highest."""
    series: Mapping[str, tuple[float, ...]]
    means: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class RecordCounts(Plot):
    """What each record adds to sums from which the score is made: objects found, false, missed, or seconds."""

    name = "counts"
    unit: str
    cases: tuple[str, ...]
    """Names of the records, from the largest sum of all but the first part to the smallest."""
    parts: Mapping[str, tuple[float, ...]]
    """What is right comes first."""


@dataclass(frozen=True, kw_only=True)
class PrecisionRecall(Plot):
    """Precision by recall, one line for each class; a step lasts until the next larger recall."""

    name = "precision-recall"
    curves: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]]
    """Class -> recall, rising, and precision."""
    areas: Mapping[str, float]
    """The average precision of each class, as in the report."""


@dataclass(frozen=True, kw_only=True)
class Reliability(Plot):
    """How often a class is right, by its probability."""

    name = "reliability"
    of: str = "the most probable class"
    confidence: tuple[float, ...]
    """Mean probability of the records of each bin that has some."""
    right: tuple[float, ...]
    """Share of them whose most probable class is that of the reference."""
    records: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Agreement(Plot):
    """Answer minus reference by their mean (Bland and Altman, Lancet 327 (1986) 307)."""

    name = "agreement"
    means: tuple[float, ...]
    differences: tuple[float, ...]
    bias: float
    """Mean difference."""
    limits: Bounds
    """Bias minus and plus 1.96 standard deviations of the differences; NaN for fewer than two."""


@dataclass(frozen=True, kw_only=True)
class Survival(Plot):
    """Share without an event over time (Kaplan and Meier, 1958) of the records at higher and at lower answered risk."""

    name = "survival"
    curves: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]]
    """Group -> times, from 0, and the share from that time on."""
    sizes: Mapping[str, int]


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
    seconds: float
    """Length of the record."""
    reference: tuple[Bounds, ...]
    answered: tuple[Bounds, ...]
    has_answer: bool
    """False if there is no answer file, which differs from an answer without an episode."""
    start_windows: tuple[tuple[float, float, float], ...]
    """First second, second after the last, and what a start between them earns; rewards of overlaps add up."""
    end_windows: tuple[tuple[float, float, float], ...]
    earned: tuple[Bounds, ...]
    """What start and end of each answered episode earn.  Ue is their sum times Ma / max(Ma, Mr)."""


@dataclass(frozen=True, kw_only=True)
class Thumbnail:
    """A record's own picture, made small: what marks are drawn over."""

    width_px: int
    height_px: int
    """Size of the picture itself, in which coordinates are."""
    columns: int
    rows: int
    rgb: str
    """Its ``rows * columns`` pixels, 3 bytes each, as base64: no decoder of images is needed to draw it."""


@dataclass(frozen=True, kw_only=True)
class FrameLandmarks(Plot):
    """The landmarks of one frame, x and y in pixels."""

    name = "frame"
    matched: tuple[tuple[Bounds, Bounds], ...]
    """Label and point of each pair."""
    missed: tuple[Bounds, ...]
    false: tuple[Bounds, ...]
    under: Thumbnail | None = None
    """The frame itself, where the caller has it."""


def _null_as_nan(value: Any) -> Any:
    if isinstance(value, list):
        return [_null_as_nan(item) for item in value]
    if isinstance(value, dict):
        return {key: _null_as_nan(item) for key, item in value.items()}
    return math.nan if value is None else value


def plots_of(report: ScoreReport) -> tuple[Plot, ...]:
    """The pictures that a report's numbers allow."""
    if report.metric in ("cinc2017", "cpsc2021"):
        return (_confusion(report),)
    if report.metric == "camelyon16":
        found: list[Plot] = [_froc(report)]
        if report.curves.get("roc_false_positive_rate"):
            found.append(_roc(report))
        return tuple(found)
    if report.metric == "adaptor2021":
        return (_landmarks(report),)
    if report.metric in _STRUCTURES:
        return (_dice(report),)
    from metrics.plots import generic  # noqa: PLC0415  # which makes the plots of this module

    return generic.plots_of(report) if "." in report.metric else generic.plots_of_own(report)  # family.measure


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
