"""A gate for CI: the instructions and the score of an evaluation beside those of an earlier report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate.core.errors import UsageError
from evaluate.core.model import Verdict
from evaluate.core.sanitize import parsed

_SHARE = re.compile(r"\+?([0-9]+(?:\.[0-9]+)?) ?%")
_COUNTED = ("quiz", "exam")
"""Stages that run the entry on every record; products of the others may be those of an earlier try."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Comparison of a number of two reports."""

    name: str
    sentence: str
    passed: bool

    def __str__(self) -> str:
        return f"{'compared' if self.passed else 'worse'}: {self.sentence}"


@dataclass(frozen=True, kw_only=True)
class EarlierReport:
    """An earlier report, and how much worse a new one may be."""

    name: str
    """Name of the file with the report."""
    earlier: Mapping[str, Any]
    most_percent: float | None
    """Instructions that are allowed in addition, in percent of the earlier ones; None: any number."""
    least_gain: float | None
    """Gain that the score must have, usually a small loss; None: nothing is required."""

    @property
    def passed(self) -> bool:
        """True if the earlier entry passed."""
        return Verdict(self.earlier["verdict"]).passed

    def comparisons(self, report: Mapping[str, Any]) -> Iterator[Comparison]:
        """The new report (`evaluate.report.json`) beside the earlier one.

        Raises UsageError if they are of another challenge or other records, or nothing was counted.
        """
        mine, before = _records(report), _records(self.earlier)
        if self.earlier["challenge"] != report["challenge"] or mine != before:
            raise UsageError(
                f"{self.name}: expected a report of the same challenge and records, found {len(before)} records of "
                f"{self.earlier['challenge']}, not {len(mine)} of {report['challenge']}"
            )
        if self.most_percent is not None:
            yield self._of_instructions(_instructions(report), _instructions(self.earlier))
        if self.least_gain is not None:
            yield self._of_score(_score(report), _score(self.earlier), self.least_gain)

    def _of_instructions(self, now: int, before: int) -> Comparison:
        if not now or not before:
            of = "this run" if before else self.name
            raise UsageError(f"--max-instructions: expected counted instructions, found none in {of}")
        change = round(100 * (now / before - 1), 9)
        return Comparison(
            name="instructions",
            sentence=f"{now:,} instructions, {change:+.2f} % of the {before:,} of {self.name}; "
            f"at most +{self.most_percent:g} % is allowed",
            passed=change <= (self.most_percent or 0.0),
        )

    def _of_score(self, now: float | None, before: float | None, gain: float) -> Comparison:
        if before is None:
            raise UsageError(f"--min-score: expected a report with a score, found none in {self.name}")
        least = before + gain
        shown = "no score" if now is None else f"score {now:.4f}, {now - before:+.4f}"
        return Comparison(
            name="score",
            sentence=f"{shown} beside the {before:.4f} of {self.name}; at least {least:.4f} is expected",
            passed=now is not None and round(now - least, 12) >= 0,
        )


def gate(file: Path, most_instructions: str | None, least_gain: float | None) -> EarlierReport:
    """The gate of a report in JSON. Raises UsageError if it is none, or no bound is given."""
    if most_instructions is None and least_gain is None:
        raise UsageError("--compare-to: expected --max-instructions +N% or --min-score -X, found neither")
    share = _SHARE.fullmatch(most_instructions) if most_instructions is not None else None
    if most_instructions is not None and share is None:
        raise UsageError(f"--max-instructions: expected a share such as +5%, found {most_instructions}")
    try:
        earlier: dict[str, Any] = parsed(file.read_text(encoding="utf-8"))
        _records(earlier), _instructions(earlier), _score(earlier), earlier["challenge"], Verdict(earlier["verdict"])
    except OSError as e:
        raise UsageError(f"--compare-to: {file} cannot be read: {e.strerror}") from e
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise UsageError(f"--compare-to: {file}: expected a report of --json, found something else") from e
    most = float(share[1]) if share else None
    return EarlierReport(name=file.name, earlier=earlier, most_percent=most, least_gain=least_gain)


def _records(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(stage["stage"], record["record"]) for stage in report["stages"] for record in stage.get("records", ())]


def _instructions(report: Mapping[str, Any]) -> int:
    return sum(int(stage["usage"]["instructions"]) for stage in report["stages"] if stage["stage"] in _COUNTED)


def _score(report: Mapping[str, Any]) -> float | None:
    score = report["score"]
    value = score["values"][score["primary"]] if score else None
    return None if value is None else float(value)
