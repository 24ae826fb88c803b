"""Room for guests on this host: their number, for `slots: auto`, and its GPUs."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from evaluate.config.challenge.types import Challenge
from evaluate.config.load import FILE
from evaluate.core.errors import ChallengeError, Fault
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


# GPUs: two guests never get the same one.
#
# A GPU is reserved by a lock (``flock``) on its folder in sysfs.  It works between the slots of a daemon, several
# daemons and ``evaluate try``, whatever state directories they use; the kernel releases it when its process ends,
# however it ends; and there is no lock file to create, to own or to clean up.


DEVICES = Path("/sys/bus/pci/devices")


class DevicesBusy(Fault):
    """Too few devices are free now; more will be free later."""

    def __init__(self, wanted: int, devices: Sequence[str], busy: Sequence[str]) -> None:
        super().__init__(
            f"the entry needs {wanted} of the GPUs {', '.join(devices)}, and {', '.join(busy)} "
            f"{'is' if len(busy) == 1 else 'are'} in use by another evaluation on this machine; try again when it has "
            "ended"
        )


@contextmanager
def leased_gpus(
    challenge: str, wanted: int, devices: Sequence[str], folder: Path = DEVICES
) -> Iterator[tuple[str, ...]]:
    """Reserve some of this host's GPUs; does not wait for them.

    Raises ChallengeError if this host has fewer. Raises DevicesBusy if it has enough, but too few of them are free.
    Raises Fault if a device of ``evaluate.yaml`` does not exist.

    * ``challenge``: name of the challenge whose entry needs them, for messages.
    * ``devices``: PCI addresses of the GPUs that guests may be given, from ``evaluate.yaml``.
    * ``folder``: the kernel's list of PCI devices.

    Yields the addresses of as many devices as were wanted.
    """
    devices = tuple(dict.fromkeys(devices))  # one that is listed twice would be busy with itself
    if wanted > len(devices):
        raise ChallengeError(
            f"{challenge}: its entries need {wanted} GPU, and {FILE} of the state directory names {len(devices)}: "
            "gpus: [0000:65:00.0]"
        )
    with ExitStack() as held:
        leased: list[str] = []
        busy: list[str] = []
        for address in devices:
            if len(leased) == wanted:
                break
            (leased if _lock(folder / address, held) else busy).append(address)
        if len(leased) < wanted:
            raise DevicesBusy(wanted, devices, busy)
        yield tuple(leased)


def _lock(path: Path, held: ExitStack) -> bool:
    try:
        number = os.open(path, os.O_RDONLY)
    except OSError as e:
        raise Fault(f"GPU {path.name}: there is no such PCI device on this host (gpus in {FILE}): {e.strerror}") from e
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(number)
        return False
    held.callback(os.close, number)
    return True
