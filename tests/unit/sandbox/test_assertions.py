"""What must not be in a running guest, one violation at a time; live XML and ``/proc`` are those of a real one."""

import os
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.confine.control_groups import group_of
from evaluate.core.errors import SandboxFault
from evaluate.sandbox.assertions import (
    Expected,
    check_guest,
    domain_violations,
    label_models,
    label_violations,
    process_violations,
)
from evaluate.sandbox.qemu_walls import NAMESPACES
from tests.conftest import CHECKOUT

LIVE = (CHECKOUT / "tests" / "data" / "domain" / "live.xml").read_text()
PLUGIN = ("-plugin", "/state/cache/tcg_count.so,words=/state/runs/guest-1/instructions")
EXPECTED = Expected(folder=Path("/state/runs/guest-1"), arguments=PLUGIN)
SANDBOX = "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"
STATUS = """Name:\tqemu-system-x86
Uid:\t64055\t64055\t64055\t64055
CapInh:\t0000000000000000
CapPrm:\t0000000000000000
CapEff:\t0000000000000000
CapBnd:\t000001fffeffffff
CapAmb:\t0000000000000000
NoNewPrivs:\t1
Seccomp:\t2
"""
LIMITS = """Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            unlimited            seconds
Max file size             1000                 1000                 bytes
"""
WORDS = (
    *("/usr/bin/qemu-system-x86_64", "-no-user-config", "-nodefaults"),
    *("-device", '{"driver":"virtio-blk-pci-non-transitional","serial":"base"}'),
    *("-device", "isa-serial,chardev=c", "-sandbox", SANDBOX),
)


class Process:
    """A folder of ``/proc`` that a test may change."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "proc"
        self.state = folder / "state"
        self.guest = self.state / "runs" / "guest-1"
        for name in ("fd", "fdinfo", "net", "attr"):
            (self.path / name).mkdir(parents=True)
        self.guest.mkdir(parents=True)
        self.status(STATUS)
        self.words(*WORDS)
        (self.state / "libvirts").write_text(f"{self.path.name}\n")
        self.socket(11)
        self.open(self.state / "log", os.O_WRONLY | os.O_APPEND)
        self.open(self.state / "log", os.O_WRONLY | os.O_APPEND)
        self.open(self.state / "libvirts", os.O_WRONLY)
        self.open(self.state / "root.squashfs", os.O_RDONLY)
        self.open(self.guest / "home.qcow2", os.O_RDWR)
        self.socket(12)
        (self.path / "net" / "tcp").write_text("sl local rem st\n")
        (self.path / "limits").write_text(LIMITS)

    def status(self, text: str) -> None:
        (self.path / "status").write_text(text)

    def words(self, *words: str) -> None:
        (self.path / "cmdline").write_bytes(b"".join(word.encode() + b"\0" for word in words))

    def open(self, file: Path, flags: int) -> None:
        if not file.exists():
            file.touch()
        self._descriptor(str(file), flags)

    def socket(self, inode: int) -> None:
        self._descriptor(f"socket:[{inode}]", os.O_RDWR)

    def _descriptor(self, target: str, flags: int) -> None:
        number = str(len(list((self.path / "fd").iterdir())))
        (self.path / "fd" / number).symlink_to(target)
        (self.path / "fdinfo" / number).write_text(f"pos:\t0\nflags:\t{flags:08o}\n")

    def violations(self, **changed: object) -> list[str]:
        return process_violations(self.path, replace(EXPECTED, folder=self.guest, **changed))  # type: ignore[arg-type]


@pytest.fixture
def process(tmp_path: Path) -> Process:
    return Process(tmp_path)


@pytest.mark.parametrize(
    ("device", "named"),
    [
        ("<interface type='user'/>", "<interface>"),
        ("<filesystem type='mount'/>", "<filesystem>"),
        ("<vsock model='virtio'/>", "<vsock>"),
        ("<graphics type='vnc'/>", "<graphics>"),
        ("<redirdev bus='usb'/>", "<redirdev>"),
        ("<tpm model='tpm-crb'/>", "<tpm>"),
        ("<rng model='virtio'/>", "<rng>"),
        ("<shmem name='s'/>", "<shmem>"),
        ("<memballoon model='virtio'/>", "<memballoon>"),
        ("<audio type='alsa'/>", "<audio>"),
        ("<controller type='usb' model='qemu-xhci'/>", "controller"),
        ("<controller type='fdc' index='0'/>", "it has a controller (index=0 type=fdc"),
        ("<hostdev mode='subsystem' type='usb'/>", "<hostdev>"),
        ("<channel type='spicevmc'><target type='virtio' name='other'/></channel>", "other"),
        ("<disk type='network'><source name='x'/></disk>", "a disk is no file"),
        ("<disk type='file'><source file='/state/images/root.squashfs'/></disk>", "/state/images/root.squashfs"),
    ],
)
def test_device_that_no_guest_has_is_named(device: str, named: str) -> None:
    assert domain_violations(LIVE, EXPECTED) == []
    assert named in domain_violations(LIVE.replace("</devices>", f"{device}</devices>"), EXPECTED)[0]


GPU = "0000:65:00.0"
_PLACE = "<address domain='0x0000' bus='0x65' slot='0x00' function='0x0'/>"
_HAS_GPU = f"<hostdev mode='subsystem' type='pci'><source>{_PLACE}</source></hostdev></devices>"
_HAS_LICENCE = "<channel type='unix'><target type='virtio' name='org.evaluate.licence.0'/></channel></devices>"


@pytest.mark.parametrize(
    ("before", "after", "expected", "named"),
    [
        ("</devices>", "</devices>", {"licence": True}, "expected the channels"),
        ("</devices>", _HAS_LICENCE, {}, "expected the channels"),
        ("</devices>", _HAS_LICENCE, {"licence": True}, ""),
        ("</devices>", "</devices>", {"gpus": (GPU,)}, "expected the GPUs"),
        ("</devices>", _HAS_GPU, {"gpus": ("0000:66:00.0",)}, "<hostdev>"),
        ("</devices>", _HAS_GPU, {"gpus": (GPU,)}, ""),
        ("<readonly/>", "", {}, "root.squashfs outside its folder is writable"),
        ("<qemu:arg value='-plugin'/>", "<qemu:arg value='-netdev'/><qemu:arg value='-plugin'/>", {}, "-netdev"),
    ],
)
def test_port_gpu_disk_and_arguments_are_those_that_were_asked_for(
    before: str, after: str, expected: dict[str, Any], named: str
) -> None:
    violations = domain_violations(LIVE.replace(before, after), replace(EXPECTED, **expected))
    assert bool(violations) == bool(named) and named in "".join(violations)


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("Uid:\t64055\t64055\t64055\t64055", "Uid:\t64055\t64055\t0\t64055", "runs as root"),
        ("CapEff:\t0000000000000000", "CapEff:\t0000000000001000", "CapEff 0000000000001000"),
        ("CapAmb:\t0000000000000000", "CapAmb:\t0000000000000001", "CapAmb"),
        ("Seccomp:\t2", "Seccomp:\t0", "no system call filter"),
    ],
)
def test_right_of_the_process_is_named(process: Process, before: str, after: str, named: str) -> None:
    assert process.violations() == process.violations(user=64055) == []
    (shared,) = process.violations(user=1879048200)
    assert shared.startswith("QEMU does not run as a user of its own (expected the number 1879048200, found")
    process.status(STATUS.replace(before, after))
    (violation,) = process.violations()
    assert named in violation


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ((*WORDS, "-netdev", "user,id=n"), "-netdev"),
        ((*WORDS, "-virtfs", "local"), "-virtfs"),
        ((*WORDS, "-device", "virtio-9p-pci,fsdev=f,mount_tag=t"), "virtio-9p-pci"),
        ((*WORDS, "-device", '{"driver":"isa-fdc"}'), "isa-fdc"),
        ((*WORDS, "-device", '{"driver":"vhost-vsock-pci"}'), "vhost-vsock-pci"),
        ((*WORDS, "-device", "virtio-balloon,id=b"), "virtio-balloon"),
        ((*WORDS, "-device", '{"driver":"vfio-pci"}'), "vfio-pci"),
        ((*WORDS[:-1], SANDBOX.replace("spawn=deny", "spawn=allow")), "sandbox is not complete"),
        (WORDS[:-2], "-sandbox off"),
    ],
)
def test_option_of_qemu_is_named(process: Process, words: tuple[str, ...], named: str) -> None:
    process.words(*words)
    (violation,) = process.violations()
    assert named in violation
    assert (process.violations(gpus=("0000:65:00.0",)) == []) is (named == "vfio-pci"), "where one was leased"


def test_file_outside_the_guests_folder_is_not_open_for_writing_nor_what_the_kernel_tells_of_the_process(
    process: Process,
) -> None:
    told = Path(f"/proc/self/task/{os.getpid()}/syscall")
    process.open(told, os.O_RDONLY)
    assert process.violations() == [], "it may be read"
    process.open(told, os.O_WRONLY)
    process.open(process.state / "layer.squashfs", os.O_RDWR)
    assert process.violations() == [f"QEMU may write to {path}" for path in (told, process.state / "layer.squashfs")]
    (process.state / "root.squashfs").chmod(0o666)
    assert "could make" in process.violations()[0]


def test_files_are_known_by_what_they_are_not_by_their_names(process: Process, tmp_path: Path) -> None:
    """In a chroot, libvirt's mount namespace has their names begin with the folder of the chroot."""
    chroot = tmp_path / "chroot"
    chroot.symlink_to("/")
    process.open(chroot / (process.guest / "home.qcow2").relative_to("/"), os.O_RDWR)
    process.open(chroot / (process.state / "libvirts").relative_to("/"), os.O_WRONLY)
    assert process.violations() == []
    impostor = tmp_path / "runs" / "guest-1" / "home.qcow2"
    impostor.parent.mkdir(parents=True)
    process.open(impostor, os.O_RDWR)
    impostor.with_name("evaluate-guest-1.pid").write_text("another")
    process.open(impostor.with_name("evaluate-guest-1.pid"), os.O_WRONLY)
    impostor.with_name("memfd:impostor").touch()
    process.open(impostor.with_name("memfd:impostor"), os.O_RDWR)
    assert len(process.violations()) == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has a user that is not QEMU's")
@pytest.mark.parametrize("mode", [0o711, 0o731, 0o713], ids=["its own", "its group's", "everybody's"])
def test_folder_in_which_qemu_may_change_names_is_a_violation(process: Process, mode: int) -> None:
    """Root would work with what QEMU's user puts in the place of a name: it was given a file of root that way."""
    inner = process.guest / "inner"
    inner.mkdir()
    inner.chmod(mode)
    if mode == 0o711:
        os.chown(inner, 64055, 64055)
    (found,) = process.violations()
    assert found.startswith(f"QEMU may change names in {inner} (owner")


@pytest.mark.parametrize("found", ["unlimited            unlimited", "1000                 unlimited"])
def test_process_that_may_write_large_files_is_a_violation(process: Process, found: str) -> None:
    assert process.violations(file_bytes=1000) == []
    (process.path / "limits").write_text(LIMITS.replace("1000                 1000", found))
    (violation,) = process.violations(file_bytes=1000)
    assert violation.startswith("QEMU may write more to a file than it needs (expected at most 1000 bytes, found [")


def test_process_outside_its_control_group_is_a_violation(process: Process) -> None:
    (process.path / "cgroup").write_text("0::/evaluate.service/guest-1\n")
    found = process.violations(group=Path("/sys/fs/cgroup/evaluate.service/guest-2"))
    assert len(found) == 1 and "does not bound it (expected /sys/fs/cgroup/evaluate.service/guest-2)" in found[0]
    if (own := group_of(process.path)) is not None:
        assert process.violations(group=own) == []


def test_network_socket_is_found_by_the_kernels_tables() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        inode = os.fstat(listener.fileno()).st_ino
        found = process_violations(Path(f"/proc/{os.getpid()}"), EXPECTED)
        assert f"QEMU has a network socket (socket:[{inode}])" in found


@pytest.mark.parametrize(
    ("namespace", "device", "filters", "violations"),
    [
        ("net:[1]", "lo", 2, []),
        ("net:[1]", "eth0", 2, ["QEMU has a network (eth0)"]),
        (str(Path("/proc/self/ns/net").readlink()), "lo", 2, ["QEMU has the net namespace of the host"]),
        ("net:[1]", "lo", 1, ["QEMU has no system call filter"]),
    ],
)
def test_process_without_its_walls_or_a_filter_besides_theirs_is_a_violation(
    process: Process, namespace: str, device: str, filters: int, violations: list[str]
) -> None:
    (process.path / "ns").mkdir()
    for name in NAMESPACES:
        (process.path / "ns" / name).symlink_to(namespace if name == "net" else f"{name}:[1]")
    (process.path / "net" / "dev").write_text(f"Inter-|\n face |\n {device}: 0 0\n")
    process.status(f"{STATUS}Seccomp_filters:\t{filters}\n")
    assert [line.partition(" (Sec")[0] for line in process.violations(walls="show /")] == violations


LABEL = "libvirt-7ed982c3-4beb-4048-a848-301bd3bcaba5"
LABELLED = LIVE.replace(
    "</domain>", f"<seclabel type='dynamic' model='apparmor'><label>{LABEL}</label></seclabel></domain>"
)


@pytest.mark.parametrize(
    ("live", "current", "confined"),
    [
        (LABELLED, f"{LABEL} (enforce)\n", True),
        (LABELLED, f"{LABEL} (complain)\n", False),
        (LABELLED, "unconfined\n", False),
        (LIVE, f"{LABEL} (enforce)\n", False),
    ],
)
def test_label_is_asserted_where_the_host_has_apparmor(
    process: Process, live: str, current: str, confined: bool
) -> None:
    (process.path / "attr" / "current").write_text(current)
    assert (label_violations(live, process.path, ["apparmor"]) == []) is confined
    assert label_violations(live, process.path, []) == []


def test_models_are_those_of_libvirt() -> None:
    models = "".join(f"<secmodel><model>{name}</model></secmodel>" for name in ("none", "dac", "apparmor"))
    assert label_models(f"<capabilities><host>{models}</host></capabilities>") == ["apparmor"]


def test_every_violation_is_in_one_fault_and_a_process_that_has_ended_is_one(process: Process) -> None:
    process.status(STATUS.replace("Seccomp:\t2", "Seccomp:\t0"))
    with pytest.raises(SandboxFault, match=r"expected the QEMU arguments .*; QEMU has no system call filter"):
        check_guest(LIVE, process.path, Expected(folder=process.guest))
    (process.path / "status").unlink()
    with pytest.raises(SandboxFault, match="cannot be checked"):
        process.violations()
