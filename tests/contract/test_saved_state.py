"""A guest's state goes out of one QEMU and into another, under emulation, and under KVM if there is one.

No guest boots: the processors stand still.
"""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from evaluate.sandbox.channel import Channel
from evaluate.sandbox.memory_medium import load, save
from tests.support.bare_guest import QEMU

SIZE = 32 << 20
MARK, MARK_AT = b"in the file of the memory", 16 << 20
_SECONDS = 60.0


class Qmp:
    """The monitor of a QEMU without libvirt, as `evaluate.sandbox.memory_medium` uses it."""

    def __init__(self, listener: socket.socket) -> None:
        self._end, _ = listener.accept()
        self._lines = self._end.makefile("r")
        self._lines.readline()  # QEMU's greeting
        self("qmp_capabilities")

    def __call__(self, command: str, *, files: Sequence[int] = (), **arguments: Any) -> Any:
        """One command and its reply; events in between are left out."""
        order = json.dumps({"execute": command, "arguments": arguments}).encode()
        socket.send_fds(self._end, [order + b"\n"], list(files))
        while "return" not in (reply := json.loads(self._lines.readline())):
            assert "error" not in reply, reply
        return reply["return"]

    def close(self) -> None:
        self._lines.close()
        self._end.close()


@contextmanager
def _qemu(folder: Path, accelerator: str, name: str) -> Iterator[Qmp]:
    """A QEMU with its memory in a file; ``name``: ``saved``, or ``restored``, which waits for a state."""
    share, waiting = ("on", ()) if name == "saved" else ("off", ("-incoming", "defer"))
    memory, agent, monitor = folder / "memory", folder / f"{name}.agent", str(folder / f"{name}.qmp")
    argv = [
        *(QEMU, "-nodefaults", "-no-user-config", "-display", "none", "-S", "-M", "q35", "-accel", accelerator),
        *("-m", f"{SIZE >> 20}", "-nic", "none", "-machine", "memory-backend=evaluate", *waiting),
        *("-object", f"memory-backend-file,id=evaluate,size={SIZE},mem-path={memory},share={share}"),
        *("-device", "virtio-serial-pci", "-chardev", f"socket,id=agent,path={agent},server=on,wait=off"),
        *("-device", "virtserialport,chardev=agent,name=agent", "-qmp", f"unix:{monitor}"),
    ]
    with socket.socket(socket.AF_UNIX) as listener:
        listener.settimeout(_SECONDS)
        listener.bind(monitor)
        listener.listen()
        with subprocess.Popen(argv) as process, ExitStack() as stack:
            stack.callback(process.kill)
            qmp = stack.enter_context(closing(Qmp(listener)))
            stack.callback(Channel.connect(agent).close)
            yield qmp


def _runs_kvm() -> bool:
    """True if QEMU starts with it: that the device can be opened says little."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    asked = b'{"execute": "qmp_capabilities"}{"execute": "quit"}'
    argv = (QEMU, "-nodefaults", "-display", "none", "-S", "-M", "q35", "-accel", "kvm", "-qmp", "stdio")
    return subprocess.run(argv, input=asked, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("accelerator", ["tcg", "kvm"])
def test_state_of_one_machine_is_that_of_another(accelerator: str, tmp_path: Path) -> None:
    """And its memory is what is in the file, of which nothing is in the stream."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"no {QEMU} on this machine (Debian package qemu-system-x86)")
    if accelerator == "kvm" and not _runs_kvm():
        pytest.skip("no KVM on this machine that QEMU can use")
    with (tmp_path / "memory").open("wb") as file:
        file.truncate(SIZE)
        file.seek(MARK_AT)
        file.write(MARK)
    state, there = tmp_path / "state", tmp_path / "there"
    with _qemu(tmp_path, accelerator, "saved") as saved:
        save(saved, state)
        assert 1000 < state.stat().st_size < 4 << 20
        assert MARK not in state.read_bytes()
        with _qemu(tmp_path, accelerator, "restored") as restored:
            load(restored, state)
            restored("pmemsave", val=MARK_AT, size=len(MARK), filename=str(there))
    assert there.read_bytes() == MARK
