"""Receipts of an evaluation that has no secret, in a state directory ``state`` of a test's folder."""

from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import Entry, Evaluation, Stage, StageOutcome, StageResult, Verdict
from evaluate.receipts.issue import Issued, Registry
from evaluate.receipts.keys import Signer
from evaluate.receipts.log import Log
from evaluate.receipts.note import Proof
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


def logged(log: Log, data: bytes, signer: Signer) -> Proof:
    """Add a receipt to a log; returns the proof that it is there."""
    with log.changed() as held:
        return held.append(data, signer)


def issue(registry: Registry, evaluation: Evaluation = EVALUATION, challenge: str = "cinc2017") -> Issued:
    return registry.issue(evaluation, load_challenge(challenge), HIDDEN)
