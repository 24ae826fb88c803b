"""The score of the PhysioNet Challenge 2025: Chagas positive records among the 5 % with the highest probabilities.

References are WFDB headers with a comment ``# Chagas label: True``, answers files ``<record>.txt`` with the lines
``# Chagas label: x`` and ``# Chagas probability: p``.

* Official rules: a missing answer, label or probability is 0; equal probabilities are put in 10,000 random orders of a
  fixed seed.
* Corrected rules: a missing answer is the worst one; equal probabilities count by the mean over all orders, and a
  probability that is no number is the team's mistake, with its record.

Source: physionetchallenges/evaluation-2025 1eb40548, in our own words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from metrics import AnswerError, MetricError, ReferenceDataError, ScoreReport
from metrics.generic.physionet import Prioritised2025
from metrics.generic.tables import Table

LABEL, PROBABILITY = "Chagas label", "Chagas probability"
TRUE, FALSE = ("true", "1", "t", "yes"), ("false", "0", "f", "no")


class Chagas2025:
    """See `metrics.Metric`."""

    name = "chagas2025"

    def score(
        self, references: Path, answers: Path, *, records: Sequence[str] | None = None, rules: str = "corrected"
    ) -> ScoreReport:
        """The report, or an `AnswerError` for the team, or a `ReferenceDataError` for the organiser."""
        names = sorted(records if records is not None else (path.stem for path in references.glob("*.hea")))
        truth = {record: reference(references / f"{record}.hea", record) for record in names}
        given = {record: answer(answers / f"{record}.txt", record, rules) for record in names}
        if rules == "official":
            if not any(answers.glob("*.txt")):
                raise AnswerError("No binary outputs found.", file=answers)
            given = {record: 0.0 if math.isnan(one) else one for record, one in given.items()}
        measure = Prioritised2025(official=rules == "official")
        answered = {record: repr(one) for record, one in given.items() if not math.isnan(one)}
        report = measure.score_tables(
            table(references, ReferenceDataError, "label", truth), table(answers, AnswerError, "score", answered)
        )
        return replace(report, metric=self.name, rules=rules)


def comments(file: Path) -> Mapping[str, str]:
    """The comments ``# name: value`` of a file; the last of a name counts."""
    lines = (line.lstrip("# ").partition(":") for line in file.read_text(errors="replace").splitlines() if "#" in line)
    return {name.strip(): value.strip() for name, _, value in lines}


def reference(file: Path, record: str) -> str:
    """Whether a record is positive: 1 or 0."""
    if not file.is_file():
        raise ReferenceDataError("no header with its label", file=file, record=record)
    said = comments(file).get(LABEL, "").lower()
    if said not in TRUE + FALSE:
        raise ReferenceDataError(f"expected '# {LABEL}: True' or False, found {said[:40]!r}", file=file, record=record)
    return "1" if said in TRUE else "0"


def answer(file: Path, record: str, rules: str) -> float:
    """The probability that a record is positive; NaN where there is none."""
    if not file.is_file():
        return math.nan
    said = comments(file).get(PROBABILITY, "")
    try:
        found = float(said) if said else math.nan
    except ValueError:
        found = math.inf
    if math.isinf(found):
        raise AnswerError(f"expected '# {PROBABILITY}: p', found {said[:40]!r}", file=file.name, record=record)
    if rules == "corrected" and not math.isnan(found) and not 0 <= found <= 1:
        raise AnswerError(f"expected a probability from 0 to 1, found {said[:40]!r}", file=file.name, record=record)
    return found


def table(file: Path, error: type[MetricError], column: str, values: Mapping[str, str]) -> Table:
    """A table for the measure."""
    names = list(values)
    return Table(file=file, error=error, names=names, columns={column: list(values.values())}, places=names)


METRIC = Chagas2025()
