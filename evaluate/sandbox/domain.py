"""The libvirt domain of a guest as text: one pure function, tested against stored files.

A guest has only what is listed here: no network card, no graphics, no USB, no shared folder, no memory
balloon, no controller of disks, no bridge of its own.  Disks are found in the guest by their serial; every image format
and every backing file is stated, so that no program has to inspect a file to detect its format.

Where QEMU has walls of its own, it gets the disks directly.  Of each file of a disk that libvirt knows it asks some
processes of its own, one after the other, whether it is there and who owns it, at the start and at the end, which takes
longer than all else it does.  Where it confines QEMU by AppArmor or SELinux, it must know them.
"""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from evaluate.confine.children import tool
from evaluate.core.errors import SandboxFault
from evaluate.images.image import Image
from evaluate.protocol.guest import LICENCE_PORT, PORT, RECORDS_AT, RECORDS_BYTES
from evaluate.sandbox.base import Machine
from evaluate.sandbox.qemu_walls import VARIABLE
from evaluate.sandbox.run_folders import LOCK

PREFIX = "evaluate-"
"""Prefix of the name of each of our domains; no other domain is ever touched."""
CONSOLE = "console.log"
"""Name of the file of a guest's console in its folder."""
METADATA_URI = "https://evaluate.invalid/domain/1"
QEMU_URI = "http://libvirt.org/schemas/domain/qemu/1.0"

KERNEL_LINE = " ".join(
    (
        "console=ttyS0 quiet loglevel=4 panic=-1 oops=panic mitigations=off",
        # on a busy host the timer of an emulated guest comes late, and the kernel's check of it would panic
        "no_timer_check",
        # the same command takes the same path each time, so its count repeats: no random addresses, clock reads by
        # system calls only, and an agent that resolves its symbols at its start and hashes alike in every machine, so
        # that two saved machines give equal counts (process 1 gets these two as variables)
        "norandmaps vdso=0 LD_BIND_NOW=1 PYTHONHASHSEED=0",
        # a part of the memory, in which the host leaves the medium of a command that has one of its own
        f"memmap={RECORDS_BYTES >> 20}M${RECORDS_AT >> 20}M",
        # what costs time at every boot and every start of a program, and protects nothing outside the guest
        "init_on_alloc=0 cryptomgr.notests",
        # how long programs have waited for the machine would tell a command which one it is
        "psi=0",
        # networks are made and removed: without these, their removal looks through tables for a whole server
        "thash_entries=256 tcpmhash_entries=64 uhash_entries=256 ipv6.disable=1",
        # otherwise the kernel searches a map of 2 MB for the few bytes of each counter of a control group or a mount
        "percpu_alloc=page",
    )
)
"""The kernel command line of every guest."""

BLOCK_DEVICE, PORTS_DEVICE = "virtio-blk-pci-non-transitional", "virtio-serial-pci-non-transitional"
"""QEMU's devices without the ports of virtio's first version; libvirt names them in its own way."""
_LIBVIRTS_NAME = "virtio-non-transitional"
EXACT = (
    *("-icount", "shift=1,sleep=off,align=off", "-rtc", "clock=vm"),
    *("-global", f"{BLOCK_DEVICE}.ioeventfd=off", "-global", f"{PORTS_DEVICE}.ioeventfd=off"),
)
"""Two nanoseconds for each instruction; a guest that waits for its clock waits no time; and what it tells a device the
device hears at once, not when another thread of QEMU gets to it."""

_NO_CONTROLLERS = ("-machine", "sata=off,smbus=off")
"""A guest has use for none of those that are a part of this machine."""
_PORTS_SLOT, _DISKS_SLOT = 2, 3
"""Places on the machine's own bus, so that no device has a bridge before it; libvirt keeps the first for graphics."""

_UNASKED = ("cpu-unavailable-features",)
"""Abilities of QEMU that libvirt does not use for a guest: with this one it asks for some 400 properties of the
processor, one after the other, which takes longer than all else it does; without, for a few words that say the same."""

ET.register_namespace("qemu", QEMU_URI)
ET.register_namespace("evaluate", METADATA_URI)


@dataclass(frozen=True, kw_only=True)
class Disk:
    """One block device: ``serial`` names it in the guest (at most 20 characters)."""

    serial: str
    path: Path
    format: str
    """``raw`` or ``qcow2``."""
    readonly: bool
    backing: tuple[Path, ...] = ()
    """qcow2 files below this one, the nearest first."""


@dataclass(frozen=True, kw_only=True)
class Memory:
    """The guest's memory in a file, so that the guest can be saved, or is restored."""

    path: Path
    shared: bool
    """True if the file follows the memory; otherwise it is only what the memory contains at the beginning."""
    restored: bool
    """True if the guest waits for the rest of its state and does not boot."""


@dataclass(frozen=True, kw_only=True)
class Domain:
    """Everything that the XML contains."""

    accelerator: str
    """``kvm`` or ``tcg``."""
    machine: Machine
    folder: Path
    """Folder of this guest, locked by its supervisor: a process that can lock it may destroy the domain."""
    disks: Sequence[Disk]
    memory: Memory | None = None
    qemu_arguments: Sequence[str] = ()
    emulator: Path | None = None
    """Program that replaces libvirt's usual QEMU."""
    walls: str = ""
    """Orders for its walls, in the variable `evaluate.sandbox.qemu_walls.VARIABLE`."""
    group: Path | None = None
    """Its control group, which is among the orders; asserted of the process too."""
    user: tuple[int, int] | None = None
    """User and group of QEMU, who may use its files already; otherwise libvirt's own choice."""
    labelled: bool = True
    """True if libvirt gets them; otherwise the walls do."""
    keeps_sockets: bool = False
    """True if the sockets of its channels are in its folder; False leaves them to libvirt.  The folder of a user's own
    libvirt is 87 characters longer than the home, and a socket's path has 107 at most."""
    changes_owners: bool = True
    """True if libvirt changes the owner of disks to QEMU's user: the system's does, unless the domain names one."""

    @property
    def name(self) -> str:
        """Its name for libvirt."""
        return PREFIX + self.folder.name

    @property
    def memory_bytes(self) -> int:
        """All of its memory, also the part that the kernel leaves alone."""
        return self.machine.sizes.memory_bytes + RECORDS_BYTES

    @property
    def only_read(self) -> set[Path]:
        """The files of disks that QEMU has no need to write to."""
        return {path for disk in self.disks for path in (*([disk.path] if disk.readonly else []), *disk.backing)}


def domain_xml(domain: Domain) -> str:
    """The XML of the domain for libvirt."""
    machine, image = domain.machine, domain.machine.image
    root = ET.Element("domain", type="kvm" if domain.accelerator == "kvm" else "qemu")
    _text(root, "name", domain.name)
    owner = ET.SubElement(ET.SubElement(root, "metadata"), f"{{{METADATA_URI}}}owner")
    owner.set("lock", str(domain.folder / LOCK))
    _text(root, "memory", str(domain.memory_bytes), unit="bytes")
    _text(root, "vcpu", str(machine.sizes.processors), placement="static")
    boot = ET.SubElement(root, "os")
    _text(boot, "type", "hvm", arch="x86_64", machine="q35")
    _text(boot, "kernel", str(image.kernel))
    _text(boot, "initrd", str(image.initrd))
    _text(boot, "cmdline", KERNEL_LINE)
    features = ET.SubElement(root, "features")
    ET.SubElement(features, "acpi")
    ET.SubElement(features, "apic")
    _cpu(root, image, machine.sizes.processors)
    ET.SubElement(root, "clock", offset="utc")  # the agent sets the clock of the guest
    for event in ("on_poweroff", "on_reboot", "on_crash"):
        _text(root, event, "destroy")
    devices = ET.SubElement(root, "devices")
    if domain.emulator is not None:
        _text(devices, "emulator", str(domain.emulator))
    for i, disk in enumerate(() if domain.walls else domain.disks):
        device = _disk(devices, disk, f"vd{chr(ord('a') + i)}", changes_owners=domain.changes_owners)
        _put(device, _DISKS_SLOT + i)
    ET.SubElement(devices, "controller", type="usb", model="none")
    _put(ET.SubElement(devices, "controller", type="virtio-serial", index="0", model=_LIBVIRTS_NAME), _PORTS_SLOT)
    for port in (PORT, *([LICENCE_PORT] if machine.licence_server else [])):
        channel = ET.SubElement(devices, "channel", type="unix")
        source = ET.SubElement(channel, "source", mode="bind")
        if domain.keeps_sockets:
            source.set("path", str(domain.folder / port))
        ET.SubElement(channel, "target", type="virtio", name=port)
    for address in machine.gpus:
        _gpu(devices, address)
    console = ET.SubElement(devices, "serial", type="file")
    # virtlogd writes this file and rotates it, so a guest that floods its console fills no host disk
    ET.SubElement(console, "source", path=str(domain.folder / CONSOLE))
    ET.SubElement(console, "target", port="0")
    ET.SubElement(devices, "memballoon", model="none")
    if domain.user is not None and domain.labelled:
        label = ET.SubElement(root, "seclabel", type="static", model="dac", relabel="no")
        _text(label, "label", "+{}:+{}".format(*domain.user))  # numbers: they have no names
    arguments = direct_arguments(domain)
    if arguments or domain.walls:
        commandline = ET.SubElement(root, f"{{{QEMU_URI}}}commandline")
        for argument in arguments:
            ET.SubElement(commandline, f"{{{QEMU_URI}}}arg", value=argument)
        if domain.walls:
            ET.SubElement(commandline, f"{{{QEMU_URI}}}env", name=VARIABLE, value=domain.walls)
    capabilities = ET.SubElement(root, f"{{{QEMU_URI}}}capabilities")
    for name in _UNASKED:
        ET.SubElement(capabilities, f"{{{QEMU_URI}}}del", capability=name)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def direct_arguments(domain: Domain) -> list[str]:
    """QEMU's arguments that libvirt passes on as they are."""
    memory = domain.memory
    given = [*_NO_CONTROLLERS, *(EXACT if domain.machine.exact else ()), *domain.qemu_arguments]
    for i, disk in enumerate(domain.disks if domain.walls else ()):
        given += _direct_disk(disk, _DISKS_SLOT + i)
    if memory is None:
        return given
    share = "on" if memory.shared else "off"
    path = str(memory.path).replace(",", ",,")
    in_file = [
        *("-object", f"memory-backend-file,id=evaluate,size={domain.memory_bytes},mem-path={path},share={share}"),
        *("-machine", "memory-backend=evaluate"),
    ]
    waiting = ("-incoming", "defer") if memory.restored else ()
    return [*in_file, *waiting, *given]


def _direct_disk(disk: Disk, slot: int) -> list[str]:
    below = None
    for path in reversed(disk.backing):
        below = _node(path, "qcow2", below, readonly=True)
    node = _node(disk.path, disk.format, below, readonly=disk.readonly) | {"node-name": disk.serial}
    device = {
        "driver": BLOCK_DEVICE,
        "bus": "pcie.0",
        "addr": f"{slot:#x}",
        "drive": disk.serial,
        "id": f"disk-{disk.serial}",
        "serial": disk.serial,
    }
    return ["-blockdev", _json(node), "-device", _json(device)]


_json = partial(json.dumps, separators=(",", ":"))


def _node(path: Path, kind: str, below: dict[str, Any] | None, *, readonly: bool) -> dict[str, Any]:
    discard = "ignore" if readonly else "unmap"  # keeps an overlay no larger than the space that the guest uses
    common = {"read-only": readonly, "discard": discard}
    node = {"driver": kind, **common, "file": {"driver": "file", "filename": str(path), **common}}
    return {**node, "backing": below} if kind == "qcow2" else node


def channel_path(xml: str, port: str = PORT) -> Path:
    """Return the path at which libvirt put the socket of a port in a live domain; SandboxFault if it has none."""
    root = ET.fromstring(xml)
    for channel in root.iterfind("./devices/channel"):
        source, target = channel.find("source"), channel.find("target")
        if target is not None and target.get("name") == port and source is not None and source.get("path"):
            return Path(source.get("path", ""))
    raise SandboxFault(f"a guest has no socket for its port {port}")


def walls_of(xml: str) -> str:
    """The orders for the walls of a live domain; empty if it has none."""
    variable = ET.fromstring(xml).find(f"./{{{QEMU_URI}}}commandline/{{{QEMU_URI}}}env[@name='{VARIABLE}']")
    return variable.get("value", "") if variable is not None else ""


def owner_lock(xml: str) -> Path | None:
    """The lock file of the supervisor that made this domain."""
    owner = ET.fromstring(xml).find(f"./metadata/{{{METADATA_URI}}}owner")
    return Path(owner.get("lock", "")) if owner is not None and owner.get("lock") else None


def _cpu(root: ET.Element, image: Image, processors: int) -> None:
    cpu = ET.SubElement(root, "cpu", mode="custom", match="exact", check="none")
    _text(cpu, "model", image.cpu_model, fallback="forbid")
    if processors > 1:
        ET.SubElement(cpu, "topology", sockets="1", dies="1", cores=str(processors), threads="1")
    for name in image.cpu_disabled:
        ET.SubElement(cpu, "feature", policy="disable", name=name)


def _gpu(devices: ET.Element, address: str) -> None:
    device = ET.SubElement(devices, "hostdev", mode="subsystem", type="pci", managed="yes")
    bus, slot, function = address.replace(".", ":").split(":")[1:]
    parts = {"domain": address[:4], "bus": bus, "slot": slot, "function": function}
    source = ET.SubElement(device, "source")
    ET.SubElement(source, "address", {key: f"0x{value}" for key, value in parts.items()})


def _text(parent: ET.Element, tag: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, tag, attributes).text = text


def _put(device: ET.Element, slot: int) -> None:
    ET.SubElement(device, "address", type="pci", domain="0x0000", bus="0x00", slot=f"{slot:#04x}", function="0x0")


def _disk(devices: ET.Element, disk: Disk, target: str, *, changes_owners: bool) -> ET.Element:
    element = ET.SubElement(devices, "disk", type="file", device="disk", model=_LIBVIRTS_NAME)
    # discard keeps an overlay no larger than the space that the guest uses
    ET.SubElement(element, "driver", name="qemu", type=disk.format, discard="ignore" if disk.readonly else "unmap")
    _source(element, disk.path, keep_owner=disk.readonly and changes_owners)
    parent = element
    for path in disk.backing:
        parent = ET.SubElement(parent, "backingStore", type="file")
        ET.SubElement(parent, "format", type="qcow2")
        _source(parent, path, keep_owner=changes_owners)
    ET.SubElement(parent, "backingStore")
    ET.SubElement(element, "target", dev=target, bus="virtio")
    if disk.readonly:
        ET.SubElement(element, "readonly")
    _text(element, "serial", disk.serial)
    return element


def _source(parent: ET.Element, path: Path, *, keep_owner: bool) -> None:
    source = ET.SubElement(parent, "source", file=str(path))
    if keep_owner:
        # images, layers and frozen disks are shared by many guests: libvirt must not change their owner
        ET.SubElement(source, "seclabel", model="dac", relabel="no")


QEMU = "qemu-system-x86_64"
_PROCESSORS = Path("/proc/cpuinfo")


def qemu_version() -> str:
    """The first line of what QEMU says of itself; a SandboxFault if it cannot be run."""
    program = shutil.which(QEMU)
    status = Path(program).stat() if program else None
    return _version_of(program, status and (status.st_ino, status.st_size, status.st_mtime_ns))


@cache  # it is asked in every stage, and starts slowly; an upgrade leaves another file
def _version_of(program: str | None, file: object) -> str:
    del program, file
    text = tool([QEMU, "--version"], doing="asking QEMU for its version", fault=SandboxFault)
    return text.decode().partition("\n")[0]


@cache
def processor() -> str:
    """The processor of this host as the kernel calls it."""
    lines = _PROCESSORS.read_text().splitlines() if _PROCESSORS.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())
