"""train: let the entry learn a model from the organiser's records, in challenges that ask for it.

A machine with the prepared disks and a medium with the training records, for this stage only, runs the program, which
writes its model into a folder of the entry.  The disks are then frozen again, so that every record of quiz and exam is
answered with that model.  The receipt states a digest of that folder, made in the guest by our own program when all
processes of the entry have ended.

An entry that brings its model is not trained where the challenge says so, and neither is one that a person at home
gives a model (`evaluate try --model`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evaluate.config.challenge.types import Kind, Training
from evaluate.core.errors import ChallengeError, EntryError
from evaluate.core.files import data_folder
from evaluate.core.model import MIB, Limits, Run, Stage, StageResult, TrainedModel, Usage, User, Verdict
from evaluate.sandbox.base import HOME, Command, Prepared, Sandbox
from evaluate.stages.job import MEDIUM, Job, PreparedEntry, of_stage
from evaluate.stages.kinds.detection import handler
from evaluate.stages.kinds.entry_kind import diagnostics, guest, prepared_machine
from evaluate.stages.kinds.folders import DATA
from evaluate.stages.prep import load_prepared, prep
from evaluate.untrusted.archives import inspect, parse_model

SEED = "EVALUATE_SEED"
"""Name of the environment variable with the seed."""
_LIMITS = Limits(instructions=10**14, wall_seconds=7200, memory_bytes=512 * MIB, processes=8, output_bytes=MIB)
"""For our own program: its work is bounded by the size of the disk."""
_ENVIRONMENT = {"LANG": "C.UTF-8"}
_RECORDS, _MODEL = "0", "1"
"""Folders of a medium."""


def of_training(job: Job) -> Job:
    """The job in a folder of its own, whose disks do not take the place of those that prep left."""
    folder = job.folder / Stage.TRAIN.value
    folder.mkdir(mode=0o711)  # QEMU's own user passes through to the disks
    return replace(job, folder=folder)


def trained(prepared: PreparedEntry, folder: Path) -> PreparedEntry:
    """The entry with the disks that `train` left in a folder, if it left any."""
    return replace(prepared, trained=folder) if Prepared.left_in(folder).home.exists() else prepared


def ready(job: Job) -> tuple[PreparedEntry, TrainedModel | None]:
    """An entry that has passed prep and training, and its model, for who asks for its records alone.

    Raises EntryError if it does not pass.
    """
    prepped = prep(job).result
    if prepped.verdict is not Verdict.OK:
        raise EntryError(f"the entry does not pass prep: {prepped.verdict} {prepped.message}")
    prepared = load_prepared(job.folder)
    if job.challenge.train is None:
        return prepared, None
    training = of_training(job)
    result = train(training, prepared).result
    if result.verdict is not Verdict.OK:
        raise EntryError(f"the entry cannot be trained: {result.verdict} {result.message}")
    return trained(prepared, training.folder), result.model


@of_stage(Stage.TRAIN)
def train(job: Job, prepared: PreparedEntry) -> StageResult:
    """Train the entry, or use the model that it has; the disks go to ``job.folder`` if anything is new on them."""
    rules = job.challenge.train
    if rules is None:
        raise ChallengeError(f"{job.challenge.name}: its challenge.yaml has no key 'train'")
    if prepared.kind is not Kind.PYTHON:
        return _passed(f"not trained: entries of kind {prepared.kind} are not")
    if job.trial.model is not None:
        return _given(job, prepared, job.trial.model)
    if not rules.program:
        return _as_it_is(job, prepared, "not trained")
    if rules.is_skipped_for(inspect(job.entry.archive, job.challenge).members):
        return _as_it_is(job, prepared, "not trained, because the entry brings a model")
    return _trained(job, prepared, rules)


def _trained(job: Job, prepared: PreparedEntry, rules: Training) -> StageResult:
    job.monitor.step("writing the medium with training records")
    contract, names = job.contract, rules.records.records
    files = dict(contract.learn(rules.records, names))
    if not contract.train:
        files["RECORDS"] = "".join(f"{record}\n" for record in names).encode()
    files |= {name: rules.records.folder / name for name in rules.files}
    medium = job.medium(job.folder / f"{Stage.TRAIN}{MEDIUM}", {f"{_RECORDS}/{name}": at for name, at in files.items()})
    job.monitor.step("starting the machine")
    with guest(job, prepared_machine(job, prepared, Stage.TRAIN, medium)) as sandbox:
        emptied = _model_folder(job, prepared, sandbox, "empty")
        if emptied.verdict is not Verdict.OK:
            return _failed("the folder of models cannot be emptied", emptied)
        command = _command(job, prepared, rules)
        program = command.argv[1]
        job.monitor.step(f"training: {program}, {len(names)} records")
        run = sandbox.run(command, job.challenge.limits[Stage.TRAIN.value])
        if run.verdict is not Verdict.OK:
            printed = diagnostics(run)
            hint = handler(prepared.kind).lacking(job, printed)
            message = "\n".join(filter(None, (f"{program}: {run.detail}", hint)))
            return StageResult(
                stage=Stage.TRAIN,
                verdict=run.verdict,
                message=message,
                reason=run.detail,
                usage=run.usage,
                diagnostics=printed,
            )
        return _described(job, prepared, sandbox, "trained", run.usage)


def _command(job: Job, prepared: PreparedEntry, rules: Training) -> Command:
    contract, seed, program = job.contract, str(rules.seed), prepared.program
    usual = ("/usr/bin/python3", rules.program, DATA, _place(job))
    return Command(
        argv=prepared.called(contract.command(contract.train, data=DATA) or usual),
        env={**program.env, SEED: seed, "PYTHONHASHSEED": seed},
        cwd=program.cwd,
        user=program.user,
        mounts={DATA: _RECORDS},
        keep=True,
        using=job.monitor.using,
    )


def _given(job: Job, prepared: PreparedEntry, model: Path) -> StageResult:
    """Put a model in the place of one that training would leave."""
    files = {path.relative_to(model): path for path in sorted(model.rglob("*")) if path.is_file()}
    medium = job.medium(job.folder / f"model{MEDIUM}", {f"{_MODEL}/{name}": path for name, path in files.items()})
    with guest(job, prepared_machine(job, prepared, Stage.TRAIN, medium)) as sandbox:
        filled = _model_folder(job, prepared, sandbox, "fill", _MODEL)
        if filled.verdict is not Verdict.OK:
            return _failed("the model cannot be put in place", filled)
        return _described(job, prepared, sandbox, f"not trained: the model of {model} is used", Usage())


def _as_it_is(job: Job, prepared: PreparedEntry, why: str) -> StageResult:
    """Describe the model that the entry has."""
    job.monitor.step("starting the machine")
    with guest(job, prepared_machine(job, prepared, Stage.TRAIN, None)) as sandbox:
        return _described(job, prepared, sandbox, why)


def _described(
    job: Job, prepared: PreparedEntry, sandbox: Sandbox, how: str, usage: Usage | None = None
) -> StageResult:
    """Describe the model that is there; keep the disks where it is new, with the ``usage`` of what has left it."""
    run = _model_folder(job, prepared, sandbox, "describe")
    if run.verdict is not Verdict.OK:
        return _failed("the model cannot be read", run)
    if usage is not None:
        job.monitor.step("keeping the disks with the model")
        sandbox.freeze(job.folder)
    return replace(_passed(how, parse_model(run.stdout)), usage=usage or Usage())


def _place(job: Job) -> str:
    """The folder of models in a machine's folder of the entry."""
    contract, rules = job.contract, job.challenge.train
    return contract.model if rules is None or contract.train else f"{HOME}/{rules.model}"


def _model_folder(job: Job, prepared: PreparedEntry, sandbox: Sandbox, what: str, source: str = "") -> Run:
    """Run our program for the folder of models: with no more rights than the entry's own, or beside its container.

    ``source``: the folder of the medium that it is filled from.
    """
    user, folder = prepared.program.user, prepared.place(_place(job))
    program = (data_folder("vm_images") / "guest" / "model_folder.py").read_text()
    root = () if user is None else ("in", HOME, str(user.uid), str(user.gid))
    argv = ("/usr/bin/python3", "-I", "-S", "-c", program, *root, what, folder, *([DATA] if source else []))
    command = Command(argv=argv, mounts={DATA: source} if source else {}, keep=True)
    if user is not None:
        command = replace(command, cwd="/", user=User(uid=0, gid=0), builds=True, beside=True, env=_ENVIRONMENT)
    return sandbox.run(command, _LIMITS)


def _passed(how: str, model: TrainedModel | None = None) -> StageResult:
    described = "" if model is None else f"; model of {model.files} files, {model.bytes} bytes"
    return StageResult(stage=Stage.TRAIN, verdict=Verdict.OK, message=how + described, model=model)


def _failed(what: str, run: Run) -> StageResult:
    lines = run.stderr.decode(errors="replace").strip().splitlines()
    why = lines[-1] if lines else run.detail
    return StageResult(stage=Stage.TRAIN, verdict=run.verdict, message=f"{what}: {why}", diagnostics=diagnostics(run))
