"""Costs of the sandbox, as ratios to bare QEMU measured in one run.

By hand: ``python -m tests.benchmarks.sandbox [--state STATE] [--only PART …] [--times N]``.

Bare is a QEMU guest with the same agent but without libvirt, plugin, limits or counts, and its commands run one after
the other in one shell.  Both sides take turns; shown are the medians, and the seconds of processors of the whole
machine, since libvirt works for a guest, too: they mean something only where nothing else runs.  The parts:

* ``boot``: until the first command can be given, by a cold boot and from the saved machine of the image;
* ``true``: `true` under each isolation level;
* ``records``: records of two entries of cinc2017 under ``namespace``: the sample entry, whose program needs a
  twentieth of a second for each, and the first entry in Python, which needs a third of one.
"""

import argparse
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import psutil

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import Limits, Sizes
from evaluate.counters.perf import PerfCounter
from evaluate.counters.tcg import TcgCounter, build_plugin
from evaluate.host.state import default_state, open_state
from evaluate.images.image import Image, load_image
from evaluate.sandbox import disks
from evaluate.sandbox.base import HOME, Command, Machine
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.run_folders import RunFolders
from tests.support.bare_guest import BareGuest, bare_guest

LIMITS = Limits(instructions=10**13, wall_seconds=600)
TRUE = Command(argv=("/bin/true",))
CINC2017 = load_challenge("cinc2017")
RECORDS = {CINC2017.folder / "sample_entry": 5, CINC2017.folder / "starters" / "python": 2}
"""Records a turn."""


class Spent(NamedTuple):
    """Seconds of the clock and of processors."""

    seconds: float
    processors: float
    """Seconds of processors."""

    def __str__(self) -> str:
        """For people."""
        return f"{self.seconds:.2f} s ({self.processors:.2f} s of processors)"


def timed(work: Callable[[], object]) -> Spent:
    """Time of some work."""

    def busy() -> float:
        times = psutil.cpu_times()
        return float(times.user + times.nice + times.system + times.irq + times.softirq)

    begin, before = time.monotonic(), busy()
    work()
    return Spent(time.monotonic() - begin, busy() - before)


@dataclass(frozen=True, kw_only=True)
class Bench:
    """Means of every part."""

    state: Path
    image: Image
    folder: Path
    times: int
    """Turns of which the median is taken."""
    accelerator: str

    def hypervisor(self) -> LibvirtHypervisor:
        """Ours."""
        counter = TcgCounter(build_plugin(self.state / "cache")) if self.accelerator == "tcg" else PerfCounter()
        return LibvirtHypervisor(state=self.state, counter=counter, accelerator=self.accelerator)

    @contextmanager
    def bare(self, **media: Path) -> Iterator[BareGuest]:
        """A bare guest that has been greeted; ``media``: an entry and records."""
        sizes = Sizes()
        disk_bytes = {"root": sizes.root_bytes, "home": sizes.home_bytes, "tmp": sizes.tmp_bytes}
        options: dict[str, Any] = {"disk_bytes": disk_bytes, "accelerator": self.accelerator, **media}
        with (
            tempfile.TemporaryDirectory(dir=self.folder) as folder,
            bare_guest(self.image, Path(folder) / "guest", **options) as guest,
        ):
            guest.hello(entry="entry" in media, records="records" in media)
            yield guest

    def compare(self, what: str, ours: Callable[[int], object], bare: Callable[[int], object]) -> None:
        """Print what both take, in turns."""
        turns = [(timed(lambda: ours(turn)), timed(lambda: bare(turn))) for turn in range(self.times)]  # noqa: B023
        ours_spent, other = (Spent(*map(median, zip(*side, strict=True))) for side in zip(*turns, strict=True))
        ratio = median(mine.seconds / theirs.seconds for mine, theirs in turns)
        print(f"{what}: {ours_spent}, bare {other}, ratio {ratio:.2f}", flush=True)


def enter(context: Callable[[], Any]) -> Callable[[int], None]:
    """Begin and end a context."""

    def work(_: int) -> None:
        with ExitStack() as stack:
            stack.enter_context(context())

    return work


def in_a_shell(guest: BareGuest, lines: Sequence[str], **values: Any) -> None:
    """Some lines of bash, one after the other."""
    ended = guest.sh("; ".join(["set -e", *lines]), **values)
    assert ended.exit_code == 0, ended.stderr


def boot(bench: Bench) -> None:
    """Until the first command can be given."""
    machine, ours = Machine(image=bench.image), bench.hypervisor()

    def cold(_: int) -> None:
        with ExitStack() as stack:
            ours._cold(machine, stack)

    bench.compare("cold boot, with calibration", cold, enter(bench.bare))
    if bench.accelerator == "tcg":
        enter(lambda: ours.boot(machine))(0)  # makes the saved machine of the image
        bench.compare("boot from the saved machine", enter(lambda: ours.boot(machine)), enter(bench.bare))


def true(bench: Bench) -> None:
    """The smallest command, under each isolation level."""
    hypervisor, machine = bench.hypervisor(), Machine(image=bench.image)
    with bench.bare() as plain:
        with hypervisor.boot(machine) as guest:
            bench.compare("`true`, namespace", lambda _: guest.run(TRUE, LIMITS), lambda _: plain.run(["/bin/true"]))
        with hypervisor.rooms(machine, TRUE, LIMITS) as rooms:
            bench.compare("`true`, snapshot", lambda _: rooms.run(TRUE, LIMITS), lambda _: plain.run(["/bin/true"]))


def records(bench: Bench) -> None:
    """An entry's records, against its program in one shell."""
    for folder, count in RECORDS.items():
        _records_of(bench, folder, count)


def _records_of(bench: Bench, folder: Path, count: int) -> None:
    entry, medium = bench.folder / "entry.tar", bench.folder / "records.iso"
    with tarfile.open(entry, "w") as tar:
        for path in sorted(folder.glob("*.*")):
            tar.add(path, path.name)
    source = CINC2017.folder / "sample_data" / "test"
    names = (source / "RECORDS").read_text().split()
    disks.medium(medium, {path.name: path for path in sorted(source.glob("T*"))})
    inputs = {name: {f"{HOME}/{name}.{end}": f"{name}.{end}" for end in ("hea", "mat")} for name in names}
    both = {path: file for each in inputs.values() for path, file in each.items()}
    setup, answers = ("/bin/bash", "-c", "tar xf - && bash setup.sh"), f"{HOME}/answers.txt"

    def of_turn(turn: int) -> list[str]:
        return [names[(turn * count + i) % len(names)] for i in range(count)]

    machine = Machine(image=bench.image, entry=entry, records=medium)
    with bench.hypervisor().boot(machine) as guest, bench.bare(entry=entry, records=medium) as plain:
        assert guest.run(Command(argv=setup, stdin_entry=True, keep=True), LIMITS).exit_code == 0
        assert plain.run(list(setup), stdin_entry=True, keep=True).exit_code == 0

        def isolated(turn: int) -> None:
            for name in of_turn(turn):
                argv = ("/bin/bash", "next.sh", name)
                command = Command(argv=argv, inputs=inputs[name], remove=(answers,), collect=(answers,))
                assert guest.run(command, LIMITS).files

        def in_one_shell(turn: int) -> None:
            in_a_shell(plain, [f"rm -f answers.txt; bash next.sh {name}" for name in of_turn(turn)], inputs=both)

        bench.compare(f"{count} records of {folder.name}", isolated, in_one_shell)


PARTS: dict[str, Callable[[Bench], None]] = {part.__name__: part for part in (boot, true, records)}


def arguments() -> argparse.ArgumentParser:
    """The command line of this program."""
    parser = argparse.ArgumentParser(description="what the sandbox costs")
    parser.add_argument("--state", type=Path, default=default_state())
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--accelerator", choices=["tcg", "kvm"], default="tcg")
    return parser


def main() -> None:
    """Print what the parts find."""
    given = arguments().parse_args()
    state = open_state(given.state)
    with RunFolders(state / "runs").new("benchmark") as folder:  # which QEMU's user can reach
        image = load_image("bookworm", state)
        bench = Bench(state=state, image=image, folder=folder, times=given.times, accelerator=given.accelerator)
        for name in given.only:
            PARTS[name](bench)


if __name__ == "__main__":
    main()
