"""An evaluation as one HTML file that loads nothing else."""

from __future__ import annotations

import math
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from evaluate.core.model import RecordOutcome, Stage, StageResult
from evaluate.report.audience import View
from evaluate.report.words import MEANING, counted_by_record, how_it_ran, origin, share, usage_line


def to_html(view: View) -> str:
    """The report as a page."""
    evaluation = view.evaluation

    def percent(stage: StageResult, outcome: RecordOutcome) -> float:
        return share(outcome, view.limits[stage.stage.value].instructions)

    return (
        environment()
        .get_template("report.html")
        .render(
            evaluation=evaluation,
            origin=origin(evaluation),
            meaning=MEANING[evaluation.verdict],
            how=how_it_ran(evaluation),
            usage_line=lambda stage: usage_line(stage, view.limits),
            counted_by_record=counted_by_record,
            percent=percent,
            feedback=view.feedback.sentence if view.feedback is not None else "",
            Stage=Stage,
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
    made.filters["number"] = lambda value: "–" if value is None or math.isnan(value) else f"{value:.4f}"
    return made
