"""Code that is run behind walls to score: calls the metric and says whose fault it is when there is no score.

The team's (``answer_error``), the organiser's (``challenge_error``), or ours, when there is no reply at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evaluate.confine.replies import MOST_MESSAGE, Message
from evaluate.core.model import Note, Picture, Score

if TYPE_CHECKING:
    from metrics.base import ScoreReport
    from metrics.plots import Plot

_PICTURE_LETTERS = 2 << 20
"""A picture of more is left out: some 20,000 records in three series."""

SCORE: Literal["score"] = "score"
Rows = Mapping[str, Mapping[str, float | str]]
"""Statements of a metric about each record."""
ANSWER_ERROR: Literal["answer_error"] = "answer_error"
CHALLENGE_ERROR: Literal["challenge_error"] = "challenge_error"


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A score, or why there is none."""

    kind: Literal["score", "answer_error", "challenge_error"]
    message: Message = ""
    score: Score | None = None
    rows: Rows | None = None
    """None, unless they are asked for."""
    unusable: Mapping[str, str] | None = None
    """Record -> the reason why its answer counts as missing; None if there is none."""


def answer(
    name: str,
    references: Path,
    answers: Path,
    records: tuple[str, ...] | None,
    rules: str,
    with_rows: bool = False,
) -> Reply:
    """Score answers with the metric of that name; with ``with_rows``, say also what it finds of each record."""
    import metrics  # noqa: PLC0415  # an organiser's own may fail when it is imported
    from metrics.failures import failure_of, is_builtin, lookup_failure  # noqa: PLC0415
    from metrics.readers.files import is_broken  # noqa: PLC0415

    try:
        metric = metrics.get(name)
    except (Exception, SystemExit) as e:  # code of an organiser, which runs when it is imported
        return Reply(kind=CHALLENGE_ERROR, message=lookup_failure(name, e)[:MOST_MESSAGE])
    try:
        score, report = _scored(name, references, answers, records, rules)
        return Reply(
            kind=SCORE, score=score, rows=_rows(report) if with_rows else None, unusable=dict(report.unusable) or None
        )
    except metrics.AnswerError as e:
        return Reply(kind=ANSWER_ERROR, message=str(e)[:MOST_MESSAGE])
    except metrics.ReferenceDataError as e:
        return Reply(kind=CHALLENGE_ERROR, message=str(e)[:MOST_MESSAGE])
    except (Exception, SystemExit) as e:
        if is_builtin(metric) or is_broken(e):
            raise
        return Reply(kind=CHALLENGE_ERROR, message=failure_of(name, e)[:MOST_MESSAGE])


def _rows(report: ScoreReport) -> Rows:
    return {
        record: {key: value if isinstance(value, str) else float(value) for key, value in row.items()}
        for record, row in report.per_record.items()
    }


def _scored(
    name: str, references: Path, answers: Path, records: tuple[str, ...] | None, rules: str
) -> tuple[Score, ScoreReport]:
    import metrics  # noqa: PLC0415
    from metrics.scoring import both  # noqa: PLC0415

    pair = both(name, references, answers, records=records, rules=rules)
    # a metric that has no official program is not said to agree with one
    official = pair.official if getattr(metrics.get(name), "has_official", True) else None
    pictures, problems = _pictures(pair.report, references, answers)
    score = score_of(pair.report, official, pair.intervals.of, pair.notes)
    return replace(score, notes=(*score.notes, *problems), pictures=pictures), pair.report


def score_of(
    report: ScoreReport,
    official: ScoreReport | None,
    intervals: Mapping[str, tuple[float, float]],
    notes: Iterable[str],
) -> Score:
    """The score of a report; nothing else about a single record leaves the exam this way."""
    from metrics.uncertainty import FEWEST_CLUSTERS, clusters_of, resampled  # noqa: PLC0415

    clusters = clusters_of(report)
    drawn = resampled(report).get(report.primary) if clusters >= FEWEST_CLUSTERS else None
    return Score(
        primary=report.primary,
        values={key: float(value) for key, value in report.values.items()},
        official={key: float(value) for key, value in official.values.items()} if official else {},
        intervals={key: (float(low), float(high)) for key, (low, high) in intervals.items()},
        resampled=() if drawn is None else tuple(float(round(x, 6)) if math.isfinite(x) else math.nan for x in drawn),
        clusters=int(clusters),
        notes=tuple(Note(text=str(note), record=getattr(note, "record", "")) for note in notes),
    )


def _pictures(report: ScoreReport, references: Path, answers: Path) -> tuple[tuple[Picture, ...], tuple[Note, ...]]:
    """The numbers of the pictures, and a note if there are none because of an error: that is no reason for no score."""
    from metrics.plots import details_of, plots_of  # noqa: PLC0415

    try:
        plots = (*plots_of(report), *details_of(report, references, answers))
        made = [_picture(plot) for plot in plots]
    except Exception as e:  # an organiser's own metric may return anything
        return (), (Note(text=f"no pictures: {type(e).__name__}: {e}", record=""),)
    return tuple(picture for picture in made if len(picture.numbers) <= _PICTURE_LETTERS), ()


def _picture(plot: Plot) -> Picture:
    from metrics.plots import FrameLandmarks  # noqa: PLC0415

    numbers = json.dumps(plot.as_json(), separators=(",", ":"))
    return Picture(name=plot.name, numbers=numbers, record=plot.subject if isinstance(plot, FrameLandmarks) else "")
