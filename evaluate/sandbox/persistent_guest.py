"""One guest that stays between tries of an entry at home, and what it has measured of the entry so far.

A server boots a guest for every stage, from disks that were frozen.  Here the guest that has set the entry up answers
the records too, and the next version of the entry is unpacked into it when the home folder has been emptied: no boot,
no freezing, and the compiler is in memory already.  A command whose program and files have not changed is not run
again.

The rights of the entry are the same as on a server.  What one version could leave for the next is the home folder,
which is emptied, and what the kernel has in memory; so counts may differ a little from those of a server.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from evaluate.confine.ownership import remove_tree
from evaluate.core.errors import SandboxFault
from evaluate.core.files import sha256_file
from evaluate.core.model import MIB, CounterInfo, Limits, Run, Verdict
from evaluate.sandbox.base import HOME, Command, Hypervisor, Machine, Prepared, Sandbox
from evaluate.sandbox.hypervisor_wrapper import Wrapped

_EMPTY = f"/usr/bin/find {HOME} -mindepth 1 -delete"
_UNPACK = "/usr/bin/head -c {size} | /usr/bin/tar -xzf - --no-same-owner"
_LIMITS = Limits(instructions=10**12, wall_seconds=300, memory_bytes=512 * MIB)


class PersistentSandbox(Sandbox, Protocol):
    """A guest whose media can be changed while it is idle."""

    def fill_entry(self, archive: Path) -> None:
        """Write an archive to the disk of the entry."""

    def lend(self, medium: Path | None) -> None:
        """Put a medium in the place of the last one; a command that has one finds it there."""


class Stands(Hypervisor, Protocol):
    """A hypervisor that can keep a guest."""

    def stand(self, machine: Machine) -> AbstractContextManager[PersistentSandbox]:
        """A guest with a disk for an entry and blank disks, which can be lent media."""


@dataclass(frozen=True, kw_only=True)
class _Measured:
    run: Run
    gathered: Path | None


class KeptHypervisor(Wrapped):
    """A `Hypervisor` whose every boot is the same guest."""

    def __init__(self, hypervisor: Stands, scratch: Path, answers_bytes: int) -> None:
        """A guest is booted when it is needed.

        Parameters
        ----------
        scratch : Path
            A folder for answers that commands have left.
        answers_bytes : int
            Size of the disk for them.
        """
        super().__init__(hypervisor)
        self._hypervisor = hypervisor
        self._scratch = scratch
        self._answers_bytes = answers_bytes
        self._stack = ExitStack()
        self._guest: PersistentSandbox | None = None
        self._shape: object = None
        self._used = False
        self._content, self._plain = "", False
        self._measured: dict[str, _Measured] = {}
        self.ran = 0
        """Commands that were run since `holds` was called."""
        self.remembered = 0
        """Commands whose results were taken from an earlier try."""

    def holds(self, content: str, *, plain: bool) -> None:
        """What follows is about an entry with this digest of all that its programs can see.

        Parameters
        ----------
        plain : bool
            Whether this program packed its archive, so that unpacking has nothing to repair.
        """
        if content != self._content:
            self._forget()
        self._content, self._plain, self.ran, self.remembered = content, plain, 0, 0

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[Sandbox]:
        """See `Hypervisor.boot`."""
        shape = (machine.image.digest, tuple(machine.layers), machine.sizes, machine.container)
        if self._guest is None or shape != self._shape:
            self.close()
            bare = replace(machine, prepared=None, records=None, answers_bytes=self._answers_bytes)
            self._guest = self._stack.enter_context(self._hypervisor.stand(bare))
            self._shape = shape
        try:
            yield _Turn(self, machine)
        except SandboxFault:
            self.close()  # it cannot be used any more
            raise

    def close(self) -> None:
        """Destroy the guest."""
        self._forget()
        self._guest, self._used = None, False
        self._stack.close()

    def _forget(self) -> None:
        for measured in self._measured.values():
            if measured.gathered is not None:
                remove_tree(measured.gathered)
        self._measured.clear()

    def run(self, command: Command, limits: Limits, machine: Machine) -> Run:
        """Run a command, unless nothing that it depends on has changed since it ran."""
        reads = command.inputs or command.mounts
        records = machine.records if reads else None
        key = repr((replace(command, gather=None), limits, sha256_file(records) if records else ""))
        if (known := self._measured.get(key)) is not None:
            self.remembered += 1
            if command.gather is not None and known.gathered is not None:
                shutil.copytree(known.gathered, command.gather)
            return known.run
        self.ran += 1
        guest = self._guest
        if guest is None:
            raise SandboxFault("the guest of an earlier try is gone")
        if command.stdin_entry and machine.entry is not None:
            command = self._replace_entry(guest, command, machine.entry)
        if records is not None:
            guest.lend(records)
        run = guest.run(replace(command, medium=records), limits)
        if run.verdict is Verdict.WALL_LIMIT:
            self.close()  # perhaps it is busy with what the entry left
        else:
            self._remember(key, command, run)
        return run

    def _replace_entry(self, guest: PersistentSandbox, command: Command, archive: Path) -> Command:
        """Give the guest another archive; the command that unpacks it."""
        steps = [_EMPTY] if self._used else []
        self._used = True
        guest.fill_entry(archive)
        if self._plain:  # the program that repairs names and line ends takes seconds to start under emulation
            steps.append(_UNPACK.format(size=archive.stat().st_size))
            command = replace(command, argv=("/bin/bash", "-c", f"set -e -o pipefail; {'; '.join(steps)}"))
        elif steps and guest.run(Command(argv=("/bin/sh", "-c", _EMPTY), keep=True), _LIMITS).verdict is not Verdict.OK:
            raise SandboxFault("the home folder of the guest of an earlier try cannot be emptied; try again")
        return command

    def _remember(self, key: str, command: Command, run: Run) -> None:
        kept = None
        if command.gather is not None and command.gather.is_dir():
            kept = self._scratch / hashlib.sha256(key.encode()).hexdigest()
            shutil.copytree(command.gather, kept, dirs_exist_ok=True)
        self._measured[key] = _Measured(run=run, gathered=kept)


class _Turn:
    """The guest, for one stage."""

    def __init__(self, kept: KeptHypervisor, machine: Machine) -> None:
        self._kept = kept
        self._machine = machine

    @property
    def counter(self) -> CounterInfo:
        """See `Sandbox`."""
        found = self._kept.counter
        if found is None:
            raise SandboxFault("no guest has been calibrated")
        return found

    def run(self, command: Command, limits: Limits) -> Run:
        """See `Sandbox`."""
        return self._kept.run(command, limits, self._machine)

    def freeze(self, folder: Path) -> Prepared:
        """Nothing is frozen: the guest has the prepared entry."""
        return Prepared.left_in(folder)


def plain(entry: Path, packed: Sequence[str]) -> bool:
    """Whether an entry is a folder that is packed here, of several files without Windows line ends."""
    if not entry.is_dir():
        return False
    files = [entry / name for name in packed if (entry / name).is_file()]
    if not any(path.parent == entry for path in files):
        return False  # one folder in it would be left out
    return not any(b"\r" in path.read_bytes() for path in files)


def content_of(entry: Path, packed: Sequence[str], inert: Callable[[str], bool]) -> str:
    """A digest of the files of an entry that its programs can see.

    Parameters
    ----------
    packed : sequence of str
        Which files of a folder are packed.
    inert : callable
        Whether a file of this name changes nothing that is run.
    """
    if not entry.is_dir():
        return sha256_file(entry)
    digest = hashlib.sha256()
    for name in sorted(packed):
        path = entry / name
        if inert(name) or not path.is_file():
            continue
        with suppress(FileNotFoundError):  # an editor replaces files
            digest.update(f"{name}\0{path.stat().st_mode & 0o111}\0{sha256_file(path)}\n".encode())
    return digest.hexdigest()
