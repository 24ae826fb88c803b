"""One scoring by both sets of rules, side by side, as text and as JSON values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import metrics
from metrics.base import MetricError, ScoreReport


@dataclass(frozen=True, kw_only=True)
class ScoredPair:
    """What the judging rules and what the organisers' program say of the same answers."""

    report: ScoreReport
    """By the judging rules."""
    official: ScoreReport | None
    """By the official rules; None where the organisers' program stops."""
    official_stop: str = ""
    """Why it stops."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes of both; those of the official rules say so."""
        notes = list(self.report.notes)
        if self.official is None:
            notes.append(f"official: the organisers' program stops here: {self.official_stop}")
        elif self.official is not self.report:
            notes.extend(f"official: {note}" for note in self.official.notes)
        return tuple(notes)


def both(
    metric_name: str,
    references: Path,
    answers: Path,
    *,
    records: Sequence[str] | None = None,
    rules: str = "corrected",
) -> ScoredPair:
    """Score by ``rules``, and by the official ones beside it; arguments as of `metrics.base.Metric.score`.

    Raises
    ------
    KeyError
        No metric has this name.
    AnswerError, ReferenceDataError
        The judging rules reject the files.  That the official program stops is a result, not an error.
    """
    metric = metrics.get(metric_name)
    report = metric.score(references, answers, records=records, rules=rules)
    if rules == "official":
        return ScoredPair(report=report, official=report)
    try:
        official = metric.score(references, answers, records=records, rules="official")
    except MetricError as reason:
        return ScoredPair(report=report, official=None, official_stop=str(reason))
    return ScoredPair(report=report, official=official)


def as_json(pair: ScoredPair) -> dict[str, Any]:
    """The pair as values of JSON; NaN becomes null, ``official`` is null where the organisers' program stops."""
    return {
        "metric": pair.report.metric,
        "primary": pair.report.primary,
        "rules": pair.report.rules,
        "values": _plain(pair.report.values),
        "official": _plain(pair.official.values) if pair.official is not None else None,
        "notes": list(pair.notes),
        "per_record": {record: _plain(numbers) for record, numbers in pair.report.per_record.items()},
    }


def _plain(values: Mapping[str, float | str]) -> dict[str, float | str | None]:
    return {
        key: value if isinstance(value, str) else float(value) if math.isfinite(value) else None
        for key, value in values.items()
    }


def as_text(pair: ScoredPair) -> str:
    """A table with one column for each set of rules, the primary value first, and the notes below it."""
    columns = [(pair.report.rules, pair.report.values)]
    if pair.official is not pair.report:
        columns.append(("official", pair.official.values if pair.official is not None else {}))
    keys = list(dict.fromkeys(key for _, values in columns for key in values))
    width = max(map(len, [pair.report.metric, *keys])) + 2
    lines = [f"{pair.report.metric:<{width}}" + "".join(f"{title:>12}" for title, _ in columns)]
    for key in keys:
        cells = [f"{values[key]:.4f}" if key in values else "-" for _, values in columns]
        lines.append(f"{key:<{width}}" + "".join(f"{cell:>12}" for cell in cells))
    lines.extend(f"note: {note}" for note in pair.notes)
    return "\n".join(lines)
