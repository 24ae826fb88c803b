"""An evaluation as one HTML file that loads nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from evaluate.core.model import RecordOutcome, Stage, StageResult
from evaluate.report.audience import View
from evaluate.report.limits import shares
from evaluate.report.pictures import Drawn, drawn
from evaluate.report.words import (
    MOST_DECIMALS,
    advice,
    beside_refusals,
    conclusion,
    counted_by_record,
    how_it_ran,
    lines_to_change,
    origin,
    percent,
    power,
    seconds,
    share,
    usage_line,
)
from metrics.display import group_lines

OPEN_RECORDS = 200
"""A longer table of records is folded, so that the page is there at once."""


def _number(value: float | None, decimals: int = MOST_DECIMALS) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.{decimals}f}"


FILTERS: Mapping[str, Callable[[Any], object]] = {
    "number": _number,
    "group_lines": lambda score: group_lines(score.primary, score.values, score.intervals),
    "lines_to_change": lines_to_change,
    "power": power,
    "seconds": seconds,
}
"""What the templates of reports need, on the site too."""


@dataclass(frozen=True, kw_only=True)
class ReceiptLine:
    """What the page says of the evaluation's receipt."""

    number: int
    """Its place in the log, from 0."""
    sha256: str
    """Of the file."""
    key: str
    """The id of the key that signed it."""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """What a report shows that is not of the evaluation itself."""

    sample_score: float | None = None
    """What the challenge's sample entry scores on the same records."""
    receipt: ReceiptLine | None = None
    back: str = ""
    """Address of the page that the report belongs to; empty where there is none."""
    stages: tuple[Stage, ...] = tuple(stage for stage in Stage if stage is not Stage.TRAIN)
    """Those of the challenge; others are shown only if the entry went through them."""


def to_html(view: View, beside: Beside | None = None) -> str:
    """The report as a page."""
    evaluation = view.evaluation
    verdict, meaning = conclusion(evaluation)

    def of_the_limit(stage: StageResult, outcome: RecordOutcome) -> str:
        return percent(share(outcome, view.limits[stage.stage.value].instructions))

    return (
        environment()
        .get_template("report.html")
        .render(
            evaluation=evaluation,
            beside=beside or Beside(),
            origin=origin(evaluation),
            verdict=verdict,
            meaning=meaning,
            advice=advice(evaluation),
            how=how_it_ran(evaluation),
            stages={stage.stage: stage for stage in evaluation.stages},
            pictures=drawn(evaluation.score.pictures) if evaluation.score else Drawn(),
            beside_refusals=beside_refusals,
            usage_line=lambda stage: usage_line(stage, view.limits),
            shares=lambda stage: shares(stage, view.limits),
            histogram=histogram,
            counted_by_record=counted_by_record,
            of_the_limit=of_the_limit,
            feedback=view.feedback.sentence if view.feedback is not None else "",
            Stage=Stage,
            open_records=OPEN_RECORDS,
        )
    )


@cache
def environment() -> Environment:
    """The templates of all pages."""
    made = Environment(
        loader=PackageLoader("evaluate.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= FILTERS
    return made


# How instructions are distributed over the records of a stage: only numbers, the templates draw them


_BINS = 24
_NAMED = 5
_FEWEST = 5
"""Of fewer records the table says more than a histogram."""


@dataclass(frozen=True, kw_only=True)
class Histogram:
    """How many records used how many instructions."""

    counts: tuple[int, ...]
    """Records in each of the bins, which are equally wide and begin at 0."""
    end: int
    """Instructions at the end of the last bin."""
    slowest: tuple[RecordOutcome, ...]
    """The records with the most instructions, worst first."""

    @property
    def tallest(self) -> int:
        """Records in the fullest bin."""
        return max(self.counts)


def histogram(stage: StageResult) -> Histogram | None:
    """Of the instructions of a stage's records; None where they are not known, or few."""
    counted = [outcome for outcome in stage.records if outcome.usage.instructions > 0]
    if len(counted) < _FEWEST:
        return None
    slowest = sorted(counted, key=lambda outcome: -outcome.usage.instructions)[:_NAMED]
    end = slowest[0].usage.instructions
    counts = [0] * _BINS
    for outcome in counted:
        counts[min(_BINS - 1, _BINS * outcome.usage.instructions // end)] += 1
    return Histogram(counts=tuple(counts), end=end, slowest=tuple(slowest))
