"""`evaluate recount`: count one record again, in rooms of its own, and show where two counts differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from evaluate.config.challenge.load import FILE
from evaluate.config.challenge.types import Challenge, Isolation, Mode, RecordSet
from evaluate.core.codec import to_json
from evaluate.core.errors import UsageError
from evaluate.core.files import sha256_file
from evaluate.core.model import MachineInfo, RecordOutcome, Run, Stage, TrainedModel
from evaluate.counters.tcg import TcgCounter, build_plugin, read_buckets
from evaluate.host.wiring import HostMeans, make_job
from evaluate.receipts.statement import Opening
from evaluate.receipts.verify import RERUN, ReceiptFinding
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.run_folders import RunFolders
from evaluate.stages.job import Job, Monitor, TrialRules, machine_info
from evaluate.stages.kinds.detection import handler
from evaluate.stages.train import ready
from evaluate.untrusted.archives import open_entry
from evaluate.untrusted.packing import to_try

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


def recount(
    entry: Path | str,
    challenge: Challenge,
    record: str,
    state: Path,
    monitor: Monitor,
    *,
    times: int = 1,
    explain: bool = False,
) -> InRooms:
    """Prepare an entry, save it, and run one record in so many rooms.

    Raises UsageError if the challenge has no such record, its entries are not started for each record, or need what
    cannot be saved. Raises EntryError if the entry does not pass prep.

    ``explain``: also count where; about a tenth slower.
    """
    stage, records = record_set_of(challenge, record)
    records = replace(records, records=(record,) * times)
    return in_rooms(entry, challenge, stage, records, state, monitor, explain=explain)


@dataclass(frozen=True, kw_only=True)
class InRooms:
    """Outcomes of records, each in a room of its own."""

    stage: Stage
    answered: tuple[tuple[RecordOutcome, Run], ...]
    maps: tuple[Mapping[int, int], ...]
    """Instructions by address of each run, if they were asked for."""
    machine: MachineInfo | None
    model: TrainedModel | None = None
    """Model of the training before; None where entries are not trained."""

    @property
    def counts(self) -> tuple[int, ...]:
        """Instructions of each run."""
        return tuple(run.usage.instructions for _, run in self.answered)

    @property
    def mode(self) -> str:
        """Mode in which it was counted; see `CounterInfo.mode`."""
        return self.machine.mode if self.machine is not None else "none"

    @property
    def differences(self) -> tuple[CountDifference, ...]:
        """Code that the runs did not execute equally often, the largest difference first; only if it was asked for."""
        return differences(self.maps)


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
    challenge = replace(challenge, isolation=Isolation.SNAPSHOT)
    with RunFolders(state / "runs").new("recount") as folder:
        opened = open_entry(entry, folder, partial(to_try, say=monitor.say, state=state))
        job = make_job(HostMeans(state=state, monitor=monitor, accelerator="tcg"), opened, challenge, folder)
        job = replace(job, trial=TrialRules(loads_each=loads_each))
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
                    after_room=lambda folder: maps.append(read_buckets(folder, settled=True)),
                ),
            )
        answered, layers, model = _answered(job, stage, records, folder)
        counted = tuple(maps[-len(answered) :])  # the machine was tried in a room of its own before
        machine = machine_info(job, layers)
        return InRooms(stage=stage, answered=answered, maps=counted, machine=machine, model=model)


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
    """Return the outcomes of the records, the layers of the entry, and its model."""
    prepared, model = ready(job)
    answers = folder / "recount-answers"
    answers.mkdir()
    with closing(handler(prepared.kind).answer(job, prepared, stage, records, answers)) as started:
        pairs = tuple((answered.outcomes[0], answered.run) for answered in started if answered.run is not None)
    return pairs, prepared.layers, model


def differences(maps: Sequence[Mapping[int, int]]) -> tuple[CountDifference, ...]:
    """Return the addresses at which runs do not agree, given the instructions by address of each."""
    unequal = []
    for address in sorted(set().union(*maps)):
        counts = tuple(counts_by_address.get(address, 0) for counts_by_address in maps)
        if len(set(counts)) > 1:
            unequal.append(CountDifference(address=address, region=region(address), counts=counts))
    return tuple(sorted(unequal, key=lambda difference: min(difference.counts) - max(difference.counts)))


def region(address: int) -> str:
    """Name what lies at an address of a process that starts at fixed addresses."""
    return next((name for end, name in _REGIONS if address < end), "no process") if address >= 0 else "elsewhere"


def agreement(counts: Sequence[int]) -> str:
    """``"100 of 100 equal"``, or the values and how often each was found."""
    by_value = Counter(counts)
    if len(by_value) == 1:
        return f"{len(counts)} of {len(counts)} equal"
    return ", ".join(f"{value} ({n} ×)" for value, n in by_value.most_common())


# `evaluate verify --rerun`: does the entry do on this machine what its receipt says?
#
# The records run again as by `evaluate recount`, each in a machine of its own whose time passes with its
# instructions, restored from a snapshot that was made here.  A receipt of such machines (`isolation: snapshot`, under
# emulation) comes from another snapshot of the same image, in which the kernel has laid out its memory in another
# way: counts are judged by the spread that was measured between snapshots, and equal ones are said to be equal to the
# last digit.  Counts of other machines may differ by the tolerance of their counter and by what such machines count
# otherwise; and those of another version of the counter, which may count otherwise, are shown and not judged.


QUIZ = "quiz"
_TOLERANCE = 1e-3
"""Tolerance of counts in receipts that do not say their counter's."""
_BESIDE = 200_000
"""Instructions by which a machine for all records may count otherwise than one for each: found were 47 000."""
_BETWEEN_SNAPSHOTS = 1e-2
"""The same program in two snapshots of one image, made by two users: found were 1.6e-5 (threads in C), 1.1e-3 (a
pipeline) and 8.6e-3 (Python); docs/clean-room.md says why."""
_HEREABOUTS = ("host", "processor", "counter", "isolation")
"""Properties that may be others here without being a difference of the machine."""


def rerun(
    predicate: Mapping[str, Any],
    entry: Path,
    challenge: Challenge,
    what: str,
    state: Path,
    monitor: Monitor,
    openings: Sequence[Opening] = (),
) -> list[ReceiptFinding]:
    """Run the records of the quiz, or one record, again, and compare.

    Raises UsageError if the receipt does not say what the record did. Raises Fault if the comparison cannot be
    performed.

    * ``predicate``: the predicate of the receipt.
    * ``what``: ``quiz`` or the name of a record; of a hidden record the opening is needed.
    """
    stage, records = (Stage.QUIZ, challenge.quiz) if what == QUIZ else record_set_of(challenge, what)
    stated = _stated(predicate, stage, openings)
    names = [name for name in records.records if name in stated] if what == QUIZ else [what]
    if not names or any(name not in stated for name in names):
        hint = "; give what opens it (--openings)" if stage is Stage.EXAM else ""
        raise UsageError(f"the receipt does not say what {what} did{hint}")
    rooms = in_rooms(entry, challenge, stage, replace(records, records=tuple(names)), state, monitor)
    return [
        _rules(predicate, challenge),
        _machine(predicate, rooms.machine),
        *_model(predicate, rooms.model),
        *(_record(stated[outcome.record], outcome, run, predicate, rooms.machine) for outcome, run in rooms.answered),
    ]


def _stated(predicate: Mapping[str, Any], stage: Stage, openings: Sequence[Opening]) -> dict[str, Mapping[str, Any]]:
    """Return what the receipt says of each record of a stage; for hidden ones, what openings of its commitments say."""
    by_record: dict[str, Mapping[str, Any]] = {}
    for section in predicate["stages"]:
        if section["stage"] == stage.value:
            by_record |= {record["record"]: record for record in section.get("records", ())}
    committed = set(predicate["withheld"].get(stage.value, {}).get("records", ()))
    return by_record | {
        opening.value["record"]: opening.value for opening in openings if opening.commitment in committed
    }


def _rules(predicate: Mapping[str, Any], challenge: Challenge) -> ReceiptFinding:
    here, there = sha256_file(challenge.folder / FILE), predicate["challenge"]["rules"]["sha256"]
    same = here == there
    finding = (
        "the rules are those of the receipt" if same else f"{challenge.folder / FILE} has sha256 {here}, not {there}"
    )
    return ReceiptFinding(what="rules", ok=same, found=finding)


def _machine(predicate: Mapping[str, Any], machine: MachineInfo | None) -> ReceiptFinding:
    """Report what differs between this machine and that of the receipt; a difference is no fault."""
    stated = predicate.get("machine") or {}
    here = to_json(machine) if machine else {}
    parts = {**here, **(here.get("parts") or {})}
    others = {**stated, **(stated.get("parts") or {})}
    differ = [
        name
        for name, value in parts.items()
        if name not in (*_HEREABOUTS, "parts") and name in others and str(others[name]) != str(value)
    ]
    if not others:
        return ReceiptFinding(what="machine", ok=None, found="the receipt does not say what machine it was")
    finding = f"another {', '.join(differ)} than in the receipt" if differ else "the same parts as in the receipt"
    return ReceiptFinding(what="machine", ok=None if differ else True, found=finding)


def _model(predicate: Mapping[str, Any], here: TrainedModel | None) -> list[ReceiptFinding]:
    """True if training gave the same model here; nothing where the receipt states none.

    Another model answers otherwise, so this explains what differs below.
    """
    stated = next((section["model"] for section in predicate["stages"] if section.get("model")), None)
    if stated is None:
        return []
    same = here is not None and here.sha256 == stated["sha256"]
    other = f"has sha256 {here.sha256}" if here is not None else "does not exist"
    finding = "is that of the receipt" if same else f"{other}, not {stated['sha256']}"
    return [ReceiptFinding(what="model", ok=same, found=f"the entry was trained again, and its model {finding}")]


def _record(
    stated: Mapping[str, Any],
    outcome: RecordOutcome,
    run: Run,
    predicate: Mapping[str, Any],
    here_on: MachineInfo | None,
) -> ReceiptFinding:
    here, there = run.usage.instructions, int(stated["instructions"])
    wrong = []
    # the quiz calls an answer that is not the entry's own a mismatch; what the program did is its answer
    if stated["verdict"] not in (outcome.verdict.value, "MISMATCH"):
        wrong.append(f"verdict {outcome.verdict}, not {stated['verdict']}")
    if stated.get("answer") != outcome.answer:
        wrong.append(f"answer {outcome.answer!r}, not {stated.get('answer')!r}")
    machine = predicate.get("machine") or {}
    of_rooms = machine.get("isolation") == Isolation.SNAPSHOT and machine.get("accelerator") == "tcg"
    tolerance = _BETWEEN_SNAPSHOTS if of_rooms else float((machine.get("parts") or {}).get("tolerance", _TOLERANCE))
    allowed = tolerance * there + _BESIDE
    reason = "between two snapshots" if of_rooms else "between its machine and this one"
    within = f"{allowed:.1e} that are allowed {reason} ({tolerance:.1%} and {_BESIDE})"
    if (other := _other_counter(machine, here_on)) and not wrong and abs(here - there) > allowed:
        finding = f"the same verdict and answer; {here} instructions, stated {there}, which are not compared: {other}"
        return ReceiptFinding(what=f"{RERUN} {outcome.record}", ok=None, found=finding)
    if abs(here - there) > allowed:
        wrong.append(f"{here} instructions, not {there} within the {within}")
    same = (
        "the same count, equal to the last digit"
        if here == there
        else f"{here} instructions, stated {there}: {abs(here - there)} apart, within the {within}"
    )
    return ReceiptFinding(
        what=f"{RERUN} {outcome.record}", ok=not wrong, found="; ".join(wrong) or f"the same verdict and answer, {same}"
    )


def _other_counter(stated: Mapping[str, Any], here: MachineInfo | None) -> str:
    """The reason why counts of two machines cannot be compared; empty if they can."""
    if (processors := stated.get("processors", 1)) > 1:
        return f"with {processors} processors they differ each time"
    there = (stated.get("parts") or {}).get("counter_version")
    now = here.parts.counter_version if here is not None and here.parts is not None else None
    if there is None or now is None or there == now:
        return ""
    return f"they were counted by {there}, and here by {now}"
