"""Requests that the stages may make of a virtual machine.

`Hypervisor.boot` makes a guest and always destroys it; `Sandbox.run` runs one command in it under
limits; `Sandbox.freeze` shuts it down cleanly and keeps its disks.  The result of a command is a `Run`; a failure
of the machine is a `SandboxFault`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from evaluate.config.challenge.types import MOST_SAVED_LAYERS
from evaluate.core.errors import SandboxFault
from evaluate.core.model import CounterInfo, Limits, MachineParts, Outside, Run, Sizes, Usage, User
from evaluate.images.image import Image
from evaluate.protocol.guest import HOME as HOME  # noqa: PLC0414 - part of this interface

LAYER_SLOTS = MOST_SAVED_LAYERS + 1
"""Layers of a machine that can be saved: its disks are there before it is known what they contain."""
FIXED_CLOCK = 1_767_225_600
"""2026-01-01 00:00:00 UTC."""


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """Frozen disks of an entry: later guests write to overlays above them."""

    root: Path
    home: Path
    below: Prepared | None = None
    """The frozen disks that these were written above; None: blank ones."""

    @classmethod
    def left_in(cls, folder: Path, below: Prepared | None = None) -> Prepared:
        """Return the `Prepared` that `Sandbox.freeze` leaves in a folder."""
        return cls(root=folder / "root.qcow2", home=folder / "home.qcow2", below=below)

    @property
    def chain(self) -> tuple[Prepared, ...]:
        """These disks and all below them, the uppermost first."""
        return (self, *(self.below.chain if self.below is not None else ()))


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Everything that defines a guest."""

    image: Image
    layers: Sequence[Path] = ()
    """Read-only squashfs files, the uppermost first."""
    prepared: Prepared | None = None
    """None: blank disks."""
    entry: Path | None = None
    """An archive, shown to the guest as a raw read-only disk."""
    records: Path | None = None
    """A read-only medium (ISO 9660) with the input files of records."""
    container: bool = False
    """The layers are the complete root of a container: the image's own root is not below them."""
    answers_bytes: int = 0
    """Size of the disk that carries the files of `Command.output` to the host; 0: no such disk."""
    licence_server: Outside | None = None
    """Servers that can be reached through a relay: a licence server or, for a build, the mirrors; None: nothing."""
    gpus: Sequence[str] = ()
    """PCI addresses of devices that are passed through to the guest; needs KVM."""
    sizes: Sizes = Sizes()
    exact: bool = False
    """Time passes with the executed instructions, and the clock shows `FIXED_CLOCK` at first, and a day more when the
    command of a room starts."""

    owner: str = ""
    """Whose entry it has, if it has no prepared disks: snapshots of different owners are different."""

    @property
    def can_be_saved(self) -> bool:
        """True if all its parts are the same when it is restored."""
        return not self.gpus and self.licence_server is None and len(self.layers) <= LAYER_SLOTS


@dataclass(frozen=True, kw_only=True)
class Command:
    """One command of the entry, run as user ``challenge`` in its own namespaces and control group."""

    argv: Sequence[str]
    cwd: str = HOME
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to a fixed small environment (PATH, HOME, LANG, …)."""
    stdin_entry: bool = False
    """Standard input is the entry's archive; otherwise it is empty."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Files copied in before the start: path in the guest -> path on the records medium."""
    remove: Sequence[str] = ()
    """Paths removed before the start."""
    collect: Sequence[str] = ()
    """Paths of regular files fetched after the end, each at most ``Limits.answer_bytes``."""
    keep: bool = False
    """True if its files are kept for later commands; a record's command leaves nothing behind."""
    mounts: Mapping[str, str] = field(default_factory=dict)
    """Read-only folders: place at the top level of the guest, such as ``/input`` -> folder on the records medium."""
    output: str = ""
    """A folder at the top level, empty at the start, that it may write to."""
    gather: Path | None = None
    """Folder of the host that the regular files of ``output`` go to, all together at most ``Limits.answers_bytes``;
    needs `Machine.answers_bytes`."""
    medium: Path | None = None
    """A medium for this command alone, in place of `Machine.records`; only in the rooms of `Hypervisor.rooms`."""
    using: Callable[[Usage, Limits], None] | None = field(default=None, repr=False, compare=False)
    """Is given now and then what the command has used so far, and its limits."""
    inbox: str = ""
    """A folder at the top level that only `medium` fills: it makes the command a server.

    The command holds when it is loaded (`evaluate.protocol.guest.INVOKE`), without a record's files; a room is restored
    from there, gets the files of its record, and lets it answer."""
    user: User | None = None
    """The user of a container, which also gets no environment except ``env``; None: ``challenge``."""
    builds: bool = False
    """True if a container's user has every right in its user namespace, as programs that make images need: mounts,
    roots and owners of its own.  Only for a guest that answers no record."""
    beside: bool = False
    """True if it is a program of the machine's own beside a container, whose root it finds at `HOME` and may change: no
    program of the container says what is there.  Only with ``keep``."""


def environment(command: Command, limits: Limits) -> dict[str, str]:
    """Variables added to a command's environment; libraries start as many threads as its machine has processors."""
    threads = {"OMP_NUM_THREADS": str(limits.processors)} if limits.processors else {}
    return {**threads, **command.env}


class CommandRunner(Protocol):
    """Runs commands in guests without a network."""

    @property
    def counter(self) -> CounterInfo:
        """The counter that is attached, with its calibration error."""

    def run(self, command: Command, limits: Limits) -> Run:
        """Run one command to its end or to the first limit it exceeds.

        Raises SandboxFault if the guest did not answer in time or broke the protocol; it cannot be used any more.
        """


class Sandbox(CommandRunner, Protocol):
    """One booted guest."""

    def freeze(self, folder: Path) -> Prepared:
        """Shut the guest down and keep its disks in ``folder``, read-only; nothing can be run in it afterwards."""


class Hypervisor(Protocol):
    """Makes guests, and destroys them whatever happens."""

    @property
    def accelerator(self) -> str:
        """``kvm`` or ``tcg``."""

    @property
    def counter(self) -> CounterInfo | None:
        """The counter, with the largest calibration error of the guests so far; None before the first."""

    def parts(self, image: Image) -> MachineParts:
        """Return the parts that the guests of an image consist of."""

    def boot(self, machine: Machine) -> AbstractContextManager[Sandbox]:
        """A guest with a ready agent and a calibrated counter; destroyed when the context ends."""

    def rooms(self, machine: Machine, sample: Command, limits: Limits) -> AbstractContextManager[CommandRunner]:
        """Runs each command in a guest of its own, all restored from one saved guest.

        * ``machine``: without records; it must be one that `can_be_saved`.
        * ``sample``: run once before the guest is saved, so that what every command reads is in memory; its outcome is
          of no interest. The agent's part of a count is measured with its inputs. With `Command.inbox` it is a server,
          which is loaded and then saved; one that cannot be loaded has that outcome for every command.
        * ``limits``: of the sample, or of loading the server, those of the guest (memory, processes, output) also of
          what follows.
        """


@contextmanager
def host_faults(doing: str) -> Iterator[None]:
    """Have a full disk, or whatever else the host refuses, raise a SandboxFault that says what was done.

    Also a decorator.  Not around the body of a context manager: what its caller raises is the caller's.
    """
    try:
        yield
    except OSError as e:
        raise SandboxFault(f"{doing}: {e}") from e
