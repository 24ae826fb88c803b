"""Two guests at once, of the user that runs this: ``python -m tests.support.two_guests STATE``.

Prints, for each, the user of its QEMU, whether that may pass its folder, and whether the other's QEMU may.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import psutil

from evaluate.confine.acl import may_pass
from evaluate.host.accelerators import open_hypervisor
from evaluate.host.state import open_state
from evaluate.images.image import load_image
from evaluate.sandbox.base import Machine
from evaluate.sandbox.connection import qemu_pid


def main() -> None:
    """See the module."""
    state = open_state(Path(sys.argv[1]))
    image = load_image("bookworm", state)
    hypervisor = open_hypervisor(state, image, "tcg")
    with hypervisor.boot(Machine(image=image)) as first, hypervisor.boot(Machine(image=image)) as second:
        guests = (first, second)
        owners = []
        for guest in guests:
            process = psutil.Process(qemu_pid(guest.handle.name()))
            owners.append((process.uids().real, process.gids().real))
        for guest, own, other in zip(guests, owners, reversed(owners), strict=True):
            print(json.dumps([own[0], may_pass(guest.folder, own), may_pass(guest.folder, other)]))


if __name__ == "__main__":
    main()
