"""One entry through its stages: prep, train if the challenge says so, quiz, exam, score."""

from __future__ import annotations

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

    def passed(outcome: StageOutcome) -> bool:
        outcomes.append(outcome)
        job.monitor.stage_ended(outcome.result)
        return outcome.result.verdict is Verdict.OK

    def evaluation() -> Evaluation:
        return Evaluation(entry=job.entry, challenge=job.challenge.name, outcomes=recounted(outcomes))

    job.monitor.stage_started(Stage.PREP, 0)
    if not passed(prep(job)):
        return evaluation()
    prepared = load_prepared(job.folder)
    if job.challenge.train is not None:
        job.monitor.stage_started(Stage.TRAIN, 0)
        training = of_training(job)
        if not passed(train(training, prepared)):
            return evaluation()
        prepared = trained(prepared, training.folder)
    # somebody who tries one record at home leaves one stage without any
    if job.quiz.records:
        job.monitor.stage_started(Stage.QUIZ, len(job.quiz.records))
        if not passed(quiz(job, prepared)):
            return evaluation()
    if job.exam.records:
        job.monitor.stage_started(Stage.EXAM, len(job.exam.records))
        if not passed(exam(job, prepared)):
            return evaluation()
    if job.exam.records and job.exam.references is not None:
        job.monitor.stage_started(Stage.SCORE, 0)
        passed(score(job))
    return evaluation()
