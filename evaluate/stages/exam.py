"""exam: the same on the hidden records.

A record that fails does not end it and becomes a missing answer.  Only counts leave the exam: no diagnostics,
nothing per record, since both would tell of the hidden data.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from evaluate.model import RecordOutcome, Stage, StageResult, Usage, Verdict
from evaluate.stages.job import Job, PreparedEntry
from evaluate.stages.records import records_medium, run_record


def exam(job: Job, prepared: PreparedEntry) -> StageResult:
    """Run every record of the exam and write the answers to ``job.folder``."""
    limits = job.challenge.limits["exam"]
    outcomes: list[RecordOutcome] = []
    records = records_medium(job.exam, job.folder / "exam.iso")
    with job.hypervisor.boot(prepared.machine(job, records)) as sandbox:
        for record in job.exam.records:
            job.monitor.step(f"record {len(outcomes) + 1}" if job.exam.hidden else f"record {record}")
            outcome, _ = run_record(sandbox, job.challenge, job.exam, record, limits)
            outcomes.append(outcome)
            job.monitor.record_ended(Stage.EXAM, outcome)
    answers_file(job).write_text("".join(f"{o.record},{o.answer}\n" for o in outcomes if o.answer is not None))
    return StageResult(
        stage=Stage.EXAM,
        verdict=Verdict.OK,
        message=counts(outcomes),
        usage=sum((o.usage for o in outcomes), Usage()),
        records=tuple(outcomes),
    )


def answers_file(job: Job) -> Path:
    """Where the exam leaves its answers for the score stage."""
    return job.folder / job.challenge.answers.file


def counts(outcomes: list[RecordOutcome]) -> str:
    """ "12 records, 10 answered; 1 RUNTIME_ERROR, 1 WALL_LIMIT": no more than that leaves the exam."""
    failed = Counter(o.verdict.value for o in outcomes if o.verdict is not Verdict.OK)
    answered = len(outcomes) - sum(failed.values())
    tail = ", ".join(f"{n} {verdict}" for verdict, n in sorted(failed.items()))
    return f"{len(outcomes)} records, {answered} answered" + (f"; {tail}" if tail else "")
