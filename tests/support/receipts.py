"""Receipts of an evaluation that has no secret, in a state directory ``state`` of a test's folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import Entry, Evaluation, Stage, StageOutcome, StageResult, Verdict
from evaluate.receipts.issue import Issued, Registry
from evaluate.report.audience import Policy

EVALUATION = Evaluation(
    entry=Entry(archive=Path("entry.zip"), sha256="ab" * 32, size=8),
    challenge="cinc2017",
    outcomes=(StageOutcome(result=StageResult(stage=Stage.PREP, verdict=Verdict.OK)),),
)
HIDDEN = Policy(hidden_exam=True)
Evaluate = Callable[..., Result]
"""A command of `evaluate` with its words."""
Clock = Callable[[str], None]
"""It sets the time of day, such as ``09:00:00``."""


def issue(registry: Registry, evaluation: Evaluation = EVALUATION, challenge: str = "cinc2017") -> Issued:
    return registry.issue(evaluation, load_challenge(challenge), HIDDEN)
