"""One scoring by both sets of rules, side by side, as text and as JSON values."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import metrics
from metrics.base import AnswerError, Metric, MetricError, Note, Progress, ScoreReport
from metrics.display import table
from metrics.failures import is_builtin
from metrics.statistics.ranking import Ranking, board_json, board_text, rank
from metrics.statistics.uncertainty import NONE, Comparison, Intervals, compare, intervals


@dataclass(frozen=True, kw_only=True)
class ScoredPair:
    """Scores of the same answers by the judging rules and by the organisers' program."""

    report: ScoreReport
    """By the judging rules."""
    official: ScoreReport | None
    """By the official rules; None where the organisers' program stops with an error."""
    official_error: MetricError | None = None
    """The message of that error."""
    intervals: Intervals = NONE
    """Intervals of the values by the judging rules."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes of both; those of the official rules say so."""
        notes = list(self.report.notes)
        if self.official is None:
            notes.append(Note("official: the organisers' program stops with an error"))
            if self.official_error is not None:
                # the reason quotes the files, so it may be about a record even if it names none
                notes.append(Note(f"official: {self.official_error}", self.official_error.record or ""))
        elif self.official is not self.report:
            notes.extend(Note(f"official: {note}", note.record) for note in self.official.notes)
        return (*notes, *self.intervals.notes)

    def __str__(self) -> str:
        return as_text(self)


def both(
    metric_name: str,
    references: Path,
    answers: Path,
    *,
    records: Sequence[str] | None = None,
    rules: str = "corrected",
    workers: int = 1,
    progress: Progress | None = None,
) -> ScoredPair:
    """Score by ``rules``, and also by the official ones; arguments as for `metrics.base.Metric.score`.

    Parameters
    ----------
    workers : int
        Processes that share the cases, where the metric can: volumes and slides (see `metrics.statistics.workers`).
    progress : callable, optional
        Called with the number of cases done and their total, if the metric supports it.

    Raises
    ------
    KeyError
        No metric has this name.
    AnswerError, ReferenceDataError
        The judging rules reject the files.  That the official program stops is a result, not an error.
    """
    metric = metrics.get(metric_name)
    options = _options(metric, workers, progress)
    report = metric.score(references, answers, records=records, rules=rules, **options)
    bounds = intervals(report)
    if rules == "official" or not getattr(metric, "has_official", True):  # generic measures know one set of rules
        return ScoredPair(report=report, official=report, intervals=bounds)
    try:
        official = metric.score(references, answers, records=records, rules="official", **options)
    except MetricError as reason:
        return ScoredPair(report=report, official=None, official_error=reason, intervals=bounds)
    if not is_builtin(metric) and (official.values, official.notes) == (report.values, report.notes):
        official = report  # of a metric of one's own that knows one set of rules
    return ScoredPair(report=report, official=official, intervals=bounds)


def score_all(
    metric_name: str,
    references: Path,
    answers: Mapping[str, Path],
    *,
    records: Sequence[str] | None = None,
    rules: str = "corrected",
    workers: int = 1,
    progress: Progress | None = None,
) -> dict[str, ScoreReport]:
    """The reports of several entries, for `metrics.ranking.rank`.

    Parameters
    ----------
    answers : mapping of entry to file or folder
    workers, progress
        As for `both`.

    Raises
    ------
    AnswerError
        As `both`; the message names the entry.
    KeyError, ReferenceDataError
        As `both`.
    """
    metric = metrics.get(metric_name)
    options = _options(metric, workers, progress)
    reports = {}
    for entry, path in answers.items():
        try:
            reports[entry] = metric.score(references, path, records=records, rules=rules, **options)
        except AnswerError as e:
            raise AnswerError(f"{entry}: {e}") from e
    return reports


@dataclass(frozen=True, kw_only=True)
class Against:
    """An entry beside others: their ranking, and its difference to each."""

    ranking: Ranking
    entry: str
    differences: Mapping[str, Comparison]
    """Other entry -> the score of ``entry`` minus its score."""

    @classmethod
    def of(cls, reports: Mapping[str, ScoreReport]) -> Against:
        """The first report beside all others.

        Raises
        ------
        NotComparableError
            The reports do not count the same records.
        """
        (entry, report), *others = reports.items()
        differences = {name: compare(report, other) for name, other in others}
        return cls(ranking=rank(reports), entry=entry, differences=differences)

    def as_text(self) -> str:
        """All of it for people."""
        width = max(5, *map(len, self.differences)) + 2
        head = f"{f'{self.entry} minus':<{width}}{'difference':>12}{'95 % interval':>20}{'p':>8}"
        lines = [board_text(self.ranking), "", head]
        for other, comparison in self.differences.items():
            between = "" if math.isnan(comparison.low) else f"{comparison.low:+.4f} to {comparison.high:+.4f}"
            chance = "" if math.isnan(comparison.p_value) else f"{comparison.p_value:.3f}"
            indent = max(0, len(self.entry) + len(" minus") - width)
            lines.append(f"{other:<{width + indent}}{comparison.difference:>+12.4f}{between:>20}{chance:>8}")
        lines += dict.fromkeys(f"note: {note}" for comparison in self.differences.values() for note in comparison.notes)
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """All of it as values of JSON; NaN is null."""
        return {
            "board": board_json(self.ranking),
            "against": {
                entry: _plain({"difference": c.difference, "low": c.low, "high": c.high, "p_value": c.p_value})
                | {"notes": list(map(str, c.notes))}
                for entry, c in self.differences.items()
            },
        }


def _options(metric: Metric, workers: int, progress: Progress | None) -> dict[str, Any]:
    """The arguments that this metric accepts."""
    able = inspect.signature(metric.score).parameters
    return {key: value for key, value in (("workers", workers), ("progress", progress)) if key in able}


def as_json(pair: ScoredPair) -> dict[str, Any]:
    """The pair as values of JSON; NaN becomes null, ``official`` is null where the organisers' program stops.

    ``note_records`` has for each of ``notes`` the record that it is about, null for a general one; see
    `metrics.base.Note`.
    """
    notes = pair.notes
    return {
        "metric": pair.report.metric,
        "primary": pair.report.primary,
        "rules": pair.report.rules,
        "values": _plain(pair.report.values),
        "official": _plain(pair.official.values) if pair.official is not None else None,
        "intervals": {key: list(bounds) for key, bounds in pair.intervals.of.items()},
        "resampling": {
            "level": pair.intervals.level,
            "resamples": pair.intervals.resamples,
            "clusters": pair.intervals.clusters,
        },
        "notes": [str(note) for note in notes],
        "note_records": [note.record for note in notes],
        "per_record": {record: _plain(numbers) for record, numbers in pair.report.per_record.items()},
    }


def _plain(values: Mapping[str, float | str]) -> dict[str, float | str | None]:
    return {
        key: value if isinstance(value, str) else float(value) if math.isfinite(value) else None
        for key, value in values.items()
    }


def as_text(pair: ScoredPair) -> str:
    """A table with one column for each set of rules, the primary value first, and the notes below it."""
    official = None
    if pair.official is not pair.report:
        official = pair.official.values if pair.official is not None else {}
    return table(pair.report.metric, pair.report.rules, pair.report.values, official, pair.intervals.of, pair.notes)
