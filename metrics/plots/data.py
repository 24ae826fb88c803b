"""The numbers of each picture, plain enough for JSON and for any drawing program; nothing here draws."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import msgspec

Bounds = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A picture of a score; ``name`` says which."""

    name: ClassVar[str]
    subject: str
    """Subject of the picture: a metric, or one record."""
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
    """Word for a record; ``objects`` is the word for what is to be found in it."""
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
    """Scores of each record, one series for each value that is a mean over records."""

    name = "records"
    cases: tuple[str, ...]
    """Names of the records, from the lowest primary value to the highest."""
    series: Mapping[str, tuple[float, ...]]
    means: Mapping[str, float]


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
    """Share of records for which a class is right, by its probability."""

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
class LandmarkErrors(Plot):
    """Distances of matched landmarks."""

    name = "landmarks"
    distances_px: tuple[float, ...]
    radius_px: float


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
    """Credit earned by start and end of each answered episode.  Ue is their sum times Ma / max(Ma, Mr)."""


@dataclass(frozen=True, kw_only=True)
class FrameLandmarks(Plot):
    """The landmarks of one frame, x and y in pixels."""

    name = "frame"
    matched: tuple[tuple[Bounds, Bounds], ...]
    """Label and point of each pair."""
    missed: tuple[Bounds, ...]
    false: tuple[Bounds, ...]


def _null_as_nan(value: Any) -> Any:
    if isinstance(value, list):
        return [_null_as_nan(item) for item in value]
    if isinstance(value, dict):
        return {key: _null_as_nan(item) for key, item in value.items()}
    return math.nan if value is None else value
