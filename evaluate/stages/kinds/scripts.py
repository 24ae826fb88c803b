"""Kind ``scripts``: ``setup.sh`` once, then ``next.sh RECORD`` for every record, as in the 2017 challenge."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.core.model import Limits, RecordOutcome, Run, Stage, StageResult, Verdict
from evaluate.sandbox.base import HOME, Command, CommandRunner
from evaluate.stages.contracts.contract import input_files
from evaluate.stages.job import MEDIUM, Job, PreparedEntry
from evaluate.stages.kinds.entry_kind import (
    Answered,
    EntryKind,
    Prepped,
    answering,
    blank_machine,
    diagnostics,
    guest,
    not_unpacked,
    one_by_one,
    prepared_machine,
    unpack,
)
from evaluate.stages.missing_dependencies import hint
from evaluate.untrusted.archives import Listing, answer_for, inspect, parse_answers
from evaluate.untrusted.requirements import DEPENDENCIES, parse_dependencies


class Scripts(EntryKind):
    """Entries of scripts."""

    def check(self, archive: Path, challenge: Challenge) -> tuple[Listing, dict[str, str], bytes]:
        """The listing, the entry's own answers, and its dependencies."""
        listing = inspect(archive, challenge, (challenge.answers.file, DEPENDENCIES))
        answers = listing.read(challenge.answers.file, challenge.archive.text_bytes)
        expected = parse_answers(answers, challenge.answers.labels)
        dependencies = listing.read(DEPENDENCIES, challenge.archive.text_bytes)
        parse_dependencies(dependencies)
        return listing, expected, dependencies

    def prep(self, job: Job) -> Prepped:
        """Check, install, unpack, set up."""
        job.monitor.step("checking the archive")
        listing, expected, dependencies = self.check(job.entry.archive, job.challenge)
        job.monitor.step("installing dependencies")
        layer = job.layers.debian(dependencies)
        layers = [layer] if layer is not None else []
        machine = blank_machine(job, layers)
        job.monitor.step("starting the machine")
        with guest(job, machine) as sandbox:
            unpacked = unpack(job, sandbox, listing)
            if unpacked.verdict is not Verdict.OK:
                return not_unpacked(unpacked), None
            job.monitor.step("running setup.sh")
            command = Command(argv=("/bin/bash", "setup.sh"), keep=True, using=job.monitor.using)
            setup = sandbox.run(command, job.challenge.limits["setup"])
            if setup.verdict is not Verdict.OK:
                return _failed(setup, self.lacking(job, diagnostics(setup))), None
            job.monitor.step("keeping the prepared disks")
            sandbox.freeze(job.folder)
        wanted = listing.notes(job.challenge.wanted_files)
        # what had to be repaired, one line each
        notes = "\n".join([*wanted, unpacked.stdout.decode(errors="replace").strip()]).strip()
        result = StageResult(stage=Stage.PREP, verdict=Verdict.OK, message=notes, usage=setup.usage)
        return result, PreparedEntry(
            kind=job.kind, folder=job.folder, layers=tuple(layers), expected=expected, dry_run=listing.dry_run
        )

    def lacking(self, job: Job, printed: str) -> str:
        _, _, dependencies = self.check(job.entry.archive, job.challenge)
        listed = frozenset(package.name for package in parse_dependencies(dependencies))
        return hint(printed, DEPENDENCIES, listed, of_debian=True)

    def answer(
        self, job: Job, prepared: PreparedEntry, stage: Stage, record_set: RecordSet, answers: Path
    ) -> Generator[Answered, None, None]:
        """One start per record; the answers become one file of lines."""
        challenge, limits = job.challenge, job.challenge.limits[stage.value]
        alone = one_by_one(job)
        if alone:
            sample = _command(job, job.quiz, job.quiz.records[0])
            machine = prepared_machine(job, prepared, stage, None)
        else:
            records = job.medium(job.folder / f"{stage}{MEDIUM}", input_files(record_set, record_set.records))
            sample, machine = None, prepared_machine(job, prepared, stage, records)
        with (
            answering(job, machine, sample, limits) as sandbox,
            (answers / challenge.answers.file).open("w") as lines,
        ):
            for record in sorted(record_set.records, key=lambda name: name not in job.trial.first):
                job.monitor.step("" if record_set.hidden else f"record {record}")
                outcome, run = run_record(sandbox, challenge, record, _command(job, record_set, record), limits)
                if outcome.answer is not None:
                    lines.write(f"{record},{outcome.answer}\n")
                yield Answered(outcomes=(outcome,), usage=outcome.usage, run=run)


def _failed(setup: Run, hint: str) -> StageResult:
    return StageResult(
        stage=Stage.PREP,
        verdict=setup.verdict,
        message="\n".join(filter(None, (f"setup.sh: {setup.detail}", hint))),
        usage=setup.usage,
        diagnostics=diagnostics(setup),
    )


def _command(job: Job, record_set: RecordSet, record: str) -> Command:
    """``next.sh RECORD`` in a clean working directory that holds the entry and this record's files."""
    answers = f"{HOME}/{job.challenge.answers.file}"
    disc = job.folder / f"record{MEDIUM}"
    return Command(
        argv=("/bin/bash", "next.sh", record),
        inputs={f"{HOME}/{name}": name for name in record_set.files(record)},
        remove=(answers,),  # the entry's own answers must not count as this run's
        collect=(answers,),
        using=job.monitor.using,
        medium=job.medium(disc, input_files(record_set, (record,))) if one_by_one(job) else None,
    )


def run_record(
    sandbox: CommandRunner, challenge: Challenge, record: str, command: Command, limits: Limits
) -> tuple[RecordOutcome, Run]:
    """Run the command of a record and read its answer."""
    answers = f"{HOME}/{challenge.answers.file}"
    run = sandbox.run(command, limits)
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
