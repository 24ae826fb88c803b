"""Choice of the accelerator that works on this machine, and of its counter.

The only place that chooses between KVM and emulation, and reports which and why.
"""

from __future__ import annotations

import getpass
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from evaluate.core.errors import BootFault, CounterFault, Fault, SandboxFault
from evaluate.core.files import write_file
from evaluate.counters.perf import PerfCounter
from evaluate.counters.tcg import TcgCounter, build_plugin
from evaluate.host.doctor import kvm_check
from evaluate.images.image import Image
from evaluate.sandbox.base import Machine
from evaluate.sandbox.connection import SESSION, connect, default_uri
from evaluate.sandbox.domain import qemu_version
from evaluate.sandbox.libvirt import LibvirtHypervisor

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
) -> LibvirtHypervisor:
    """A hypervisor with the best accelerator that has a usable counter.

    Raises Fault if the accelerator that was requested does not work.

    ``accelerator``: one of `evaluate.core.model.ACCELERATORS`. ``auto`` takes KVM with a counter, or else emulation.
    """
    slow = kvm_check()
    if not slow.ok and slow.remedy:
        say(f"{slow.found}; repair: {slow.remedy_text}")
    reason = "as requested"
    if accelerator != "tcg":
        problem = _problem_with_kvm(state, image, say)
        if not problem:
            say("accelerator: KVM, instructions counted by the processor (perf)")
            return LibvirtHypervisor(state=state, counter=PerfCounter(), accelerator="kvm")
        if accelerator == "kvm":
            raise Fault(f"KVM cannot be used: {problem}")
        reason = f"not KVM: {problem}"
    say(f"accelerator: software emulation (TCG), instructions counted exactly; {reason}")
    plugin = build_plugin(state / "cache")
    hypervisor = LibvirtHypervisor(state=state, counter=TcgCounter(plugin), accelerator="tcg", say=say)
    if hypervisor.swept:
        say(f"removed what dead supervisors left: {', '.join(hypervisor.swept)}")
    return hypervisor


def _problem_with_kvm(state: Path, image: Image, say: Callable[[str], None]) -> str:
    """The reason against KVM with `perf` on this host, found by booting a guest; empty if it can be used.

    Opening ``/dev/kvm`` proves nothing.  The answer is kept until the next boot of the host; a failure, which may pass,
    when it has been found twice.
    """
    if not _DEVICE.exists():
        return f"this machine has no {_DEVICE}"
    if default_uri() == SESSION and not os.access(_DEVICE, os.R_OK | os.W_OK):  # there QEMU is this user
        user = getpass.getuser()
        return f"{user} may not open {_DEVICE}: sudo usermod -aG kvm {user}, then log in again"
    cache = state / "cache" / "kvm.json"
    key = [_BOOT_ID.read_text().strip(), qemu_version(), image.digest, image.agent, default_uri()]
    failed = False
    with suppress(OSError, ValueError, LookupError, TypeError):
        kept = json.loads(cache.read_text())
        if kept["key"] == key:
            if kept["settled"]:
                return str(kept["problem"])
            failed = True
    say(f"trying KVM with a guest (at most {_KVM_BOOT_SECONDS:.0f} s; the answer is kept until this machine restarts)")
    problem = ""
    try:
        hypervisor = LibvirtHypervisor(
            state=state,
            counter=PerfCounter(),
            accelerator="kvm",
            boot_seconds=_KVM_BOOT_SECONDS,
            attempts=1,
        )
        with hypervisor.boot(Machine(image=image)):
            pass
    except (BootFault, CounterFault) as e:
        problem = str(e).splitlines()[0]
    except Fault as e:
        # libvirt refused before KVM was tried: no result to remember
        return str(e).splitlines()[0]
    cache.parent.mkdir(parents=True, exist_ok=True)
    write_file(cache, json.dumps({"key": key, "problem": problem, "settled": failed or not problem}).encode())
    return problem
