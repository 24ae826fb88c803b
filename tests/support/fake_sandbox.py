"""A scripted sandbox, and a guest's counter moved by hand: for states that are hard to reach with real ones."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from evaluate.core.errors import CounterFault, SandboxFault
from evaluate.core.model import CounterInfo, Limits, MachineParts, Run, Usage, Verdict
from evaluate.counters.base import Reading
from evaluate.counters.perf import PerfCounter
from evaluate.images.image import Image
from evaluate.protocol import messages
from evaluate.sandbox.base import Command, Machine, Prepared

Script = Callable[[Command, Limits], Run]
"""Behaviour of a command."""


def ended_well(command: Command, limits: Limits) -> Run:
    """A command that succeeds, prints nothing and leaves no file."""
    del command, limits
    return Run(verdict=Verdict.OK, usage=Usage(instructions=1000, wall_seconds=0.1), exit_code=0)


def crashing(program: str = "", printed: bytes = b"") -> Script:
    """A command that succeeds unless it has this word, with which it prints this and ends with exit code 1."""

    def script(command: Command, limits: Limits) -> Run:
        run = ended_well(command, limits)
        if program and program not in command.argv:
            return run
        detail = "ended with exit code 1"
        return replace(run, verdict=Verdict.RUNTIME_ERROR, exit_code=1, stderr=printed, detail=detail)

    return script


class FakeSandbox:
    """Answers every command from a script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.commands: list[Command] = []
        self.limits: list[Limits] = []
        """Limits of each command."""
        self.ended = False

    @property
    def counter(self) -> CounterInfo:
        """A counter without an error."""
        return CounterInfo(kind="fake", calibration_error=0.0)

    def run(self, command: Command, limits: Limits) -> Run:
        """Ask the script."""
        if self.ended:
            raise SandboxFault("the fake guest has ended")
        self.commands.append(command)
        self.limits.append(limits)
        return self._script(command, limits)

    def freeze(self, folder: Path) -> Prepared:
        """Two empty disks."""
        self.ended = True
        disks = Prepared(root=folder / "root.qcow2", home=folder / "home.qcow2")
        disks.root.touch()
        disks.home.touch()
        return disks


class FakeHypervisor:
    """Boots `FakeSandbox`es and remembers them; `running` is how many have not been destroyed."""

    accelerator = "fake"

    def __init__(self, script: Script = ended_well) -> None:
        self._script = script
        self.machines: list[Machine] = []
        self.sandboxes: list[FakeSandbox] = []
        self.running = 0

    @property
    def counter(self) -> CounterInfo | None:
        """See `Hypervisor.counter`."""
        return self.sandboxes[-1].counter if self.sandboxes else None

    def parts(self, image: Image) -> MachineParts:
        """Parts of a machine that has none."""
        return MachineParts(
            image=image.digest,
            agent=image.agent,
            kernel_line="",
            qemu="QEMU emulator version 0",
            qemu_sha256="",
            libvirt=0,
            accelerator=self.accelerator,
            cpu_model=image.cpu_model,
            cpu_disabled=tuple(image.cpu_disabled),
            counter="fake",
            counter_version="",
            tolerance=0.0,
        )

    @contextmanager
    def rooms(self, machine: Machine, sample: Command, limits: Limits) -> Iterator[FakeSandbox]:
        """A sandbox that has run the sample."""
        with self.boot(machine) as sandbox:
            sandbox.run(sample, limits)
            yield sandbox

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[FakeSandbox]:
        """A sandbox that is destroyed when the context ends."""
        sandbox = FakeSandbox(self._script)
        self.machines.append(machine)
        self.sandboxes.append(sandbox)
        self.running += 1
        try:
            yield sandbox
        finally:
            sandbox.ended = True
            self.running -= 1


COMMAND = Command(argv=("/bin/true",), collect=("a", "b"))
ENDED = messages.Ended(
    exit_code=0,
    signal=None,
    oom=False,
    forks_refused=0,
    memory_peak=5_000_000,
    output_bytes=8,
    stdout=b"out",
    stderr=b"error",
    disk_full=(),
    files=(messages.Collected(data=b"N", problem=""), messages.Collected(data=None, problem="missing")),
    gather_problem="",
)


class FakeReading(Reading):
    """A count that `advance` increases."""

    def __init__(self) -> None:
        self._count: int | None = 0

    def advance(self, instructions: int) -> None:
        """Retire this many instructions."""
        assert self._count is not None
        self._count += instructions

    def instructions(self, *, settled: bool = False) -> int:
        del settled
        if self._count is None:
            raise CounterFault("the guest has ended")
        return self._count

    def close(self) -> None:
        self._count = None


class FakeCounter(PerfCounter):
    """Never attached."""

    kind = "fake"
    tolerance = 1e-3
