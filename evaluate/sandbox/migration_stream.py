"""How QEMU hands out the state of a guest that stands still, and takes it in again: migration through a pipe.

QEMU gets its end of the pipe from us, so that there is no name of it in a folder, and no folder that QEMU may write to.
The guest's memory is a file that QEMU maps (`evaluate.sandbox.domain.Memory`), so it is not part of the stream
(``x-ignore-shared``), which has half a megabyte: processor, devices, firmware.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evaluate.core.errors import SandboxFault

Monitor = Callable[..., Any]
"""Sends a command with its arguments, and with ``files``, to QEMU's monitor and returns the reply."""

_SECONDS = 60.0
_LOOK_SECONDS = 0.002
_CHUNK = 1 << 20
_MOST_BYTES = 256 << 20
"""The guest may have taken over its QEMU, which must not fill the disk of the host."""
_PIPE = "evaluate"
_CAPABILITIES = [{"capability": "x-ignore-shared", "state": True}]


@contextmanager
def _documented() -> Iterator[None]:
    """Takes a reply that is not as QEMU documents it for a fault: a guest may have taken over its QEMU."""
    try:
        yield
    except (LookupError, TypeError, AttributeError) as e:
        raise SandboxFault(f"QEMU's monitor gave a reply of another form than its documentation says: {e!r}") from e


@_documented()
def save(monitor: Monitor, target: Path) -> None:
    """Write the state of a guest that was suspended to a new file. Raises SandboxFault if QEMU cannot save it."""
    source, theirs = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    with _end(source), target.open("xb") as file:
        monitor("migrate-set-capabilities", capabilities=_CAPABILITIES)
        with _end(theirs):
            os.set_blocking(theirs, True)
            monitor("getfd", fdname=_PIPE, files=[theirs])
        monitor("migrate", uri=f"fd:{_PIPE}")
        while _is_ready(source, select.POLLIN, "hand out") and (data := os.read(source, _CHUNK)):
            file.write(data)
            if file.tell() > _MOST_BYTES:
                raise SandboxFault(f"the state of the guest has more than {_MOST_BYTES >> 20} MiB")
    _wait(monitor, "saved")


@_documented()
def load(monitor: Monitor, source: Path) -> None:
    """Give the state in a file to a QEMU that waits for it; afterwards its guest stands still.

    Raises SandboxFault if QEMU does not take it.
    """
    _until_connected(monitor)
    monitor("migrate-set-capabilities", capabilities=_CAPABILITIES)
    # a restored guest would tell its network where it is now, by timers; it has none, and they would disturb its clock
    monitor("migrate-set-parameters", **{"announce-rounds": 0})
    theirs, target = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    with _end(target), source.open("rb") as file:
        with _end(theirs):
            os.set_blocking(theirs, True)
            monitor("getfd", fdname=_PIPE, files=[theirs])
        monitor("migrate-incoming", uri=f"fd:{_PIPE}")
        try:
            while data := file.read(_CHUNK):
                while data and _is_ready(target, select.POLLOUT, "take"):
                    data = data[os.write(target, data) :]
        except BrokenPipeError as e:
            raise SandboxFault(f"QEMU does not take the state of the guest: {e}") from e
    _wait(monitor, "restored")
    deadline = time.monotonic() + _SECONDS
    while (status := monitor("query-status")["status"]) == "inmigrate":
        _sleep_until(deadline, "the guest was not ready after it was restored")
    if status not in ("paused", "prelaunch"):
        raise SandboxFault(f"expected that a restored guest stands still, found it {status}")


@contextmanager
def _end(number: int) -> Iterator[None]:
    """Of a pipe, closed when the context ends."""
    try:
        yield
    finally:
        os.close(number)


def _is_ready(end: int, event: int, doing: str) -> bool:
    waiting = select.poll()
    waiting.register(end, event)
    if waiting.poll(1000 * _SECONDS):
        return True
    raise SandboxFault(f"QEMU did not {doing} the state of the guest within {_SECONDS:.0f} s")


def _until_connected(monitor: Monitor) -> None:
    """Wait until QEMU knows that the host has opened every port.

    When a restored guest resumes, it gets an event for each port that was open when it was saved and is not now.  Its
    agent would take that for a host that has hung up, and switch the guest off.
    """
    deadline = time.monotonic() + _SECONDS
    while any(one["filename"].startswith("disconnected:") for one in monitor("query-chardev")):
        _sleep_until(deadline, "QEMU did not see that the host opened the agent's port")


def _wait(monitor: Monitor, done: str) -> None:
    deadline = time.monotonic() + _SECONDS
    while (found := monitor("query-migrate")).get("status") != "completed":
        if found.get("status") in ("failed", "cancelled"):
            raise SandboxFault(f"the guest cannot be {done}: {found.get('error-desc', 'QEMU gave no reason')}")
        _sleep_until(deadline, f"the guest was not {done}")


def _sleep_until(deadline: float, problem: str) -> None:
    if time.monotonic() > deadline:
        raise SandboxFault(f"{problem} within {_SECONDS:.0f} s")
    time.sleep(_LOOK_SECONDS)
