"""Job that every stage works on."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Concatenate, ParamSpec, Protocol

from evaluate.config.challenge.types import ArchiveLimits, Challenge, Isolation, Kind, RecordSet
from evaluate.core.errors import EntryError
from evaluate.core.files import sha256_kept
from evaluate.core.model import (
    Entry,
    LicenceServer,
    Limits,
    MachineInfo,
    Program,
    RecordOutcome,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.images.container import ContainerLayer
from evaluate.images.image import Image
from evaluate.images.squashfs import Content, laid_out
from evaluate.sandbox.base import HOME, Hypervisor, Prepared
from evaluate.sandbox.disks import medium
from evaluate.sandbox.domain import processor
from evaluate.stages.confined import Rows
from evaluate.stages.contracts import contract_of
from evaluate.stages.contracts.contract import Contract
from evaluate.untrusted.requirements import Dependency, Requirement

# Progress of an evaluation: observers of its steps while it runs


class Monitor:
    """Observer of each step; formats and prints, decides nothing. This one does nothing."""

    def say(self, text: str) -> None:
        """One line about something that happens once: which accelerator is used, a layer was built."""

    def stage_started(self, stage: Stage, records: int) -> None:
        """A stage starts; ``records`` is 0 where it has none."""

    def step(self, text: str) -> None:
        """Report what the current stage is doing now."""

    def using(self, usage: Usage, limits: Limits) -> None:
        """Report what the running command of the entry has used so far."""

    def record_ended(self, stage: Stage, outcome: RecordOutcome, printed: str = "") -> None:
        """One record of quiz or exam is done, and its program ``printed`` this."""

    def stage_ended(self, result: StageResult) -> None:
        """A stage is done."""


NullMonitor = Monitor
"""A monitor for callers that only want the result."""


class Lines(Monitor):
    """A monitor for a log: lines about events that happen once, and nothing else."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def say(self, text: str) -> None:
        self._say(text)


ANSWERS = "answers"
PYTHON = "python3"
"""Python of a built image, wherever the image has it."""
MEDIUM = ".iso"
"""Suffix of disc images with records, which are needed only while their guest runs."""


class Layers(Protocol):
    """Turns an entry's dependencies into read-only layers; an EntryError quotes what cannot be installed."""

    def debian(self, dependencies: bytes | Sequence[Dependency]) -> Path | None:
        """A layer from the text of a ``dependencies.txt``, or its lines."""

    def wheels(self, requirements: bytes | Sequence[Requirement]) -> Path | None:
        """A layer from the text of a ``requirements.txt``, or its lines."""

    def places(self, links: Mapping[str, str]) -> Path | None:
        """A layer of symbolic links: path -> target."""

    def container(
        self, archive: Path, argument: str, limits: ArchiveLimits, program: str = "", model: str = ""
    ) -> ContainerLayer:
        """A layer from a container image; its entry point is called with ``argument``.

        An image without an entry point has ``program`` called instead, if it has that.  A tarball beside the image
        takes the place of its folder ``model``; empty: it is a file like any other.
        """

    def built(self, asked: Any, make: Callable[[], ContainerLayer]) -> ContainerLayer:
        """The layer of an image that was built of ``asked`` (as JSON) before, or what ``make`` makes."""


@dataclass(frozen=True, kw_only=True)
class ScorerMeans:
    """Means to run an organiser's scoring program with (`evaluate.stages.scorers`)."""

    image: Image
    hypervisor: Hypervisor
    layers: Layers
    folder: Path
    """The folder on the host for this evaluation only."""
    layer: Callable[[Path, Mapping[str, Content]], Path] = laid_out
    """Makes a layer of files, in the form that the hypervisor's guests read."""

    def info(self) -> MachineInfo:
        """Machine that it runs on."""
        return _machine(self.hypervisor, self.image)


def _machine(hypervisor: Hypervisor, image: Image) -> MachineInfo:
    return MachineInfo(
        accelerator=hypervisor.accelerator,
        image=image.digest,
        counter=hypervisor.counter,
        parts=hypervisor.parts(image),
        processor=processor(),
        host=platform.node(),
    )


@dataclass(frozen=True, kw_only=True)
class TrialRules:
    """Rules of a trial at home (`evaluate try`) that no server has."""

    own_records: bool = False
    """True if the person named the records (`--records`), so the entry's own answers may contain none of them."""
    every_mismatch: bool = False
    """True if the quiz continues after an answer that differs from the entry's own, so that all are named at once."""
    writes_answers: bool = False
    """True if the entry's own answers are made by this run (`--write-answers`) and not compared."""
    loads_each: bool = False
    """True if a server is loaded for each record though each has a machine of its own, so that loading is in its count
    as in a challenge without such machines (`evaluate recount`)."""
    first: frozenset[str] = frozenset()
    """Records that are answered before the others (`--watch`: those that failed or changed last)."""
    take_rows: Callable[[Rows], object] | None = None
    """Receiver of the metric's rows, one for each record of an exam that is not hidden."""
    model: Path | None = None
    """Folder with a trained model, which takes the place of training (`--model`)."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """One evaluation: the entry, the rules, and the means to run it."""

    entry: Entry
    challenge: Challenge
    kind: Kind
    quiz: RecordSet
    exam: RecordSet
    image: Image | None
    """None for a challenge whose entries run nothing."""
    hypervisor: Hypervisor | None
    layers: Layers
    monitor: Monitor
    licence_server: LicenceServer | None = None
    """Server that gives entries of this challenge their licences; None: nothing outside can be reached."""
    gpus: tuple[str, ...] = ()
    """PCI addresses of the devices an entry of this challenge is given."""
    medium: Callable[[Path, Mapping[str, Path | bytes]], Path] = medium
    """Writes the medium with the files of records, in the form that the hypervisor's guests read."""
    folder: Path
    """The folder on the host for this evaluation only: prepared disks, media and answers."""
    scorer: ScorerMeans | None = None
    """Means to run the challenge's scorer with; None for a challenge that has none."""
    team: str = ""
    """Team of the entry on a server; no team gets an image that was built for another."""
    trial: TrialRules = TrialRules()

    @cached_property
    def contract(self) -> Contract:
        """Contract of its entry: how it finds its data, is started, and leaves its answers."""
        return contract_of(self.challenge)

    @property
    def answers(self) -> Path:
        """Folder in which the exam leaves its answers for the score stage."""
        return self.folder / ANSWERS


_NO_PROGRAM = Program(argv=(), env={}, cwd=HOME, user=None)


@dataclass(frozen=True, kw_only=True)
class PreparedEntry:
    """An entry that passed prep: what that hands on to the later stages."""

    kind: Kind
    folder: Path
    """Folder in which prep left it, and its disks if it has any."""
    dry_run: bool = False
    layers: tuple[Path, ...] = ()
    """The entry's read-only layers, the uppermost first."""
    program: Program = _NO_PROGRAM
    """Program that reads a folder of records and writes a folder of answers; of other kinds, without words."""
    expected: Mapping[str, str] | None = None
    """The entry's own answers on the validation records; None if it contains none."""
    form: str = ""
    """Form of an archive of answers: ``zip`` or ``tar``."""
    members: Mapping[str, str] = field(default_factory=dict)
    """The name an answer should have -> the name it has in that archive."""
    trained: Path | None = None
    """Folder in which training left its disks, which lie above those of prep; None: it left none."""

    @property
    def container(self) -> bool:
        """True if its layer is an image: its own, or the one that was built of its Dockerfile."""
        return self.program.user is not None

    def place(self, path: str) -> str:
        """Path at which the entry has what is at this path of a machine's folder."""
        return str(PurePosixPath(self.program.cwd, PurePosixPath(path).relative_to(HOME))) if self.container else path

    def called(self, argv: Sequence[str]) -> tuple[str, ...]:
        """Command that calls the entry's own Python, made from a command of a machine's."""
        if not self.container:
            return tuple(argv)
        return (PYTHON, *(self.place(word) if word.startswith(f"{HOME}/") else word for word in argv[1:]))

    @property
    def disks(self) -> Prepared:
        """The disks that every record begins with."""
        disks = Prepared.left_in(self.folder)
        return disks if self.trained is None else Prepared.left_in(self.trained, disks)


# How a stage ends: with one `StageOutcome`, whatever the entry did


P = ParamSpec("P")


def of_stage(
    stage: Stage,
) -> Callable[[Callable[Concatenate[Job, P], StageResult | StageOutcome]], Callable[Concatenate[Job, P], StageOutcome]]:
    """Make a function the stage ``stage``: what it says about the entry, and what it ran on, become one value.

    An `EntryError`, wherever in the stage it is raised, is this stage's verdict.  Other errors are not verdicts and
    pass through.
    """

    def made(
        work: Callable[Concatenate[Job, P], StageResult | StageOutcome],
    ) -> Callable[Concatenate[Job, P], StageOutcome]:
        def run(job: Job, /, *args: P.args, **kwargs: P.kwargs) -> StageOutcome:
            try:
                outcome = work(job, *args, **kwargs)
            except EntryError as e:
                outcome = StageResult(
                    stage=stage, verdict=Verdict.INVALID_ENTRY, message=str(e), reason=str(e), refusals=e.refusals
                )
            if isinstance(outcome, StageOutcome):
                return outcome
            layers = [layer for prepared in args if isinstance(prepared, PreparedEntry) for layer in prepared.layers]
            return StageOutcome(result=outcome, machine=machine_info(job, layers, stage))

        run.__doc__ = work.__doc__
        return run

    return made


def machine_info(job: Job, layers: Sequence[Path] = (), stage: Stage = Stage.EXAM) -> MachineInfo | None:
    """Machine that a stage of a job runs on, with these layers of the entry; None where nothing runs."""
    if job.hypervisor is None or job.image is None:
        return None
    # these two are in a machine that lives on, whose time is the host's
    alone = stage not in (Stage.PREP, Stage.TRAIN)
    isolation = job.challenge.isolation if alone else Isolation.NAMESPACE
    machine = replace(
        _machine(job.hypervisor, job.image),
        layers=tuple(sha256_kept(layer) for layer in (*layers, *job.challenge.layers)),
        isolation=job.challenge.isolation.value,
        processors=job.challenge.sizes_of(stage).processors,
    )
    if machine.counter is None:
        return machine
    mode = replace(machine, isolation=isolation.value).mode
    return replace(machine, counter=replace(machine.counter, mode=mode))
