"""Random numbers of a saved machine that are those of every other one.

The kernel stirs what they come from with the times of interrupts.  While a machine is made ready these depend on the
host's disks, so two machines would draw different numbers, and a program that draws some, as numpy does when it is
imported, would execute other instructions.  So the host writes over the key while the machine stands still.
"""

from __future__ import annotations

import struct
from pathlib import Path

_STATE = struct.Struct("<32s2Q")
"""The beginning of ``base_crng`` in Linux 6.1 (drivers/char/random.c): the key, the tick at which it was made, and its
generation."""
KEY = b"the same in every room".ljust(32, b".")
_NEVER_OLD = 1 << 60
"""A tick that does not come, so the kernel makes no other key."""
_GENERATION = 1 << 32
"""None that a processor, or a buffer of numbers, has its own key from: each takes one from this key."""
_LOW_BYTES, _MOST_BELOW, _HIGH_AT = 2 << 30, 0xB000_0000, 4 << 30
"""QEMU's ``q35`` has so much memory, if it has more than the second, below 4 GiB, and the rest from there on."""


def fix_random_key(memory: Path, at: int) -> None:
    """Have a machine draw the numbers that every machine draws, if this is the key that it draws them from.

    * ``memory``: the memory of a machine that stands still.
    * ``at``: where its agent says that the key is; nothing is written outside of the memory, or where something else
      is.
    """
    with memory.open("r+b") as file:
        size = memory.stat().st_size
        if size >= _MOST_BELOW and at >= _HIGH_AT:
            at -= _HIGH_AT - _LOW_BYTES
        if not 0 < at <= size - _STATE.size:
            return
        file.seek(at)
        _key, _made, generation = _STATE.unpack(file.read(_STATE.size))
        if 0 < generation < _GENERATION:
            file.seek(at)
            file.write(_STATE.pack(KEY, _NEVER_OLD, _GENERATION))
