"""Starts the QEMU of a guest: its folder, disks and domain, checked before anything is said to it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from evaluate.confine.children import tool
from evaluate.confine.control_groups import Group, GroupLimits, bound, own_group
from evaluate.confine.ownership import close
from evaluate.core.errors import BootFault, SandboxFault
from evaluate.core.files import write_file
from evaluate.counters.base import Counter, GatePlace, vcpu_threads
from evaluate.images.image import Image
from evaluate.protocol.guest import GATE_AT, LICENCE_PORT, MARK_AT, RECORDS_BYTES
from evaluate.sandbox.assertions import Expected, check_guest, label_models
from evaluate.sandbox.base import Machine, host_faults
from evaluate.sandbox.channel import Channel
from evaluate.sandbox.connection import capabilities, connect, default_uri, described, monitor, running
from evaluate.sandbox.disks import ANSWERS, ENTRY, attached, most_file_bytes
from evaluate.sandbox.domain import (
    QEMU,
    Disk,
    Domain,
    Memory,
    channel_path,
    direct_arguments,
    domain_xml,
)
from evaluate.sandbox.guest import Guest
from evaluate.sandbox.licence_relay import LicenceRelay
from evaluate.sandbox.memory_medium import GATE, PATH, Gate, SealedMemory, load
from evaluate.sandbox.qemu_walls import (
    Users,
    as_user,
    check_reachable,
    open_to_guests,
    orders,
    qemu_user,
    refused,
    starter,
)
from evaluate.sandbox.run_folders import LOCK, RunFolders
from evaluate.sandbox.running import LibvirtSandbox, showing_console
from evaluate.sandbox.snapshots import MEMORY, Snapshot, sparse_copy

# Processors shared by guests at their start, and time in which a guest waited for one: no fault of an entry


_POLL_SECONDS = 0.2
_SLOWEST = 0.1
"""The clock runs at least at this pace, so that every deadline passes."""
_WINDOW_SECONDS = 10.0
"""A program that waits moves between its processors in such times, and two processors wait at once within them."""


class GuestClock:
    """Seconds that a guest could use: it nearly stops while a processor of the guest waits for one of the host's.

    The kernel measures the waiting (the second number of a thread's ``schedstat``), so no speed is guessed.  A guest on
    an idle host sees the monotonic clock.
    """

    def __init__(self, *threads: int, proc: Path = Path("/proc"), now: Callable[[], float] = time.monotonic) -> None:
        self._schedstats = [proc / str(thread) / "schedstat" for thread in threads]
        self._before, self._longest, self._since = [0.0] * len(threads), 0.0, 0.0
        """Seconds that each had waited, and the guest, at a time; a new one after `_WINDOW_SECONDS`."""
        self._now = now
        self._start = now()
        self._latest = 0.0

    def __call__(self) -> float:
        """Seconds since the clock was made; never less than before."""
        elapsed = self._now() - self._start
        # a wait is known to the kernel only when it is over, so the difference alone could go back
        self._latest = max(self._latest, elapsed - min(self._waited(elapsed), (1 - _SLOWEST) * elapsed))
        return self._latest

    def _waited(self, elapsed: float) -> float:
        """Return how long the guest has waited: in each window, as long as the processor that waited longest."""
        waited = [_waited(path) for path in self._schedstats]
        longest = self._longest + max(0.0, *(now - then for now, then in zip(waited, self._before, strict=True)))
        if elapsed - self._since > _WINDOW_SECONDS:
            self._before, self._longest, self._since = waited, longest, elapsed
        return longest


def _waited(schedstat: Path) -> float:
    try:
        return int(schedstat.read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0  # the guest has ended, or the kernel does not measure it


@contextmanager
def turn(folder: Path, places: int) -> Iterator[None]:
    """One of ``places`` in a queue of all processes of this host that use ``folder``; waits until one is free.

    A booting guest keeps a core busy: many at once take minutes each, and their kernels give up.
    """
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        for number in range(places):
            with (folder / str(number)).open("a") as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                yield
                return
        time.sleep(_POLL_SECONDS)


def cores() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


_OURS = (LOCK, ENTRY)
"""Files in the folder of a guest that its QEMU only reads, or does not need."""
_BEGUN_BYTES = 256 << 10
"""The header of a kernel, and what runs before it is unpacked, have half of this at most (Linux, x86/boot.rst)."""
_DEVICES = Path("/sys/bus/pci/devices")
_LEFT_TO_GUESTS = ("", "vfio-pci", "pci-stub", "pcieport")
"""Drivers of devices in one IOMMU group with which the group can be passed to a guest; the last one is of bridges."""
_ITS_OWN_BYTES, _THREADS = 2 << 30, 256
"""Bounds on what QEMU may use: memory beside the guest's (for translated code a GiB), and threads."""


def reason_without_walls(state: Path, accelerator: str) -> str:
    """The reason why QEMU has no walls of its own on this host; empty if it has some, or sVirt confines it.

    Raises SandboxFault if libvirt, QEMU or a C compiler is missing.
    """
    users, labels = users_here(state, accelerator)
    return "" if labels else _walled(state / "cache", users)[1]


def users_here(state: Path, accelerator: str) -> tuple[Users, list[str]]:
    """The users of guests' QEMUs on this host, and the security models by which libvirt confines them."""
    connection = connect(default_uri())
    try:
        host_xml = capabilities(connection)
        return Users(qemu_user(host_xml), state, accelerator), label_models(host_xml)
    finally:
        connection.close()


def _walled(cache: Path, users: Users) -> tuple[Path, str]:
    """The program that starts QEMU behind walls, and why it cannot here."""
    program = starter(cache, QEMU)
    return program, refused(program, users.usual, users.new() if users.are_subordinate else None)


class Starter:
    """Starts guests of one state directory, with one counter."""

    def __init__(self, connection: Any, state: Path, runs: RunFolders, counter: Counter, accelerator: str) -> None:
        self._connection, self._runs, self._blanks = connection, runs, state / "cache" / "blank"
        self._counter, self._accelerator = counter, accelerator
        host_xml = capabilities(connection)
        self._labels, usual = label_models(host_xml), qemu_user(host_xml)
        if usual is not None:
            open_to_guests(state, usual)
            check_reachable(state, usual)
        self._users = Users(usual, state, accelerator)
        self._cache = (state / "cache").resolve()
        self._named_cache = (state / "cache").absolute()  # as QEMU's arguments name it, which may be a link
        program, problem = (None, "") if self._labels else _walled(self._cache, self._users)
        self._walled = None if problem else program
        """The program that starts QEMU behind walls, where this host lets it."""

    @property
    def hands_memory_over(self) -> bool:
        """True if a QEMU can be given the file of its memory without a name: what builds its walls takes it."""
        return self._walled is not None

    @host_faults("starting a guest")
    def boot(self, machine: Machine, stack: ExitStack, *, to_save: bool = False) -> LibvirtSandbox:
        """A guest that boots, with a disk in every slot and its memory in a file if it shall be saved."""
        folder = stack.enter_context(self._runs.new("guest"))
        memory = Memory(path=folder / MEMORY, shared=True, restored=False) if to_save else None
        if memory is not None:
            with memory.path.open("wb") as file:
                file.truncate(machine.sizes.memory_bytes + RECORDS_BYTES)
        disks = attached(machine, folder, self._blanks, alone=to_save)
        domain = self._domain(machine, folder, disks, memory, group=self._group(machine, stack))
        with showing_console(folder, BootFault):
            return self._start(domain, stack)

    @host_faults("restoring a guest")
    def restore(
        self,
        machine: Machine,
        saved: Snapshot,
        stack: ExitStack,
        *,
        shared: bool = False,
        alone: bool = False,
        gated: bool = False,
        sealed: SealedMemory | None = None,
    ) -> LibvirtSandbox:
        """A guest in the state in which it was saved, paused.

        Its memory is a copy of its own, or sealed: a guest that took over its QEMU could change what later guests begin
        with.

        ``sealed``: the saved machine's memory, where `hands_memory_over`, for a guest with a gate.
        """
        folder = stack.enter_context(self._runs.new("guest"))
        memory = Memory(path=folder / MEMORY, shared=shared, restored=True)
        if sealed is not None:
            memory = replace(memory, path=PATH)
        else:
            sparse_copy(saved.memory, memory.path)
        disks = attached(machine, folder, self._blanks, saved=saved, alone=alone)
        domain = self._domain(machine, folder, disks, memory, gated=gated, group=self._group(machine, stack))
        number = sealed.number if sealed is not None else None
        gate = stack.enter_context(closing(Gate(folder / GATE, number))) if gated else None
        if gate is not None:
            self._users.give(gate.path, domain.user)
        with showing_console(folder, BootFault):
            sandbox = self._start(domain, stack, saved)
            load(partial(monitor, sandbox.handle), saved.state)
        if gate is not None:
            stack.callback(gate.close)  # once more: before the guest is destroyed
            sandbox.gate = gate
        if sealed is not None:
            sandbox.medium_before = sealed.medium_bytes
        return sandbox

    def _group(self, machine: Machine, stack: ExitStack) -> Group | None:
        """A control group for a QEMU that enters it by itself, behind its walls; the system's libvirt makes its own."""
        if self._walled is None or machine.gpus or self._users.usual is not None:
            return None
        return stack.enter_context(own_group("guest", _limits(machine.sizes.memory_bytes, machine.sizes.processors)))

    def _begun(self, image: Image) -> Path:
        """The beginning of a kernel, for a guest that has booted already: QEMU holds in memory all that it gets."""
        target = self._cache / f"kernel-{image.digest.removeprefix('sha256:')[:16]}"
        if not target.exists():
            with image.kernel.open("rb") as kernel:
                write_file(target, kernel.read(_BEGUN_BYTES))
        return target

    def _start(self, domain: Domain, stack: ExitStack, saved: Snapshot | None = None) -> LibvirtSandbox:
        """Start QEMU and connect to the guest, whose agent need not be ready."""
        new = running(self._connection, domain.name, domain_xml(domain), paused=saved is not None)
        handle, pid = stack.enter_context(new)
        live = described(handle)
        machine, sizes, folder = domain.machine, domain.machine.sizes, domain.folder
        file_bytes = most_file_bytes(machine)
        if self._users.usual is not None:
            bound(pid, _limits(domain.memory_bytes, sizes.processors))
        qemu_owner = None if self._users.are_subordinate else domain.user or self._users.usual
        # by its own user, where a container's root may not
        argv = [*as_user(qemu_owner), "prlimit", f"--pid={pid}", f"--fsize={file_bytes}:{file_bytes}"]
        tool(argv, doing="bounding the files of a guest", fault=SandboxFault, cwd=Path("/"))
        wanted = Expected(
            folder=folder,
            licence=machine.licence_server is not None,
            gpus=machine.gpus,
            arguments=direct_arguments(domain),
            labels=self._labels,
            user=domain.user[0] if domain.user else None,
            walls=domain.walls,
            file_bytes=file_bytes,
            group=domain.group,
        )
        check_guest(live, Path(f"/proc/{pid}"), wanted)
        clock = GuestClock(*vcpu_threads(pid, sizes.processors))
        facts = saved.guest if saved else None
        channel = Channel.connect(channel_path(live), clock, facts.conversation if facts else None)
        stack.callback(channel.close)
        if machine.licence_server is not None:
            stack.callback(LicenceRelay(channel_path(live, LICENCE_PORT), machine.licence_server).close)
        reading = self._counter.attach(folder, pid, sizes.processors)
        stack.callback(reading.close)
        guest = Guest(channel, self._counter, reading, folder / ANSWERS, clock=clock, saved=facts)
        return LibvirtSandbox(guest, handle, folder, exact=machine.exact)

    def _domain(
        self,
        machine: Machine,
        folder: Path,
        disks: list[Disk],
        memory: Memory | None,
        *,
        group: Group | None,
        gated: bool = False,
    ) -> Domain:
        sealed = memory.path if memory is not None and memory.path == PATH else None
        gate = GatePlace(socket=folder / GATE, at=GATE_AT, memory=sealed) if gated else None
        processors = machine.sizes.processors
        arguments = self._counter.qemu_arguments(
            folder, exact=machine.exact, gate=gate, mark=MARK_AT, processors=processors
        )
        check_gpus(machine.gpus, self._accelerator)
        # a GPU is handed over by libvirt, which it does for its usual user only
        qemu_owner = (
            None if machine.gpus or (self._users.are_subordinate and self._walled is None) else self._users.new()
        )
        if memory is not None and memory.restored:
            machine = replace(machine, image=replace(machine.image, kernel=self._begun(machine.image)))
        domain = Domain(
            accelerator=self._accelerator,
            machine=machine,
            folder=folder,
            disks=disks,
            memory=memory,
            qemu_arguments=arguments,
            user=qemu_owner,
            labelled=qemu_owner is not None and not self._users.are_subordinate,
            keeps_sockets=self._users.usual is None,
            changes_owners=qemu_owner is None and self._users.usual is not None,
        )
        for path in folder.iterdir():
            if path.name not in _OURS:
                self._users.give(path, qemu_owner)
        if qemu_owner is not None:
            close(folder, qemu_owner)
        if self._walled is None or machine.gpus:
            return domain
        reads = {machine.image.kernel, machine.image.initrd, self._cache, self._named_cache, *domain.only_read}
        writes = [path for path in sorted(folder.iterdir()) if path.name not in _OURS]
        sub = qemu_owner if self._users.are_subordinate else None
        entered = group.path if group else None
        socket = folder / GATE if sealed is not None else None
        walls = orders(shows=[folder], reads=sorted(reads), writes=writes, user=sub, group=entered, memory=socket)
        return replace(domain, emulator=self._walled, walls=walls, group=entered)


def _limits(memory_bytes: int, processors: int) -> GroupLimits:
    """Return the limits of the QEMU of a guest with that memory and those processors: one processor more."""
    return GroupLimits(memory_bytes=memory_bytes + _ITS_OWN_BYTES, processes=_THREADS, processors=processors + 1)


def check_gpus(addresses: Sequence[str], accelerator: str, devices: Path = _DEVICES) -> None:
    """Check that every device is on this host and can be passed through.

    Raises SandboxFault, naming the first that is not, and why.
    """
    for address in addresses:
        if not (devices / address).exists():
            raise SandboxFault(f"GPU {address}: there is no such PCI device on this host (gpus in evaluate.yaml)")
        if accelerator != "kvm":
            raise SandboxFault(f"GPU {address}: pass-through needs KVM, and this guest would run under {accelerator}")
        if not (devices / address / "iommu_group").exists():
            raise SandboxFault(f"GPU {address}: in no IOMMU group; boot the host with intel_iommu=on or amd_iommu=on")
        for other in sorted((devices / address / "iommu_group" / "devices").glob("*")):
            driver = other / "driver"
            used = driver.resolve().name if driver.exists() else ""
            if other.name not in addresses and used not in _LEFT_TO_GUESTS:
                raise SandboxFault(
                    f"GPU {address}: shares its IOMMU group with {other.name}, which the host uses by {used}; bind it "
                    f"to vfio-pci: driverctl set-override {other.name} vfio-pci"
                )
