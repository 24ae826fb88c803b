"""Choice of the accelerator that works on this machine, and of its counter.

The only place that chooses between KVM and emulation, and reports which and why.
"""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from evaluate.core.errors import BootFault, CounterFault, Fault, SandboxFault
from evaluate.counters.base import Counter, NoCounter
from evaluate.counters.perf import PerfCounter
from evaluate.counters.tcg import TcgCounter, build_plugin
from evaluate.host.doctor import kvm_check
from evaluate.images.image import Image
from evaluate.sandbox.base import Machine
from evaluate.sandbox.connection import SESSION, connect, default_uri
from evaluate.sandbox.cross_checked import CheckedHypervisor
from evaluate.sandbox.domain import qemu_version
from evaluate.sandbox.libvirt import LibvirtHypervisor

RECOUNT_EVERY = 50
"""Number of commands counted by `perf` of which one is recounted under emulation."""
_DEVICE, _BOOT_ID = Path("/dev/kvm"), Path("/proc/sys/kernel/random/boot_id")
_KVM_BOOT_SECONDS = 20.0
"""With a working KVM a guest is ready within two or three seconds."""


def check_libvirt() -> None:
    """Raise SandboxFault where no guest can start, before somebody waits minutes for an image."""
    try:
        connect(default_uri()).close()
    except SandboxFault as e:
        raise SandboxFault(f"{e}; --runner plain needs no virtual machine") from e


def open_hypervisor(
    state: Path, image: Image, accelerator: str = "auto", say: Callable[[str], None] = lambda _: None
) -> LibvirtHypervisor | CheckedHypervisor:
    """A hypervisor with the best accelerator that has a usable counter.

    Raises Fault if the accelerator that was requested does not work.

    ``accelerator``: one of `evaluate.core.model.ACCELERATORS`. ``auto`` takes KVM with a counter, or else emulation;
    ``kvm-uncounted`` is KVM where the processor shows no counters: limits are judged by a recount under emulation, and
    nothing is called counted.
    """
    slow = kvm_check()
    if not slow.ok and slow.remedy:
        say(f"{slow.found}; repair: {slow.remedy_text}")
    if accelerator == "tcg":
        say("accelerator: software emulation (TCG), instructions counted exactly, as requested")
        return _emulation(state, say)
    counter = NoCounter() if accelerator == "kvm-uncounted" else PerfCounter()
    trial = _trial(state, image, counter, say)
    if trial.problem:
        if accelerator != "auto":
            raise Fault(f"KVM cannot be used: {trial.problem}")
        say(f"accelerator: software emulation (TCG), instructions counted exactly; not KVM: {trial.problem}")
        return _emulation(state, say)
    if accelerator == "kvm-uncounted":
        say("accelerator: KVM, uncounted; what might be over a limit runs again under emulation, which judges")
    else:
        say(f"accelerator: KVM, instructions counted by the processor (perf); 1 of {RECOUNT_EVERY} is recounted")
    if trial.unsaved:
        say(f"every guest boots, since none can be restored from a saved machine here: {trial.unsaved}")
    return CheckedHypervisor(
        LibvirtHypervisor(state=state, counter=counter, accelerator="kvm", saves=not trial.unsaved),
        lambda: _emulation(state, say),
        tolerance=counter.tolerance,
        every=RECOUNT_EVERY,
        say=say,
    )


def _emulation(state: Path, say: Callable[[str], None]) -> LibvirtHypervisor:
    plugin = build_plugin(state / "cache")
    hypervisor = LibvirtHypervisor(state=state, counter=TcgCounter(plugin), accelerator="tcg", say=say)
    if hypervisor.swept:
        say(f"removed what dead supervisors left: {', '.join(hypervisor.swept)}")
    return hypervisor


@dataclass(frozen=True, kw_only=True)
class _Trial:
    """Findings about a guest under KVM on this host."""

    problem: str = ""
    """Why KVM cannot be used; empty if it can."""
    unsaved: str = ""
    """Why no guest can start from a saved machine; empty if it can."""


def _group(path: Path) -> str:
    try:
        return path.group()
    except KeyError:
        return "kvm"


def _trial(state: Path, image: Image, counter: Counter, say: Callable[[str], None]) -> _Trial:
    """True if KVM with this counter can be used here, found by booting a guest and by restoring one.

    Opening ``/dev/kvm`` proves nothing.  The answer is kept until the next boot of the host.
    """
    if not _DEVICE.exists():
        return _Trial(problem=f"this machine has no {_DEVICE}")
    if default_uri() == SESSION and not os.access(_DEVICE, os.R_OK | os.W_OK):  # there QEMU is this user
        user = getpass.getuser()
        return _Trial(
            problem=f"{user} may not open {_DEVICE}: sudo usermod -aG {_group(_DEVICE)} {user}, then log in again"
        )
    cache = state / "cache" / f"kvm-{counter.kind}.json"
    key = [_BOOT_ID.read_text().strip(), qemu_version(), image.digest, image.agent, default_uri()]
    try:
        kept = json.loads(cache.read_text())
        if kept["key"] == key:
            return _Trial(problem=str(kept["problem"]), unsaved=str(kept["unsaved"]))
    except (OSError, ValueError, LookupError, TypeError):
        pass
    say(f"trying KVM with a guest (at most {_KVM_BOOT_SECONDS:.0f} s, once until this machine restarts)")
    trial = _Trial()
    try:
        hypervisor = LibvirtHypervisor(
            state=state,
            counter=counter,
            accelerator="kvm",
            boot_seconds=_KVM_BOOT_SECONDS,
            attempts=1,
        )
        with hypervisor.boot(Machine(image=image)):
            pass
        trial = _Trial(unsaved=hypervisor.reason_not_to_save(image))
    except (BootFault, CounterFault) as e:
        trial = _Trial(problem=str(e).splitlines()[0])
    except Fault as e:
        # libvirt refused before KVM was tried: no result to remember
        return _Trial(problem=str(e).splitlines()[0])
    cache.parent.mkdir(parents=True, exist_ok=True)
    part = cache.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps({"key": key, **asdict(trial)}))
    part.replace(cache)
    return trial
