"""quiz: does the entry give, on the validation records, the very answers its team sent along?

It is a check of reproducibility, not a score.  The first failure ends it, and its diagnostics go to the team.
"""

from __future__ import annotations

from evaluate.model import RecordOutcome, Run, Stage, StageResult, Usage, Verdict
from evaluate.stages.job import Job, PreparedEntry
from evaluate.stages.prep import diagnostics
from evaluate.stages.records import records_medium, run_record


def quiz(job: Job, prepared: PreparedEntry) -> StageResult:
    """Run every validation record and compare."""
    if job.own_records and not any(record in prepared.expected for record in job.quiz.records):
        message = f"nothing to compare: {job.challenge.answers.file} knows none of the given records"
        return StageResult(stage=Stage.QUIZ, verdict=Verdict.OK, message=message)
    limits = job.challenge.limits["quiz"]
    outcomes: list[RecordOutcome] = []
    records = records_medium(job.quiz, job.folder / "quiz.iso")
    with job.hypervisor.boot(prepared.machine(job, records)) as sandbox:
        for record in job.quiz.records:
            job.monitor.step(f"record {record}")
            outcome, run = run_record(sandbox, job.challenge, job.quiz, record, limits)
            outcome = _compare(outcome, prepared.expected.get(record), job.challenge.answers.file)
            outcomes.append(outcome)
            job.monitor.record_ended(Stage.QUIZ, outcome)
            if outcome.verdict is not Verdict.OK:
                return _result(outcomes, outcome.verdict, f"record {record}: {outcome.message}", run)
    if prepared.listing.dry_run:
        return _result(
            outcomes, Verdict.DRY_RUN, f"{len(outcomes)} of {len(outcomes)} answers are reproduced; DRYRUN ends it here"
        )
    return _result(outcomes, Verdict.OK, f"{len(outcomes)} of {len(outcomes)} answers are reproduced")


def _compare(outcome: RecordOutcome, expected: str | None, file: str) -> RecordOutcome:
    if outcome.verdict is not Verdict.OK or outcome.answer == expected:
        return outcome
    if expected is None:
        message = f"next.sh answered {outcome.answer!r}, but the entry's {file} has no line for this record"
    else:
        message = f"next.sh answered {outcome.answer!r}, but the entry's {file} says {expected!r}"
    return RecordOutcome(
        record=outcome.record,
        verdict=Verdict.MISMATCH,
        usage=outcome.usage,
        answer=outcome.answer,
        message=message,
    )


def _result(outcomes: list[RecordOutcome], verdict: Verdict, message: str, run: Run | None = None) -> StageResult:
    return StageResult(
        stage=Stage.QUIZ,
        verdict=verdict,
        message=message,
        usage=sum((o.usage for o in outcomes), Usage()),
        records=tuple(outcomes),
        diagnostics=diagnostics(run) if run is not None else "",
    )
