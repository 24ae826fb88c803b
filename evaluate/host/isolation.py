"""True if this machine can wall in what reads strangers' bytes: tried for real, with the repair if it cannot."""

from __future__ import annotations

import subprocess
from pathlib import Path

from evaluate.confine.control_groups import CONTROLLERS, delegated, mounted
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.lockdown import WallState, libseccomp_is_there, standing
from evaluate.confine.scratch import has_helper, has_loops
from evaluate.confine.walls import root_is_mounted
from evaluate.core.errors import Fault
from evaluate.host.finding import Check, as_root, note

_ROOT = Path("/")
_SERVICE, _HELPER = "evaluate.service", "evaluate-helper.socket"
_TRIAL = Bounds(doing="trying the walls", seconds=10)
CHROOT = (
    "; in a chroot (schroot, sbuild) the kernel gives ordinary users no namespaces, whatever its settings are: "
    "run evaluate as root there, or outside of it, or in a container"
)
_PROFILE = "abi <abi/4.0>,\nprofile bwrap /usr/bin/bwrap flags=(unconfined) {\n  userns,\n}\n"


def walls_check(root: Path = _ROOT) -> Check:
    """Start a process behind walls; ``root`` has the folder ``proc``."""
    try:
        state = isolated(_TRIAL, standing)
    except Fault as e:
        return Check(name="walls", ok=False, found=f"{e}{_allowance(root)}", remedy=_repair(root))
    return Check(name="walls", ok=True, found=_described(state))


def groups_check(root: Path = _ROOT) -> Check:
    """True if what guests and readers use is bounded for all their processes together: here, or in the service."""
    top = delegated()
    lacking, available = set(CONTROLLERS), _controllers()
    if top is not None:
        lacking -= set((top / "cgroup.controllers").read_text().split())
        where = str(top)
    elif (root / "run/systemd/system").is_dir():
        argv = ["systemctl", "show", "--property=DelegateControllers", "--value", _SERVICE]
        delegated_names = subprocess.run(argv, capture_output=True, text=True, check=False).stdout
        lacking -= set(delegated_names.split()) & set(available)
        where = _SERVICE
    if not lacking:
        finding = f"each guest and each reader has a control group of its own ({', '.join(CONTROLLERS)}) in {where}"
        return Check(name="groups", ok=True, found=finding)
    finding = "what a guest or a reader uses is bounded for each of its processes, not for all together: "
    if missing := [name for name in CONTROLLERS if name not in available]:
        finding += f"this machine has no control groups of version 2 with {', '.join(missing)}"
        return note("groups", False, finding)
    renewed = f"evaluate host service >/etc/systemd/system/{_SERVICE} && systemctl daemon-reload"
    commands = [as_root("sh", "-c", renewed), as_root("systemctl", "restart", _SERVICE)]
    commands = commands if (root / "run/systemd/system").is_dir() else []
    return note("groups", False, f"{finding}nobody has delegated any to evaluate", *commands, by_hand=True)


def places_check(root: Path = _ROOT) -> Check:
    """True if what readers write has an end in every case: a file system of its own."""
    if has_loops() or has_helper():
        text = "what a reader writes is in a file system of a fixed size of its own"
        return Check(name="places", ok=True, found=text)
    text = (
        "what a reader writes beyond an eighth of the memory is in a folder that is looked at, so one that was taken "
        "over may write for a moment what the disk takes"
    )
    if (root / "etc/systemd/system" / _HELPER).exists():
        command = as_root("systemctl", "enable", "--now", _HELPER)
        return note("places", False, f"{text}; the helper does not answer", command)
    return note("places", False, f"{text}; install.sh has a helper that mounts a place of a fixed size")


def _controllers() -> list[str]:
    top = mounted()
    return (top / "cgroup.controllers").read_text().split() if top is not None else []


def in_chroot(root: Path = _ROOT) -> bool:
    """True if the kernel refuses namespaces here although no setting does: in a chroot it does so for everybody."""
    if not root_is_mounted():
        return True
    done = subprocess.run(["unshare", "--user", "true"], capture_output=True, check=False)
    return done.returncode != 0 and not _repair(root)


def _described(state: WallState) -> str:
    landlock = f"Landlock {state.landlock}" if state.landlock else "no Landlock in this kernel"
    return f"readers, git and metrics run walled in: own namespaces, no rights, listed system calls, {landlock}"


def _allowance(root: Path) -> str:
    """Rights that a container or chroot must get, if this is one: there it is not the kernel's settings that refuse."""
    chroot = CHROOT if in_chroot(root) else ""
    if not any((root / name).exists() for name in (".dockerenv", "run/.containerenv")):
        return chroot
    return chroot + (
        "; this is a container: start it with --security-opt seccomp=unconfined and, for docker, "
        "--security-opt apparmor=unconfined --security-opt systempaths=unconfined, or for podman, "
        "--security-opt unmask=ALL"
    )


def _repair(root: Path) -> tuple[tuple[str, ...], ...]:
    """The settings of the kernel that refuse namespaces to an ordinary user, and the library that is not there."""
    commands = [
        as_root("sysctl", "-w", f"{name}={wish}")
        for name, refusing, wish in (
            ("kernel.unprivileged_userns_clone", "0", "1"),
            ("user.max_user_namespaces", "0", "15000"),
        )
        if _setting(root, name) == refusing
    ]
    if _setting(root, "kernel.apparmor_restrict_unprivileged_userns") == "1":
        profile = "/etc/apparmor.d/bwrap"
        commands.append(as_root("sh", "-c", f"printf '{_PROFILE}' >{profile} && apparmor_parser -r {profile}"))
    if not libseccomp_is_there():
        commands.append(as_root("apt-get", "install", "-y", "--no-install-recommends", "libseccomp2"))
    return tuple(commands)


def _setting(root: Path, name: str) -> str:
    path = root / "proc/sys" / name.replace(".", "/")
    return path.read_text().strip() if path.is_file() else ""


# Settings of the host that a hostile guest could use, each with the command that changes it.
#
# They are notes: changing one affects everything else that runs on the machine, so it is the administrator's
# decision.


def exposures(root: Path = _ROOT) -> list[Check]:
    """Every finding; ``root`` has the folders ``proc`` and ``sys``."""
    checks: list[Check] = []

    def add(name: str, problem: str, well: str, *command: str) -> None:
        remedy = [as_root(*command)] if problem and command else []
        checks.append(note(name, not problem, problem or well, *remedy, by_hand=True))

    shared = _text(root / "sys/devices/system/cpu/smt/active") == "1"
    problem = "two guests may share a core, and with it its caches" if shared else ""
    add("smt", problem, "two guests never share a core", "sh", "-c", "echo off >/sys/devices/system/cpu/smt/control")
    modules = {name: _text(root / "sys/module" / name / "parameters/nested") for name in ("kvm_intel", "kvm_amd")}
    nested = next((name for name, value in modules.items() if value in ("1", "Y")), "")
    problem = f"{nested} emulates virtualization for guests, which none needs" if nested else ""
    options = f"echo 'options {nested} nested=0' >/etc/modprobe.d/evaluate-{nested}.conf"
    add("nested", problem, "guests get no KVM", "sh", "-c", options)
    files = sorted((root / "sys/devices/system/cpu/vulnerabilities").glob("*"))
    open_ = [path.name for path in files if "vulnerable" in _text(path).lower()]
    problems = [f"not mitigated: {', '.join(open_)}"] if open_ else []
    if "mitigations=off" in _text(root / "proc/cmdline").split():
        problems.append("the kernel was started with mitigations=off")
    upgrade = ("apt-get", "install", "--only-upgrade", "linux-image-amd64")
    add("mitigations", "; ".join(problems), "the kernel reports none that is open", *upgrade)
    merging = _text(root / "sys/kernel/mm/ksm/run") == "1"
    problem = "a guest can find out by timing what is in the memory of another" if merging else ""
    add("ksm", problem, "pages are not merged", "sh", "-c", "echo 2 >/sys/kernel/mm/ksm/run")
    areas = [line.split()[0] for line in _text(root / "proc/swaps").splitlines()[1:] if line.strip()]
    problem = f"hidden records in a guest's memory may reach {', '.join(areas)}" if areas else ""
    add("swap", problem, "memory stays off the disks", "swapoff", "--all")
    scope = _text(root / "proc/sys/kernel/yama/ptrace_scope")
    if not scope:
        add("ptrace", "this kernel has no Yama: a process may trace every other of its user", "")
    else:
        setting = f"kernel.yama.ptrace_scope is {scope}"
        problem = setting if scope not in ("1", "2", "3") else ""
        add("ptrace", problem, setting, "sysctl", "-w", "kernel.yama.ptrace_scope=1")
    pattern = _text(root / "proc/sys/kernel/core_pattern")
    problem = f"a crash of QEMU starts {pattern.split()[0][1:]} as root" if pattern.startswith("|") else ""
    add("core", problem, "a crash starts no program", "sysctl", "-w", "kernel.core_pattern=core")
    return checks


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
