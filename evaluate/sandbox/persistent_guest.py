"""One guest that stays between tries of an entry at home, and what it has measured of the entry so far.

A server boots a guest for every stage, from disks that were frozen.  Here the guest that has set the entry up answers
the records too, and the next version of the entry is unpacked into it when the home folder has been emptied: no boot,
no freezing, and the compiler is in memory already.  A command is not run again while neither the entry nor the files
that it reads have changed.

The rights of the entry are the same as on a server.  What one version could leave for the next is the home folder,
which is emptied, and what the kernel has in memory; so counts may differ a little from those of a server.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from evaluate.confine.ownership import remove_tree
from evaluate.core.errors import SandboxFault
from evaluate.core.files import sha256_file, sha256_kept
from evaluate.core.model import MIB, CounterInfo, Limits, Run, Verdict
from evaluate.sandbox.base import HOME, Command, Hypervisor, Machine, Prepared, Sandbox, Wrapped
from evaluate.untrusted.selection import Selection

_EMPTY = Command(argv=("/usr/bin/find", HOME, "-mindepth", "1", "-delete"), keep=True)
_LIMITS = Limits(instructions=10**12, wall_seconds=300, memory_bytes=512 * MIB)


class PersistentSandbox(Sandbox, Protocol):
    """A guest whose media can be changed while it is idle."""

    @property
    def is_usable(self) -> bool:
        """True if another command can be run."""

    def fill_entry(self, archive: Path) -> None:
        """Write an archive to the disk of the entry."""

    def lend(self, medium: Path | None) -> None:
        """Replace the last medium; a command that has one finds it there."""


class PersistentHypervisor(Hypervisor, Protocol):
    """A hypervisor with guests that stay between stages."""

    def persistent(self, machine: Machine) -> AbstractContextManager[PersistentSandbox]:
        """A guest with a disk for an entry and blank disks, which takes media."""


@dataclass(frozen=True, kw_only=True)
class _Measured:
    run: Run
    gathered: Path | None


class KeptHypervisor(Wrapped):
    """A `Hypervisor` whose every boot is the same guest."""

    def __init__(self, hypervisor: PersistentHypervisor, scratch: Path, answers_bytes: int) -> None:
        """A guest is booted when it is needed.

        * ``scratch``: a folder for answers that commands have left.
        * ``answers_bytes``: size of the disk for them.
        """
        super().__init__(hypervisor)
        self._hypervisor = hypervisor
        self._scratch = scratch
        self._answers_bytes = answers_bytes
        self._stack = ExitStack()
        self._guest: PersistentSandbox | None = None
        self._shape: object = None
        self._used = False
        self._now: Mapping[str, str] = {}
        self._measured: dict[str, _Measured] = {}
        self.ran = 0
        """Commands that were run since `holds` was called."""
        self.remembered = 0
        """Commands whose results were taken from an earlier try."""

    def holds(self, version: Mapping[str, str]) -> None:
        """Declare that what follows is about this version of the entry."""
        if version != self._now:
            self._forget()
        self._now, self.ran, self.remembered = version, 0, 0

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[Sandbox]:
        shape = (machine.image.digest, tuple(machine.layers), machine.sizes, machine.container)
        if self._guest is None or shape != self._shape:
            self.close()
            bare = replace(machine, prepared=None, records=None, answers_bytes=self._answers_bytes)
            self._guest = self._stack.enter_context(self._hypervisor.persistent(bare))
            self._shape = shape
        try:
            yield _Stage(self, machine)
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

    def run(self, command: Command, limits: Limits, machine: Machine, records: str) -> Run:
        """Run a command, unless nothing that it depends on has changed since it ran.

        ``records``: a digest of the medium that it reads; empty: it reads none.
        """
        guest = self._guest
        if guest is None:
            raise SandboxFault("the guest of an earlier try is gone")
        unpacks = command.stdin_entry and machine.entry is not None
        # an archive of another size is unpacked by other words
        key = "unpack" if unpacks else repr((replace(command, gather=None), limits, records))
        if (measured := self._measured.get(key)) is not None:
            self.remembered += 1
            if command.gather is not None and measured.gathered is not None:
                shutil.copytree(measured.gathered, command.gather)
            return measured.run
        self.ran += 1
        medium = machine.records if records else None
        if medium is not None:
            guest.lend(medium)
        if unpacks and machine.entry is not None:
            run = self._unpack(guest, command, limits, machine.entry)
        else:
            run = guest.run(replace(command, medium=medium), limits)
        if run.verdict is not Verdict.WALL_LIMIT:  # a busy computer may be at fault
            self._remember(key, command, run)
        elif not guest.is_usable:
            self.close()
        return run

    def _unpack(self, guest: PersistentSandbox, command: Command, limits: Limits, archive: Path) -> Run:
        """Give the guest another archive, and unpack it."""
        guest.fill_entry(archive)
        if self._used and guest.run(_EMPTY, _LIMITS).verdict is not Verdict.OK:
            raise SandboxFault("the home folder of the guest of an earlier try cannot be emptied; try again")
        self._used = True
        return guest.run(command, limits)

    def _remember(self, key: str, command: Command, run: Run) -> None:
        kept = None
        if command.gather is not None and command.gather.is_dir():
            kept = self._scratch / hashlib.sha256(key.encode()).hexdigest()
            shutil.copytree(command.gather, kept, dirs_exist_ok=True)
        self._measured[key] = _Measured(run=run, gathered=kept)


class _Stage:
    """The guest, for one stage."""

    def __init__(self, kept: KeptHypervisor, machine: Machine) -> None:
        self._kept = kept
        self._machine = machine
        self._digest = ""

    @property
    def counter(self) -> CounterInfo:
        counter = self._kept.counter
        if counter is None:
            raise SandboxFault("no guest has been calibrated")
        return counter

    def run(self, command: Command, limits: Limits) -> Run:
        records = self._machine.records if command.inputs or command.mounts else None
        if records is not None and not self._digest:
            self._digest = _digest(records)
        return self._kept.run(command, limits, self._machine, self._digest if records is not None else "")

    def freeze(self, folder: Path) -> Prepared:
        """Freeze nothing: the guest has the prepared entry."""
        return Prepared.left_in(folder)


def _digest(medium: Path) -> str:
    """Return the digest of a file, or of a folder in its place (`evaluate.sandbox.plain`)."""
    if medium.is_file():
        return sha256_file(medium)
    files = sorted(path for path in medium.rglob("*") if path.is_file())
    names = "".join(f"{path.relative_to(medium)}\0{sha256_file(path)}\n" for path in files)
    return hashlib.sha256(names.encode()).hexdigest()


def version_of(entry: Path, selection: Selection | None, inert: Callable[[str], bool]) -> Mapping[str, str]:
    """Return the version of an entry that its programs can see: name of a file -> digest.

    * ``selection``: what is packed of a folder; None: the entry is an archive.
    * ``inert``: whether a file of this name changes nothing that is run.
    """
    if selection is None:
        return {"": sha256_file(entry)}
    files = {}
    for name in selection.files:
        path = entry / name
        with suppress(FileNotFoundError, PermissionError):  # an editor replaces files; packing refuses closed ones
            if path.is_symlink():
                files[name] = f"link to {path.readlink()}"
            elif not inert(name):
                files[name] = f"{path.stat().st_mode & 0o100:o} {sha256_kept(path)}"
    return files
