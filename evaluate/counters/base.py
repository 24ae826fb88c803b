"""What a counter of guest instructions is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, kw_only=True)
class GatePlace:
    """Where an exact guest stands still until its supervisor lets it go on; see `evaluate.sandbox.gate`."""

    socket: Path
    """Where it says that it has come."""
    at: int
    """The address that it stands still at, the first time."""
    memory: Path | None = None
    """The file that QEMU maps as the guest's memory, to which its supervisor writes meanwhile; None: it does not."""


class Reading(Protocol):
    """A running count of one guest."""

    def instructions(self, *, settled: bool = False) -> int:
        """User-mode instructions the guest has retired so far; never decreases.

        Raises CounterFault if the counter does not work, or the guest has ended.

        ``settled``: wait until everything retired before this call is included. For use while the guest is idle, before
        and after a command; without it the number may be some milliseconds old.
        """

    def await_mark(self) -> bool:
        """Have the next command's begin noted; whether this counter can.  For use while the guest is idle."""

    def marked(self) -> int | None:
        """The count at which the command began that was awaited, in a guest with a gate the first behind that.

        0: it has not yet begun; None: this counter cannot tell.
        """

    def close(self) -> None:
        """Stop counting."""


class Counter(Protocol):
    """A way of counting: the exact one of software emulation, or the processor's own."""

    @property
    def kind(self) -> str:
        """``tcg`` or ``perf``."""

    @property
    def version(self) -> str:
        """Changes when it may count otherwise."""

    @property
    def tolerance(self) -> float:
        """Largest relative error against the probe of known count; with a larger one it is refused."""

    def qemu_arguments(
        self, folder: Path, *, exact: bool = False, gate: GatePlace | None = None, mark: int = 0
    ) -> tuple[str, ...]:
        """Arguments for QEMU; files it needs are made in ``folder``, the guest's own.

        * ``exact``: the guest's time passes with its instructions (``-icount``).
        * ``mark``: the address that the guest comes to when a command begins; 0: it is not looked for.
        """

    def attach(self, folder: Path, pid: int) -> Reading:
        """Count the guest that the QEMU process ``pid`` runs."""
