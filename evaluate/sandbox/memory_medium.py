"""Medium and order of one command in the memory of its guest, at the place that its kernel leaves alone.

A guest that reads a disk or a port waits for the host, and its clock leaps meanwhile, so what the scheduler then does
is never quite the same.  Memory answers at once.  The guest stands still meanwhile, or does not look.

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
from collections.abc import Iterator
from pathlib import Path

from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB
from evaluate.protocol.guest import ORDER_BEGIN, RECORDS_AT, RECORDS_BEGIN, RECORDS_BYTES
from evaluate.sandbox.snapshots import written

NUMBER = 200
"""Of the file in QEMU, where libvirt has none (`walled_qemu.c`)."""
PATH = Path(f"/proc/self/fd/{NUMBER}")
"""Its name there."""
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
MOST_BYTES = RECORDS_BYTES - RECORDS_BEGIN
"""Size of a medium, at most."""
TO_THE_GATE = b"\0"
"""In the place of an order: that there is something lets the agent go to the gate, where the order is left."""
_LENGTH_BYTES = 8
_CHUNK = 1 << 20


def write_medium(memory: Path, medium: Path | None, order: bytes = b"") -> None:
    """Replace the medium in a guest's memory, None by nothing, and leave the frame of an order for its agent.

    Raises SandboxFault if one of them is too large.

    ``memory``: a file that this guest alone has.
    """
    with memory.open("r+b", buffering=0) as file:
        for place, data in parts(length_before(file.fileno()), medium, order):
            write_at(file.fileno(), place, data)


def length_before(memory: int) -> int:
    """The length of the medium in a file of a guest's memory."""
    return int.from_bytes(os.pread(memory, _LENGTH_BYTES, RECORDS_AT), "little")


def parts(before: int, medium: Path | None, order: bytes) -> Iterator[tuple[int, bytes]]:
    """What is written to a guest's memory, and where, so that it has another medium and an order.

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
    place = RECORDS_AT + RECORDS_BEGIN
    end = place + min(before, MOST_BYTES)
    if medium:
        with medium.open("rb") as source:
            while data := source.read(min(_CHUNK, RECORDS_AT + RECORDS_BYTES - place)):
                yield place, data
                place += len(data)
    while place < end:
        yield place, bytes(min(end - place, _CHUNK))
        place += _CHUNK
    # last, since an agent that looks for an order finds what belongs to it
    yield RECORDS_AT, b"".join(n.to_bytes(_LENGTH_BYTES, "little") for n in (size, len(order))) + order


def write_at(file: int, place: int, data: bytes | memoryview) -> None:
    """Write all of it to an open file."""
    while data:
        n = os.pwrite(file, data, place)
        place, data = place + n, data[n:]


class SealedMemory:
    """A sealed copy of the pages of a file that are not zero; it exists until nobody has it open any more."""

    def __init__(self, source: Path) -> None:
        """Raises OSError if the file cannot be read, or there is no memory for it."""
        self.number = os.memfd_create("evaluate", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            with source.open("rb", buffering=0) as file:
                os.ftruncate(self.number, os.fstat(file.fileno()).st_size)
                for place, data in written(file.fileno()):
                    write_at(self.number, place, data)
            fcntl.fcntl(self.number, fcntl.F_ADD_SEALS, _SEALS)
            self.medium_bytes = length_before(self.number)
            """Of the medium that is in it."""
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close it here."""
        os.close(self.number)
