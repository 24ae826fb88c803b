"""Rules of who may see what of an evaluation: the one place that decides.

`for_team` removes what a team must not learn, `for_organiser` nothing.  Both give a `View`, and every report,
status, notice and page is made of views: what was removed here cannot be shown there.

Of training with *hidden* records a team learns the verdict and what it used, to two digits; of the quiz after it, whose
answers could tell what the model has seen, how many records were answered.

What a team learns of a *hidden* exam: its verdict, how many records were answered and how many failed by which verdict,
and what the exam used in total, to two digits. It does not learn anything about a single record, what programs printed,
notes of the metric that are about a record, the content of an answer that could not be read, pictures (each shows
single records, or counts of them), or resampled scores, from which the scores of single records could be computed.

Where attempts at a hidden exam are counted (`Policy.feedback`), even less is shown: counts to
two digits, numbers of the score to a few, no notes, times to the minute; or the verdict alone until the phase ends, and
then the score of the team's best attempt.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from evaluate.config.challenge.types import Challenge, Show
from evaluate.core.model import (
    Evaluation,
    Limits,
    Note,
    RecordOutcome,
    Score,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.report.words import MEANING, counts, score_in_words

# What a team is shown of an attempt at a hidden exam.
#
# A team's attempts are counted for the hidden records that they reveal, in all phases together.  `show` and `digits`
# of `feedback` in `challenge.yaml` say what each tells:
#
# score    counts of records and usage to two digits, the numbers of the score to so many digits
# verdict  the verdict alone until the phase ends; then the score, if it is the best one of the team in the phase
#
# Where scores are withheld when an attempt is charged, its score is shown after their release, if it is the best one
# of the team in the phase.  All of that is decided when the attempt is charged, and kept
# (`evaluate.store.entries.leak_accounts`): what a team has read never changes.


_SMALLEST, _LARGEST = 1e-9, 1e10
"""Numbers of a score that are nearer to zero are shown as zero, larger ones as infinite."""
_MINUTE = 60.0


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """Part of one attempt at a hidden exam that a team is shown; it never changes, but for ``over`` and ``best``."""

    show: Show
    digits: int
    """Number of digits of the numbers of a score."""
    number: int = 0
    """Number of the attempt of the team at these hidden records, from 1; 0: it has not reached the exam."""
    withheld: bool = False
    """True if scores were withheld when it was charged."""
    over: bool = False
    """True if the phase has ended."""
    best: bool = False
    """True if it has the best score of the team in the phase."""

    @property
    def at_once(self) -> bool:
        """True if the team is shown its score whatever its others are."""
        return self.show is Show.SCORE and not self.withheld

    @property
    def scored(self) -> bool:
        """True if the team is shown its score, where scores are released."""
        return self.at_once or (self.best and (self.over or self.show is Show.SCORE))

    def number_shown(self, value: float) -> float:
        """A number of the score as it is shown."""
        if abs(value) < _SMALLEST:
            return 0.0
        if abs(value) >= _LARGEST:
            return math.copysign(math.inf, value)
        return float(f"{value:.{self.digits - 1}e}")

    def numbers_shown(self, score: Score) -> Score:
        """A score as it is shown."""
        shown = self.number_shown
        return Score(
            primary=score.primary,
            values={key: shown(value) for key, value in score.values.items()},
            official={key: shown(value) for key, value in score.official.items()},
            intervals={key: (shown(low), shown(high)) for key, (low, high) in score.intervals.items()},
            clusters=score.clusters,
        )

    @property
    def sentence(self) -> str:
        """Sentence that the team reads about its attempts, and about what they tell."""
        if not self.number:
            return "it has not reached the exam, so it is no attempt at the hidden records"
        if self.show is Show.VERDICT:
            rule = "verdicts alone are shown until the phase ends, and then the score of the team's best attempt in it"
        elif self.withheld:
            rule = "scores were withheld, so of a phase the score of the team's best attempt is shown"
        else:
            rule = f"scores are shown to {self.digits} digits"
        return f"attempt {self.number} of the team at these hidden records, all phases together; {rule}"


def coarse(usage: Usage) -> Usage:
    """To two digits: the exact sums would reveal tens of bits about the hidden records with every attempt."""
    return Usage(
        instructions=int(two_digits(usage.instructions)),
        wall_seconds=two_digits(round(usage.wall_seconds, 1)),
        memory_bytes=int(two_digits(usage.memory_bytes)),
        output_bytes=int(two_digits(usage.output_bytes)),
    )


def two_digits(value: float) -> float:
    """A number to two significant digits."""
    return float(f"{value:.1e}")


def to_the_minute(at: float) -> float:
    """A time, seconds since 1970, rounded down."""
    return at - at % _MINUTE


WITHHELD_SCORE = "the organiser has not released the scores yet"
WITHHELD_ERROR = "an exam answer cannot be scored; the organiser can see which one and why"
WITHHELD_EXAM = "the organiser can see why"
WITHHELD_COUNTS = "counts are not shown: verdicts alone are"
BEST_ONLY = "only the score of the team's best attempt in a phase is shown"
SCORED = "scored"


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Rules of what the organiser keeps from the teams of a challenge."""

    hidden_exam: bool
    """True if the exam's records are secret."""
    hidden_training: bool = False
    """True if the records that entries are trained with are secret."""
    scores_released: bool = True
    feedback: Feedback | None = None
    """Facts this attempt may tell of a hidden exam; None: the exam is not hidden, or nobody counts attempts at it."""


@dataclass(frozen=True, kw_only=True)
class View:
    """Part of an evaluation that one audience may see.  Made by `for_team` and `for_organiser` only."""

    evaluation: Evaluation
    limits: Mapping[str, Limits] = field(default_factory=dict)
    """Limits of ``setup``, ``train``, ``quiz`` and ``exam``; published with the challenge."""
    feedback: Feedback | None = None
    """Facts that the report tells of a hidden exam; None for the organiser, and where nobody counts attempts at it."""


def policy_at_home(challenge: Challenge) -> Policy:
    """Return what is kept from a team where nobody counts attempts."""
    return Policy(hidden_exam=challenge.exam.hidden, hidden_training=challenge.hides_training)


def for_organiser(evaluation: Evaluation, limits: Mapping[str, Limits]) -> View:
    """Everything."""
    return View(evaluation=replace(evaluation, outcomes=recounted(evaluation.outcomes)), limits=limits)


def recounted(outcomes: Sequence[StageOutcome]) -> tuple[StageOutcome, ...]:
    """The same stages, where the exam has the answers that the metric could not use among its failures."""
    unusable = {
        outcome.record: outcome.message
        for stage in outcomes
        if stage.result.stage is Stage.SCORE
        for outcome in stage.result.records
    }
    if not unusable:
        return tuple(outcomes)
    merged = []
    for stage in outcomes:
        result = stage.result
        if result.stage is Stage.EXAM:
            records = tuple(
                replace(record, verdict=Verdict.BAD_ANSWER, message=unusable[record.record])
                if record.verdict.passed and record.record in unusable
                else record
                for record in result.records
            )
            message = "; ".join(filter(None, (result.reason, counts(records))))
            result = replace(result, records=records, message=message)
        elif result.stage is Stage.SCORE:
            result = replace(result, records=())
        merged.append(replace(stage, result=result))
    return tuple(merged)


def for_team(evaluation: Evaluation, limits: Mapping[str, Limits], policy: Policy) -> View:
    """Return what the team of the entry may see."""
    outcomes = tuple(outcome_for_team(outcome, policy) for outcome in recounted(evaluation.outcomes))
    judged = evaluation.judged
    if policy.feedback is not None and judged is not None:
        judged = to_the_minute(judged)
    return View(
        evaluation=replace(evaluation, outcomes=outcomes, judged=judged), limits=limits, feedback=policy.feedback
    )


def outcome_for_team(outcome: StageOutcome, policy: Policy) -> StageOutcome:
    """Return what the team may see of a stage, with its machine and its score."""
    result = result_for_team(outcome.result, policy)
    score = score_for_team(outcome.score, policy) if outcome.score is not None else None
    if policy.feedback is not None and outcome.score is not None and policy.scores_released:
        result = replace(result, message=score_in_words(score) if score is not None else BEST_ONLY)
    return StageOutcome(result=result, machine=outcome.machine, score=score)


def result_for_team(result: StageResult, policy: Policy) -> StageResult:
    """Return what the team may see of a stage.

    Why an answer of a hidden exam cannot be scored is withheld also where the team uploaded the answers: the metric
    says what it expected, and that is from the references.
    """
    if result.stage in (Stage.TRAIN, Stage.QUIZ) and policy.hidden_training:
        return _after_hidden_training(result)
    if result.stage is Stage.EXAM and policy.hidden_exam:
        shown = replace(result, records=(), diagnostics="", refusals=(), usage=coarse(result.usage))
        return shown if policy.feedback is None else _exam_for_team(result, shown, policy.feedback)
    if result.stage is Stage.SCORE:
        # what the metric printed may be from the references; which answers it cannot use is in the exam
        result = replace(result, diagnostics="", refusals=(), records=())
        if result.verdict.passed and not policy.scores_released:
            return replace(result, message=WITHHELD_SCORE)
        if result.verdict is Verdict.BAD_ANSWER and policy.hidden_exam:
            return replace(result, message=WITHHELD_ERROR)
        if policy.feedback is not None:
            return replace(result, message=SCORED if result.verdict.passed else WITHHELD_EXAM)
    return result


def _after_hidden_training(result: StageResult) -> StageResult:
    """Verdict and counts: the exit code, the model's digest and all that is printed are chosen by a program that has
    seen hidden records, or by its model."""
    if result.records:
        message = counts(result.records)
    else:
        message = MEANING[result.verdict] if result.verdict.passed else f"{MEANING[result.verdict]}; {WITHHELD_EXAM}"
    shown = replace(result, records=(), diagnostics="", refusals=(), usage=coarse(result.usage))
    return replace(shown, message=message, reason="", model=None)


def _exam_for_team(result: StageResult, shown: StageResult, feedback: Feedback) -> StageResult:
    """Counts without the sentence of a run, which has what the program chose, such as its exit code."""
    if feedback.show is Show.VERDICT:
        return replace(shown, usage=Usage(), reason="", message=WITHHELD_COUNTS)
    message = counts(result.records, lambda n: int(two_digits(n))) if result.records else WITHHELD_EXAM
    return replace(shown, reason="", message=message)


def record_for_team(stage: Stage, outcome: RecordOutcome, policy: Policy) -> RecordOutcome | None:
    """Return what the team may see of a record; None: only that it is done."""
    hidden = policy.hidden_exam if stage is Stage.EXAM else policy.hidden_training
    return None if hidden else outcome


def score_for_team(score: Score, policy: Policy) -> Score | None:
    """Return what the team may see of its numbers; None: nothing yet."""
    if not policy.scores_released:
        return None
    if policy.feedback is not None:
        return policy.feedback.numbers_shown(score) if policy.feedback.scored else None
    notes = score.notes
    if policy.hidden_exam:
        shown = tuple(note for note in notes if note.record is None)
        withheld = len(notes) - len(shown)
        of_them = "1 note on a single record is" if withheld == 1 else f"{withheld} notes on single records are"
        notes = (*shown, *([Note(text=f"{of_them} for the organiser only")] if withheld else []))
    return replace(score, notes=notes, resampled=(), pictures=() if policy.hidden_exam else score.pictures)


def on_board(value: float | None, policy: Policy) -> float | None:
    """A score as a board shows it; a hidden exam's board shows no more than its reports."""
    return value if policy.feedback is None or value is None else policy.feedback.number_shown(value)


def measures_on_board(values: Mapping[str, float], policy: Policy) -> Mapping[str, float]:
    """All measures of a score as a board shows them to other teams; of a hidden exam none but the primary one."""
    return {} if policy.hidden_exam or not policy.scores_released else values


def usage_on_board(usage: Usage, policy: Policy) -> Usage:
    """Return what an entry used, as a board shows it."""
    if policy.feedback is None:
        return usage
    return Usage() if policy.feedback.show is Show.VERDICT else coarse(usage)
