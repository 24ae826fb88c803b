"""Interface that the stages ask of a kind of entry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import Challenge, Isolation, Kind, RecordSet
from evaluate.core.errors import ChallengeError, SandboxFault
from evaluate.core.files import data_folder
from evaluate.core.model import MIB, Limits, RecordOutcome, Run, Stage, StageResult, Usage, User, Verdict
from evaluate.protocol.guest import PROBE
from evaluate.sandbox.base import HOME, Command, CommandRunner, Hypervisor, Machine, Sandbox
from evaluate.stages.job import Job, PreparedEntry
from evaluate.untrusted.archives import Listing

_UNPACK_LIMITS = Limits(instructions=10**13, wall_seconds=1800, memory_bytes=512 * MIB, processes=8, output_bytes=MIB)
"""For our own program, not the entry's: its work is bounded by the size that the intake allows."""


@dataclass(frozen=True, kw_only=True)
class Answered:
    """The outcome of one start of the entry's program, for one record or for many."""

    outcomes: tuple[RecordOutcome, ...]
    usage: Usage
    run: Run | None = None
    """Measurements of the run; None if nothing was run."""
    over: bool = False
    """True if a limit on the whole set was exceeded, so that the remaining records must not be run."""


Prepped = tuple[StageResult, PreparedEntry | None]


class EntryKind(ABC):
    """One kind of entry: everything in which it differs from the others."""

    runs = True
    """True if anything of the entry is run, in a virtual machine; the quiz then ends with the first failure."""

    @abstractmethod
    def check(self, archive: Path, challenge: Challenge) -> object:
        """Check what can be checked without a machine and without the network, as at the intake of a queue.

        Raises EntryError if the message names everything that is wrong.
        """

    @abstractmethod
    def prep(self, job: Job) -> Prepped:
        """Check the archive, build its layers, set it up; without a prepared entry where that did not go well.

        Raises EntryError if the archive or what it asks for is at fault.
        """

    def lacking(self, job: Job, printed: str) -> str:
        """A hint for the team at what a program that printed this did not find, as a sentence; may be empty."""
        del job, printed
        return ""

    @abstractmethod
    def answer(
        self, job: Job, prepared: PreparedEntry, stage: Stage, record_set: RecordSet, answers: Path
    ) -> Generator[Answered, None, None]:
        """Answer the records in order and write the answers to the folder ``answers``.

        The guest lives as long as the generator; closing it destroys the guest.
        """


def guest(job: Job, machine: Machine) -> AbstractContextManager[Sandbox]:
    """Boot a guest."""
    return _hypervisor(job).boot(machine)


def answering(
    job: Job, machine: Machine, sample: Command | None, limits: Limits
) -> AbstractContextManager[CommandRunner]:
    """One guest that answers records, or with a sample, a guest for each command; see `Hypervisor.rooms`."""
    return guest(job, machine) if sample is None else _hypervisor(job).rooms(machine, sample, limits)


def _hypervisor(job: Job) -> Hypervisor:
    if job.hypervisor is None:
        raise SandboxFault(f"{job.challenge.name}: nothing to run a virtual machine with")
    return job.hypervisor


def one_by_one(job: Job) -> bool:
    """True if every record has a machine of its own."""
    return job.challenge.isolation is Isolation.SNAPSHOT


def loads_once(job: Job) -> bool:
    """True if a server is loaded once, and each record is answered in a copy of its machine."""
    return one_by_one(job) and not job.trial.loads_each


def machine_of(job: Job, stage: Stage, **parts: Any) -> Machine:
    """A guest for an entry in this stage.

    ``parts``: those of `Machine` that are not the same for all entries.
    """
    if job.image is None:
        raise ChallengeError(f"{job.challenge.name}: its challenge.yaml names no image to run entries in")
    sizes = job.challenge.sizes_of(stage)
    return Machine(image=job.image, sizes=sizes, licence_server=job.licence_server, gpus=job.gpus, **parts)


def blank_machine(job: Job, layers: Sequence[Path], files: Path | None = None) -> Machine:
    """A guest with blank disks that is shown the entry's archive, and a medium of the organiser's files."""
    layers = [*layers, *job.challenge.layers]
    return machine_of(job, Stage.PREP, layers=layers, entry=job.entry.archive, records=files)


def prepared_machine(
    job: Job, prepared: PreparedEntry, stage: Stage, records: Path | None, *, answers_bytes: int = 0
) -> Machine:
    """A guest that has the prepared entry on its disks, and these records if it is for all of them."""
    contained, has_disks = prepared.container, prepared.kind is not Kind.IMAGE
    layers = [*prepared.layers, *(() if contained else job.challenge.layers)]
    inside = {"layers": layers, "container": contained, "prepared": prepared.disks if has_disks else None}
    inside |= {} if has_disks else {"owner": str(prepared.folder)}
    return machine_of(job, stage, **inside, records=records, answers_bytes=answers_bytes)


def unpack(job: Job, sandbox: Sandbox, listing: Listing) -> Run:
    """Unpack the entry in the guest, by the guest's unpacking program, with no more rights than the entry's own."""
    job.monitor.step("unpacking the entry")
    program = (data_folder("vm_images") / "guest" / "unpack.py").read_text()
    origin = (listing.kind, str(job.entry.size), listing.prefix)
    return sandbox.run(
        Command(argv=("/usr/bin/python3", "-I", "-S", "-c", program, *origin), stdin_entry=True, keep=True),
        _UNPACK_LIMITS,
    )


_BROUGHT = ".organisers-"
_PUT = f'for name; do rm -rf -- "$name" && mv -T -- "{_BROUGHT}$name" "$name" || exit; done'


def put(sandbox: Sandbox, names: Iterable[str]) -> Run:
    """Put files of the machine's medium into the entry's folder, whatever the entry has there."""
    brought = {f"{HOME}/{_BROUGHT}{name}": name for name in names}
    argv = ("/bin/sh", "-c", _PUT, "sh", *brought.values())
    return sandbox.run(Command(argv=argv, inputs=brought, remove=tuple(brought), keep=True), _UNPACK_LIMITS)


def put_in_container(sandbox: Sandbox, folder: str, names: Iterable[str]) -> StageResult | None:
    """The same in a folder of a container, with no program of its own; what is wrong, None if nothing is."""
    brought = {f"{folder.rstrip('/')}/{name}": name for name in names}
    command = Command(argv=(PROBE, "1"), cwd="/", user=User(uid=0, gid=0), inputs=brought, keep=True)
    run = sandbox.run(command, _UNPACK_LIMITS)
    return None if run.verdict is Verdict.OK else not_unpacked(run, f"{', '.join(brought)} cannot be replaced")


def not_unpacked(run: Run, what: str = "the archive cannot be unpacked") -> StageResult:
    """The result of prep where the archive cannot be unpacked, or its files cannot be replaced."""
    lines = run.stderr.decode(errors="replace").strip().splitlines()
    return StageResult(
        stage=Stage.PREP,
        verdict=Verdict.INVALID_ENTRY,
        message=f"{what}: {lines[-1] if lines else run.detail}",
        diagnostics=diagnostics(run),
    )


def diagnostics(run: Run) -> str:
    """Output of a command, as the team gets to see it."""
    streams = (("standard output", run.stdout), ("standard error", run.stderr))
    texts = {name: data.decode(errors="replace").strip() for name, data in streams}
    return "\n".join(f"{name}:\n{text}" for name, text in texts.items() if text)


def for_records(limits: Limits, n: int) -> Limits:
    """The limits of one start for ``n`` records: an average, since a program may take longer for some."""
    return replace(limits, instructions=n * limits.instructions, wall_seconds=n * limits.wall_seconds)
