"""Reserves the GPUs of this machine: two guests never get the same one.

A GPU is reserved by a lock (``flock``) on its folder in sysfs.  It works between the slots of a daemon, several
daemons and ``evaluate try``, whatever state directories they use; the kernel releases it when its process ends, however
it ends; and there is no lock file to create, to own or to clean up.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from evaluate.config.load import FILE
from evaluate.core.errors import ChallengeError, Fault

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
