"""Guests that run in libvirt domains, as the stages see them: one, or one for each command."""

from __future__ import annotations

import os
import struct
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from evaluate.confine.ownership import set_mode, take, take_back
from evaluate.core.errors import BootFault, Fault, SandboxFault
from evaluate.core.files import publish
from evaluate.core.model import CounterInfo, Limits, Run
from evaluate.protocol import messages
from evaluate.sandbox.base import Command, Prepared, host_faults
from evaluate.sandbox.connection import destroy, is_active, monitor, resume, suspend
from evaluate.sandbox.domain import CONSOLE
from evaluate.sandbox.guest import EXCHANGE_SECONDS, Guest
from evaluate.sandbox.memory_medium import TO_THE_GATE, Gate, parts, save, write_medium
from evaluate.sandbox.snapshots import MEMORY, STATE, SavedGuest

_CONSOLE_BYTES, _CONSOLE_LINES = 2000, 8
"""Bytes and lines that are shown of a console, from its end."""


@contextmanager
def showing_console(folder: Path, fault: type[SandboxFault] = SandboxFault) -> Iterator[None]:
    """Add the last lines of a guest's console to a SandboxFault, which becomes ``fault``."""
    try:
        yield
    except SandboxFault as e:
        raise fault(str(e), console=console_tail(folder)) from e


class LibvirtSandbox:
    """A `Sandbox` in a libvirt domain."""

    def __init__(self, guest: Guest, handle: Any, folder: Path, *, exact: bool) -> None:
        self._exact = exact
        self.gate: Gate | None = None
        """Gate at which a guest that was restored for one command is paused; None for others."""
        self.medium_before: int | None = None
        """The length of the medium in the memory that it shares with others; None if it has a file of its own."""
        self.guest = guest
        self.handle = handle
        self.folder = folder

    @property
    def counter(self) -> CounterInfo:
        return self.guest.counter

    @host_faults("running a command")
    def run(self, command: Command, limits: Limits) -> Run:
        with showing_console(self.folder):
            return self.guest.run(command, limits)

    @host_faults("loading a server")
    def load(self, server: Command, limits: Limits) -> Run | None:
        """Start a server; None when it is loaded and paused, otherwise how it ended."""
        with showing_console(self.folder):
            return self.guest.load(server, limits)

    @host_faults("running a command")
    def run_alone(self, command: Command, limits: Limits) -> Run:
        """Let a restored guest run its only command."""
        with showing_console(self.folder):
            if self._exact:
                return self.guest.run_at_once(command, limits, self.ordered(command))
            self.lend(command.medium)
            self.resume()
            run = self.guest.invoke if command.inbox else self.guest.run
            return run(command, limits, clock=int(time.time()))  # its clock was paused since the guest was saved

    def reach(self, gate: Gate) -> None:
        """Let a restored guest run until it is paused at its gate."""
        self.resume()
        with showing_console(self.folder, BootFault):
            gate.wait()

    def ordered(self, command: Command) -> Callable[[bytes], None]:
        """Resumes the guest with an order, and the medium of that command, in its memory."""

        def go_on(order: bytes) -> None:
            assert self.gate is not None
            if self.medium_before is not None:
                self.gate.open(parts(self.medium_before, command.medium, order))
                return
            write_medium(self.folder / MEMORY, command.medium, order)
            self.gate.open()

        return go_on

    @host_faults("lending a guest a medium")
    def lend(self, medium: Path | None) -> None:
        """Replace the last medium in the guest's memory, where only its agent looks for it."""
        write_medium(self.folder / MEMORY, medium)

    def resume(self) -> None:
        """Resume a paused guest."""
        resume(self.handle)

    @host_faults("saving a guest")
    def save(
        self, kept: Path, serials: Sequence[str] = (), *, awaits_order: bool = False, order: messages.Run | None = None
    ) -> SavedGuest:
        """Save the guest, which is idle, and destroy it.

        * ``kept``: the new folder of a snapshot to be published. Not below the guest's own, which is closed to other
          guests.
        * ``serials``: disks that are mounted, so that what was written to them belongs to the guest's state.
        * ``awaits_order``: whether the restored guest comes to its gate, and takes its order from memory there.
        * ``order``: of a command whose place is made ready before; see `Guest.await_order`.
        """
        self.guest.wait_until_idle()
        key_at = self.guest.await_order(order) if awaits_order else 0
        facts = self.guest.facts
        suspend(self.handle)
        if awaits_order:
            write_medium(self.folder / MEMORY, None, TO_THE_GATE)
            fix_random_key(self.folder / MEMORY, key_at)
        kept.mkdir()
        save(partial(monitor, self.handle), kept / STATE)
        destroy(self.handle)
        for name in (MEMORY, *(f"{serial}.qcow2" for serial in serials)):
            (self.folder / name).rename(kept / name)
            take(kept / name)
            take_back(kept / name)
            set_mode(kept / name, 0o444)
        set_mode(kept, 0o711)
        return facts

    @host_faults("keeping the disks of a guest")
    def freeze(self, folder: Path) -> Prepared:
        self.guest.finish()
        deadline = time.monotonic() + EXCHANGE_SECONDS
        while is_active(self.handle):
            if time.monotonic() > deadline:
                raise SandboxFault(f"the guest did not power off within {EXCHANGE_SECONDS:.0f} s")
            time.sleep(0.05)
        kept = {}
        for serial in ("root", "home"):
            kept[serial] = folder / f"{serial}.qcow2"
            publish(self.folder / f"{serial}.qcow2", kept[serial], 0o444)
            # no longer owned by QEMU's user: a guest that took over its QEMU must not write to another guest's disks
            take(kept[serial])
            take_back(kept[serial])
        return Prepared.left_in(folder)


class Rooms:
    """A `CommandRunner` whose every command has a guest of its own, restored from the same snapshot.

    While a command runs, the next guests are restored and the last one destroyed, so that a command waits for neither.
    """

    _WAITING = 2
    """Guests that wait, or are on their way: a short command ends before one is ready."""

    def __init__(
        self,
        restore: Callable[[ExitStack], LibvirtSandbox],
        counter: CounterInfo,
        after: Callable[[Path], None],
    ) -> None:
        """Begin to restore.

        * ``restore``: a guest, which exists as long as the stack that it gets.
        * ``after``: gets the folder of each guest when its command has ended.
        """
        self.restore, self._counter, self._after = restore, counter, after
        self._loader = ThreadPoolExecutor(self._WAITING, "restoring a guest")
        self._remover = ThreadPoolExecutor(1, "destroying a guest")
        self._waiting = deque(self._loader.submit(self._load) for _ in range(self._WAITING))
        self._last: Future[None] | None = None

    @property
    def counter(self) -> CounterInfo:
        return self._counter

    def run(self, command: Command, limits: Limits) -> Run:
        wait([self._waiting[0]])  # which is still destroyed if Ctrl-C ends the waiting
        self._waiting.append(self._loader.submit(self._load))
        next_one = self._waiting.popleft()
        try:
            room, sandbox = next_one.result()
        except Fault:  # nothing of the command has started
            room, sandbox = self._load()
        try:
            run = sandbox.run_alone(command, limits)
            self._after(sandbox.folder)
        finally:
            last, self._last = self._last, self._remover.submit(room.close)
            if last is not None:
                wait([last])  # so that there are never more than four guests
        if last is not None:
            last.result()  # so that a fault is not lost
        return run

    def close(self) -> None:
        """Destroy the guests that wait, and the last one, also if another fails to end."""
        with ExitStack() as ending:
            if self._last is not None:
                ending.callback(self._last.result)
            ending.callback(self._remover.shutdown)
            ending.callback(self._loader.shutdown)
            for waiting in self._waiting:
                ending.callback(_end, waiting)

    def _load(self) -> tuple[ExitStack, LibvirtSandbox]:
        with ExitStack() as room:
            sandbox = self.restore(room)
            return room.pop_all(), sandbox


class NotLoaded:
    """A `CommandRunner` for a server that could not be loaded: every command has that outcome."""

    def __init__(self, run: Run, counter: CounterInfo) -> None:
        self._run, self.counter = run, counter

    def run(self, command: Command, limits: Limits) -> Run:
        """Return how the server ended."""
        del command, limits
        return self._run


def _end(waiting: Future[tuple[ExitStack, LibvirtSandbox]]) -> None:
    """Destroy a guest that waits; one that could not be restored is gone already."""
    with suppress(Fault):
        waiting.result()[0].close()


def console_tail(folder: Path) -> tuple[str, ...]:
    """The last lines that a guest wrote to its console."""
    try:
        with (folder / CONSOLE).open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _CONSOLE_BYTES))  # it may have any length
            data = file.read(_CONSOLE_BYTES)
    except OSError:
        return ()
    return tuple(data.decode(errors="replace").splitlines()[-_CONSOLE_LINES:])


# Random numbers of a saved machine that are those of every other one.
#
# The kernel stirs what they come from with the times of interrupts.  While a machine is made ready these depend on
# the host's disks, so two machines would draw different numbers, and a program that draws some, as numpy does when it
# is imported, would execute other instructions.  So the host writes over the key while the machine is paused.


_STATE = struct.Struct("<32s2Q")
"""The beginning of ``base_crng`` in Linux 6.1 (drivers/char/random.c): the key, the tick at which it was made, and its
generation."""
KEY = b"the same in every room".ljust(32, b".")
_NEVER_OLD = 1 << 60
"""A tick that does not come, so the kernel makes no other key."""
_GENERATION = 1 << 32
"""None that a processor, or a buffer of numbers, has its own key from: each takes one from this key."""
_LOW_BYTES, _MOST_BELOW, _HIGH_AT = 2 << 30, 0xB000_0000, 4 << 30
"""QEMU's ``q35`` has so much memory, if it has more than the second, below 4 GiB, and the rest from there on."""


def fix_random_key(memory: Path, at: int) -> None:
    """Have a machine draw the numbers that every machine draws, if this is the key that it draws them from.

    * ``memory``: the memory of a paused machine.
    * ``at``: where its agent says that the key is; nothing is written outside of the memory, or where something else
      is.
    """
    with memory.open("r+b") as file:
        size = memory.stat().st_size
        if size >= _MOST_BELOW and at >= _HIGH_AT:
            at -= _HIGH_AT - _LOW_BYTES
        file.seek(min(at, size))
        state = file.read(_STATE.size)
        if at == 0 or len(state) < _STATE.size:
            return
        _key, _made, generation = _STATE.unpack(state)
        if 0 < generation < _GENERATION:
            file.seek(at)
            file.write(_STATE.pack(KEY, _NEVER_OLD, _GENERATION))
