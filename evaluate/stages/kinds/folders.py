"""Common parts of the kinds whose programs read a folder of records and write a folder of answers."""

from __future__ import annotations

import math
import shutil
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path

from evaluate.config.challenge.types import Answers, Kind, Mode, RecordSet
from evaluate.confine.ownership import discard_tree
from evaluate.core.model import Program, RecordOutcome, Run, Stage, Usage, Verdict
from evaluate.protocol.guest import INVOKE
from evaluate.sandbox.base import Command
from evaluate.stages.contracts.contract import Contract
from evaluate.stages.job import MEDIUM, Job, PreparedEntry
from evaluate.stages.kinds.entry_kind import Answered, answering, for_records, loads_once, one_by_one, prepared_machine
from metrics.readers.foreign import decoded

DATA, RESULT = "/input", "/output"
_MOST_LINE = 400


def answer_by_folder(
    job: Job,
    prepared: PreparedEntry,
    stage: Stage,
    record_set: RecordSet,
    answers: Path,
    program: Program,
    *,
    server: bool,
) -> Generator[Answered, None, None]:
    """Start a program for all records together or for each, by the challenge's rules, and keep its answers.

    ``server``: whether the program is a server that is invoked. Where each record has a machine of its own, that is
    restored from one in which the server was loaded, under the limits of setup; otherwise it is loaded for each record.
    """
    limits = job.challenge.limits[stage.value]
    command = Command(argv=program.argv, env=program.env, cwd=program.cwd, user=program.user, using=job.monitor.using)
    records = record_set.records
    of_set = job.challenge.run.mode is Mode.SET
    starts = [records] if of_set else [(record,) for record in records]

    contract = job.contract
    # a program without a contract gets the names of its records
    record_list = prepared.kind is Kind.PYTHON and job.challenge.platform is None
    held = server and loads_once(job)
    loading, setup = limits, job.challenge.limits["setup"]
    if held:  # memory and processes are those of its records
        loading = replace(limits, instructions=setup.instructions, wall_seconds=setup.wall_seconds)
    if server:
        how, seconds = ("hold" if held else "once"), loading.wall_seconds
        command = replace(command, argv=(INVOKE, how, str(math.ceil(seconds)), *command.argv))

    def alone(some: Sequence[str], record_set: RecordSet) -> Command:
        disc = job.folder / f"record{MEDIUM}"
        if held:
            return replace(command, inbox=DATA, output=RESULT, medium=job.medium(disc, contract.lay(record_set, some)))
        laid = _start_files(contract, record_set, 0, some, record_list=record_list)
        return replace(command, mounts={DATA: "0"}, output=RESULT, medium=job.medium(disc, laid))

    disc, sample = None, None
    if one_by_one(job):
        sample = alone(job.quiz.records[:1], job.quiz)
    else:
        job.monitor.step("writing the records' medium")
        files: dict[str, Path | bytes] = {}
        for i, some in enumerate(starts):
            files |= _start_files(contract, record_set, i, some, record_list=record_list)
        disc = job.medium(job.folder / f"{stage}{MEDIUM}", files)
    job.monitor.step("starting the machine")
    machine = prepared_machine(job, prepared, stage, disc, answers_bytes=limits.answers_bytes)
    with answering(job, machine, sample, loading) as sandbox:
        for i, some in sorted(enumerate(starts), key=lambda start: not job.trial.first.issuperset(start[1])):
            of_one = "" if record_set.hidden else f"record {some[0]}"
            job.monitor.step(f"{len(some)} records at once" if of_set else of_one)
            gathered = job.folder / f"{stage}-{i}.output"
            started = alone(some, record_set) if sample else replace(command, mounts={DATA: str(i)}, output=RESULT)
            beside: tuple[str, ...] = ()
            if stage is Stage.QUIZ and not held:  # a program may not use the folder it is given
                names = job.challenge.answers.names(some[0])
                beside = tuple(f"{command.cwd.rstrip('/')}/{name}" for name in names)
            started = replace(started, gather=gathered, collect=beside)
            run = sandbox.run(started, for_records(limits, len(some)))
            problem, left = "", gathered
            if contract.taken is not None and not of_set and run.verdict is Verdict.OK:
                left = job.folder / f"{stage}-{i}.answer"
                problem = contract.taken(gathered, some[0], left)
            if contract.last_line and stage is Stage.QUIZ:
                run = _with_last_line(run)
            rules, most_bytes = job.challenge.answers, limits.answer_bytes
            yield answered(run, some, left, answers, rules, most_bytes, of_set=of_set, problem=problem)
            for name in (pattern.format(record=record) for pattern in contract.beside for record in some):
                keep_answer(left, (name,), answers, most_bytes)
            for folder in {gathered, left}:
                discard_tree(folder)


def _start_files(
    contract: Contract, record_set: RecordSet, i: int, records: Sequence[str], *, record_list: bool
) -> dict[str, Path | bytes]:
    """Files that start number ``i`` of the program finds, by their places on a medium."""
    files = {f"{i}/{name}": content for name, content in contract.lay(record_set, records).items()}
    if record_list:
        files[f"{i}/RECORDS"] = "".join(f"{record}\n" for record in records).encode()
    return files


def _with_last_line(run: Run) -> Run:
    """The run, whose reason names the last line that the program printed as an error."""
    lines = run.stderr.decode(errors="replace").strip().splitlines()
    if run.verdict is not Verdict.RUNTIME_ERROR or not lines:
        return run
    return replace(run, detail=f"{run.detail}: {lines[-1].strip()[:_MOST_LINE]}")


def answered(
    run: Run,
    records: Sequence[str],
    gathered: Path,
    answers: Path,
    rules: Answers,
    most_bytes: int,
    *,
    of_set: bool,
    problem: str = "",
) -> Answered:
    """Take the answers that a start left.

    A start for one record is judged by how it ended; a start for the whole set by each record's file, since the program
    may have failed after it had answered some.

    ``problem``: what the contract finds wrong with the answer of one record.
    """
    elsewhere = "".join(f"; it left {path}: expected the answers in its last argument, {RESULT}" for path in run.files)
    outcomes = []
    for record in records:
        verdict, message = run.verdict, run.detail
        name = None
        if of_set or verdict is Verdict.OK:
            name, missing = keep_answer(gathered, rules.names(record), answers, most_bytes)
            if problem:
                name, verdict, message = None, Verdict.BAD_ANSWER, problem
            elif name is not None:
                verdict, message = Verdict.OK, ""
            elif verdict is Verdict.OK:
                verdict, message = Verdict.BAD_ANSWER, f"{missing}{elsewhere}"
        usage = Usage() if of_set else run.usage
        outcomes.append(RecordOutcome(record=record, verdict=verdict, usage=usage, answer=name, message=message))
    for name in rules.shared:
        keep_shared(gathered, name, answers, most_bytes)
    over = of_set and run.verdict in (Verdict.INSTRUCTION_LIMIT, Verdict.WALL_LIMIT)
    return Answered(outcomes=tuple(outcomes), usage=run.usage, run=run, over=over)


def keep_answer(gathered: Path, names: Sequence[str], answers: Path, most_bytes: int) -> tuple[str | None, str]:
    """Move the first of these files that exists to ``answers``; its name, or None and what is wrong."""
    for name in names:
        path = gathered / name
        if not path.is_file():
            continue
        if path.stat().st_size > most_bytes:
            return None, f"{name} has {path.stat().st_size} bytes; at most {most_bytes} are allowed"
        target = answers / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, target)
        return name, ""
    return None, f"the program ended well but left no {' or '.join(names)} in {RESULT}"


def keep_shared(part: Path, name: str, answers: Path, most_bytes: float) -> None:
    """Keep a file for the whole set; where another start or shard left one, add the lines that it lacks."""
    source, target = part / name, answers / name
    if not source.is_file() or source.stat().st_size > most_bytes:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        shutil.copyfile(source, target)
    elif source.read_bytes() != target.read_bytes():  # uploaded answers are the same in every shard
        texts = (decoded(path.read_bytes(), errors="replace") for path in (target, source))
        lines = dict.fromkeys(line for text in texts for line in text.splitlines())
        target.write_text("".join(f"{line}\n" for line in lines))
