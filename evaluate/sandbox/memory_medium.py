"""Medium and order of one command in the memory of its guest, at the place that its kernel leaves alone.

A guest that reads a disk or a port waits for the host, and its clock leaps meanwhile, so what the scheduler then does
is never quite the same.  Memory answers at once.  The guest is paused meanwhile, or does not look.

All rooms of a saved machine map its memory, and none can change it: a file without a name, sealed (`SealedMemory`).
QEMU before 8.2 opens the file of a guest's memory for writing even where it maps it privately, so a guest that took
over its QEMU could change what other guests begin with.  The kernel lets nobody write to a sealed file, whoever has
opened it, nor undo the seals; a private mapping of it can be written to as that of any other file.  So each room has of
its own only the pages that it has changed.  What starts QEMU gets the file at the guest's gate, before the guest can do
anything (`walled_qemu.c`).
"""

from __future__ import annotations

import fcntl
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB
from evaluate.core.waiting import Deadline
from evaluate.protocol.guest import ORDER_BEGIN, RECORDS_AT, RECORDS_BEGIN, RECORDS_BYTES
from evaluate.sandbox.snapshots import written

NUMBER = 200
"""Number of the file in QEMU, where libvirt has none (`walled_qemu.c`)."""
PATH = Path(f"/proc/self/fd/{NUMBER}")
"""Name of the file in QEMU."""
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
MOST_BYTES = RECORDS_BYTES - RECORDS_BEGIN
"""Size of a medium, at most."""
TO_THE_GATE = b"\0"
"""Replaces an order: any byte sends the agent to the gate, where the order is left."""
_LENGTH_BYTES = 8
_CHUNK = 1 << 20


def write_medium(memory: Path, medium: Path | None, order: bytes = b"") -> None:
    """Replace the medium in a guest's memory, None by nothing, and leave the frame of an order for its agent.

    Raises SandboxFault if one of them is too large.

    ``memory``: a file that this guest alone has.
    """
    with memory.open("r+b", buffering=0) as file:
        for offset, data in parts(length_before(file.fileno()), medium, order):
            write_at(file.fileno(), offset, data)


def length_before(memory: int) -> int:
    """The length of the medium in a file of a guest's memory."""
    return int.from_bytes(os.pread(memory, _LENGTH_BYTES, RECORDS_AT), "little")


def parts(before: int, medium: Path | None, order: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield what is written to a guest's memory, and where, so that it has another medium and an order.

    Raises SandboxFault, before the first of them, if one is too large.

    ``before``: the length of the medium that is there.
    """
    size = medium.stat().st_size if medium else 0
    if size > MOST_BYTES:
        raise SandboxFault(
            f"{medium}: {size >> 20} MiB; with `isolation: snapshot` the files of one record may have "
            f"{MOST_BYTES // MIB} MiB at most: `isolation: namespace` reads them from a disk"
        )
    if len(order) > RECORDS_BEGIN - ORDER_BEGIN:
        raise SandboxFault(
            f"the order of a command has {len(order)} bytes; with `isolation: snapshot` it may have "
            f"{RECORDS_BEGIN - ORDER_BEGIN} at most, names of files included"
        )
    offset = RECORDS_AT + RECORDS_BEGIN
    end = offset + min(before, MOST_BYTES)
    if medium:
        with medium.open("rb") as source:
            while data := source.read(min(_CHUNK, RECORDS_AT + RECORDS_BYTES - offset)):
                yield offset, data
                offset += len(data)
    while offset < end:
        yield offset, bytes(min(end - offset, _CHUNK))
        offset += _CHUNK
    # last, since an agent that looks for an order finds what belongs to it
    yield RECORDS_AT, b"".join(n.to_bytes(_LENGTH_BYTES, "little") for n in (size, len(order))) + order


def write_at(file: int, offset: int, data: bytes | memoryview) -> None:
    """Write all of it to an open file."""
    while data:
        n = os.pwrite(file, data, offset)
        offset, data = offset + n, data[n:]


class SealedMemory:
    """A sealed copy of the pages of a file that are not zero; it exists until nobody has it open any more."""

    def __init__(self, source: Path) -> None:
        """Raises OSError if the file cannot be read, or there is no memory for it."""
        self.number = os.memfd_create("evaluate", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            with source.open("rb", buffering=0) as file:
                os.ftruncate(self.number, os.fstat(file.fileno()).st_size)
                for offset, data in written(file.fileno()):
                    write_at(self.number, offset, data)
            fcntl.fcntl(self.number, fcntl.F_ADD_SEALS, _SEALS)
            self.medium_bytes = length_before(self.number)
            """Length of the medium that is in it."""
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close it here."""
        os.close(self.number)


# The gate where a restored guest is paused, clock included: the next thing it does is its command.
#
# Its agent comes to an address where our plugin pauses it, after the same number of instructions in every guest that is
# restored from one snapshot.  What the guest needs for its command the plugin writes to its memory (``tcg_count.c``),
# since that may be a private mapping of the sealed file.  QEMU gets this file here, too.


GATE = "gate"
_GATE_SECONDS = 120.0
_PART = struct.Struct("=QQ")
"""Place in the guest's memory where the following bytes belong, and their number; 0 bytes: resume."""


class Gate:
    """The gate of one guest.  Make it before QEMU starts; close it before the guest is destroyed."""

    def __init__(self, path: Path, memory: int | None = None) -> None:
        """Listen. Raises SandboxFault if there can be no socket, as where the path is too long for one.

        * ``path``: of the socket, in a folder that QEMU may not write to.
        * ``memory``: a file that the first who connects gets: who starts QEMU, before the guest can do anything.
        """
        self.path = path
        self._end: socket.socket | None = None
        self._memory = memory
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._listener.bind(str(self.path))
            self._listener.listen(1)
        except OSError as e:
            self._listener.close()
            raise SandboxFault(f"the guest's gate {self.path} cannot be made: {e}") from e
        self._handing = threading.Thread(target=self._hand_over, name="handing a guest its memory", daemon=True)
        if memory is not None:
            self._handing.start()

    def _hand_over(self) -> None:
        assert self._memory is not None
        # without a time limit, with which Python polls: a listener that was shut down is always ready
        with suppress(OSError):  # without a connection QEMU has no memory, and does not start
            end, _ = self._listener.accept()
            with end:
                socket.send_fds(end, [b"m"], [self._memory])

    def wait(self) -> None:
        """Return when the guest has stopped at the gate.

        Raises SandboxFault if it does not reach the gate in time, or it has ended.
        """
        try:
            if self._memory is not None:
                self._handing.join(_GATE_SECONDS)  # QEMU runs, so it has its memory
            self._listener.settimeout(_GATE_SECONDS)
            self._end, _ = self._listener.accept()
            self._end.settimeout(_GATE_SECONDS)
            if not self._end.recv(1):
                raise SandboxFault("the guest ended before its command")
        except OSError as e:
            raise SandboxFault(
                f"expected that the guest is ready for its command within {_GATE_SECONDS:.0f} s: {e}"
            ) from e

    def open(self, parts: Iterable[tuple[int, bytes]] = ()) -> None:
        """Resume the guest; SandboxFault if it has ended.

        ``parts`` (int, bytes): what is written to its memory before, and where.
        """
        assert self._end is not None
        try:
            for offset, data in parts:
                self._end.sendall(_PART.pack(offset, len(data)))
                self._end.sendall(data)
            self._end.sendall(_PART.pack(0, 0))
        except OSError as e:
            raise SandboxFault(f"the guest has ended while it waited for its command: {e}") from e

    def close(self) -> None:
        """Hang up, which also resumes the guest: a QEMU whose processor is paused cannot end."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # ends what waits for it
        if self._memory is not None:
            self._handing.join()
        for end in (self._end, self._listener):
            if end is not None:
                with suppress(OSError):
                    end.close()


# How QEMU hands out the state of a paused guest, and takes it in again: migration through a pipe.
#
# QEMU gets its end of the pipe from us, so that there is no name of it in a folder, and no folder that QEMU may write
# to. The guest's memory is a file that QEMU maps (`evaluate.sandbox.domain.Memory`), so it is not part of the stream
# (`x-ignore-shared`), which has half a megabyte: processor, devices, firmware.


Monitor = Callable[..., Any]
"""Sends a command with its arguments, and with ``files``, to QEMU's monitor and returns the reply."""

_SECONDS = 60.0
_LOOK_SECONDS = 0.002
_MOST_BYTES = 256 << 20
"""The guest may have taken over its QEMU, which must not fill the disk of the host."""
_PIPE = "evaluate"
_CAPABILITIES = [{"capability": "x-ignore-shared", "state": True}]


@contextmanager
def _as_documented() -> Iterator[None]:
    """Takes a reply that is not as QEMU documents it for a fault: a guest may have taken over its QEMU."""
    try:
        yield
    except (LookupError, TypeError, AttributeError) as e:
        raise SandboxFault(f"QEMU's monitor gave a reply of another form than its documentation says: {e!r}") from e


@_as_documented()
def save(monitor: Monitor, target: Path) -> None:
    """Write the state of a guest that was suspended to a new file. Raises SandboxFault if QEMU cannot save it."""
    deadline = Deadline(_SECONDS)
    source, theirs = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(source, "rb", 0), os.fdopen(theirs, "wb", 0) as given, target.open("xb") as file:
        monitor("migrate-set-capabilities", capabilities=_CAPABILITIES)
        os.set_blocking(theirs, True)
        monitor("getfd", fdname=_PIPE, files=[theirs])
        given.close()
        monitor("migrate", uri=f"fd:{_PIPE}")
        while _is_ready(source, select.POLLIN, "hand out", deadline) and (data := os.read(source, _CHUNK)):
            file.write(data)
            if file.tell() > _MOST_BYTES:
                raise SandboxFault(f"the state of the guest has more than {_MOST_BYTES >> 20} MiB")
    _wait(monitor, "saved")


@_as_documented()
def load(monitor: Monitor, source: Path) -> None:
    """Give the state in a file to a QEMU that waits for it; afterwards its guest is paused.

    Raises SandboxFault if QEMU does not take it.
    """
    _until_connected(monitor)
    monitor("migrate-set-capabilities", capabilities=_CAPABILITIES)
    # a restored guest would tell its network where it is now, by timers; it has none, and they would disturb its clock
    monitor("migrate-set-parameters", **{"announce-rounds": 0})
    deadline = Deadline(_SECONDS)
    theirs, target = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(target, "wb", 0), os.fdopen(theirs, "rb", 0) as given, source.open("rb") as file:
        os.set_blocking(theirs, True)
        monitor("getfd", fdname=_PIPE, files=[theirs])
        given.close()
        monitor("migrate-incoming", uri=f"fd:{_PIPE}")
        try:
            while data := file.read(_CHUNK):
                while data and _is_ready(target, select.POLLOUT, "take", deadline):
                    data = data[os.write(target, data) :]
        except BrokenPipeError as e:
            raise SandboxFault(f"QEMU does not take the state of the guest: {e}") from e
    _wait(monitor, "restored")
    deadline = Deadline(_SECONDS)
    while (status := monitor("query-status")["status"]) == "inmigrate":
        _sleep_until(deadline, "the guest was not ready after it was restored")
    if status not in ("paused", "prelaunch"):
        raise SandboxFault(f"expected the restored guest to be paused, found {status}")


def _is_ready(end: int, event: int, doing: str, deadline: Deadline) -> bool:
    waiting = select.poll()
    waiting.register(end, event)
    if not deadline.passed and waiting.poll(1000 * deadline.left):  # single bytes do not extend the time
        return True
    raise SandboxFault(f"QEMU did not {doing} the state of the guest within {_SECONDS:.0f} s")


def _until_connected(monitor: Monitor) -> None:
    """Wait until QEMU knows that the host has opened every port.

    When a restored guest resumes, it gets an event for each port that was open when it was saved and is not now.  Its
    agent would take that for a host that has hung up, and switch the guest off.
    """
    deadline = Deadline(_SECONDS)
    while any(port["filename"].startswith("disconnected:") for port in monitor("query-chardev")):
        _sleep_until(deadline, "QEMU did not see that the host opened the agent's port")


def _wait(monitor: Monitor, done: str) -> None:
    deadline = Deadline(_SECONDS)
    while (progress := monitor("query-migrate")).get("status") != "completed":
        if progress.get("status") in ("failed", "cancelled"):
            raise SandboxFault(f"the guest cannot be {done}: {progress.get('error-desc', 'QEMU gave no reason')}")
        _sleep_until(deadline, f"the guest was not {done}")


def _sleep_until(deadline: Deadline, problem: str) -> None:
    if deadline.passed:
        raise SandboxFault(f"{problem} within {_SECONDS:.0f} s")
    time.sleep(_LOOK_SECONDS)
