"""Restores machines many times, by hand: ``python -m tests.chaos.rooms``.

* ``restores N`` restores the saved machine of the image, runs a command and destroys it, each time in a new process.
* ``counts`` runs every program of `tests.support.programs` ``--times N`` in rooms of its own, or those that ``--only``
  names, each restored from a machine in which it has run once; all counts of one must be equal.  ``--large`` adds
  numpy, Octave, R and Node, whose packages become a layer.  ``--again`` uses a state directory of its own, in which the
  image is built once more: the counts are to be the same.
* ``kills N`` kills a process that makes a snapshot, at N moments; nothing but whole snapshots may be left.

Each returns exit code 1 if something failed or differed.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
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
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.snapshots import MANIFEST
from evaluate.untrusted.dependencies import parse_dependencies
from tests.support.programs import PACKAGES, programs

LIMITS = Limits(instructions=10**12, wall_seconds=600, memory_bytes=1024 * MIB)
_IMAGE = "bookworm"


def emulation(state: Path, said: list[str]) -> LibvirtHypervisor:
    """A hypervisor that collects what it has to say."""
    found = open_hypervisor(state, load_image(_IMAGE, state), "tcg", said.append)
    assert isinstance(found, LibvirtHypervisor)
    return found


def once(state: Path) -> int:
    """Restore the image's machine and run a command in it; exit code 1 if it had to boot."""
    said: list[str] = []
    begin = time.monotonic()
    with emulation(state, said).boot(Machine(image=load_image(_IMAGE, state))) as guest:
        ready = time.monotonic() - begin
        guest.run(Command(argv=("/bin/true",)), LIMITS)
    print(f"ready after {ready:.2f} s", flush=True)
    return int(any("of no use" in line for line in said))


def restores(state: Path, n: int) -> int:
    """How many of ``n`` processes, one after the other, could not restore the image's machine."""
    failed = sum(subprocess.call(_myself(state, "once")) != 0 for _ in range(n))
    print(f"{n} restores, each by a process of its own: {failed} failed", flush=True)
    return failed


def kills(state: Path, n: int) -> int:
    """How many of ``n`` makers of a snapshot left something half made; each was killed at some moment."""
    bad = 0
    kept = state / "snapshots"
    for _ in range(n):
        for path in kept.glob("*/" + MANIFEST):
            path.unlink()  # so that it is made again
        maker = subprocess.Popen(_myself(state, "once"), stdout=subprocess.DEVNULL)
        seconds = random.uniform(0, 12)
        try:
            maker.wait(seconds)
        except subprocess.TimeoutExpired:
            maker.send_signal(signal.SIGKILL)
            maker.wait()
        whole = [path.parent.name for path in kept.glob("*/" + MANIFEST)]
        fine = subprocess.call(_myself(state, "once"), stdout=subprocess.DEVNULL) == 0
        print(
            f"killed after {seconds:.2f} s: left {whole or 'nothing'}; the next one {'restores' if fine else 'boots'}"
        )
        bad += not fine
    print(f"{n} kills: {bad} left a snapshot that was of no use", flush=True)
    return bad


def _myself(state: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "tests.chaos.rooms", "--state", str(state), *words]


def counts(state: Path, only: Sequence[str], times: int, *, large: bool) -> int:
    """How many programs had different counts; Ctrl-C, or SIGTERM, shows what was found so far."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    image = load_image(_IMAGE, state)
    hypervisor = emulation(state, [])
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
    """Exit code 1 if anything failed or differed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--state", type=Path, default=default_state())
    parts = options.add_subparsers(dest="part", required=True)
    parts.add_parser("once")
    for name in ("restores", "kills"):
        parts.add_parser(name).add_argument("n", type=int)
    counting = parts.add_parser("counts")
    counting.add_argument("--times", type=int, default=100)
    counting.add_argument("--only", nargs="+", default=[])
    counting.add_argument("--large", action="store_true")
    counting.add_argument("--again", action="store_true")
    given = options.parse_args()
    state = open_state(given.state)
    if given.part == "once":
        return once(state)
    if given.part != "counts":
        return int({"restores": restores, "kills": kills}[given.part](state, given.n) > 0)
    if not given.again:
        return int(counts(state, given.only, given.times, large=given.large) > 0)
    with tempfile.TemporaryDirectory(dir=state.parent, prefix="evaluate-") as fresh:
        other = open_state(Path(fresh))
        build_image(load_recipe(_IMAGE), other, print)
        return int(counts(other, given.only, given.times, large=given.large) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
