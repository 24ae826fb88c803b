"""quiz: does the entry work on the public records?

Entries that contain their own answers must produce exactly the same ones: this checks reproducibility and is not a
score.  The others must give well-formed answers, and get a public score.  The first failure ends the quiz, and its
diagnostics go to the team.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from evaluate.core.model import RecordOutcome, Run, Stage, StageResult, Usage, Verdict
from evaluate.stages.job import Job, PreparedEntry, of_stage
from evaluate.stages.kinds.detection import handler
from evaluate.stages.kinds.entry_kind import Answered, diagnostics
from evaluate.stages.score import score_answers

QUIZ_ANSWERS = "quiz-answers"


@of_stage(Stage.QUIZ)
def quiz(job: Job, prepared: PreparedEntry) -> StageResult:
    """Answer every validation record and compare, or score."""
    kind = handler(prepared.kind)
    file = job.challenge.answers.file
    expected = None if job.trial.writes_answers else prepared.expected
    if job.trial.own_records and expected is not None and not any(record in expected for record in job.quiz.records):
        message = f"nothing to compare: {file} has none of the given records"
        return StageResult(stage=Stage.QUIZ, verdict=Verdict.OK, message=message)
    outcomes: list[RecordOutcome] = []
    usage = Usage()
    answers = job.folder / QUIZ_ANSWERS
    answers.mkdir()
    with closing(kind.answer(job, prepared, Stage.QUIZ, job.quiz, answers)) as started:
        for answered in started:
            usage += answered.usage
            printed = diagnostics(answered.run) if answered.run is not None else ""
            hint = kind.lacking(job, printed) if any(not result.verdict.passed for result in answered.outcomes) else ""
            for measured in answered.outcomes:
                if not kind.runs and measured.answer is None:
                    continue  # where answers are uploaded, those for the public records are optional
                outcome = measured if expected is None else _compare(measured, expected.get(measured.record), file)
                if hint and not outcome.verdict.passed:
                    outcome = replace(outcome, message=f"{outcome.message}; {hint}")
                outcomes.append(outcome)
                job.monitor.record_ended(Stage.QUIZ, outcome, printed)
                if outcome.verdict is Verdict.MISMATCH and job.trial.every_mismatch:
                    continue
                if outcome.verdict is not Verdict.OK and kind.runs:
                    of_start = _failed_at_once(answered)
                    message = f"{of_start or f'record {outcome.record}'}: {outcome.message}"
                    return _result(outcomes, usage, outcome.verdict, message, answered.run)
    n = len(outcomes)
    if differing := [outcome for outcome in outcomes if outcome.verdict is Verdict.MISMATCH]:
        lines = [f"record {outcome.record}: {outcome.message}" for outcome in differing]
        first = f"{len(differing)} of {n} answers differ; --write-answers writes {file} again"
        return _result(outcomes, usage, Verdict.MISMATCH, "\n".join([first, *lines]))
    verdict, message = Verdict.OK, f"{n} of {n} answers are reproduced"
    if expected is None:
        verdict, message = _public_score(job, outcomes, answers, dry_run=prepared.dry_run)
    if verdict is Verdict.OK and prepared.dry_run:
        return _result(outcomes, usage, Verdict.DRY_RUN, f"{message}; DRYRUN ends it here")
    return _result(outcomes, usage, verdict, message)


def _failed_at_once(answered: Answered) -> str:
    """Name what failed, where one start for several records ended before it answered any; else empty."""
    run, records = answered.run, answered.outcomes
    failed = (
        run is not None and run.verdict is not Verdict.OK and not any(outcome.verdict.passed for outcome in records)
    )
    return f"the start for {len(records)} records" if failed and len(records) > 1 else ""


def _compare(outcome: RecordOutcome, expected: str | None, file: str) -> RecordOutcome:
    if outcome.verdict is not Verdict.OK or outcome.answer == expected:
        return outcome
    if expected is None:
        message = f"next.sh answered {outcome.answer!r}, but the entry's {file} has no line for this record"
    else:
        message = f"next.sh answered {outcome.answer!r}, but the entry's {file} says {expected!r}"
    return replace(outcome, verdict=Verdict.MISMATCH, message=message)


def _public_score(job: Job, outcomes: list[RecordOutcome], answers: Path, *, dry_run: bool) -> tuple[Verdict, str]:
    """The metric's verdict and score for the answers to the public records."""
    n = sum(outcome.verdict is Verdict.OK for outcome in outcomes)
    if n == 0:
        return Verdict.OK, "no answers for the public records, so there is no public score"
    if job.quiz.references is None:
        return Verdict.OK, f"{n} of {len(job.quiz.records)} records answered"
    if job.trial.own_records and job.quiz == job.exam and not dry_run:
        return Verdict.OK, f"{n} of {len(job.quiz.records)} records answered; the exam has the same ones, and the score"
    result = score_answers(job.challenge, job.quiz, answers, job.scorer).result
    if result.verdict is not Verdict.OK:
        return result.verdict, result.message
    if result.records:
        unusable = {outcome.record: outcome.message for outcome in result.records}
        outcomes[:] = [
            replace(outcome, verdict=Verdict.BAD_ANSWER, message=unusable[outcome.record])
            if outcome.record in unusable
            else outcome
            for outcome in outcomes
        ]
        return Verdict.BAD_ANSWER, "\n".join(f"record {record}: {reason}" for record, reason in unusable.items())
    return Verdict.OK, f"{n} of {len(job.quiz.records)} records answered; public score: {result.message}"


def _result(
    outcomes: list[RecordOutcome], usage: Usage, verdict: Verdict, message: str, run: Run | None = None
) -> StageResult:
    return StageResult(
        stage=Stage.QUIZ,
        verdict=verdict,
        message=message,
        usage=usage,
        records=tuple(outcomes),
        diagnostics=diagnostics(run) if run is not None else "",
    )
