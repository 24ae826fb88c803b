"""Starts the QEMU of a guest: its folder, disks and domain, checked before anything is said to it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from evaluate.core.access import close
from evaluate.core.errors import BootFault, SandboxFault
from evaluate.core.ownership import give
from evaluate.core.users import own_user
from evaluate.counters.base import Counter
from evaluate.counters.vcpu import vcpu_thread
from evaluate.protocol.guest import GATE_AT, LICENCE_PORT, RECORDS_BYTES
from evaluate.sandbox import disks
from evaluate.sandbox.assertions import Expected, check_guest, label_models
from evaluate.sandbox.base import LAYER_SLOTS, Machine
from evaluate.sandbox.channel import Channel
from evaluate.sandbox.connection import described, destroy, kill, monitor, qemu_pid, start
from evaluate.sandbox.domain import (
    KERNEL_LINE,
    PREFIX,
    Disk,
    Domain,
    Memory,
    channel_path,
    direct_arguments,
    domain_xml,
)
from evaluate.sandbox.folders import LOCK, RunFolders
from evaluate.sandbox.gate import GATE, Gate
from evaluate.sandbox.guest import Guest
from evaluate.sandbox.licence import LicenceRelay
from evaluate.sandbox.pace import GuestClock
from evaluate.sandbox.parts import qemu_version
from evaluate.sandbox.qemu_users import check_reachable, open_to_guests, qemu_user, why_users_are_shared
from evaluate.sandbox.running import ENTRY, LibvirtSandbox, console_tail
from evaluate.sandbox.saving import load
from evaluate.sandbox.snapshots import MEMORY, Snapshot, sparse_copy
from evaluate.untrusted.answers_disk import ROOM_FOR_NAMES

_ANSWERS = "answers.raw"
_DEVICES = Path("/sys/bus/pci/devices")


class Starter:
    """Starts guests of one state directory, with one counter."""

    def __init__(self, connection: Any, state: Path, runs: RunFolders, counter: Counter, accelerator: str) -> None:
        self._connection, self._state, self._runs = connection, state, runs
        self._counter, self._accelerator = counter, accelerator
        self._qemu_user = qemu_user(connection)
        self._labels = label_models(connection.getCapabilities())
        if self._qemu_user is not None:
            open_to_guests(state, self._qemu_user)
            check_reachable(state, self._qemu_user)
        self._own_users = not why_users_are_shared(state, self._qemu_user, accelerator)

    def boot(self, machine: Machine, stack: ExitStack, *, to_save: bool = False) -> LibvirtSandbox:
        """A guest that boots, with a disk in every slot and its memory in a file if it shall be saved."""
        folder = self._new_folder(stack)
        memory = self._empty_memory(folder, machine) if to_save else None
        domain = self._domain(machine, folder, self._disks(machine, folder, all_slots=to_save, alone=to_save), memory)
        try:
            return self._start(domain, folder, stack)
        except SandboxFault as e:
            raise BootFault(str(e), console=console_tail(folder)) from e

    def restore(
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
        user = domain.user or self._qemu_user
        gate = stack.enter_context(closing(Gate(folder / GATE, user))) if gated else None
        try:
            sandbox = self._start(domain, folder, stack, saved)
            load(partial(monitor, sandbox.handle), saved.state)
        except SandboxFault as e:
            raise BootFault(str(e), console=console_tail(folder)) from e
        if gate is not None:
            stack.callback(gate.close)  # once more: before the guest is destroyed
            sandbox.gate = gate
        return sandbox

    @cached_property
    def _qemu_version(self) -> str:
        return qemu_version()

    def _new_folder(self, stack: ExitStack) -> Path:
        return stack.enter_context(self._runs.new("guest"))

    def _empty_memory(self, folder: Path, machine: Machine) -> Memory:
        path = folder / MEMORY
        with path.open("wb") as f:
            f.truncate(machine.sizes.memory_bytes + RECORDS_BYTES)
        return Memory(path=path, shared=True, restored=False)

    def _start(self, domain: Domain, folder: Path, stack: ExitStack, saved: Snapshot | None = None) -> LibvirtSandbox:
        """Start QEMU and connect to the guest, whose agent need not be ready."""
        handle = start(self._connection, domain.name, domain_xml(domain), paused=saved is not None)
        stack.callback(destroy, handle)
        live, pid = described(handle), qemu_pid(domain.name)
        stack.callback(kill, os.pidfd_open(pid))
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

    def _domain(
        self, machine: Machine, folder: Path, found: list[Disk], memory: Memory | None, *, gated: bool = False
    ) -> Domain:
        gate = (folder / GATE, GATE_AT) if gated else None
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
                    give(path, *user)
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
        media["entry"] = machine.entry and disks.raw_disk(folder / ENTRY, machine.entry)
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


def check_gpus(addresses: Sequence[str], accelerator: str, devices: Path = _DEVICES) -> None:
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


def reads_memory_only(qemu_version: str) -> bool:
    """Whether a QEMU can map a file as the memory of a guest without being able to write to it: since 8.2."""
    found = re.search(r"version (\d+)\.(\d+)", qemu_version)
    return found is not None and (int(found[1]), int(found[2])) >= (8, 2)
