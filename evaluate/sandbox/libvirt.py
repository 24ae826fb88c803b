"""Guests through libvirt: the only module that imports libvirt.

Theory of operation.  A guest is a transient domain started with AUTODESTROY on this process's connection:
when the process dies, however it dies, libvirt destroys the domain.  If libvirt itself dies in between, the
domain remains, with our prefix and, in its metadata, the path of the lock that its creator held; `LibvirtHypervisor`
destroys such domains when it starts.  Inside this process a guest exists exactly as long as the context that
`boot` returns.  It is destroyed, not shut down: the guest is hostile and may ignore ACPI.

QEMU runs as the user that libvirt selects (never root), and sees only the files of the run folder and read-only images
of the state directory.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import psutil

from evaluate.core.errors import BootFault, SandboxFault, UsageError
from evaluate.core.files import publish
from evaluate.core.model import CounterInfo, Limits, Run
from evaluate.counters.base import Counter
from evaluate.counters.vcpu import vcpu_thread
from evaluate.protocol.guest import LICENCE_PORT
from evaluate.sandbox import disks
from evaluate.sandbox.assertions import Expected, check_guest, label_models
from evaluate.sandbox.base import Command, Machine, Prepared
from evaluate.sandbox.channel import Channel
from evaluate.sandbox.domain import (
    KERNEL_LINE,
    PREFIX,
    Disk,
    Domain,
    channel_path,
    domain_xml,
    owner_lock,
)
from evaluate.sandbox.folders import LOCK, RunFolders, is_free
from evaluate.sandbox.guest import BOOT_SECONDS, EXCHANGE_SECONDS, Guest
from evaluate.sandbox.licence import LicenceRelay
from evaluate.sandbox.pace import GuestClock, cores, turn
from evaluate.untrusted.answers_disk import ROOM_FOR_NAMES

try:
    import libvirt
except ImportError:
    libvirt = None

SYSTEM, SESSION = "qemu:///system", "qemu:///session"
_ANSWERS = "answers.raw"


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
        return libvirt.open(uri)
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
    ) -> None:
        self._uri = uri or default_uri()
        self._boot_seconds = boot_seconds
        self._attempts = attempts
        self._state = state
        self._calibrations: list[CounterInfo] = []
        self._counter = counter
        self._accelerator = accelerator
        self._runs = RunFolders(state / "runs")
        self._connection = connect(self._uri)
        self._qemu_user = _qemu_user(self._connection)
        self._labels = label_models(self._connection.getCapabilities())
        if self._qemu_user is not None:
            _check_reachable(state)
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

    def _boot(self, machine: Machine, stack: ExitStack) -> LibvirtSandbox:
        folder = stack.enter_context(self._runs.new("guest"))
        name = PREFIX + folder.name
        domain = self._domain(machine, folder, name)
        handle = self._create(domain)
        stack.callback(_destroy, handle)
        try:
            live = handle.XMLDesc()
            pid = _qemu_pid(name)
            wanted = Expected(
                folder=folder,
                licence=domain.licence_port,
                gpus=domain.gpus,
                arguments=domain.qemu_arguments,
                labels=self._labels,
            )
            check_guest(live, Path(f"/proc/{pid}"), wanted)
            path = channel_path(live)
            if path is None:
                raise SandboxFault(f"domain {name} has no channel for the agent")
            clock = GuestClock(vcpu_thread(pid))
            channel = Channel.connect(path, clock)
            stack.callback(channel.close)
            if machine.licence_server is not None:
                licence_path = channel_path(live, LICENCE_PORT)
                if licence_path is None:
                    raise SandboxFault(f"domain {name} has no port for the licence server")
                stack.callback(LicenceRelay(licence_path, machine.licence_server).close)
            reading = self._counter.attach(folder, pid)
            stack.callback(reading.close)
            guest = Guest(channel, self._counter, reading, folder / _ANSWERS, clock=clock)
            guest.greet(machine, self._boot_seconds)
            guest.calibrate()
            self._calibrations.append(guest.counter)
        except SandboxFault as e:
            raise BootFault(str(e), console=_console_tail(folder)) from e
        return LibvirtSandbox(guest, handle, folder)

    def _create(self, domain: Domain) -> Any:
        try:
            return self._connection.createXML(
                domain_xml(domain), libvirt.VIR_DOMAIN_START_AUTODESTROY | libvirt.VIR_DOMAIN_START_VALIDATE
            )
        except libvirt.libvirtError as e:
            raise SandboxFault(f"libvirt cannot start domain {domain.name}: {e}") from e

    def _domain(self, machine: Machine, folder: Path, name: str) -> Domain:
        arguments = self._counter.qemu_arguments(folder)
        check_gpus(machine.gpus, self._accelerator)
        domain = Domain(
            name=name,
            accelerator=self._accelerator,
            memory_bytes=machine.sizes.memory_bytes,
            kernel=machine.image.kernel,
            initrd=machine.image.initrd,
            cmdline=KERNEL_LINE,
            cpu_model=machine.image.cpu_model,
            cpu_disabled=machine.image.cpu_disabled,
            disks=self._disks(machine, folder),
            console_log=folder / "console.log",
            owner_lock=folder / LOCK,
            licence_port=machine.licence_server is not None,
            gpus=machine.gpus,
            qemu_arguments=arguments,
            changes_owners=self._qemu_user is not None,
        )
        if self._qemu_user is not None:
            for path in folder.iterdir():
                if path.name != LOCK:
                    os.chown(path, *self._qemu_user)
        return domain

    def _disks(self, machine: Machine, folder: Path) -> list[Disk]:
        blanks, sizes = self._state / "cache" / "blank", machine.sizes
        found = [Disk(serial="base", path=machine.image.root, format="raw", readonly=True)]
        found += [
            Disk(serial=f"layer{i}", path=layer, format="raw", readonly=True) for i, layer in enumerate(machine.layers)
        ]
        for serial, size, frozen in (
            ("root", sizes.root_bytes, machine.prepared and machine.prepared.root),
            ("home", sizes.home_bytes, machine.prepared and machine.prepared.home),
            ("tmp", sizes.tmp_bytes, None),
        ):
            blank = disks.blank_disk(blanks, size, serial)
            backing = (frozen, blank) if frozen else (blank,)
            top = disks.overlay(folder / f"{serial}.qcow2", backing[0])
            found.append(Disk(serial=serial, path=top, format="qcow2", readonly=False, backing=backing))
        if machine.entry is not None:
            raw = disks.raw_disk(folder / "entry.raw", machine.entry)
            found.append(Disk(serial="entry", path=raw, format="raw", readonly=True))
        if machine.records is not None:
            found.append(Disk(serial="records", path=machine.records, format="raw", readonly=True))
        if machine.answers_bytes:
            empty = disks.empty_disk(folder / _ANSWERS, machine.answers_bytes + ROOM_FOR_NAMES)
            found.append(Disk(serial="answers", path=empty, format="raw", readonly=False))
        return found


class LibvirtSandbox:
    """A `Sandbox` in a libvirt domain."""

    def __init__(self, guest: Guest, handle: Any, folder: Path) -> None:
        self._guest = guest
        self._handle = handle
        self._folder = folder

    @property
    def counter(self) -> CounterInfo:
        """See `Sandbox.counter`."""
        return self._guest.counter

    @property
    def live_xml(self) -> str:
        """The domain as libvirt runs it."""
        return str(self._handle.XMLDesc())

    def run(self, command: Command, limits: Limits) -> Run:
        """See `Sandbox.run`."""
        try:
            return self._guest.run(command, limits)
        except SandboxFault as e:
            raise SandboxFault(str(e), console=_console_tail(self._folder)) from e

    def freeze(self, folder: Path) -> Prepared:
        """See `Sandbox.freeze`."""
        self._guest.finish()
        deadline = time.monotonic() + EXCHANGE_SECONDS
        while _is_active(self._handle):
            if time.monotonic() > deadline:
                raise SandboxFault(f"the guest did not power off within {EXCHANGE_SECONDS:.0f} s")
            time.sleep(0.05)
        kept = {}
        for serial in ("root", "home"):
            kept[serial] = folder / f"{serial}.qcow2"
            publish(self._folder / f"{serial}.qcow2", kept[serial], 0o444)
            # no longer owned by QEMU's user: a guest that took over its QEMU must not write to another guest's disks
            os.chown(kept[serial], os.geteuid(), os.getegid())
        return Prepared(root=kept["root"], home=kept["home"])


def sweep(connection: Any, runs: RunFolders) -> list[str]:
    """Destroy the domains and remove the folders of supervisors that have ended."""
    gone = []
    for handle in connection.listAllDomains():
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


def _destroy(handle: Any) -> None:
    try:
        handle.destroy()
    except libvirt.libvirtError as e:
        if e.get_error_code() not in (libvirt.VIR_ERR_NO_DOMAIN, libvirt.VIR_ERR_OPERATION_INVALID):
            raise SandboxFault(f"domain {handle.name()} cannot be destroyed: {e}") from e


def _is_active(handle: Any) -> bool:
    try:
        return bool(handle.isActive())
    except libvirt.libvirtError as e:
        if e.get_error_code() == libvirt.VIR_ERR_NO_DOMAIN:
            return False
        raise SandboxFault(f"libvirt cannot tell whether a domain is running: {e}") from e


def _qemu_pid(name: str) -> int:
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


def _check_reachable(state: Path) -> None:
    """Check that QEMU's user can pass through every folder above the images."""
    for folder in (state.resolve(), *state.resolve().parents):
        if folder.exists() and not folder.stat().st_mode & 0o001:
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
