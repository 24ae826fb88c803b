"""The memory of a saved machine as all its rooms map it, and none can change it: a file without a name, sealed.

QEMU before 8.2 opens the file of a guest's memory for writing even where it maps it privately, so a guest that took
over its QEMU could change what other guests begin with.  The kernel lets nobody write to a sealed file, whoever has
opened it, nor undo the seals; a private mapping of it can be written to as that of any other file.  So each room has of
its own only the pages that it has changed.

The file has no name.  What starts QEMU gets it at the guest's gate, before the guest can do anything (`walled_qemu.c`).
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from evaluate.sandbox.memory_medium import length_before, write_at
from evaluate.sandbox.snapshots import written

NUMBER = 200
"""Of the file in QEMU, where libvirt has none (`walled_qemu.c`)."""
PATH = Path(f"/proc/self/fd/{NUMBER}")
"""Its name there."""
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


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
