"""An evaluation as one HTML file that loads nothing else."""

from __future__ import annotations

import base64
import importlib.util
import json
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.scratch import Scratch
from evaluate.confine.walls import Openings
from evaluate.core.errors import EvaluateError
from evaluate.core.model import Picture, RecordOutcome, Stage, StageResult
from evaluate.core.sanitize import in_one_line
from evaluate.report.audience import View
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
    shares,
    usage_line,
)
from metrics.display import group_lines

# The metric's pictures as images that a page contains.
#
# What a metric says behind walls are numbers and texts (`evaluate.core.model.Picture`), and an attacker who took it
# over chooses them.  So they are read and drawn behind walls too, and shown as images, in which no script runs.


NO_MATPLOTLIB = "Pictures need matplotlib: pip install 'sandbox-evaluate[plots]'"
_SVG = "data:image/svg+xml;base64,"
_SECONDS, _SECONDS_EACH = 30.0, 2.0
_MEMORY_BYTES, _REPLY_BYTES, _REMEMBERED = 2 << 30, 8 << 20, 16
_KEPT_BYTES = 16 << 20
"""Number of bytes that matplotlib writes for itself."""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A picture that could be drawn."""

    title: str
    svg: str

    @property
    def data(self) -> str:
        """Address of the picture that has all of it, for a page."""
        return _SVG + base64.b64encode(self.svg.encode(errors="replace")).decode()


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Outcome of drawing the pictures of a score."""

    images: tuple[Drawing, ...] = ()
    problem: str = ""
    """Reason why some are missing, in a sentence."""


def drawn(pictures: Sequence[Picture]) -> Drawn:
    """Draw the pictures; one that cannot be drawn is left out."""
    if not pictures:
        return Drawn()
    if importlib.util.find_spec("matplotlib") is None:
        return Drawn(problem=NO_MATPLOTLIB)
    try:
        drawings = _drawings(tuple(picture.numbers for picture in pictures))
    except EvaluateError as e:
        return Drawn(problem=f"The pictures cannot be drawn: {e}")
    if len(drawings) != len(pictures):
        return Drawn(problem=f"The pictures cannot be drawn: expected {len(pictures)}, found {len(drawings)}")
    failed = [picture.name for picture, drawing in zip(pictures, drawings, strict=True) if drawing is None]
    images = tuple(replace(drawing, title=in_one_line(drawing.title)) for drawing in drawings if drawing is not None)
    problem = f"Cannot be drawn: {', '.join(failed)}" if failed else ""
    return Drawn(images=images, problem=problem)


@lru_cache(_REMEMBERED)
def _drawings(numbers: tuple[str, ...]) -> tuple[Drawing | None, ...]:
    """Remembered, since matplotlib takes a second, and a page is looked at more than once."""
    bounds = Bounds(
        doing="drawing the pictures of a score",
        seconds=_SECONDS + _SECONDS_EACH * len(numbers),
        memory_bytes=_MEMORY_BYTES,
        file_bytes=_KEPT_BYTES,
        reply_bytes=_REPLY_BYTES,
        openings=Openings(scratch=Scratch(folder=Path(tempfile.gettempdir()), most_bytes=_KEPT_BYTES)),
    )
    return isolated(bounds, draw, numbers)


def draw(pictures: tuple[str, ...]) -> tuple[Drawing | None, ...]:
    """Behind walls: a drawing of each picture's numbers (JSON), or None."""
    from metrics.plots import Plot, svg  # noqa: PLC0415  # matplotlib, which the host itself does not need

    def drawing(numbers: str) -> Drawing | None:
        try:
            plot = Plot.from_json(json.loads(numbers))
            return Drawing(title=plot.title, svg=svg(plot))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError):
            return None

    return tuple(map(drawing, pictures))


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
"""Filters that the templates of reports need, on the site too."""


@dataclass(frozen=True, kw_only=True)
class ReceiptLine:
    """Facts that the page states about the evaluation's receipt."""

    number: int
    """Number in the log, from 0."""
    sha256: str
    """Digest of the file."""
    key: str
    """The id of the key that signed it."""


@dataclass(frozen=True, kw_only=True)
class Beside:
    """Content of a report that is not of the evaluation itself."""

    sample_score: float | None = None
    """Score of the challenge's sample entry on the same records."""
    receipt: ReceiptLine | None = None
    back: str = ""
    """Address of the page that the report belongs to; empty where there is none."""
    stages: tuple[Stage, ...] = tuple(stage for stage in Stage if stage is not Stage.TRAIN)
    """Stages of the challenge; others are shown only if the entry went through them."""


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
            counted_by_record=counted_by_record,
            of_the_limit=of_the_limit,
            feedback=view.feedback.sentence if view.feedback is not None else "",
            Stage=Stage,
            open_records=OPEN_RECORDS,
        )
    )


@cache
def environment(*packages: str) -> Environment:
    """The templates of reports, and before them those of other packages."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, "evaluate.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= FILTERS
    return made
