"""Check this machine: what it has, what is missing, and the exact command that repairs it."""

from __future__ import annotations

import grp
import importlib.util
import os
import pwd
import shlex
import shutil
import smtplib
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from evaluate.config.load import load_config
from evaluate.confine.ownership import opens
from evaluate.confine.walls import root_is_mounted
from evaluate.core.errors import EvaluateError, Fault, SandboxFault
from evaluate.core.packages import package_of
from evaluate.core.sanitize import gist
from evaluate.core.waiting import Deadline
from evaluate.host.finding import Check, as_root, note
from evaluate.host.isolation import CHROOT, exposures, groups_check, in_chroot, places_check, walls_check
from evaluate.host.mail_server import mail_server
from evaluate.host.state import daemon_check
from evaluate.images.image import list_images
from evaluate.sandbox.connection import SYSTEM, connect, daemon_version, default_uri
from evaluate.sandbox.qemu_walls import Sharing
from evaluate.sandbox.starting import check_gpus, reason_without_walls, users_here

TOOLS = {program: package for program, package in package_of().items() if program != "perf"}
"""Program -> Debian package.  `run` in the project's root installs the same."""
_NEEDED_GIB = 8
_QEMU_CONF = Path("/etc/libvirt/qemu.conf")
_QEMU_USER = "libvirt-qemu"
_NO_NAMESPACES = "namespaces = []"
_LIBVIRTD_PID = Path("/run/libvirtd.pid")
_LIBVIRTD_LOG = "/var/log/libvirt/libvirtd.log"
_LIBVIRTD_REAPED = (
    f"rm -f {_LIBVIRTD_PID}; setsid tini -s -- libvirtd --pid-file {_LIBVIRTD_PID} >{_LIBVIRTD_LOG} 2>&1 &"
    f" for i in $(seq 300); do [ -s {_LIBVIRTD_PID} ] && exit; sleep 0.1; done; tail -n 5 {_LIBVIRTD_LOG} >&2; exit 1"
)
"""Returns when libvirtd has begun; otherwise it says why not."""
_ANSWERS_SECONDS = 10.0
"""From its beginning on, libvirtd may need so long to answer."""
_REAPED_SECONDS, _LOOK_SECONDS = 5.0, 0.05


def diagnose(state: Path) -> list[Check]:
    """Every check, in the order in which to repair."""
    machine = _machine()
    return [
        *machine,
        _state(state),
        daemon_check(state),
        # which guests could show
        *([users_check(state), qemu_check(state)] if _has_binding(machine) else []),
        groups_check(),
        places_check(),
        _images(state),
        *mail_check(state),
        *gpus_check(state),
        *exposures(),
    ]


def _machine() -> list[Check]:
    """Run the checks that have nothing to do with a state directory; all that `repair` repairs."""
    checks = [_tools(), _binding(), walls_check(), kvm_check(), pmu_check(), *chroot_check(), *orphans_check()]
    # without its binding nothing can be found out about libvirt and its guests
    return [*checks, _libvirt()] if _has_binding(checks) else checks


def _has_binding(checks: list[Check]) -> bool:
    return any(check.name == "binding" and check.ok for check in checks)


def gpus_check(state: Path) -> list[Check]:
    """True if the GPUs that the configuration names can be passed to guests."""
    try:
        gpus = load_config(state).gpus
        check_gpus(gpus, "kvm")
    except SandboxFault as e:
        return [Check(name="gpus", ok=False, found=str(e))]
    except EvaluateError:  # `mail_check` says it
        return []
    return (
        [Check(name="gpus", ok=True, found=f"{', '.join(gpus)}, of which guests get those they need")] if gpus else []
    )


def mail_check(state: Path) -> list[Check]:
    """True if the mail server that the configuration names takes a connection."""
    try:
        config = load_config(state)
    except EvaluateError as e:
        return [Check(name="settings", ok=False, found=str(e))]
    if (rules := config.notify.mail) is None:
        return []
    where = f"{rules.server}, port {rules.port}, security {rules.security}"
    try:
        with mail_server(rules):
            return [Check(name="mail", ok=True, found=where)]
    except (OSError, smtplib.SMTPException) as e:
        return [Check(name="mail", ok=False, found=f"{where}: {type(e).__name__}: {gist(str(e))}")]


def repair(say: Callable[[str], None]) -> None:
    """Run the remedy of everything that this machine lacks, one after the other.

    It writes into no state directory, where root's files would be closed to its owner.

    Raises Fault if a command failed.
    """
    tried: set[str] = set()
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    while True:
        # checked again each time: one repair can make another necessary
        check = next((c for c in _machine() if not (c.ok or c.by_hand or c.name in tried) and c.remedy), None)
        if check is None:
            return
        tried.add(check.name)
        for command in check.remedy:
            say(f"{check.name}: {shlex.join(command)}")
            try:
                subprocess.run(command, check=True, stdin=subprocess.DEVNULL, env=environment)
            except (OSError, subprocess.CalledProcessError) as e:
                raise Fault(f"{check.name}: {e}; run it yourself: {check.remedy_text}") from e


def _tools() -> Check:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    packages = sorted({TOOLS[tool] for tool in missing})
    return Check(
        name="programs",
        ok=not missing,
        found=f"not found: {', '.join(missing)}" if missing else ", ".join(TOOLS),
        remedy=(
            as_root("apt-get", "update"),
            as_root("apt-get", "install", "-y", "--no-install-recommends", *packages),
        ),
    )


_BINDING_IS_COMPILED_WITH = ("gcc", "libc6-dev", "libvirt-dev", "pkg-config", "python3-dev")


def _binding() -> Check:
    ok = importlib.util.find_spec("libvirt") is not None
    return Check(
        name="binding",
        ok=ok,
        found="libvirt-python is installed" if ok else "libvirt-python is not installed",
        remedy=(
            as_root("apt-get", "install", "-y", "--no-install-recommends", *_BINDING_IS_COMPILED_WITH),
            (sys.executable, "-m", "pip", "install", "libvirt-python"),
        ),
    )


def kvm_check() -> Check:
    """True if QEMU's user can open ``/dev/kvm``; if not, every guest starts slowly."""
    device = Path("/dev/kvm")
    if not device.exists():
        return note("kvm", False, "no /dev/kvm: software emulation is used")
    if default_uri() != SYSTEM:
        usable = os.access(device, os.R_OK | os.W_OK)
        text = "/dev/kvm may be opened" if usable else "/dev/kvm may not be opened by this user (group kvm)"
        return note("kvm", usable, text)
    if opens(device, *_qemu_user()):
        return Check(name="kvm", ok=True, found="QEMU's user opens /dev/kvm; a guest's boot shows whether it works")
    status = device.stat()
    # libvirt, started as root, sees a KVM that its QEMU cannot open, and probes again at every start: a minute
    access = f"owner {status.st_uid}, group {status.st_gid}, mode {stat.S_IMODE(status.st_mode):o}"
    text = f"QEMU's user {_QEMU_USER} cannot open /dev/kvm ({access}): every guest would start slowly"
    return note("kvm", False, text, as_root("chgrp", "kvm", "/dev/kvm"), as_root("chmod", "660", "/dev/kvm"))


def _qemu_user() -> tuple[int, int, list[int]]:
    """Number of the user that the system's libvirt runs QEMU as, its group, and all its groups."""
    try:
        user = pwd.getpwnam(_QEMU_USER)
    except KeyError:
        nobody = pwd.getpwnam("nobody")
        return nobody.pw_uid, nobody.pw_gid, [group.gr_gid for group in grp.getgrall() if group.gr_name == "kvm"]
    return user.pw_uid, user.pw_gid, os.getgrouplist(user.pw_name, user.pw_gid)


def pmu_check(perf: str = "perf") -> Check:
    """True if the processor counts instructions for perf, found out by counting some."""
    argv = [perf, "stat", "-x,", "-e", "instructions:u", "true"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    except OSError:
        return note("pmu", False, f"unknown: perf is not installed (Debian package {package_of()['perf']})")
    # one line for each kind of core
    values = [line.partition(",")[0] for line in done.stderr.splitlines() if "instructions" in line and "," in line]
    if counts := [int(value) for value in values if value.isdecimal()]:
        text = f"the processor counts: {sum(counts)} instructions of `true`; under KVM perf counts a guest's"
        return note("pmu", True, text)
    if "<not supported>" in values:
        text = "no counters in this processor, or hidden from this machine: guests are emulated, which counts exactly"
        return note("pmu", False, text)
    # Ubuntu's perf is a script that looks for the one of the running kernel
    complaint = " ".join(done.stderr.split())[:200]
    works = subprocess.run([perf, "--version"], capture_output=True, check=False).returncode == 0
    remedy = (
        ("sysctl", "kernel.perf_event_paranoid=1")
        if works
        else ("apt-get", "install", f"linux-tools-{os.uname().release}")
    )
    text = f"perf {'may not count' if works else 'does not run on this kernel'}: {complaint}"
    return note("pmu", False, text, as_root(*remedy), by_hand=True)


def orphans_check() -> list[Check]:
    """True if process 1 reaps the children of others, as the QEMU of an ordinary user's libvirt; in a container it may
    not.  The system's libvirt is started with a reaper of its own where there is no service manager.
    """
    if default_uri() == SYSTEM:
        return []
    orphan = subprocess.run(["sh", "-c", "sleep 0 & echo $!"], capture_output=True, text=True, check=True).stdout
    deadline = Deadline(_REAPED_SECONDS)
    while psutil.pid_exists(int(orphan)):  # or is dead and not reaped
        if deadline.passed:
            problem = "process 1 reaps no children of others, so libvirt waits for more than a minute when a guest ends"
            return [note("orphans", False, f"{problem}; start the container with --init")]
        time.sleep(_LOOK_SECONDS)
    return [Check(name="orphans", ok=True, found="process 1 reaps the children of others")]


def chroot_check() -> list[Check]:
    """Name a chroot: ordinary users get no namespaces there, and QEMU none where the root is no mount point."""
    if not in_chroot():
        return []
    if root_is_mounted() or default_uri() != SYSTEM:
        return [note("chroot", os.geteuid() == 0, f"this is one{CHROOT}")]
    try:
        settled = _NO_NAMESPACES in _QEMU_CONF.read_text().splitlines()
    except OSError:
        settled = False
    remedy: list[tuple[str, ...]] = [as_root("sh", "-c", f"echo '{_NO_NAMESPACES}' >>{_QEMU_CONF}")]
    if _LIBVIRTD_PID.is_file():
        remedy.append(
            as_root("sh", "-c", f"kill $(cat {_LIBVIRTD_PID}); while [ -e {_LIBVIRTD_PID} ]; do sleep 0.1; done")
        )
    return [
        Check(
            name="chroot",
            ok=settled,
            found=f"this is one{CHROOT}; its root is no mount point, so {_QEMU_CONF} "
            + (f"says '{_NO_NAMESPACES}'" if settled else f"must say '{_NO_NAMESPACES}'"),
            remedy=tuple(remedy),
        )
    ]


def _libvirt() -> Check:
    uri = default_uri()
    while True:
        try:
            connection = connect(uri)
            version = daemon_version(connection)
        except EvaluateError as e:
            begun = _begun("libvirtd")
            if begun is not None and time.time() - begun < _ANSWERS_SECONDS:
                time.sleep(_LOOK_SECONDS)
                continue
            return Check(name="libvirt", ok=False, found=str(e), remedy=start_libvirt() if os.geteuid() == 0 else ())
        break
    connection.close()
    numbers = f"{version // 1_000_000}.{version // 1000 % 1000}.{version % 1000}"
    return Check(name="libvirt", ok=True, found=f"{uri} answers, version {numbers}")


def start_libvirt() -> tuple[tuple[str, ...], ...]:
    """The commands for root that start libvirt here; those of what runs are left out."""
    if Path("/run/systemd/system").is_dir():
        return (("systemctl", "start", "libvirtd"),)
    # libvirt waits until a QEMU that it has killed is gone, but it is not its parent: process 1 of a container reaps it
    # late or never, and every guest would end that much later
    reaped = ("sh", "-c", _LIBVIRTD_REAPED)
    commands = {"virtlogd": ("virtlogd", "-d"), "libvirtd": reaped if shutil.which("tini") else ("libvirtd", "-d")}
    return tuple(command for name, command in commands.items() if _begun(name) is None)  # a second refuses


def _begun(daemon: str) -> float | None:
    """Start of a running daemon, in seconds of `time.time`; None if it does not run."""
    try:
        process = psutil.Process(int(Path(f"/run/{daemon}.pid").read_text()))
        runs = process.name() == daemon and process.status() != psutil.STATUS_ZOMBIE
        return process.create_time() if runs else None
    except (OSError, ValueError, psutil.Error):
        return None


def _state(state: Path) -> Check:
    existing = next(p for p in (state, *state.resolve().parents) if p.exists())
    free = shutil.disk_usage(existing).free >> 30
    writable = os.access(existing, os.W_OK)
    text = f"{state}, {free} GiB free" + ("" if writable else f"; {existing} is not writable for this user")
    if free < _NEEDED_GIB:
        text += f"; expected {_NEEDED_GIB} GiB for an image, layers and disks (choose another with --state)"
    return Check(name="state", ok=writable and free >= _NEEDED_GIB, found=text)


def users_check(state: Path) -> Check:
    """True if QEMU processes of different guests run as different users."""
    kvm = ""
    try:
        sharing = users_here(state, "tcg")[0].sharing
        if not sharing.because and Path("/dev/kvm").exists():
            sharing, kvm = users_here(state, "kvm")[0].sharing, "under KVM, "
    except EvaluateError as e:
        sharing = Sharing(str(e))
    if sharing.because:
        finding = (
            f"guests share a user, so one that takes over its QEMU reaches the memory of others: {kvm}{sharing.because}"
        )
        return note("users", False, finding, *([as_root(*sharing.repair)] if sharing.repair else []), by_hand=True)
    return Check(name="users", ok=True, found="each guest's QEMU runs as a user of its own")


def qemu_check(state: Path) -> Check:
    """True if each guest's QEMU runs behind walls of its own."""
    try:
        reason = reason_without_walls(state, "tcg") if state.is_dir() else f"unknown before {state} exists"
    except (EvaluateError, OSError) as e:
        reason = str(e)
    if reason:
        finding = f"QEMU has the host's network and files, so far as its user may use them: {reason}"
        return note("qemu", False, finding)
    finding = "each guest's QEMU has a root, an empty network and other namespaces of its own, or sVirt confines it"
    return Check(name="qemu", ok=True, found=finding)


def _images(state: Path) -> Check:
    built = list_images(state)
    none = "none is built yet; `evaluate demo` and `evaluate try` build what they need"
    return note("images", bool(built), ", ".join(built) or none)
