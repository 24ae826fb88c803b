"""Counts in many rooms, by hand: ``python -m tests.chaos.rooms``.

Runs every program of `tests.support.programs` ``--times N`` in rooms of its own, or those that ``--only`` names, each
restored from a machine in which it has run once; all counts of one must be equal, or the exit code is 1.  ``--large``
adds numpy, Octave, R and Node, whose packages become a layer.  ``--again`` uses a state directory of its own, in which
the image is built once more: the counts are to be the same.
"""

from __future__ import annotations

import argparse
import signal
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from evaluate.core.model import MIB, Limits, Run
from evaluate.home.recount import agreement
from evaluate.host.accelerators import open_hypervisor
from evaluate.host.state import default_state, open_state
from evaluate.images.build import build_image
from evaluate.images.image import Image, load_image
from evaluate.images.layers import build_layer
from evaluate.images.recipe import load_recipe
from evaluate.sandbox.base import Machine
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.untrusted.dependencies import parse_dependencies
from tests.support.programs import PACKAGES, programs

LIMITS = Limits(instructions=10**12, wall_seconds=600, memory_bytes=1024 * MIB)
_IMAGE = "bookworm"


def counts(state: Path, only: Sequence[str], times: int, *, large: bool) -> int:
    """Number of programs with different counts; Ctrl-C, or SIGTERM, shows those so far."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    image = load_image(_IMAGE, state)
    hypervisor = open_hypervisor(state, image, "tcg", lambda _: None)
    assert isinstance(hypervisor, LibvirtHypervisor)
    layers = [_layer(image, state)] if large else []
    found: dict[str, list[Run]] = defaultdict(list)
    with hypervisor.runs.new("rooms") as folder, suppress(KeyboardInterrupt):
        commands = programs(folder, large=large)
        for name in only or commands:
            machine = Machine(image=image, layers=layers, owner=name)
            with hypervisor.rooms(machine, commands[name], LIMITS) as rooms:
                for n in range(times):
                    found[name].append(rooms.run(commands[name], LIMITS))
                    print(f"  {n} {name}: {found[name][-1].usage.instructions}", flush=True)
    for name, runs in found.items():
        verdicts = ", ".join(sorted({run.verdict for run in runs}))
        print(f"{name}: {agreement([run.usage.instructions for run in runs])}, {verdicts}", flush=True)
    return sum(len({run.usage.instructions for run in runs}) > 1 for runs in found.values())


def _layer(image: Image, state: Path) -> Path:
    wanted = parse_dependencies("".join(f"{name}\n" for name in PACKAGES).encode())
    layer = build_layer(image, load_recipe(_IMAGE), wanted, state, print)
    assert layer is not None
    return layer


def main() -> int:
    """Exit code 1 if counts differed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--state", type=Path, default=default_state())
    options.add_argument("--times", type=int, default=100)
    options.add_argument("--only", nargs="+", default=[])
    options.add_argument("--large", action="store_true")
    options.add_argument("--again", action="store_true")
    given = options.parse_args()
    state = open_state(given.state)
    if not given.again:
        return int(counts(state, given.only, given.times, large=given.large) > 0)
    with tempfile.TemporaryDirectory(dir=state.parent, prefix="evaluate-") as fresh:
        other = open_state(Path(fresh))
        build_image(load_recipe(_IMAGE), other, print)
        return int(counts(other, given.only, given.times, large=given.large) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
