"""Assertions that must hold for every guest that runs, whatever libvirt and its configuration made of our domain.

Read from libvirt's live XML and from the files of ``/proc`` about the QEMU process, not from what was asked for.
Devices are compared with a list of what a guest has, so an unknown one is a violation too.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

from evaluate.confine.children import tool
from evaluate.confine.control_groups import group_of
from evaluate.core.errors import SandboxFault
from evaluate.protocol.guest import LICENCE_PORT, PORT
from evaluate.sandbox import open_files as opened_files
from evaluate.sandbox.domain import BLOCK_DEVICE, PORTS_DEVICE, QEMU_URI, walls_of
from evaluate.sandbox.open_files import OpenFile, opened
from evaluate.sandbox.qemu_walls import NAMESPACES

_PARTS = {"emulator", "disk", "controller", "channel", "serial", "console", "input", "audio", "memballoon", "watchdog"}
"""Elements of ``devices``; input (PS/2) and the watchdog belong to every machine of type q35."""
_ONLY_NONE = {"audio": "type", "memballoon": "model"}
_CONTROLLERS = {"pci", "sata", "virtio-serial"}
_DRIVERS = {
    *("pcie-root-port", "pcie-pci-bridge", "virtserialport", "isa-serial", "iTCO_wdt"),
    *(BLOCK_DEVICE, PORTS_DEVICE),
}
_NO_OPTIONS = {
    *("-netdev", "-nic", "-net", "-fsdev", "-virtfs", "-usb", "-usbdevice", "-vnc", "-spice", "-tpmdev"),
    *("-gdb", "-s", "-drive", "-hda", "-cdrom", "-monitor", "-qmp"),
}
_DENIED = {"obsolete", "elevateprivileges", "spawn", "resourcecontrol"}
_LABELS = ("apparmor", "selinux")
_OUTPUTS = ("1", "2")
_SOCKETS = {"tcp": 9, "tcp6": 9, "udp": 9, "udp6": 9, "raw": 9, "raw6": 9, "packet": -1, "netlink": -1}
"""Table of the kernel -> the column with the inode."""


@dataclass(frozen=True, kw_only=True)
class Expected:
    """Properties in which guests may differ."""

    folder: Path
    """The guest's own folder: the only place with files that QEMU may write to."""
    licence: bool = False
    gpus: Sequence[str] = ()
    arguments: Sequence[str] = ()
    """Arguments of the counter, the only ones that bypass libvirt."""
    labels: Sequence[str] = ()
    """The security models besides ``dac`` that the host's libvirt uses."""
    user: int | None = None
    """The number of the user that no other process has; None where guests share one."""
    walls: str = ""
    """The orders for its walls (`evaluate.sandbox.qemu_walls`); empty where it has none."""
    group: Path | None = None
    """Its control group; None where it has none of its own."""
    file_bytes: int | None = None
    """The size that no file may exceed by what QEMU writes to it."""


def check_guest(live_xml: str, process: Path, expected: Expected) -> None:
    """Check a guest that has just been started. Raises SandboxFault, which names every violated assertion.

    * ``live_xml``: the domain as libvirt runs it.
    * ``process``: the folder of its QEMU in ``/proc``.
    """
    violations = [
        *domain_violations(live_xml, expected),
        *process_violations(process, expected),
        *label_violations(live_xml, process, expected.labels),
    ]
    if violations:
        raise SandboxFault(f"this guest is not isolated as it must be: {'; '.join(violations)}")


def domain_violations(live_xml: str, expected: Expected) -> list[str]:
    """List what the live XML has and a guest must not have."""
    root = ET.fromstring(live_xml)
    violations: list[str] = []
    ports = []
    gpus = []
    for device in root.iterfind("./devices/*"):
        if device.tag == "hostdev" and _address(device) in expected.gpus:
            gpus.append(_address(device))
        elif device.tag not in _PARTS or device.get(_ONLY_NONE.get(device.tag, ""), "none") != "none":
            violations.append(f"it has a device <{device.tag}> ({_attributes(device)})")
        elif device.tag == "controller":
            if device.get("type") not in _CONTROLLERS and device.get("model") != "none":
                violations.append(f"it has a controller ({_attributes(device)})")
        elif device.tag == "channel":
            target = device.find("target")
            ports.append(target.get("name", "") if target is not None else "")
            if device.get("type") != "unix":
                violations.append(f"its channel {ports[-1]} is no Unix socket ({_attributes(device)})")
        elif device.tag == "disk":
            violations += _disk_violations(device, expected.folder)
    wanted = [PORT, *([LICENCE_PORT] if expected.licence else [])]
    if sorted(ports) != sorted(wanted):
        violations.append(f"expected the channels {wanted}, found {ports}")
    if sorted(gpus) != sorted(expected.gpus):
        violations.append(f"expected the GPUs {list(expected.gpus)}, found {gpus}")
    if (walls := walls_of(live_xml)) != expected.walls:
        violations.append(f"expected the walls {expected.walls!r}, found {walls!r}")
    passed = [argument.get("value", "") for argument in root.iterfind(f"./{{{QEMU_URI}}}commandline/{{{QEMU_URI}}}arg")]
    if passed != list(expected.arguments):
        violations.append(f"expected the QEMU arguments {list(expected.arguments)}, found {passed}")
    return violations


def _disk_violations(disk: ET.Element, folder: Path) -> Iterator[str]:
    source = disk.find("source")
    path = Path(source.get("file", "")) if source is not None else Path()
    if disk.get("type") != "file":
        yield f"a disk is no file ({_attributes(disk)})"
    elif disk.find("readonly") is None and folder not in path.parents:
        yield f"the disk {path} outside its folder is writable"


def process_violations(process: Path, expected: Expected) -> list[str]:
    """List what the QEMU process is, has or holds open and must not."""
    try:
        return [
            *_status_violations(_status(process), expected),
            *_command_violations(os.fsdecode((process / "cmdline").read_bytes()).split("\0")[:-1], expected),
            *_open_violations(process, expected),
            *_folder_violations(process, expected.folder),
            *_limit_violations(process, expected),
            *(_wall_violations(process) if expected.walls else []),
        ]
    except OSError as e:
        raise SandboxFault(f"the QEMU process of a guest cannot be checked: {e}") from e


def _status(process: Path) -> Mapping[str, str]:
    lines = (process / "status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _status_violations(status: Mapping[str, str], expected: Expected) -> Iterator[str]:
    user = expected.user
    users = status["Uid"].split()
    if "0" in users:
        yield f"QEMU runs as root (user numbers {users})"
    if user is not None and set(users) != {str(user)}:
        yield f"QEMU does not run as a user of its own (expected the number {user}, found {users})"
    for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
        if int(status.get(name, "0"), 16):
            yield f"QEMU has capabilities ({name} {status[name]})"
    filters = 2 if expected.walls else 1  # that of its walls is no sign of its own
    if status["Seccomp"] != "2" or int(status.get("Seccomp_filters", filters)) < filters:
        yield f"QEMU has no system call filter (Seccomp {status['Seccomp']}; seccomp_sandbox in /etc/libvirt/qemu.conf)"


def _command_violations(words: Sequence[str], expected: Expected) -> Iterator[str]:
    sandbox = [value for option, value in pairwise(words) if option == "-sandbox"]
    parts = set(sandbox[-1].split(",")) if sandbox else set()
    if not {"on", *(f"{name}=deny" for name in _DENIED)} <= parts:
        yield f"QEMU's own sandbox is not complete (-sandbox {','.join(sorted(parts)) or 'off'})"
    yield from (f"QEMU was started with {word}" for word in words if word in _NO_OPTIONS)
    drivers = {*_DRIVERS, *(["vfio-pci"] if expected.gpus else [])}
    for option, value in pairwise(words):
        if option == "-device" and (driver := _driver(value)) not in drivers:
            yield f"QEMU has a device {driver}"


def _driver(value: str) -> str:
    return str(json.loads(value).get("driver")) if value.startswith("{") else value.partition(",")[0]


def _open_violations(process: Path, expected: Expected) -> Iterator[str]:
    """Files open for writing that are not the guest's own, files that could be reopened so, and network sockets.

    A file is known by device and inode.  Its name in ``/proc`` is only shown: in a chroot, or when another mount
    namespace is looked at, the same file has another name.
    """
    users = {int(number) for number in _status(process)["Uid"].split()}
    inodes = {(status.st_dev, status.st_ino) for path in expected.folder.rglob("*") for status in [path.lstat()]}
    sockets = _network_sockets(process)
    for file in _opened(process, users):
        only_read = file.flags & os.O_ACCMODE == os.O_RDONLY
        if file.target in sockets:
            yield f"QEMU has a network socket ({file.target})"
        if not stat.S_ISREG(file.mode) or (file.device, file.inode) in inodes or file.links == 0:
            continue  # without a name, as that of a memfd, nobody else opens it
        if _is_libvirts(file, process) or (file.is_in_proc and only_read):
            continue  # in /proc, no mode can be changed
        if not only_read:
            yield f"QEMU may write to {file.target}"
        elif os.geteuid() not in users and (file.uid in users or file.mode & stat.S_IWOTH):
            yield f"QEMU could make {file.target} writable: it belongs to its user, or everyone may write to it"


def _opened(process: Path, users: Set[int]) -> list[OpenFile]:
    """Files that QEMU has open; if it is a subordinate user's, only a process in its namespace may see them."""
    try:
        return opened(process)
    except PermissionError:
        enter = ["nsenter", "--user", f"--target={process.name}", "--preserve-credentials", "--"]
        program = [sys.executable, "-I", "-S", opened_files.__file__, str(process)]
        text = tool([*enter, *program], doing="looking at what QEMU has open", fault=SandboxFault)
    # there, the supervisor's number is 0 and QEMU's 1 (`walled_qemu.c`)
    numbers = {0: os.geteuid(), 1: next(iter(users))}
    files = [OpenFile(**fields) for fields in json.loads(text)]
    return [replace(file, uid=numbers.get(file.uid, -1)) for file in files]


def _is_libvirts(file: OpenFile, process: Path) -> bool:
    """True if an open file is libvirt's log, which is only added to, or its file with the number of the process."""
    if file.number in _OUTPUTS:
        return bool(file.flags & os.O_APPEND)
    return file.start.strip() == process.name


def _folder_violations(process: Path, folder: Path) -> Iterator[str]:
    """Folders in which QEMU's user could replace files that the host works with."""
    users = {int(number) for number in _status(process)["Uid"].split()}
    if os.geteuid() in users:
        return  # it could change all that is ours anyway
    for top in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        status = top.lstat()
        if status.st_uid in users or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            yield f"QEMU may change names in {top} (owner {status.st_uid}, mode {stat.S_IMODE(status.st_mode):o})"


def _wall_violations(process: Path) -> Iterator[str]:
    for name in NAMESPACES:
        if (process / "ns" / name).readlink() == Path("/proc/self/ns", name).readlink():
            yield f"QEMU has the {name} namespace of the host"
    devices = [line.split(":")[0].strip() for line in (process / "net" / "dev").read_text().splitlines()[2:]]
    if devices not in ([], ["lo"]):
        yield f"QEMU has a network ({', '.join(devices)})"


def _limit_violations(process: Path, expected: Expected) -> Iterator[str]:
    file_bytes, group = expected.file_bytes, expected.group
    if file_bytes is not None and (limits := file_limits(process)) != [str(file_bytes)] * 2:
        yield f"QEMU may write more to a file than it needs (expected at most {file_bytes} bytes, found {limits})"
    if group is not None and (actual := group_of(process)) != group:
        yield f"QEMU is in the control group {actual}, which does not bound it (expected {group})"


def file_limits(process: Path) -> list[str]:
    """The soft and the hard limit in bytes on a file that a process writes, or ``unlimited``."""
    lines = (process / "limits").read_text().splitlines()
    return next(line.split()[3:5] for line in lines if line.startswith("Max file size"))


def _network_sockets(process: Path) -> set[str]:
    """Names, as in ``/proc/…/fd``, of all sockets of a network namespace that are not Unix sockets."""
    names = set()
    for table, column in _SOCKETS.items():
        try:
            _, *lines = (process / "net" / table).read_text().splitlines()
        except FileNotFoundError:
            continue  # this kernel has no such sockets
        names |= {f"socket:[{line.split()[column]}]" for line in lines}
    return names


def label_violations(live_xml: str, process: Path, models: Sequence[str]) -> list[str]:
    """List signs that QEMU is not confined by AppArmor or SELinux, where the host has one of them."""
    root = ET.fromstring(live_xml)
    violations = []
    for model in models:
        label = root.findtext(f"./seclabel[@model='{model}']/label")
        try:
            current = (process / "attr" / "current").read_text().strip("\0\n ")
        except OSError as e:
            current = f"unknown ({e.strerror})"
        if not label or not current.startswith(label) or "(complain)" in current:
            violations.append(
                f"QEMU is not confined by {model}: expected the label {label or 'of its own'}, found {current}"
            )
    return violations


def label_models(capabilities_xml: str) -> list[str]:
    """The security models besides ``dac`` in the capabilities of a libvirt."""
    models = [model.text or "" for model in ET.fromstring(capabilities_xml).iterfind("./host/secmodel/model")]
    return [model for model in models if model in _LABELS]


def _address(device: ET.Element) -> str:
    address = device.find("./source/address")
    if address is None:
        return ""
    domain, bus, slot, function = (int(address.get(key, "0"), 16) for key in ("domain", "bus", "slot", "function"))
    return f"{domain:04x}:{bus:02x}:{slot:02x}.{function:x}"


def _attributes(element: ET.Element) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(element.attrib.items())) or "no attributes"
