"""How QEMU hands out the state of a guest that stands still, and takes it in again: migration through a socket.

The guest's memory is a file that QEMU maps (`evaluate.sandbox.domain.Memory`), so it is not part of the stream
(``x-ignore-shared``), which has half a megabyte: processor, devices, firmware.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evaluate.core.errors import SandboxFault

SOCKETS = "sockets"
"""The folder in which QEMU may create sockets, in the folder of its guest."""
Monitor = Callable[..., Any]
"""Sends a command with its arguments to QEMU's monitor and returns the reply."""

_SECONDS = 60.0
_LOOK_SECONDS = 0.002
_MOST_BYTES = 256 << 20
"""The guest may have taken over its QEMU, which must not fill the disk of the host."""
_CAPABILITIES = [{"capability": "x-ignore-shared", "state": True}]


def save(monitor: Monitor, target: Path, folder: Path) -> None:
    """Write the state of a guest that was suspended to a new file.

    Raises
    ------
    SandboxFault
        QEMU cannot save it.
    """
    address = folder / "save"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        try:
            listener.bind(str(address))
            owner = folder.stat()
            os.chown(address, owner.st_uid, owner.st_gid)
            listener.listen(1)
            listener.settimeout(_SECONDS)
            monitor("migrate-set-capabilities", capabilities=_CAPABILITIES)
            monitor("migrate", uri=f"unix:{address}")
            stream, _ = listener.accept()
            with stream, target.open("wb") as file:
                stream.settimeout(_SECONDS)
                while data := stream.recv(1 << 20):
                    file.write(data)
                    if file.tell() > _MOST_BYTES:
                        raise SandboxFault(f"the state of the guest has more than {_MOST_BYTES >> 20} MiB")
        except OSError as e:
            raise SandboxFault(f"the state of the guest cannot be saved: {e}") from e
    _wait(monitor, "saved")


def load(monitor: Monitor, source: Path, folder: Path) -> None:
    """Give the state in a file to a QEMU that waits for it; afterwards its guest stands still.

    Raises
    ------
    SandboxFault
        QEMU does not take it.
    """
    address = folder / "load"
    _until_connected(monitor)
    monitor("migrate-set-capabilities", capabilities=_CAPABILITIES)
    # a restored guest would tell its network where it is now, by timers; it has none, and they would disturb its clock
    monitor("migrate-set-parameters", **{"announce-rounds": 0})
    monitor("migrate-incoming", uri=f"unix:{address}")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stream, source.open("rb") as file:
            stream.settimeout(_SECONDS)
            stream.connect(str(address))
            stream.sendfile(file)
    except OSError as e:
        raise SandboxFault(f"QEMU does not take the state of the guest: {e}") from e
    _wait(monitor, "restored")
    deadline = time.monotonic() + _SECONDS
    while (status := monitor("query-status")["status"]) == "inmigrate":
        _sleep_until(deadline, "the guest was not ready after it was restored")
    if status not in ("paused", "prelaunch"):
        raise SandboxFault(f"expected that a restored guest stands still, found it {status}")


def _until_connected(monitor: Monitor) -> None:
    """Wait until QEMU knows that the host has opened every port.

    When a restored guest resumes, it is told of each port that was open when it was saved and is not open now.  Its
    agent would take that for a host that has hung up, and switch the guest off.
    """
    deadline = time.monotonic() + _SECONDS
    while any(one["filename"].startswith("disconnected:") for one in monitor("query-chardev")):
        _sleep_until(deadline, "QEMU did not see that the host opened the agent's port")


def _wait(monitor: Monitor, done: str) -> None:
    deadline = time.monotonic() + _SECONDS
    while (found := monitor("query-migrate")).get("status") != "completed":
        if found.get("status") in ("failed", "cancelled"):
            raise SandboxFault(f"the guest cannot be {done}: {found.get('error-desc', 'QEMU gives no reason')}")
        _sleep_until(deadline, f"the guest was not {done}")


def _sleep_until(deadline: float, problem: str) -> None:
    if time.monotonic() > deadline:
        raise SandboxFault(f"{problem} within {_SECONDS:.0f} s")
    time.sleep(_LOOK_SECONDS)
