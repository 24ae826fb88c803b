"""Settings of the host that a hostile guest could use, each with the command that changes it.

They are notes: changing one affects everything else that runs on the machine, so it is the administrator's decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evaluate.host.finding import Check, as_root

_ROOT = Path("/")


def exposures(root: Path = _ROOT) -> list[Check]:
    """Every finding; ``root`` has the folders ``proc`` and ``sys``."""
    return [*_cpu(root), *_memory(root), *_processes(root)]


def _cpu(root: Path) -> Iterator[Check]:
    on = _text(root / "sys/devices/system/cpu/smt/active") == "1"
    yield _check(
        "smt",
        not on,
        "two guests never share a core" if not on else "two guests may share a core, and with it its caches",
        ("sh", "-c", "echo off >/sys/devices/system/cpu/smt/control"),
    )
    nested = [
        name
        for name in ("kvm_intel", "kvm_amd")
        if _text(root / "sys/module" / name / "parameters/nested") in ("1", "Y")
    ]
    yield _check(
        "nested",
        not nested,
        f"{nested[0]} emulates virtualization for guests, which none needs" if nested else "guests get no KVM",
        ("sh", "-c", f"echo 'options {nested[0]} nested=0' >/etc/modprobe.d/evaluate-{nested[0]}.conf")
        if nested
        else (),
    )
    files = sorted((root / "sys/devices/system/cpu/vulnerabilities").glob("*"))
    open_ = [path.name for path in files if "vulnerable" in _text(path).lower()]
    off = "mitigations=off" in _text(root / "proc/cmdline").split()
    found = f"not mitigated: {', '.join(open_)}" if open_ else "the kernel reports none that is open"
    yield _check(
        "mitigations",
        not (open_ or off),
        found + ("; the kernel was started with mitigations=off" if off else ""),
        ("apt-get", "install", "--only-upgrade", "linux-image-amd64"),
    )


def _memory(root: Path) -> Iterator[Check]:
    merging = _text(root / "sys/kernel/mm/ksm/run") == "1"
    yield _check(
        "ksm",
        not merging,
        "a guest can find out by timing what is in the memory of another" if merging else "pages are not merged",
        ("sh", "-c", "echo 2 >/sys/kernel/mm/ksm/run"),
    )
    areas = [line.split()[0] for line in _text(root / "proc/swaps").splitlines()[1:] if line.strip()]
    yield _check(
        "swap",
        not areas,
        f"hidden records in a guest's memory may reach {', '.join(areas)}" if areas else "memory stays off the disks",
        ("swapoff", "--all"),
    )


def _processes(root: Path) -> Iterator[Check]:
    scope = _text(root / "proc/sys/kernel/yama/ptrace_scope")
    yield _check(
        "ptrace",
        scope in ("1", "2", "3"),
        f"kernel.yama.ptrace_scope is {scope}"
        if scope
        else "this kernel has no Yama: a process may trace every other of its user",
        ("sysctl", "-w", "kernel.yama.ptrace_scope=1") if scope else (),
    )
    pattern = _text(root / "proc/sys/kernel/core_pattern")
    piped = pattern.startswith("|")
    yield _check(
        "core",
        not piped,
        f"a crash of QEMU starts {pattern.split()[0][1:]} as root" if piped else "a crash starts no program",
        ("sysctl", "-w", "kernel.core_pattern=core"),
    )


def _check(name: str, ok: bool, found: str, command: tuple[str, ...]) -> Check:
    remedy = (as_root(*command),) if command and not ok else ()
    return Check(name=name, ok=ok, found=found, remedy=remedy, needed=False, by_hand=True)


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
