"""One entry through its stages: prep, train if the challenge says so, quiz, exam, score."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from evaluate.core.model import Evaluation, Stage, StageOutcome, Verdict
from evaluate.report.audience import recounted
from evaluate.stages.exam import exam
from evaluate.stages.job import Job, of_stage
from evaluate.stages.prep import load_prepared, prep
from evaluate.stages.quiz import quiz
from evaluate.stages.score import score_answers
from evaluate.stages.train import of_training, train, trained


@of_stage(Stage.SCORE)
def score(job: Job) -> StageOutcome:
    """Score what the exam left in ``job.answers``."""
    return score_answers(job.challenge, job.exam, job.answers, job.scorer, take_rows=job.trial.take_rows)


def evaluate_entry(job: Job) -> Evaluation:
    """All stages of the challenge in their order; stops at the first stage that is not OK.

    Raises ChallengeError or Fault, but never because of what the entry contains or does: that is a verdict.
    """
    outcomes: list[StageOutcome] = []
    for stage, records, run in _stages(job):
        job.monitor.stage_started(stage, records)
        outcomes.append(run())
        job.monitor.stage_ended(outcomes[-1].result)
        if outcomes[-1].result.verdict is not Verdict.OK:
            break
    return Evaluation(entry=job.entry, challenge=job.challenge.name, outcomes=recounted(outcomes))


def _stages(job: Job) -> Iterator[tuple[Stage, int, Callable[[], StageOutcome]]]:
    """Yield each stage with the number of its records, and what runs it; goes on once that has ended well."""
    yield Stage.PREP, 0, partial(prep, job)
    prepared = load_prepared(job.folder)
    if job.challenge.train is not None:
        training = of_training(job)
        yield Stage.TRAIN, 0, partial(train, training, prepared)
        prepared = trained(prepared, training.folder)
    # somebody who tries one record at home leaves one stage without any
    if job.quiz.records:
        yield Stage.QUIZ, len(job.quiz.records), partial(quiz, job, prepared)
    if job.exam.records:
        yield Stage.EXAM, len(job.exam.records), partial(exam, job, prepared)
        if job.exam.references is not None:
            yield Stage.SCORE, 0, partial(score, job)
