"""Guests through libvirt: the only module that imports libvirt.

Theory of operation.  A guest is a transient domain started with AUTODESTROY on this process's connection:
when the process dies, however it dies, libvirt destroys the domain.  If libvirt itself dies in between, the
domain remains, with our prefix and, in its metadata, the path of the lock that its creator held; `LibvirtHypervisor`
destroys such domains when it starts.  Inside this process a guest exists exactly as long as the context that
`boot` returns.  It is destroyed, not shut down: the guest is hostile and may ignore ACPI.

QEMU never runs as root.  Under the system's libvirt each guest has a user of its own, to whom the guest's run folder is
open and no other; under a user's own libvirt all run as that user.  It sees only the files of the run folder and
read-only images of the state directory.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import select
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import psutil

from evaluate.core.access import close, may_pass, members, opens
from evaluate.core.errors import BootFault, SandboxFault, UsageError
from evaluate.core.files import publish, sha256_file, sha256_kept
from evaluate.core.model import CounterInfo, Limits, MachineParts, Run
from evaluate.core.users import has_own_users, own_user
from evaluate.counters.base import Counter
from evaluate.counters.vcpu import vcpu_thread
from evaluate.images.image import Image
from evaluate.protocol.guest import GATE_AT, LICENCE_PORT, RECORDS_BYTES
from evaluate.sandbox import disks
from evaluate.sandbox.answers import answered
from evaluate.sandbox.assertions import Expected, check_guest, label_models
from evaluate.sandbox.base import LAYER_SLOTS, Command, Machine, Prepared
from evaluate.sandbox.channel import Channel
from evaluate.sandbox.domain import (
    KERNEL_LINE,
    PREFIX,
    Disk,
    Domain,
    Memory,
    channel_path,
    direct_arguments,
    domain_xml,
    owner_lock,
)
from evaluate.sandbox.entropy import fix_random_key
from evaluate.sandbox.folders import LOCK, RunFolders, is_free
from evaluate.sandbox.gate import GATE, Gate
from evaluate.sandbox.guest import BOOT_SECONDS, EXCHANGE_SECONDS, Guest, rehearsal
from evaluate.sandbox.licence import LicenceRelay
from evaluate.sandbox.medium import write_medium
from evaluate.sandbox.pace import GuestClock, cores, turn
from evaluate.sandbox.parts import parts_of, qemu_version
from evaluate.sandbox.rooms import Rooms
from evaluate.sandbox.saving import SOCKETS, load, save
from evaluate.sandbox.snapshots import MEMORY, STATE, DamagedSnapshot, Known, Snapshot, Snapshots, sparse_copy
from evaluate.untrusted.answers_disk import ROOM_FOR_NAMES

try:
    import libvirt
    import libvirt_qemu
except ImportError:
    libvirt = libvirt_qemu = None

SYSTEM, SESSION = "qemu:///system", "qemu:///session"
_KVM = Path("/dev/kvm")
_ANSWERS, _ENTRY = "answers.raw", "entry.raw"
_MOST_FAILURES = 3
"""After so many restores in succession that failed for no damage of the snapshot, the guests of this process boot."""
_END_SECONDS = 5.0
_FORMAT = 4
"""Of snapshots: increased when the same machine is saved in another way."""


def default_uri() -> str:
    """The system's libvirt for root, otherwise the user's own."""
    return SYSTEM if os.geteuid() == 0 else SESSION


def connect(uri: str) -> Any:
    """A libvirt connection.

    Raises
    ------
    SandboxFault
        libvirt-python or the daemon is missing; the message names the remedy.
    """
    if libvirt is None:
        raise SandboxFault("libvirt-python is not installed: pip install 'sandbox-evaluate[vm]'")
    libvirt.registerErrorHandler(lambda _context, _error: None, None)  # errors are raised, not also printed
    try:
        return answered(f"connecting to {uri}", lambda: libvirt.open(uri), lambda late: late.close())
    except libvirt.libvirtError as e:
        raise SandboxFault(f"no connection to libvirt at {uri}: {e}; `evaluate doctor --fix` starts it") from e


class LibvirtHypervisor:
    """Boots and destroys guests."""

    def __init__(
        self,
        *,
        state: Path,
        counter: Counter,
        accelerator: str,
        boot_seconds: float = BOOT_SECONDS,
        attempts: int = 2,
        uri: str | None = None,
        saves: bool | None = None,
        say: Callable[[str], None] = lambda _: None,
        after_room: Callable[[Path], None] = lambda _: None,
    ) -> None:
        """Connect to libvirt, and remove what dead supervisors left.

        Parameters
        ----------
        saves : bool, optional
            Whether guests start from a saved machine; by default under emulation, where it is tested.
        after_room : callable
            Gets the folder of each guest of `rooms` when its command has ended.
        """
        self._uri = uri or default_uri()
        self._boot_seconds = boot_seconds
        self._attempts = attempts
        self._state = state
        self._calibrations: list[CounterInfo] = []
        self._counter = counter
        self._accelerator = accelerator
        self._runs = RunFolders(state / "runs")
        self._saves = accelerator == "tcg" if saves is None else saves
        self._snapshots = Snapshots(state / "snapshots")
        self._say = say
        self._failures = 0
        self._after_room = after_room
        self._connection = connect(self._uri)
        self._qemu_user = _qemu_user(self._connection)
        self._labels = label_models(self._connection.getCapabilities())
        if self._qemu_user is not None:
            _open_to_guests(state, self._qemu_user)
            _check_reachable(state, self._qemu_user)
        self._own_users = not _why_users_are_shared(state, self._qemu_user, accelerator)
        self.swept = sweep(self._connection, self._runs)
        """Names of domains and folders of dead supervisors that were removed."""

    @property
    def accelerator(self) -> str:
        """``kvm`` or ``tcg``."""
        return self._accelerator

    @property
    def counter(self) -> CounterInfo | None:
        """See `Hypervisor.counter`."""
        return max(self._calibrations, key=lambda c: abs(c.calibration_error), default=None)

    @property
    def runs(self) -> RunFolders:
        """Parent of the folders of guests and evaluations."""
        return self._runs

    @property
    def snapshots(self) -> Snapshots:
        """The saved machines of this state directory."""
        return self._snapshots

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[LibvirtSandbox]:
        """See `Hypervisor.boot`.  A guest that does not boot is started once more."""
        for attempt in range(self._attempts):
            with ExitStack() as stack:
                try:
                    with turn(self._state / "boots", cores()):
                        sandbox = self._boot(machine, stack)
                except SandboxFault:
                    if attempt + 1 == self._attempts:
                        raise
                    continue
                yield sandbox
                return

    @contextmanager
    def stand(self, machine: Machine) -> Iterator[LibvirtSandbox]:
        """A guest that can be given another entry, and lent media, while it is idle."""
        with ExitStack() as stack:
            with turn(self._state / "boots", cores()):
                sandbox = self._boot(machine, stack, to_save=True)
            yield sandbox

    def _boot(self, machine: Machine, stack: ExitStack, *, to_save: bool = False) -> LibvirtSandbox:
        """A guest that has been greeted: from the saved machine of its image if possible, else by a cold boot."""
        if self._saves and self._failures < _MOST_FAILURES and machine.can_be_saved:
            key = self._key_of_image(machine)
            try:
                self._save_image(machine, key)
                with ExitStack() as restored:
                    saved = restored.enter_context(self._snapshots.using(key))
                    if saved is not None:
                        sandbox = self._restore(machine, saved, restored, shared=to_save, alone=to_save)
                        sandbox.resume()
                        sandbox.guest.greet(machine, self._boot_seconds)
                        self._calibrations.append(sandbox.counter)
                        stack.push(restored.pop_all())
                        self._failures = 0
                        return sandbox
            except SandboxFault as e:
                self._failures += not isinstance(e, DamagedSnapshot)
                self._snapshots.discard(key)
                self._say(f"the saved machine of the image is of no use, so this guest boots: {e}")
        return self._cold(machine, stack, to_save=to_save)

    def _cold(self, machine: Machine, stack: ExitStack, *, to_save: bool = False) -> LibvirtSandbox:
        folder = self._new_folder(stack)
        memory = self._empty_memory(folder, machine) if to_save else None
        domain = self._domain(machine, folder, self._disks(machine, folder, all_slots=to_save, alone=to_save), memory)
        try:
            sandbox = self._start(domain, folder, stack)
            sandbox.guest.greet(machine, self._boot_seconds)
            sandbox.guest.calibrate()
            self._calibrations.append(sandbox.counter)
        except SandboxFault as e:
            raise BootFault(str(e), console=_console_tail(folder)) from e
        return sandbox

    def _restore(
        self,
        machine: Machine,
        saved: Snapshot,
        stack: ExitStack,
        *,
        shared: bool = False,
        alone: bool = False,
        gated: bool = False,
    ) -> LibvirtSandbox:
        """A guest in the state in which it was saved, standing still.

        Its memory is a copy of its own, except where QEMU can be kept from writing to the file: a guest that took over
        its QEMU could change what later guests begin with.  A guest of `rooms` always has its own: its medium is there.
        """
        folder = self._new_folder(stack)
        memory = Memory(path=folder / MEMORY, shared=shared, restored=True)
        if not shared and not alone and reads_memory_only(self._qemu_version):
            memory = replace(memory, path=saved.memory, readonly=True)
        else:
            sparse_copy(saved.memory, memory.path)
        found = self._disks(machine, folder, all_slots=True, saved=saved, alone=alone)
        domain = self._domain(machine, folder, found, memory, gated=gated)
        gate = stack.enter_context(closing(Gate(folder / SOCKETS))) if gated else None
        try:
            sandbox = self._start(domain, folder, stack, saved)
            load(partial(_monitor, sandbox.handle), saved.state, folder / SOCKETS)
        except SandboxFault as e:
            raise BootFault(str(e), console=_console_tail(folder)) from e
        if gate is not None:
            stack.callback(gate.close)  # once more: before the guest is destroyed
            sandbox.gate = gate
        return sandbox

    def _save_image(self, machine: Machine, key: str) -> None:
        """Make the saved machine of an image if there is none: booted, calibrated, without disks of anybody."""
        with self._snapshots.making(key):
            with self._snapshots.using(key) as found:
                if found is not None:
                    return
            self._say("booting the image once, to save it: later guests start from there")
            with ExitStack() as stack:
                bare = Machine(image=machine.image, sizes=machine.sizes, exact=machine.exact)
                sandbox = self._cold(bare, stack, to_save=True)
                sandbox.guest.rest()
                kept = self._folder_to_save_in(stack)
                self._snapshots.publish(key, kept, sandbox.save(kept))

    @contextmanager
    def rooms(self, machine: Machine, sample: Command, limits: Limits) -> Iterator[Rooms[LibvirtSandbox]]:
        """See `Hypervisor.rooms`."""
        if not machine.can_be_saved:
            raise SandboxFault("a machine with GPUs, a licence server or many layers cannot be saved")
        machine = replace(machine, exact=self._accelerator == "tcg")
        key = self._key_of_entry(machine)
        with ExitStack() as stack:
            for attempt in range(self._attempts):
                try:
                    with turn(self._state / "boots", cores()):
                        self._save_entry(machine, key, sample, limits)
                    found = stack.enter_context(self._snapshots.using(key))
                    if found is None:
                        raise SandboxFault(f"the snapshot {key} was removed before it was used")
                    saved = found
                    break
                except SandboxFault as e:
                    self._snapshots.discard(key)
                    if attempt + 1 == self._attempts:
                        raise
                    self._say(f"the saved machine of the entry is made again: {e}")
            counter = CounterInfo(kind=self._counter.kind, calibration_error=saved.known.error)
            self._calibrations.append(counter)
            rooms = Rooms(partial(self._room, machine, saved), counter, self._after_room)
            stack.callback(rooms.close)
            yield rooms

    def _room(self, machine: Machine, saved: Snapshot, stack: ExitStack) -> LibvirtSandbox:
        """A guest that stands still until its only command comes."""
        sandbox = self._restore(machine, saved, stack, alone=True, gated=machine.exact)
        if sandbox.gate is not None:
            sandbox.rehearse(sandbox.gate)
        return sandbox

    def _save_entry(self, machine: Machine, key: str, sample: Command, limits: Limits) -> None:
        """Make the saved machine of a prepared entry if there is none: it has answered the sample once."""
        with self._snapshots.making(key):
            with self._snapshots.using(key) as found:
                if found is not None:
                    return
            with ExitStack() as stack:
                sandbox = self._boot(machine, stack, to_save=True)
                sandbox.lend(sample.medium)
                sandbox.run(sample, limits)
                rehearsed = rehearsal(sample, container=machine.container)
                if machine.exact and sandbox.guest.is_usable:
                    sandbox.run(rehearsed, limits)  # so that no disk is waited for when it is run again
                if not sandbox.guest.is_usable:
                    sandbox = self._boot(machine, stack, to_save=True)
                sandbox.lend(None)
                kept = self._folder_to_save_in(stack)
                known = sandbox.save(kept, ("root", "home", "tmp"), (rehearsed, limits) if machine.exact else None)
                trial = Snapshot(folder=kept, known=known)
                with ExitStack() as trying:
                    room = self._room(machine, trial, trying)
                    if machine.exact:
                        overhead = room.guest.calibrate_at_once(sample, limits, room.ordered(sample))
                        known = replace(known, overhead_at_once=overhead)
                self._snapshots.publish(key, kept, known)

    def _key_of_image(self, machine: Machine) -> str:
        return _digest(self._facts(machine))

    def _key_of_entry(self, machine: Machine) -> str:
        prepared = machine.prepared
        frozen = [prepared.root, prepared.home] if prepared else []
        return _digest(
            {
                **self._facts(machine),
                "layers": [sha256_kept(layer) for layer in machine.layers],
                "prepared": [sha256_file(path) for path in frozen],
                # two teams never share a snapshot, even if all of this is the same
                "folder": str(prepared.root.parent) if prepared else machine.owner,
                "container": machine.container,
                "answers": machine.answers_bytes,
            }
        )

    def _facts(self, machine: Machine) -> dict[str, Any]:
        """Everything that a saved machine of an image depends on."""
        return {
            "format": _FORMAT,
            "parts": asdict(self.parts(machine.image)),
            "sizes": asdict(machine.sizes),
            "exact": machine.exact,
        }

    def parts(self, image: Image) -> MachineParts:
        """See `Hypervisor.parts`."""
        return parts_of(image, self._accelerator, self._counter, libvirt.getVersion())

    @cached_property
    def _qemu_version(self) -> str:
        return qemu_version()

    def _new_folder(self, stack: ExitStack) -> Path:
        folder = stack.enter_context(self._runs.new("guest"))
        (folder / SOCKETS).mkdir(mode=0o711)
        return folder

    def _folder_to_save_in(self, stack: ExitStack) -> Path:
        return stack.enter_context(self._runs.new("saved")) / "saved"

    def _empty_memory(self, folder: Path, machine: Machine) -> Memory:
        path = folder / MEMORY
        with path.open("wb") as f:
            f.truncate(machine.sizes.memory_bytes + RECORDS_BYTES)
        return Memory(path=path, shared=True, restored=False)

    def _start(self, domain: Domain, folder: Path, stack: ExitStack, saved: Snapshot | None = None) -> LibvirtSandbox:
        """Start QEMU and connect to the guest, whose agent need not be ready."""
        handle = self._create(domain, paused=saved is not None)
        stack.callback(_destroy, handle)
        live, pid = answered(f"describing domain {domain.name}", handle.XMLDesc), qemu_pid(domain.name)
        stack.callback(_kill, os.pidfd_open(pid))
        wanted = Expected(
            folder=folder,
            licence=domain.licence_server is not None,
            gpus=domain.gpus,
            arguments=direct_arguments(domain),
            labels=self._labels,
            user=domain.user[0] if domain.user else None,
        )
        check_guest(live, Path(f"/proc/{pid}"), wanted)
        path = channel_path(live)
        if path is None:
            raise SandboxFault(f"domain {domain.name} has no channel for the agent")
        clock = GuestClock(vcpu_thread(pid))
        known = saved.known if saved else None
        channel = Channel.connect(path, clock, known.conversation if known else None)
        stack.callback(channel.close)
        if domain.licence_server is not None:
            licence_path = channel_path(live, LICENCE_PORT)
            if licence_path is None:
                raise SandboxFault(f"domain {domain.name} has no port for the licence server")
            stack.callback(LicenceRelay(licence_path, domain.licence_server).close)
        reading = self._counter.attach(folder, pid)
        stack.callback(reading.close)
        guest = Guest(channel, self._counter, reading, folder / _ANSWERS, clock=clock, known=known)
        return LibvirtSandbox(guest, handle, folder, exact=domain.exact)

    def _create(self, domain: Domain, *, paused: bool) -> Any:
        flags = libvirt.VIR_DOMAIN_START_AUTODESTROY | libvirt.VIR_DOMAIN_START_VALIDATE
        if paused:
            flags |= libvirt.VIR_DOMAIN_START_PAUSED
        try:
            text = domain_xml(domain)
            return answered(f"starting domain {domain.name}", lambda: self._connection.createXML(text, flags), _destroy)
        except libvirt.libvirtError as e:
            raise SandboxFault(f"libvirt cannot start domain {domain.name}: {e}") from e

    def _domain(
        self, machine: Machine, folder: Path, found: list[Disk], memory: Memory | None, *, gated: bool = False
    ) -> Domain:
        gate = (folder / SOCKETS / GATE, GATE_AT) if gated else None
        arguments = self._counter.qemu_arguments(folder, exact=machine.exact, gate=gate)
        check_gpus(machine.gpus, self._accelerator)
        # a GPU is handed over by libvirt, which it does for its usual user only
        own = None
        if self._qemu_user and self._own_users and not machine.gpus:
            own = own_user(), self._qemu_user[1]
        domain = Domain(
            name=PREFIX + folder.name,
            accelerator=self._accelerator,
            memory_bytes=machine.sizes.memory_bytes + RECORDS_BYTES,
            kernel=machine.image.kernel,
            initrd=machine.image.initrd,
            cmdline=KERNEL_LINE,
            cpu_model=machine.image.cpu_model,
            cpu_disabled=machine.image.cpu_disabled,
            disks=found,
            console_log=folder / "console.log",
            owner_lock=folder / LOCK,
            licence_server=machine.licence_server,
            gpus=machine.gpus,
            memory=memory,
            exact=machine.exact,
            qemu_arguments=arguments,
            user=own,
            changes_owners=own is None and self._qemu_user is not None,
        )
        if (user := own or self._qemu_user) is not None:
            for path in folder.iterdir():
                if path.name != LOCK:
                    os.chown(path, *user)
        if own is not None:
            close(folder, own)
        return domain

    def _disks(
        self,
        machine: Machine,
        folder: Path,
        *,
        all_slots: bool,
        saved: Snapshot | None = None,
        alone: bool = False,
    ) -> list[Disk]:
        """The disks of a guest.

        Parameters
        ----------
        all_slots : bool
            Attach also what this machine has no use for: a saved guest has the same disks wherever it is restored.
        saved : Snapshot, optional
            What a saved guest had written to its disks is below those of this one.
        alone : bool
            For a guest of `rooms`: what is below its disks is not named in them.
        """
        blanks, sizes = self._state / "cache" / "blank", machine.sizes
        media: dict[str, Path | None] = {"base": machine.image.root}
        media |= {f"layer{i}": layer for i, layer in enumerate(machine.layers)}
        media["entry"] = machine.entry and disks.raw_disk(folder / _ENTRY, machine.entry)
        media["records"] = machine.records
        if all_slots:
            empty = disks.empty_slot(blanks)
            slots = {*(f"layer{i}" for i in range(LAYER_SLOTS)), *media}
            media = {serial: media.get(serial) or empty for serial in sorted(slots)}
        found = [Disk(serial=serial, path=path, format="raw", readonly=True) for serial, path in media.items() if path]
        for serial, size, frozen in (
            ("root", sizes.root_bytes, machine.prepared and machine.prepared.root),
            ("home", sizes.home_bytes, machine.prepared and machine.prepared.home),
            ("tmp", sizes.tmp_bytes, None),
        ):
            blank = disks.blank_disk(blanks, size, serial)
            backing = (frozen, blank) if frozen else (blank,)
            if saved is not None and saved.disk(serial).exists():
                backing = (saved.disk(serial), *backing)
            target = folder / f"{serial}.qcow2"
            top = disks.scratch(target, blanks, size) if alone else disks.overlay(target, backing[0])
            found.append(Disk(serial=serial, path=top, format="qcow2", readonly=False, backing=backing))
        if machine.answers_bytes or all_slots:
            empty = disks.empty_disk(folder / _ANSWERS, (machine.answers_bytes or disks.SLOT_BYTES) + ROOM_FOR_NAMES)
            found.append(Disk(serial="answers", path=empty, format="raw", readonly=False))
        return found


class LibvirtSandbox:
    """A `Sandbox` in a libvirt domain."""

    def __init__(self, guest: Guest, handle: Any, folder: Path, *, exact: bool) -> None:
        self._exact = exact
        self.gate: Gate | None = None
        """Where a guest that was restored for one command stands; None for others."""
        self.guest = guest
        self.handle = handle
        self.folder = folder

    @property
    def counter(self) -> CounterInfo:
        """See `Sandbox.counter`."""
        return self.guest.counter

    @property
    def live_xml(self) -> str:
        """The domain as libvirt runs it."""
        return str(self.handle.XMLDesc())

    def run(self, command: Command, limits: Limits) -> Run:
        """See `Sandbox.run`."""
        try:
            return self.guest.run(command, limits)
        except SandboxFault as e:
            raise SandboxFault(str(e), console=_console_tail(self.folder)) from e

    def run_alone(self, command: Command, limits: Limits) -> Run:
        """Let a restored guest run its only command."""
        try:
            if self._exact:
                return self.guest.run_at_once(command, limits, self.ordered(command))
            self.lend(command.medium)
            self.resume()
            return self.guest.run(command, limits)
        except SandboxFault as e:
            raise SandboxFault(str(e), console=_console_tail(self.folder)) from e

    def rehearse(self, gate: Gate) -> None:
        """Let a restored guest run until it stands at its gate."""
        self.resume()
        try:
            gate.wait()
        except SandboxFault as e:
            raise BootFault(str(e), console=_console_tail(self.folder)) from e

    def ordered(self, command: Command) -> Callable[[bytes], None]:
        """Lets the guest's time go on, with an order in its memory, and the medium of that command."""

        def resume(order: bytes) -> None:
            assert self.gate is not None
            write_medium(self.folder / MEMORY, command.medium, order)
            self.gate.open()

        return resume

    def lend(self, medium: Path | None) -> None:
        """Put a medium in the place of the last one into the guest's memory, where only its agent looks for it."""
        write_medium(self.folder / MEMORY, medium)

    def fill_entry(self, archive: Path) -> None:
        """Write another archive to the disk of the entry, which nothing in the guest has open."""
        disk = self.folder / _ENTRY
        disk.chmod(0o644)
        disks.fill(disk, archive)

    def resume(self) -> None:
        """Let a guest run that stands still."""
        try:
            answered("resuming a domain", self.handle.resume)
        except libvirt.libvirtError as e:
            raise SandboxFault(f"domain {self.handle.name()} cannot be resumed: {e}") from e

    def save(self, kept: Path, serials: Sequence[str] = (), rehearsed: tuple[Command, Limits] | None = None) -> Known:
        """Save the guest, which is idle, and destroy it.

        Parameters
        ----------
        kept : Path
            The new folder of a snapshot to be published.  Not below the guest's own, which is closed to other guests.
        serials : sequence of str
            Disks that are mounted, so that what was written to them belongs to the guest's state.
        rehearsed : (Command, Limits), optional
            What the restored guest runs before it takes its order from memory.
        """
        self.guest.wait_until_idle()
        order, key_at = self.guest.await_order(*rehearsed) if rehearsed else (b"", 0)
        known = self.guest.known
        try:
            answered("suspending a domain", self.handle.suspend)
        except libvirt.libvirtError as e:
            raise SandboxFault(f"domain {self.handle.name()} cannot be suspended: {e}") from e
        if rehearsed:
            write_medium(self.folder / MEMORY, rehearsed[0].medium, order)
            fix_random_key(self.folder / MEMORY, key_at)
        kept.mkdir()
        save(partial(_monitor, self.handle), kept / STATE, self.folder / SOCKETS)
        _destroy(self.handle)
        for name in (MEMORY, *(f"{serial}.qcow2" for serial in serials)):
            (self.folder / name).rename(kept / name)
            os.chown(kept / name, os.geteuid(), os.getegid())
            (kept / name).chmod(0o444)
        kept.chmod(0o711)
        return known

    def freeze(self, folder: Path) -> Prepared:
        """See `Sandbox.freeze`."""
        self.guest.finish()
        deadline = time.monotonic() + EXCHANGE_SECONDS
        while _is_active(self.handle):
            if time.monotonic() > deadline:
                raise SandboxFault(f"the guest did not power off within {EXCHANGE_SECONDS:.0f} s")
            time.sleep(0.05)
        kept = {}
        for serial in ("root", "home"):
            kept[serial] = folder / f"{serial}.qcow2"
            publish(self.folder / f"{serial}.qcow2", kept[serial], 0o444)
            # no longer owned by QEMU's user: a guest that took over its QEMU must not write to another guest's disks
            os.chown(kept[serial], os.geteuid(), os.getegid())
        return Prepared(root=kept["root"], home=kept["home"])


def sweep(connection: Any, runs: RunFolders) -> list[str]:
    """Destroy the domains and remove the folders of supervisors that have ended."""
    gone = []
    for handle in answered("listing domains", connection.listAllDomains):
        if not handle.name().startswith(PREFIX):
            continue
        try:
            lock = owner_lock(handle.XMLDesc())
        except libvirt.libvirtError:
            continue  # it ended in the meantime
        if lock is not None and is_free(lock):
            gone.append(handle.name())
            _destroy(handle)
    return gone + runs.sweep()


def check_gpus(addresses: Sequence[str], accelerator: str, devices: Path = Path("/sys/bus/pci/devices")) -> None:
    """Check that every device is on this host and can be passed through.

    Raises
    ------
    SandboxFault
        Naming the first that is not, and why.
    """
    for address in addresses:
        if not (devices / address).exists():
            raise SandboxFault(f"GPU {address}: there is no such PCI device on this host (gpus in evaluate.yaml)")
        if accelerator != "kvm":
            raise SandboxFault(f"GPU {address}: pass-through needs KVM, and this guest would run under {accelerator}")
        if not (devices / address / "iommu_group").exists():
            raise SandboxFault(f"GPU {address}: in no IOMMU group; boot the host with intel_iommu=on or amd_iommu=on")


def _monitor(handle: Any, command: str, **arguments: Any) -> Any:
    """One command of QEMU's monitor; returns its reply."""
    try:
        order = json.dumps({"execute": command, "arguments": arguments})
        text = answered(f"QEMU's {command}", lambda: libvirt_qemu.qemuMonitorCommand(handle, order, 0))
    except libvirt.libvirtError as e:
        raise SandboxFault(f"QEMU's monitor does not take {command}: {e}") from e
    reply = json.loads(text)
    if "error" in reply:
        raise SandboxFault(f"QEMU refuses {command}: {reply['error'].get('desc')}")
    return reply["return"]


def reads_memory_only(qemu_version: str) -> bool:
    """Whether a QEMU can map a file as the memory of a guest without being able to write to it: since 8.2."""
    found = re.search(r"version (\d+)\.(\d+)", qemu_version)
    return found is not None and (int(found[1]), int(found[2])) >= (8, 2)


def _digest(facts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


def _kill(process: int) -> None:
    """End a QEMU at once, before its domain is destroyed: libvirt would ask it to, and look again after 0.2 s.

    What it had not yet written is of no use to anybody: the guest's disks go with it.
    """
    with suppress(ProcessLookupError, PermissionError):
        signal.pidfd_send_signal(process, signal.SIGKILL)
        select.select([process], [], [], _END_SECONDS)
    os.close(process)


def _destroy(handle: Any) -> None:
    try:
        answered("destroying a domain", handle.destroy)
    except libvirt.libvirtError as e:
        if e.get_error_code() not in (libvirt.VIR_ERR_NO_DOMAIN, libvirt.VIR_ERR_OPERATION_INVALID):
            raise SandboxFault(f"domain {handle.name()} cannot be destroyed: {e}") from e


def _is_active(handle: Any) -> bool:
    try:
        return bool(answered("asking whether a domain runs", handle.isActive))
    except libvirt.libvirtError as e:
        if e.get_error_code() == libvirt.VIR_ERR_NO_DOMAIN:
            return False
        raise SandboxFault(f"libvirt cannot tell whether a domain is running: {e}") from e


def qemu_pid(name: str) -> int:
    """The process of a domain; SandboxFault if there is none."""
    for process in psutil.process_iter(["cmdline"]):
        if any(word.startswith(f"guest={name},") for word in process.info["cmdline"] or ()):
            return int(process.pid)
    raise SandboxFault(f"no QEMU process of domain {name} is running")


def _qemu_user(connection: Any) -> tuple[int, int] | None:
    """User and group that a system libvirt runs QEMU as; None if that is the caller."""
    for model in ET.fromstring(connection.getCapabilities()).iterfind("./host/secmodel"):
        if model.findtext("model") == "dac":
            user, _, group = (model.findtext("baselabel") or "").replace("+", "").partition(":")
            if int(user) == 0:
                raise SandboxFault("libvirt is configured to run QEMU as root (user in /etc/libvirt/qemu.conf)")
            return int(user), int(group)
    return None


def shared_users(state: Path, accelerator: str) -> str:
    """Why QEMU processes of different guests run as the same user here; empty if each has a user of its own."""
    connection = connect(default_uri())
    try:
        return _why_users_are_shared(state, _qemu_user(connection), accelerator)
    finally:
        connection.close()


def _why_users_are_shared(state: Path, qemu_user: tuple[int, int] | None, accelerator: str) -> str:
    if os.geteuid() != 0 or qemu_user is None:
        return "the libvirt of an ordinary user runs every guest as that user"
    if not has_own_users():
        return "this container knows too few numbers of users"
    group = qemu_user[1]
    if people := members(group) - {qemu_user[0]}:
        return f"QEMU's group {group} has members who would pass {state} too: users {sorted(people)}"
    guest = own_user(), group
    for folder in (state.resolve(), *state.resolve().parents):
        if folder.exists() and not may_pass(folder, guest):
            return f"group {group} cannot pass through {folder}"
    if accelerator == "kvm" and not opens(_KVM, *guest):
        return f"group {group} cannot open {_KVM}; `setfacl -m g:{group}:rw {_KVM}` lets it, until the next boot"
    return ""


def _open_to_guests(state: Path, qemu_user: tuple[int, int]) -> None:
    """Let QEMU's user pass, and its group, which guests have as users of their own."""
    group = None if members(qemu_user[1]) - {qemu_user[0]} else qemu_user[1]
    if not may_pass(state, qemu_user) or not (group is None or may_pass(state, (own_user(), group))):
        close(state, qemu_user, group)


def _check_reachable(state: Path, user: tuple[int, int]) -> None:
    """Check that QEMU's user can pass through every folder above the images."""
    for folder in (state.resolve(), *state.resolve().parents):
        if folder.exists() and not may_pass(folder, user):
            raise UsageError(
                f"--state {state}: QEMU runs as a separate user and cannot pass through {folder} "
                f"(mode {folder.stat().st_mode & 0o777:o}); use a folder such as /var/lib/evaluate, "
                f"or chmod o+x {folder}"
            )


def _console_tail(folder: Path) -> tuple[str, ...]:
    try:
        lines = (folder / "console.log").read_bytes()[-2000:].decode(errors="replace").splitlines()
    except OSError:
        return ()
    return tuple(lines[-8:])
