"""Restores machines many times: ``python -m tests.chaos.rooms --restores 200 --times 100``.

First the saved machine of the image is restored, greeted and destroyed, again and again; then every program of
`tests.support.programs` is run so many times in rooms of its own, and all its counts must be equal.
"""

from __future__ import annotations

import argparse
import time

from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB, Limits
from evaluate.host.accelerators import open_hypervisor
from evaluate.host.recount import agreement
from evaluate.host.state import default_state, open_state
from evaluate.images.image import load_image
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.libvirt import LibvirtHypervisor
from tests.support.programs import all_of, programs

LIMITS = Limits(instructions=10**11, wall_seconds=600, memory_bytes=512 * MIB)


def restore(hypervisor: LibvirtHypervisor, machine: Machine, n: int) -> int:
    """Restore the image's machine ``n`` times; returns how often that failed."""
    failed = 0
    for i in range(n):
        begin = time.monotonic()
        try:
            with hypervisor.boot(machine) as guest:
                ready = time.monotonic() - begin
                guest.run(Command(argv=("/bin/true",)), LIMITS)
        except SandboxFault as e:
            failed += 1
            print(f"  {i}: {e}", flush=True)
        else:
            print(f"  {i}: ready after {ready:.2f} s", flush=True)
    return failed


def main() -> int:
    """Exit code 1 if a restore failed or counts differ."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--restores", type=int, default=200)
    options.add_argument("--times", type=int, default=100)
    options.add_argument("--only", default="", help="Name of one program.")
    given = options.parse_args()
    state = open_state(default_state())
    image = load_image("bookworm", state)
    said: list[str] = []
    hypervisor = open_hypervisor(state, image, "tcg", said.append)
    failed = restore(hypervisor, Machine(image=image), given.restores)
    cold = sum("of no use" in line for line in said)
    print(f"{given.restores} restores: {failed} failed, {cold} replaced by a boot", flush=True)
    differing = 0
    with hypervisor.runs.new("rooms") as folder:
        commands = programs(folder)
        with hypervisor.rooms(Machine(image=image), all_of(commands), LIMITS) as rooms:
            for name in [given.only] if given.only else commands:
                runs = [rooms.run(commands[name], LIMITS) for _ in range(given.times)]
                print(f"{name}: {agreement([run.usage.instructions for run in runs])} {runs[0].verdict}", flush=True)
                differing += len({run.usage.instructions for run in runs}) > 1
    return 1 if failed or cold or differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
