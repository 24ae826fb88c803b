"""The vocabulary of an evaluation: frozen values, no input or output, standard library only."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from evaluate.core.sanitize import in_one_line, sanitize

MOST_PROCESSORS = 16
"""Most processors of a guest: QEMU's counting interface has room for so many at first; for more it moves the counts."""
MIB = 1 << 20
ACCELERATORS = ("auto", "kvm", "tcg")
"""Accelerators that may be asked for; see `evaluate.host.accelerators.open_hypervisor`."""


class Stage(StrEnum):
    """The stages, in order; `TRAIN` is one only of challenges that say so."""

    PREP = "prep"
    TRAIN = "train"
    QUIZ = "quiz"
    EXAM = "exam"
    SCORE = "score"

    @property
    def before(self) -> tuple[Stage, ...]:
        """The stages before it, also those that a challenge does not have."""
        stages = tuple(Stage)
        return stages[: stages.index(self)]


class Verdict(StrEnum):
    """Outcome of a record or a stage.  Part of the contract with outside programs."""

    OK = "OK"
    INVALID_ENTRY = "INVALID_ENTRY"
    RUNTIME_ERROR = "RUNTIME_ERROR"
    INSTRUCTION_LIMIT = "INSTRUCTION_LIMIT"
    WALL_LIMIT = "WALL_LIMIT"
    MEMORY_LIMIT = "MEMORY_LIMIT"
    PROCESS_LIMIT = "PROCESS_LIMIT"
    DISK_LIMIT = "DISK_LIMIT"
    OUTPUT_LIMIT = "OUTPUT_LIMIT"
    MISMATCH = "MISMATCH"
    BAD_ANSWER = "BAD_ANSWER"
    DRY_RUN = "DRY_RUN"

    @property
    def passed(self) -> bool:
        """True if the entry did what was asked of it (a dry run that reached its end did)."""
        return self in (Verdict.OK, Verdict.DRY_RUN)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits on what one command in the guest may use."""

    instructions: int
    """Retired user-mode instructions, all processes of the command together."""
    wall_seconds: float
    """A limit for programs that sleep; generous, because a busy host must not change a verdict."""
    memory_bytes: int = 1536 * MIB
    processes: int = 256
    output_bytes: int = 16 * MIB
    """Standard output and error together; 64 KiB of them are kept for the team."""
    answer_bytes: int = 1 * MIB
    """Size of each single answer file."""
    answers_bytes: int = 64 * MIB
    """Size of everything in a folder of answers."""
    processors: int = 0
    """Number of processors of the machine that it runs in; 0: as many as `Sizes` says."""
    machine_bytes: int = 0
    """Memory of that machine; 0: as `Sizes` says."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Processors, memory and disks of a guest; the defaults are those of the 2017 challenge."""

    processors: int = 1
    memory_bytes: int = 2048 * MIB
    root_bytes: int = 5120 * MIB
    home_bytes: int = 2048 * MIB
    tmp_bytes: int = 500 * MIB


@dataclass(frozen=True, kw_only=True)
class LayerLimits:
    """Limits on what the dependencies of an entry may need, with all that they depend on."""

    packages: int = 1500
    download_bytes: int = 4 << 30
    installed_bytes: int = 12 << 30


class Outside(Protocol):
    """Servers that a guest may reach through its relay, and nothing else."""

    @property
    def ports(self) -> tuple[int, ...]:
        """TCP ports of the guest's own loopback."""

    def connect(self, number: int, timeout: float) -> socket.socket:
        """A connection to the port of this number in the list. Raises OSError if there is none."""


@dataclass(frozen=True, kw_only=True)
class LicenceServer:
    """The only server that a guest may reach, and only if its challenge asks for it."""

    host: str
    ports: tuple[int, ...]
    """TCP ports; the guest finds them on its own loopback under the same numbers."""

    def connect(self, number: int, timeout: float) -> socket.socket:
        return socket.create_connection((self.host, self.ports[number]), timeout=timeout)


@dataclass(frozen=True, kw_only=True)
class User:
    """The user that a container's command runs as, inside its own user namespace."""

    uid: int
    gid: int


@dataclass(frozen=True, kw_only=True)
class Program:
    """Way in which a program of an entry is started."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str
    user: User | None
    """None: the machine's own user, in its own root."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of the image, by their names."""


@dataclass(frozen=True, kw_only=True)
class ContainerProgram(Program):
    """Way in which the program of a container is started."""

    user: User


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Resources that a command, or all commands of a stage, used."""

    instructions: int = 0
    wall_seconds: float = 0.0
    memory_bytes: int = 0
    """Peak, of the guest's control group."""
    output_bytes: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Sums of counts and times; the larger of two peaks."""
        return Usage(
            instructions=self.instructions + other.instructions,
            wall_seconds=self.wall_seconds + other.wall_seconds,
            memory_bytes=max(self.memory_bytes, other.memory_bytes),
            output_bytes=self.output_bytes + other.output_bytes,
        )


@dataclass(frozen=True, kw_only=True)
class Run:
    """Observations of the host about one command in a guest."""

    verdict: Verdict
    """OK, the limit that was exceeded, or RUNTIME_ERROR; it does not depend on anything the command printed."""
    usage: Usage
    exit_code: int | None = None
    """None if a signal ended it."""
    signal: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    """First and last part when long, with a line that says what was left out."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """The collected files that exist, by the path that was asked for."""
    problems: Mapping[str, str] = field(default_factory=dict)
    """Why a collected file could not be fetched, e.g. "not a regular file"."""
    detail: str = ""
    """One sentence for people when the verdict is not OK."""


@dataclass(frozen=True, kw_only=True)
class RecordOutcome:
    """One record of the quiz or the exam."""

    record: str
    verdict: Verdict
    usage: Usage
    answer: str | None = None
    message: str = ""

    def __post_init__(self) -> None:
        """It may contain output of a program."""
        object.__setattr__(self, "message", sanitize(self.message))


class RefusalKind(StrEnum):
    """Kind of mistake in a line of an entry.  Part of the contract with outside programs."""

    BASE = "base"
    """FROM names an image that the challenge does not allow."""
    PYTHON = "python"
    """The image has a newer Python than the machine."""
    COMMAND = "command"
    """An instruction, or a command of RUN, that only a build can do."""
    DOWNLOAD = "download"
    """A download: nothing reaches a network."""
    REQUIREMENT = "requirement"
    """A line of requirements that is not a name with versions."""
    PIN = "pin"
    """A package or version of the package index that cannot be installed."""
    PACKAGE = "package"
    """A package of Debian that cannot be installed."""
    PLACE = "place"
    """Files are copied to a folder that belongs to the machine."""
    FILE = "file"
    """A file is missing."""
    BUILD = "build"
    """An instruction of a Dockerfile that failed when it was carried out."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """One thing because of which an entry cannot be evaluated as it is, so that its team can act on it."""

    file: str
    """Path in the entry."""
    line: int
    """From 1; 0: the whole file."""
    kind: RefusalKind
    found: str
    expected: str
    """Text that was expected in its place, or the reason why it cannot be."""
    way_out: str
    """The nearest change that would do."""
    exit_code: int | None = None
    """Exit code of the program that the line started; None: it started none, or was ended."""
    printed: tuple[str, ...] = ()
    """The last lines that were printed meanwhile."""

    def __post_init__(self) -> None:
        """It quotes the team's files."""
        for name in ("file", "found", "expected", "way_out"):
            object.__setattr__(self, name, in_one_line(getattr(self, name)))
        object.__setattr__(self, "printed", tuple(map(in_one_line, self.printed)))

    @property
    def place(self) -> str:
        """ "Dockerfile line 3" """
        return f"{self.file} line {self.line}" if self.line else self.file

    def __str__(self) -> str:
        """All of it in one line."""
        return f"{self.place}: {self.found}: {self.expected}" + (f"; {self.way_out}" if self.way_out else "")


@dataclass(frozen=True, kw_only=True)
class TrainedModel:
    """The folder with the model that an entry's later stages begin with."""

    sha256: str
    """Digest of the list of its files, as ``sha256sum`` prints it, in the order of their names' bytes."""
    files: int
    bytes: int


@dataclass(frozen=True, kw_only=True)
class StageResult:
    """Conclusion of one stage.  `message` may be shown to the team."""

    stage: Stage
    verdict: Verdict
    message: str = ""
    usage: Usage = Usage()
    records: tuple[RecordOutcome, ...] = ()
    diagnostics: str = ""
    """Standard output and error of the failing command, for the team; empty after the exam."""
    reason: str = ""
    """Why a stage ended before its last record, as a part of ``message``; empty if it did not."""
    model: TrainedModel | None = None
    """Model that training left; None in other stages, and where training failed."""
    installed: tuple[str, ...] = ()
    """The packages that prep installed for the entry, each with its version."""
    refusals: tuple[Refusal, ...] = ()
    """Why the entry cannot be evaluated as it is, as far as that is known line by line; ``message`` says it too."""

    def __post_init__(self) -> None:
        """It may contain output of a program."""
        object.__setattr__(self, "message", sanitize(self.message))
        object.__setattr__(self, "diagnostics", sanitize(self.diagnostics))

    @property
    def failed(self) -> tuple[RecordOutcome, ...]:
        """The records that did not pass, as far as they are known."""
        return tuple(outcome for outcome in self.records if not outcome.verdict.passed)


@dataclass(frozen=True, kw_only=True)
class Note:
    """One remark of a metric."""

    text: str
    record: str | None = None
    """The record that it is about, so that it is withheld with that record.  None: it is not about any record.
    Empty: unknown, so it may be about any record."""

    def __post_init__(self) -> None:
        """It may contain words of an answer."""
        object.__setattr__(self, "text", sanitize(self.text))


@dataclass(frozen=True, kw_only=True)
class Picture:
    """The numbers of one picture of a score; pages draw it (`evaluate.report.html`)."""

    name: str
    """Name of the kind of picture, as in `metrics.plots`."""
    numbers: str
    """`metrics.plots.Plot.as_json` as text."""
    record: str = ""
    """The one record whose own picture it can be drawn over; empty for all others."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """The numbers of the score stage."""

    primary: str
    values: Mapping[str, float]
    official: Mapping[str, float]
    """The same values from the organisers' published program; empty if there is none, or it stops with an error."""
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """95 % confidence intervals of the values that can be resampled."""
    resampled: tuple[float, ...] = ()
    """The primary value over resamples of the records, the same resamples for every entry; for the organiser only:
    the draws are public, so the scores of single records could be calculated from these values."""
    clusters: int = 0
    """Number of independent records or patients that the resamples were drawn from."""
    notes: tuple[Note, ...] = ()
    pictures: tuple[Picture, ...] = ()
    """Pictures that a page may draw; each shows single records."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One uploaded archive; never changes."""

    archive: Path
    sha256: str
    size: int
    commit: str = ""
    """The commit of a git repository; empty for other archives."""

    @property
    def name(self) -> str:
        """The archive's file name, which the team chose, as it may be shown."""
        return in_one_line(self.archive.name)


@dataclass(frozen=True, kw_only=True)
class CounterInfo:
    """The counter that was used, and its error against the probe's known count."""

    kind: str
    """``perf``, ``tcg``, or ``none``."""
    calibration_error: float
    mode: str = ""
    """How: ``tcg``, ``tcg-icount`` (time passes with the instructions), ``perf`` or ``none``; counts of different modes
    differ.  Empty until the stage has ended."""


@dataclass(frozen=True, kw_only=True)
class MachineParts:
    """Parts that a guest consists of besides its disks: the same parts make the same machine.

    A saved machine is found by a digest of them, and a receipt states them.
    """

    image: str
    """Digest, ``sha256:…``."""
    agent: str
    """Digest of the guest agent and the programs that it brings, as hexadecimal digits."""
    kernel_line: str
    qemu: str
    """The first line of what it says of itself."""
    qemu_sha256: str
    """Digest of QEMU's program; empty where it cannot be read."""
    libvirt: int
    """As libvirt counts its versions: 1 000 000 × major + 1000 × minor + release."""
    accelerator: str
    cpu_model: str
    """libvirt's name of the guest's processor."""
    cpu_disabled: tuple[str, ...]
    counter: str
    """``perf``, ``tcg``, or ``none``."""
    counter_version: str
    """Version of the counting plugin, with the digest of its source; empty for counters without one."""
    tolerance: float
    """Tolerance of the counter's calibration."""


@dataclass(frozen=True, kw_only=True)
class MachineInfo:
    """Machine that a stage ran on."""

    accelerator: str
    """``kvm`` or ``tcg``."""
    image: str
    """Digest, ``sha256:…``."""
    counter: CounterInfo | None
    """None where no guest was booted."""
    parts: MachineParts | None = None
    """None where no virtual machine was used."""
    layers: tuple[str, ...] = ()
    """SHA-256 of the layers above the image, the uppermost first: the entry's, then the organiser's."""
    isolation: str = ""
    """Means that separated one record from the next."""
    processor: str = ""
    """Name of the host's processor, as its kernel calls it."""
    host: str = ""
    processors: int = 1
    """Number of processors that the guest had; a count is the sum of all."""

    @property
    def mode(self) -> str:
        """Mode in which instructions were counted, also before the stage has ended; see `CounterInfo.mode`."""
        if self.counter is None:
            return "none"
        if self.counter.mode or self.counter.kind not in ("tcg", "perf"):
            return self.counter.mode or "none"
        exact = (self.counter.kind, self.isolation, self.processors) == ("tcg", "snapshot", 1)
        return "tcg-icount" if exact else self.counter.kind


@dataclass(frozen=True, kw_only=True)
class StageOutcome:
    """The one value that a stage returns."""

    result: StageResult
    machine: MachineInfo | None = None
    """None where nothing ran in a virtual machine."""
    score: Score | None = None
    """The numbers of the score stage, if it succeeded."""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Everything one evaluation concluded."""

    entry: Entry
    challenge: str
    outcomes: tuple[StageOutcome, ...]
    """The outcomes of the stages that ran, in order; at least one."""
    team: str = ""
    """Whose entry it is; empty outside a queue."""
    submitted: float | None = None
    """Seconds since 1970, as below; None outside a queue."""
    judged: float | None = None
    """When the last stage ended; None if others follow."""
    version: str = ""
    """Version of the program that ran the last stage; empty where that was not recorded."""
    identity: str = ""
    """The entry's id in a queue; empty outside one, as ``number`` and ``attempt`` are then 0."""
    number: int = 0
    """Number of the entry, by the order of submission."""
    attempt: int = 0
    state: str = "done"
    """State of the entry in a queue; it has a verdict if it is ``done``."""

    @property
    def decided(self) -> bool:
        """True if it has its verdict; else it is in its stages, waits for the organiser, or was cancelled."""
        return self.state == "done"

    @property
    def passed(self) -> bool:
        """True if it has its verdict, and that is a good one."""
        return self.decided and self.verdict.passed

    @property
    def stages(self) -> tuple[StageResult, ...]:
        """Conclusion of each stage."""
        return tuple(outcome.result for outcome in self.outcomes)

    @property
    def machine(self) -> MachineInfo | None:
        """Machine that the last stage with a virtual machine ran on, a scorer last of all; None if nothing was run."""
        ran = [outcome for outcome in reversed(self.outcomes) if outcome.machine is not None]
        return next(
            (outcome.machine for outcome in sorted(ran, key=lambda outcome: outcome.result.stage is Stage.SCORE)), None
        )

    @property
    def score(self) -> Score | None:
        """The score, if the entry reached the score stage."""
        return self.outcomes[-1].score

    @property
    def verdict(self) -> Verdict:
        """The verdict of the last stage that ran, which is that of the entry if it is `decided`."""
        return self.stages[-1].verdict
