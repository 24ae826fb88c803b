"""Who may see what of an evaluation: the one place that decides.

`for_team` removes what a team must not learn, `for_organiser` nothing.  Both give a `View`, and every report,
status, notice and page is made of views: what was removed here cannot be shown there.

What a team learns of a *hidden* exam: its verdict, how many records were answered and how many failed by which verdict,
and what the exam used in total, to two digits. It does not learn anything about a single record, what programs printed,
notes of the metric that are about a record, the content of an answer that could not be read, pictures (each shows
single records, or counts of them), or resampled scores, from which the scores of single records could be computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from evaluate.core.model import (
    Evaluation,
    Limits,
    MachineInfo,
    Note,
    RecordOutcome,
    Score,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)

WITHHELD_SCORE = "the organiser has not released the scores yet"
WITHHELD_ERROR = "an answer of the exam cannot be scored; the organiser can see which one and why"
_DIGITS = 2


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What the organiser keeps from the teams of a challenge."""

    hidden_exam: bool
    """Whether the exam's records are secret."""
    scores_released: bool = True


@dataclass(frozen=True, kw_only=True)
class View:
    """What one audience may see of an evaluation.  Made by `for_team` and `for_organiser` only."""

    evaluation: Evaluation
    limits: Mapping[str, Limits] = field(default_factory=dict)
    """For ``setup``, ``quiz`` and ``exam``; published with the challenge."""


def for_organiser(evaluation: Evaluation, limits: Mapping[str, Limits]) -> View:
    """Everything."""
    return View(evaluation=evaluation, limits=limits)


def for_team(evaluation: Evaluation, limits: Mapping[str, Limits], policy: Policy) -> View:
    """What the team of the entry may see."""
    outcomes = tuple(
        StageOutcome(
            result=result_for_team(outcome.result, policy),
            machine=machine_for_team(outcome, policy),
            score=score_for_team(outcome.score, policy) if outcome.score is not None else None,
        )
        for outcome in evaluation.outcomes
    )
    return View(evaluation=replace(evaluation, outcomes=outcomes), limits=limits)


def result_for_team(result: StageResult, policy: Policy) -> StageResult:
    """What the team may see of a stage.

    Why an answer of a hidden exam cannot be scored is withheld also where the team uploaded the answers: the metric
    says what it expected, and that is from the references.
    """
    if result.stage is Stage.EXAM and policy.hidden_exam:
        return replace(result, records=(), diagnostics="", usage=rounded(result.usage))
    if result.stage is Stage.SCORE:
        if result.verdict.passed and not policy.scores_released:
            return replace(result, message=WITHHELD_SCORE)
        if result.verdict is Verdict.BAD_ANSWER and policy.hidden_exam:
            return replace(result, message=WITHHELD_ERROR, diagnostics="")
    return result


def machine_for_team(outcome: StageOutcome, policy: Policy) -> MachineInfo | None:
    """What the team may see of the machine of a stage: not how recounts of hidden records came out."""
    machine = outcome.machine
    if machine is None or machine.counter is None or outcome.result.stage is not Stage.EXAM or not policy.hidden_exam:
        return machine
    return replace(machine, counter=replace(machine.counter, recount_difference=None))


def record_for_team(stage: Stage, outcome: RecordOutcome, policy: Policy) -> RecordOutcome | None:
    """What the team may see of a record; None: only that it is done."""
    return None if stage is Stage.EXAM and policy.hidden_exam else outcome


def rounded(usage: Usage) -> Usage:
    """To two digits: the exact sums would reveal tens of bits about the hidden records with every attempt."""
    return Usage(
        instructions=int(_rounded(usage.instructions)),
        wall_seconds=_rounded(usage.wall_seconds),
        memory_bytes=int(_rounded(usage.memory_bytes)),
        output_bytes=int(_rounded(usage.output_bytes)),
    )


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS - 1}e}")


def score_for_team(score: Score, policy: Policy) -> Score | None:
    """What the team may see of its numbers; None: nothing yet."""
    if not policy.scores_released:
        return None
    notes = score.notes
    if policy.hidden_exam:
        shown = tuple(note for note in notes if note.record is None)
        withheld = len(notes) - len(shown)
        of_them = "1 note on a single record is" if withheld == 1 else f"{withheld} notes on single records are"
        notes = (*shown, *([Note(text=f"{of_them} for the organiser only")] if withheld else []))
    return replace(score, notes=notes, resampled=(), pictures=() if policy.hidden_exam else score.pictures)
