"""The number of guests that this host bears, for `slots: auto`: at rest, and with what runs on it now."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

import psutil

from evaluate.config.challenge.types import Challenge
from evaluate.core.model import MIB, Sizes
from evaluate.sandbox.domain import PREFIX
from evaluate.sandbox.starting import cores

_QEMU_BYTES = 512 * MIB
"""Memory of a QEMU beside that of its guest."""
_HOST_SHARE = 0.2
"""Share of the host's memory for what is no guest."""


@dataclass(frozen=True, kw_only=True)
class HostLoad:
    """Processors and memory of a host, and what runs on it."""

    cores: int
    load: float
    """Processes that run or wait for a processor, on the average of a minute."""
    memory_bytes: int
    available_bytes: int
    guests: int
    guests_bytes: int
    """Memory that its guests have already filled."""

    @classmethod
    def measured(cls) -> HostLoad:
        """Measure this host."""
        memory = psutil.virtual_memory()
        guests = [
            process.info["memory_info"].rss
            for process in psutil.process_iter(["cmdline", "memory_info"])
            if any(word.startswith(f"guest={PREFIX}") for word in process.info["cmdline"] or ())
            and process.info["memory_info"]
        ]
        return cls(
            cores=cores(),
            load=os.getloadavg()[0],
            memory_bytes=memory.total,
            available_bytes=memory.available,
            guests=len(guests),
            guests_bytes=sum(guests),
        )


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """Guests of one size, of which a host bears some."""

    processors: int
    memory_bytes: int

    @classmethod
    def of(cls, challenges: Iterable[Challenge]) -> Capacity:
        """Capacity for the largest guest of these challenges, whatever its stage."""
        sizes = [
            challenge.sizes_of(stage)
            for challenge in challenges
            if challenge.runs_programs
            for stage in challenge.stages
        ] or [Sizes()]
        return cls(
            processors=max(size.processors for size in sizes),
            memory_bytes=max(size.memory_bytes for size in sizes) + _QEMU_BYTES,
        )

    def at_rest(self, host: HostLoad) -> int:
        """Number of guests that it bears if nothing else runs; at least one."""
        by_memory = (1 - _HOST_SHARE) * host.memory_bytes / self.memory_bytes
        return max(1, int(min(host.cores / self.processors, by_memory)))

    def now(self, held: int, host: HostLoad) -> int:
        """Number of guests that it bears now, with those that are held; at least one, so that the queue goes on."""
        others = max(0.0, host.load - held * self.processors)
        unfilled = max(0, host.guests * self.memory_bytes - host.guests_bytes)
        by_memory = held + (host.available_bytes - unfilled) // self.memory_bytes
        by_processors = (host.cores - others) / self.processors
        return max(1, int(min(self.at_rest(host), by_processors, by_memory)))
