"""A number by a library of the field and by us, on the same input, and how long each takes."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 5
Value = Callable[[], float]
Both = tuple[Value, Value]
"""Our function and theirs."""


@dataclass(frozen=True, kw_only=True)
class Peer:
    """One number by a library and by us."""

    module: str
    install: str
    what: str
    prepare: Callable[[float], Both]
    """Our function and theirs, for a share of the full size; the library is imported in it."""
    close: float = 1e-9
    """By how much the two may differ."""
    why: str = ""
    """Why they may differ by more than rounding."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """CPU seconds of both, the best of `ROUNDS`, and both values."""

    peer: Peer
    ours: float
    theirs: float
    value: float
    their_value: float

    @property
    def agree(self) -> bool:
        """Whether the values differ by no more than they may."""
        return abs(self.value - self.their_value) <= self.peer.close

    @property
    def ratio(self) -> float:
        """How many times as long theirs takes."""
        return self.theirs / max(self.ours, 1e-9)


def compare(peer: Peer, size: float = 1.0) -> Compared | None:
    """Run both on the same input; None without the library."""
    if importlib.util.find_spec(peer.module) is None:
        return None
    ours, theirs = peer.prepare(size)
    value, their_value = ours(), theirs()
    seconds: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):  # in turns, so that what else the machine does slows both
        for function, own in zip((ours, theirs), seconds, strict=True):
            begin = time.process_time()
            function()
            own.append(time.process_time() - begin)
    return Compared(peer=peer, ours=min(seconds[0]), theirs=min(seconds[1]), value=value, their_value=their_value)
