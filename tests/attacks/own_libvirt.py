"""A libvirt daemon that nobody else uses is killed while a guest runs: ``python -m … STATE IMAGE ACCELERATOR SCRATCH``.

The daemon of this machine is not touched: the process runs in namespaces of its own (`alone`), in which the folders of
libvirt are empty, so that no domain or network of the organiser is seen or started.  All processes in there end
with it.  The outcome is printed as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from evaluate.attack.cases import Seen
from evaluate.core.errors import SandboxFault
from evaluate.core.model import Limits, Verdict
from evaluate.core.waiting import Deadline
from evaluate.host.accelerators import open_hypervisor
from evaluate.images.image import load_image
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.connection import connect, default_uri, qemu_pid
from evaluate.sandbox.running import LibvirtSandbox

_SECONDS = 60.0
_LIMITS = Limits(instructions=10**10, wall_seconds=_SECONDS)
_PROGRAM = Command(argv=("/bin/sleep", "3"))
_MOUNTS = """
cp /etc/libvirt/*.conf "$0" || exit 1
for folder in /etc/libvirt /run/libvirt /var/lib/libvirt /var/cache/libvirt; do
    mount -t tmpfs -o mode=755 own $folder || exit 1
done
cp "$0"/*.conf /etc/libvirt || exit 1
"$@"
exit $?
"""
"""The shell stays, as process 1 of its namespace: it reaps QEMU's processes, which libvirt waits for."""
_WITHOUT_KVM = "if [ -e /dev/kvm ]; then mount --bind /dev/null /dev/kvm; fi"
"""A new libvirtd tries out KVM, which takes minutes where it is there and does not work."""


def alone(scratch: Path, argv: Sequence[str], *, kvm: bool) -> list[str]:
    """A command line that runs another where libvirt is not yet used; only root can."""
    own = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private"]
    return [*own, "sh", "-c", _MOUNTS if kvm else _WITHOUT_KVM + _MOUNTS, str(scratch), *argv]


class _Daemons:
    """virtlogd and libvirtd of this process."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._running = {name: self._started(name) for name in ("virtlogd", "libvirtd")}
        self._wait()

    def kill_libvirtd(self) -> None:
        """Kill it, and start another."""
        self._running["libvirtd"].kill()
        self._running["libvirtd"].wait()
        self._running["libvirtd"] = self._started("libvirtd")
        self._wait()

    def _started(self, name: str) -> subprocess.Popen[bytes]:
        with (self._scratch / f"{name}.log").open("ab") as log:
            return subprocess.Popen([name, "--pid-file", str(self._scratch / f"{name}.pid")], stdout=log, stderr=log)

    def _wait(self) -> None:
        deadline = Deadline(_SECONDS)
        while True:
            with suppress(SandboxFault):
                connect(default_uri()).close()
                return
            if deadline.passed:
                log = (self._scratch / "libvirtd.log").read_text(errors="replace")
                raise SandboxFault(f"a second libvirtd does not start: {log[-300:]}")
            time.sleep(0.1)


def _killed(state: Path, image_name: str, accelerator: str, scratch: Path) -> Seen:
    daemons = _Daemons(scratch)
    image = load_image(image_name, state)
    said: list[str] = []
    first = 0
    try:
        with open_hypervisor(state, image, accelerator).boot(Machine(image=image)) as guest:
            assert isinstance(guest, LibvirtSandbox)
            first = qemu_pid(guest.handle.name())
            daemons.kill_libvirtd()
            said.append(f"the guest still runs: {guest.run(_PROGRAM, _LIMITS).verdict}")
    except SandboxFault as e:
        said.append(f"a fault: {e}")
    with open_hypervisor(state, image, accelerator).boot(Machine(image=image)) as guest:
        said.append(f"the next guest: {guest.run(_PROGRAM, _LIMITS).verdict}")
    if psutil.pid_exists(first) and psutil.Process(first).status() != psutil.STATUS_ZOMBIE:
        return Seen("LEFT", f"{'; '.join(said)}; QEMU of the first guest still runs")
    return Seen(Verdict.OK.value, f"{'; '.join(said)}; nothing of the first is left")


if __name__ == "__main__":
    _state, _image, _accelerator, _scratch = sys.argv[1:]
    _seen = _killed(Path(_state), _image, _accelerator, Path(_scratch))
    print(json.dumps({"outcome": _seen.outcome, "text": _seen.text}))
