"""The probe that counters are checked against: how many instructions it retires.

The program is ``vm_images/guest/probe.S``; change both together.
"""

from __future__ import annotations


def probe_instructions(loops: int) -> int:
    """User instructions of ``probe LOOPS``, exactly.

    Three before the first digit, seven per digit, three at the end of the string, two per loop, three to exit.
    """
    if loops < 1:
        raise ValueError(f"the probe needs at least one loop, found {loops}")
    return 3 + 7 * len(str(loops)) + 3 + 2 * loops + 3
