"""`evaluate recount`: count one record again, in rooms of its own, and show where two counts differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evaluate.challenge.types import Challenge, Isolation, Mode, RecordSet
from evaluate.core.errors import UsageError
from evaluate.core.model import MachineInfo, RecordOutcome, Run, Stage, TrainedModel
from evaluate.counters.tcg import TcgCounter, build_plugin, read_buckets
from evaluate.host.wiring import make_job
from evaluate.images.build import build_image
from evaluate.packing.archive import to_try
from evaluate.sandbox.folders import RunFolders
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.stages.job import Job, Monitor, machine_info
from evaluate.stages.kinds.detection import handler
from evaluate.stages.train import ready
from evaluate.untrusted.archives import open_entry

_REGIONS = (
    (0x0000_5555_0000_0000, "a program at a fixed address"),
    (0x0000_7000_0000_0000, "a program"),
    (0x0000_8000_0000_0000, "a shared library"),
)
"""First address above each region, as Linux lays out a process without random addresses."""


@dataclass(frozen=True, kw_only=True)
class CountDifference:
    """Code that two runs did not execute equally often."""

    address: int
    region: str
    counts: tuple[int, ...]
    """Instructions in each run."""


@dataclass(frozen=True, kw_only=True)
class Recounted:
    """What came out of counting a record again."""

    record: str
    stage: Stage
    runs: tuple[Run, ...]
    answers: tuple[str | None, ...]
    """Of each run."""
    mode: str
    """How it was counted; see `CounterInfo.mode`."""
    differences: tuple[CountDifference, ...] = ()
    """The largest first; only if they were asked for."""

    @property
    def counts(self) -> tuple[int, ...]:
        """Instructions of each run."""
        return tuple(run.usage.instructions for run in self.runs)


def recount(
    entry: Path | str,
    challenge: Challenge,
    record: str,
    state: Path,
    monitor: Monitor,
    *,
    times: int = 1,
    explain: bool = False,
) -> Recounted:
    """Prepare an entry, save it, and run one record in so many rooms.

    Raises UsageError if the challenge has no such record, its entries are not started for each record, or need what
    cannot be saved. Raises EntryError if the entry does not pass prep.

    ``explain``: also count where; about a tenth slower.
    """
    stage, found = record_set_of(challenge, record)
    rooms = in_rooms(
        entry, challenge, stage, replace(found, records=(record,) * times), state, monitor, explain=explain
    )
    runs = tuple(run for _, run in rooms.answered)
    return Recounted(
        record=record,
        stage=stage,
        runs=runs,
        answers=tuple(outcome.answer for outcome, _ in rooms.answered),
        mode=rooms.machine.mode if rooms.machine is not None else "none",
        differences=differences(rooms.maps[-times:]),
    )


@dataclass(frozen=True, kw_only=True)
class InRooms:
    """What records did, each in a room of its own."""

    answered: tuple[tuple[RecordOutcome, Run], ...]
    maps: tuple[Mapping[int, int], ...]
    """Instructions by address of each run, if they were asked for."""
    machine: MachineInfo | None
    model: TrainedModel | None = None
    """Of the training before; None where entries are not trained."""


def in_rooms(
    entry: Path | str,
    challenge: Challenge,
    stage: Stage,
    records: RecordSet,
    state: Path,
    monitor: Monitor,
    *,
    explain: bool = False,
) -> InRooms:
    """Prepare an entry, save it, and run these records, each in a room of its own; see `recount`."""
    if challenge.run.mode is Mode.SET and not challenge.answers_are_lines:
        raise UsageError(f"{challenge.name}: its entries are started once for all records, so none has its own count")
    if challenge.gpus or challenge.licence:
        raise UsageError(f"{challenge.name}: its entries need a GPU or a licence server, which cannot be saved")
    loads_each = challenge.isolation is not Isolation.SNAPSHOT
    # an extra run is on all records, and has no score
    challenge = replace(challenge, isolation=Isolation.SNAPSHOT, run=replace(challenge.run, extra=""))
    with RunFolders(state / "runs").new("recount") as folder:
        job = make_job(
            open_entry(entry, folder, partial(to_try, say=monitor.say, state=state), monitor.say),
            challenge,
            folder,
            state,
            monitor,
            image_of=lambda recipe: build_image(recipe, state, monitor.say),
            layers_in=state,
            accelerator="tcg",
        )
        job = replace(job, loads_each=loads_each, searched=Path(entry).is_dir())
        if job.hypervisor is None:
            raise UsageError(f"{challenge.name}: its entries run nothing, so there is nothing to count")
        maps: list[Mapping[int, int]] = []
        if explain:
            counter = TcgCounter(build_plugin(state / "cache"), buckets=True)
            job = replace(
                job,
                hypervisor=LibvirtHypervisor(
                    state=state,
                    counter=counter,
                    accelerator="tcg",
                    say=monitor.say,
                    after_room=lambda place: maps.append(read_buckets(place, settled=True)),
                ),
            )
        answered, layers, model = _answered(job, stage, records, folder)
        return InRooms(answered=answered, maps=tuple(maps), machine=machine_info(job, layers), model=model)


def record_set_of(challenge: Challenge, record: str) -> tuple[Stage, RecordSet]:
    """The stage and the set that a record belongs to; UsageError if there is none."""
    for stage, records in ((Stage.QUIZ, challenge.quiz), (Stage.EXAM, challenge.exam)):
        if record in records.records:
            return stage, records
    some = ", ".join(challenge.quiz.records[:3])
    raise UsageError(f"{challenge.name} has no record {record!r}; there is {some}, …")


def _answered(
    job: Job, stage: Stage, records: RecordSet, folder: Path
) -> tuple[tuple[tuple[RecordOutcome, Run], ...], tuple[Path, ...], TrainedModel | None]:
    """What the records did, the layers of the entry, and its model."""
    prepared, model = ready(job)
    answers = folder / "recount-answers"
    answers.mkdir()
    with closing(handler(prepared.kind).answer(job, prepared, stage, records, answers)) as started:
        found = tuple((one.outcomes[0], one.run) for one in started if one.run is not None)
    return found, prepared.payload.layers, model


def differences(maps: Sequence[Mapping[int, int]]) -> tuple[CountDifference, ...]:
    """Where the runs whose instructions by address these are do not agree."""
    found = []
    for address in sorted(set().union(*maps)):
        counts = tuple(one.get(address, 0) for one in maps)
        if len(set(counts)) > 1:
            found.append(CountDifference(address=address, region=region(address), counts=counts))
    return tuple(sorted(found, key=lambda one: min(one.counts) - max(one.counts)))


def region(address: int) -> str:
    """What lies at an address of a process that starts at fixed addresses."""
    return next((name for end, name in _REGIONS if address < end), "no process") if address >= 0 else "elsewhere"


def agreement(counts: Sequence[int]) -> str:
    """``"100 of 100 equal"``, or the values and how often each was found."""
    by_value = Counter(counts)
    if len(by_value) == 1:
        return f"{len(counts)} of {len(counts)} equal"
    return ", ".join(f"{value} ({n} ×)" for value, n in by_value.most_common())
