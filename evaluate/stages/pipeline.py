"""One entry through the four stages."""

from __future__ import annotations

from evaluate.core.model import Evaluation, Score, Stage, StageResult, Verdict
from evaluate.stages.exam import exam
from evaluate.stages.job import Job
from evaluate.stages.prep import prep
from evaluate.stages.quiz import quiz
from evaluate.stages.score import score_answers


def evaluate_entry(job: Job) -> Evaluation:
    """prep, quiz, exam, score; stops at the first stage that is not OK.

    Raises
    ------
    ChallengeError, Fault
        Never because of what the entry is or does: that is a verdict.
    """
    results: list[StageResult] = []
    numbers: Score | None = None

    def ended(result: StageResult) -> bool:
        results.append(result)
        job.monitor.stage_ended(result)
        return result.verdict is Verdict.OK

    def evaluation() -> Evaluation:
        return Evaluation(
            entry=job.entry,
            challenge=job.challenge.name,
            accelerator=job.hypervisor.accelerator if job.hypervisor else "none",
            image=job.image.digest if job.image else "",
            counter=job.hypervisor.counter if job.hypervisor else None,
            stages=tuple(results),
            score=numbers,
        )

    job.monitor.stage_started(Stage.PREP, 0)
    result, prepared = prep(job)
    if not ended(result) or prepared is None:
        return evaluation()
    job.monitor.stage_started(Stage.QUIZ, len(job.quiz.records))
    if not ended(quiz(job, prepared)):
        return evaluation()
    job.monitor.stage_started(Stage.EXAM, len(job.exam.records))
    if not ended(exam(job, prepared)):
        return evaluation()
    if job.exam.references is not None:
        job.monitor.stage_started(Stage.SCORE, 0)
        result, numbers = score_answers(job.challenge, job.exam, job.answers)
        ended(result)
    return evaluation()
