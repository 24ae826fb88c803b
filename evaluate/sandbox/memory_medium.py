"""Medium and order of one command in the memory of its guest, at the place that its kernel leaves alone.

A guest that reads a disk or a port waits for the host, and its clock leaps meanwhile, so what the scheduler then does
is never quite the same.  Memory answers at once.  The file is the memory of one guest, which stands still or does not
look.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB
from evaluate.protocol.guest import ORDER_BEGIN, RECORDS_AT, RECORDS_BEGIN, RECORDS_BYTES

MOST_BYTES = RECORDS_BYTES - RECORDS_BEGIN
"""Size of a medium, at most."""
_LENGTH_BYTES = 8
_CHUNK = 1 << 20


def write_medium(memory: Path, medium: Path | None, order: bytes = b"") -> None:
    """Replace the medium in a guest's memory, None by nothing, and leave the frame of an order for its agent.

    Raises SandboxFault if one of them is too large.
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
    with memory.open("r+b") as file:
        before = int.from_bytes(os.pread(file.fileno(), _LENGTH_BYTES, RECORDS_AT), "little")
        file.seek(RECORDS_AT)
        file.write(b"".join(n.to_bytes(_LENGTH_BYTES, "little") for n in (size, len(order))) + order)
        file.seek(RECORDS_AT + RECORDS_BEGIN)
        if medium:
            with medium.open("rb") as source:
                shutil.copyfileobj(source, file, _CHUNK)
        left = min(before, MOST_BYTES) - size
        while left > 0:
            left -= file.write(bytes(min(left, _CHUNK)))
