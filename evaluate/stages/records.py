"""What quiz and exam share: ``next.sh`` on one record, and what came of it."""

from __future__ import annotations

from pathlib import Path

from evaluate.challenge import Challenge, RecordSet
from evaluate.intake import answer_for
from evaluate.model import Limits, RecordOutcome, Run, Verdict
from evaluate.sandbox.base import HOME, Command, Sandbox
from evaluate.sandbox.disks import medium


def records_medium(record_set: RecordSet, target: Path) -> Path:
    """A read-only medium with the input files of all records of the set, and nothing else of its folder."""
    files = {path.name: path for record in record_set.records for path in record_set.files(record)}
    return medium(target, files)


def run_record(
    sandbox: Sandbox, challenge: Challenge, record_set: RecordSet, record: str, limits: Limits
) -> tuple[RecordOutcome, Run]:
    """Run ``next.sh RECORD`` in a clean working directory that holds the entry and this record's files."""
    answers = f"{HOME}/{challenge.answers.file}"
    run = sandbox.run(
        Command(
            argv=("/bin/bash", "next.sh", record),
            inputs={f"{HOME}/{path.name}": path.name for path in record_set.files(record)},
            remove=(answers,),  # the entry's own answers must not count as this run's
            collect=(answers,),
        ),
        limits,
    )
    verdict, message, answer = run.verdict, run.detail, None
    if verdict is Verdict.OK:
        if answers in run.problems:
            answer, problem = None, f"{challenge.answers.file} is {run.problems[answers]}"
        else:
            answer, problem = answer_for(record, run.files.get(answers, b""), challenge.answers.labels)
        if answer is None:
            verdict, message = Verdict.BAD_ANSWER, problem
    outcome = RecordOutcome(record=record, verdict=verdict, usage=run.usage, answer=answer, message=message)
    return outcome, run
