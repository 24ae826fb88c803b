"""What the sandbox costs, as ratios to bare QEMU measured in one run.

By hand: ``python -m tests.benchmarks.sandbox [--state STATE] [--only PART …] [--turns N] …``.

Bare is a QEMU guest with the same agent but without libvirt, plugin, limits or counts, and its commands run one after
the other in one shell, timed by the shell.  Both sides take turns where ratios matter; such ratios are medians, with
the quartiles of the turns.  Beside each time is that of processors: of the whole machine, since libvirt works for a
guest, too, so that it means something only where nothing else runs.  The parts:

* ``boot``: until the first command can be given, by a cold boot and from the saved machine of the image;
* ``commands``: commands, each isolated, limited and counted;
* ``true``: `true` under each isolation level;
* ``restore``: `true` in a machine that is restored for it, with and without the time that it has waited for its order;
  bare is a guest whose memory QEMU maps privately from a file;
* ``records``: records of three entries of cinc2017 under ``namespace``: the sample entry, whose program needs a
  twentieth of a second for each, the first entry in Python, which needs a third of one, and one with numpy and scipy,
  which needs some seconds;
* ``plugin``: a long command in bare guests with and without the counting plugin, by blocks and, where time passes with
  the instructions, each of them;
* ``snapshot``: memory and disk of a saved machine and of the guests restored from it, by memory size and number;
* ``density``: private memory of a room that waits and of one that runs, by memory size; rooms a minute and processor
  time a room by the number of slots; time and memory a record after more and more records of one guest;
* ``limit``: how much more than its limit a busy loop has used when it has ended;
* ``counts``: how many different counts twenty runs of one program give.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import Any

import psutil

from evaluate.challenge.cache import load_challenge
from evaluate.core.model import MIB, Limits, Run, Sizes
from evaluate.counters.base import NoCounter, is_waiting, vcpu_threads
from evaluate.counters.tcg import TcgCounter, build_plugin
from evaluate.host.state import default_state, open_state
from evaluate.images.image import Image, load_image
from evaluate.images.layers import build_layer
from evaluate.images.recipe import load_recipe
from evaluate.sandbox import disks
from evaluate.sandbox.base import HOME, Command, Machine, Sandbox
from evaluate.sandbox.domain import EXACT
from evaluate.sandbox.folders import RunFolders
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.memory_medium import load, save
from evaluate.untrusted.dependencies import parse_dependencies
from tests.benchmarks._spent import Spent, middle, timed
from tests.support.bare_guest import BareGuest, Ended, bare_guest
from tests.support.qmp import Qmp

LIMITS = Limits(instructions=10**13, wall_seconds=600)
TRUE = Command(argv=("/bin/true",))
CINC2017 = load_challenge("cinc2017")
NUMPY = Path(__file__).with_name("numpy_entry")
RECORDS = {CINC2017.folder / "sample_entry": 5, CINC2017.folder / "starters" / "python": 2, NUMPY: 1}
"""Records a turn."""
SLOTS = 1, 2, 4, 8
RUNS = 10, 100, 1000, 10_000
"""Records after which time and memory a record are shown."""
LONG = "print(sum(i * i for i in range(1_000_000)))"
SCRIPTS = {"short (a tenth of a second)": ("import json", 5), "long (a second)": (LONG, 1)}
"""Programs, and how many a turn."""
PROGRAMS = {
    "static C": (f"{HOME}/prog",),
    "Python": ("/usr/bin/python3", "-c", "import json, random; print(sum(i * i for i in range(100_000)))"),
    "shell pipeline": ("/bin/bash", "-c", "seq 1 20000 | sort -n | awk '{s += $1} END {print s}' | cat"),
}
_C = """
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    unsigned long s = 1;
    char *p = malloc(1 << 20);
    for (int i = 0; i < 3000000; i++) {
        s = s * 6364136223846793005UL + i;
        p[s >> 44] = s;
    }
    printf("%lu\\n", s);
}
"""


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What every part needs."""

    state: Path
    image: Image
    folder: Path
    times: int
    """Measurements of which the median is taken."""
    turns: int
    accelerator: str

    def hypervisor(self, *, saves: bool) -> LibvirtHypervisor:
        """Ours, with or without saved machines; under KVM uncounted, since not every host with it has counters."""
        counter = TcgCounter(build_plugin(self.state / "cache")) if self.accelerator == "tcg" else NoCounter()
        return LibvirtHypervisor(state=self.state, counter=counter, accelerator=self.accelerator, saves=saves)

    @contextmanager
    def bare(
        self,
        *,
        entry: Path | None = None,
        records: Path | None = None,
        layers: Sequence[Path] = (),
        arguments: tuple[str, ...] = (),
    ) -> Iterator[BareGuest]:
        """A bare guest that has been greeted."""
        sizes = Sizes()
        disk_bytes = {"root": sizes.root_bytes, "home": sizes.home_bytes, "tmp": sizes.tmp_bytes}
        with (
            tempfile.TemporaryDirectory(dir=self.folder) as folder,
            bare_guest(
                self.image,
                Path(folder) / "guest",
                disk_bytes=disk_bytes,
                entry=entry,
                records=records,
                layers=layers,
                arguments=arguments,
                accelerator=self.accelerator,
            ) as guest,
        ):
            guest.hello(layers=len(layers), entry=entry is not None, records=records is not None)
            yield guest

    def spent(self, work: Callable[[], object]) -> Spent:
        """The median of some measurements."""
        return middle([timed(work) for _ in range(self.times)])


def said(what: str, ours: Spent, bare: Spent) -> None:
    """Print one ratio."""
    print(f"{what}: {ours}, bare {bare}, ratio {ours.seconds / bare.seconds:.2f}", flush=True)


def in_turns(what: str, ours: Callable[[int], Spent], bare: Callable[[int], Spent], turns: int) -> None:
    """Print what both take: in the first turn, in which much is done for the first time, and in those after it."""
    said(f"{what}, first turn", ours(0), bare(0))
    found = [(ours(turn), bare(turn)) for turn in range(turns)]
    ratios = [one.seconds / other.seconds for one, other in found]
    low, ratio, high = quantiles(ratios, n=4) if turns > 1 else ratios * 3
    one, other = (middle(side) for side in zip(*found, strict=True))
    print(f"{what}: {one}, bare {other}, ratio {ratio:.3f} ({low:.3f} to {high:.3f}, {turns} turns)", flush=True)


def in_a_shell(guest: BareGuest, lines: Sequence[str], **values: Any) -> Spent:
    """Some lines of bash, one after the other; its seconds begin with the first and end with the last."""
    ended: list[Ended] = []
    script = "; ".join(["set -e", "begin=$EPOCHREALTIME", *lines, 'echo "spent $begin $EPOCHREALTIME"'])
    whole = timed(lambda: ended.append(guest.sh(script, **values)))
    assert ended[0].exit_code == 0, ended[0].stderr
    word, begin, end = ended[0].stdout.splitlines()[-1].split()
    assert word == "spent"
    return Spent(float(end) - float(begin), whole.processors)


def enter(context: Callable[[], object]) -> Callable[[], None]:
    """Begin and end a context, timed as a whole."""

    def work() -> None:
        with ExitStack() as stack:
            stack.enter_context(context())  # type: ignore[arg-type]

    return work


def boot(bench: Bench) -> None:
    """Until the first command can be given."""
    machine = Machine(image=bench.image)
    bare = bench.spent(enter(bench.bare))
    cold, saved = bench.hypervisor(saves=False), bench.hypervisor(saves=True)
    said("cold boot, with calibration", bench.spent(enter(lambda: cold.boot(machine))), bare)
    with saved.boot(machine):
        pass  # makes the saved machine of the image
    said("boot from the saved machine", bench.spent(enter(lambda: saved.boot(machine))), bare)


def commands(bench: Bench) -> None:
    """Commands, against the same ones in one shell, in turns."""
    for name, (script, count) in SCRIPTS.items():
        command = Command(argv=("/usr/bin/python3", "-c", script))
        lines = [f"/usr/bin/python3 -c '{script}'"] * count
        with bench.hypervisor(saves=True).boot(Machine(image=bench.image)) as guest, bench.bare() as plain:
            in_turns(
                f"{count} commands, {name}",
                lambda _: timed(lambda: [guest.run(command, LIMITS) for _ in range(count)]),  # noqa: B023
                lambda _: in_a_shell(plain, lines),  # noqa: B023
                bench.turns,
            )


def true(bench: Bench) -> None:
    """The smallest command, under each isolation level."""
    hypervisor, machine = bench.hypervisor(saves=True), Machine(image=bench.image)
    with bench.bare() as plain:
        plain.sh("true")
        bare = bench.spent(lambda: plain.run(["/bin/true"]))
    with hypervisor.boot(machine) as guest:
        guest.run(TRUE, LIMITS)
        said("`true`, namespace", bench.spent(lambda: guest.run(TRUE, LIMITS)), bare)
    with hypervisor.rooms(machine, TRUE, LIMITS) as rooms:
        count = 4 * bench.times  # more than wait when it begins
        ours = timed(lambda: [rooms.run(TRUE, LIMITS) for _ in range(count)])
        said("`true`, snapshot, one after the other", ours.each(count), bare)


def restore(bench: Bench) -> None:
    """A machine that is restored for one command, and a bare one, in turns."""
    restored_bare = _bare_restore(bench)
    with bench.hypervisor(saves=True).rooms(Machine(image=bench.image), TRUE, LIMITS) as rooms:

        def alone() -> None:
            with rooms.one() as room:
                room.run_alone(TRUE, LIMITS)

        def begun(work: Callable[[], object]) -> Spent:
            wait(rooms._waiting)  # or it would work beside it
            return timed(work)

        waited = [begun(lambda: rooms.run(TRUE, LIMITS)) for _ in range(bench.times)]
        in_turns(
            "`true` in a machine restored for it, until it is destroyed",
            lambda _: begun(alone),
            lambda _: timed(restored_bare),
            bench.turns,
        )
        print(f"`true` in a restored machine that has waited: {middle(waited)}", flush=True)


def _bare_restore(bench: Bench) -> Callable[[], None]:
    """Restores a bare guest, runs `true` in it, and destroys it."""
    memory, state, monitor_at = (bench.folder / name for name in ("bare-memory", "bare-state", "bare-qmp"))
    disk_bytes = {"root": 64 * MIB, "home": 64 * MIB, "tmp": 64 * MIB}

    def on_file(share: str) -> tuple[str, ...]:
        backend = f"memory-backend-file,id=bare,size=2G,mem-path={memory},share={share}"
        return "-object", backend, "-machine", "memory-backend=bare", "-qmp", f"unix:{monitor_at},server=on,wait=off"

    first = bench.folder / "bare-saved"
    with bare_guest(
        bench.image, first, disk_bytes=disk_bytes, arguments=on_file("on"), accelerator=bench.accelerator
    ) as guest:
        guest.hello()
        guest.run(["/bin/true"])
        (processor,) = vcpu_threads(guest.process.pid)
        while not is_waiting(processor):
            time.sleep(0.01)
        conversation, monitor = guest.channel.conversation, Qmp(monitor_at)
        monitor("stop")
        save(monitor, state)
        monitor.close()
    kept = {serial: first / f"{serial}.qcow2" for serial in disk_bytes}

    def once() -> None:
        with (
            tempfile.TemporaryDirectory(dir=bench.folder) as folder,
            bare_guest(
                bench.image,
                Path(folder) / "guest",
                disk_bytes=disk_bytes,
                kept=kept,
                arguments=(*on_file("off"), "-incoming", "defer"),
                conversation=conversation,
                accelerator=bench.accelerator,
            ) as guest,
        ):
            monitor = Qmp(monitor_at)
            load(monitor, state)
            monitor("cont")
            guest.run(["/bin/true"])
            monitor.close()

    return once


def records(bench: Bench) -> None:
    """An entry's records, against its program in one shell."""
    for folder, count in RECORDS.items():
        _records_of(bench, folder, count)


def _records_of(bench: Bench, folder: Path, count: int) -> None:
    layers = [_layer(bench, "python3-numpy", "python3-scipy")] if folder == NUMPY else []
    entry, medium = bench.folder / "entry.tar", bench.folder / "records.iso"
    with tarfile.open(entry, "w") as tar:
        for path in sorted(folder.glob("*.*")):
            tar.add(path, path.name)
    source = CINC2017.folder / "sample_data" / "test"
    names = (source / "RECORDS").read_text().split()
    disks.medium(medium, {path.name: path for path in sorted(source.glob("T*"))})
    inputs = {name: {f"{HOME}/{name}.{end}": f"{name}.{end}" for end in ("hea", "mat")} for name in names}
    setup = ("/bin/bash", "-c", "tar xf - && bash setup.sh")
    answers = f"{HOME}/answers.txt"

    def record(guest: Sandbox, name: str) -> Run:
        argv = ("/bin/bash", "next.sh", name)
        command = Command(argv=argv, inputs=inputs[name], remove=(answers,), collect=(answers,))
        run = guest.run(command, LIMITS)
        assert run.files, run.stderr
        return run

    machine = Machine(image=bench.image, entry=entry, records=medium, layers=layers)
    both = {path: file for one in inputs.values() for path, file in one.items()}

    def of_turn(turn: int) -> list[str]:
        return [names[(turn * count + i) % len(names)] for i in range(count)]

    with (
        bench.hypervisor(saves=True).boot(machine) as guest,
        bench.bare(entry=entry, records=medium, layers=layers) as plain,
    ):
        assert guest.run(Command(argv=setup, stdin_entry=True, keep=True), LIMITS).exit_code == 0
        assert plain.run(list(setup), stdin_entry=True, keep=True).exit_code == 0
        in_turns(
            f"{count} records of {folder.name}",
            lambda turn: timed(lambda: [record(guest, name) for name in of_turn(turn)]),
            lambda turn: in_a_shell(
                plain, [f"rm -f answers.txt; bash next.sh {name}" for name in of_turn(turn)], inputs=both
            ),
            bench.turns,
        )


def _layer(bench: Bench, *packages: str) -> Path:
    wanted = parse_dependencies("".join(f"{name}\n" for name in packages).encode())
    layer = build_layer(bench.image, load_recipe(bench.image.name), wanted, bench.state, print)
    assert layer is not None
    return layer


def plugin(bench: Bench) -> None:
    """What counting costs, by the processor time of guests that take turns."""
    argv = ["/usr/bin/python3", "-c", LONG]
    library = build_plugin(bench.state / "cache")
    ways: dict[str, tuple[tuple[str, ...], TcgCounter]] = {
        "blocks": ((), TcgCounter(library)),
        "buckets of addresses": ((), TcgCounter(library, buckets=True)),
        "each instruction": (EXACT, TcgCounter(library)),
    }
    for number, (name, (exact, counter)) in enumerate(ways.items()):
        folder = bench.folder / f"counted-{number}"
        folder.mkdir()
        counting = counter.qemu_arguments(folder, exact=bool(exact))
        with bench.bare(arguments=(*exact, *counting)) as counted, bench.bare(arguments=exact) as plain:
            in_turns(
                f"a long command, counted by {name}",
                lambda _: _by_its_processor(counted, argv),
                lambda _: _by_its_processor(plain, argv),
                bench.turns,
            )


def _by_its_processor(guest: BareGuest, argv: Sequence[str]) -> Spent:
    (processor,) = vcpu_threads(guest.process.pid)
    begin = cpu_nanoseconds(processor)
    whole = timed(lambda: guest.run(argv))
    return Spent((cpu_nanoseconds(processor) - begin) / 1e9, whole.processors)


def cpu_nanoseconds(thread: int) -> int:
    """What a thread has run; `cpu_seconds` counts in hundredths of a second."""
    return int(Path(f"/proc/{thread}/task/{thread}/schedstat").read_text().split()[0])


def snapshot(bench: Bench) -> None:
    """What saved machines and restored guests take."""
    hypervisor = bench.hypervisor(saves=True)
    for size in (512, 1024, 2048):
        machine = Machine(image=bench.image, sizes=Sizes(memory_bytes=size * MIB))
        with ExitStack() as stack:
            for slots in (1, 2):
                spent = timed(lambda: stack.enter_context(hypervisor.boot(machine)))  # noqa: B023
                print(f"{size} MiB, guest {slots}: restored in {spent};", end=" ")
                print(f"all guests hold {_qemu_bytes() >> 20} MiB of memory;", end=" ")
                print(f"{allocated(hypervisor.runs.path) >> 20} MiB of disk", flush=True)
    kept = hypervisor._snapshots.path
    each = [allocated(folder) >> 20 for folder in sorted(kept.iterdir()) if folder.is_dir()]
    print(f"saved machines on the disk: {each} MiB", flush=True)


def _qemus() -> list[psutil.Process]:
    """Every QEMU process of guests of this program."""
    found = psutil.process_iter(["cmdline"])
    return [one for one in found if any(word.startswith("guest=evaluate-") for word in one.info["cmdline"] or ())]


def _qemu_bytes() -> int:
    """Memory of all QEMU processes of ours, shared pages in equal parts."""
    return sum(process.memory_full_info().pss for process in _qemus())


def density(bench: Bench) -> None:
    """How many rooms a host has room and time for."""
    hypervisor = bench.hypervisor(saves=True)
    for size in (512, 2048):
        machine = Machine(image=bench.image, sizes=Sizes(memory_bytes=size * MIB))
        with hypervisor.rooms(machine, TRUE, LIMITS) as rooms:
            wait(rooms._waiting)
            each = [process.memory_full_info().uss / MIB for process in _qemus()]
            print(
                f"{size} MiB: rooms that wait have {', '.join(f'{one:.0f}' for one in each)} MiB of their own", end=""
            )
            with rooms.one() as room:
                before = {process.pid for process in _qemus()}
                room.run_alone(Command(argv=("/usr/bin/python3", "-c", LONG)), LIMITS)
                held = [one.memory_full_info().uss / MIB for one in _qemus() if one.pid in before]
                print(f", one that has run Python {max(held):.0f} MiB", flush=True)
    machine = Machine(image=bench.image)
    for slots in SLOTS:
        with ExitStack() as stack, ThreadPoolExecutor(slots) as pool:
            all_rooms = [stack.enter_context(hypervisor.rooms(machine, TRUE, LIMITS)) for _ in range(slots)]
            for rooms in all_rooms:
                wait(rooms._waiting)
            count = 4 * bench.times
            spent = timed(lambda: list(pool.map(partial(_run_rooms, count), all_rooms)))  # noqa: B023
            done = spent.each(slots * count)
            minute = 60 / done.seconds
            print(f"{slots} slots: {minute:.0f} rooms a minute, {done.processors:.2f} s of processors each", flush=True)
    with hypervisor.boot(machine) as guest:
        own, run = psutil.Process(), 0
        guest.run(TRUE, LIMITS)
        for records in RUNS:
            spent = timed(lambda: [guest.run(TRUE, LIMITS) for _ in range(records - run)])  # noqa: B023
            done, run = spent.each(records - run), records
            qemu = ", ".join(f"{one.memory_full_info().uss / MIB:.0f}" for one in _qemus())
            print(f"record {records}: {1000 * done.seconds:.1f} ms ({1000 * done.processors:.1f} ms)", end="; ")
            print(f"QEMU {qemu} MiB of its own, this program {own.memory_info().rss / MIB:.0f} MiB", flush=True)


def _run_rooms(count: int, rooms: Sandbox) -> None:
    for _ in range(count):
        rooms.run(TRUE, LIMITS)


def allocated(folder: Path) -> int:
    """Bytes on the disk: sparse files take less than their size."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def limit(bench: Bench) -> None:
    """The overshoot of an instruction limit."""
    spin = Command(argv=("/bin/bash", "-c", "while :; do :; done"))
    with bench.hypervisor(saves=True).boot(Machine(image=bench.image)) as guest:
        for most in (10**8, 10**9, 10**10):
            used = guest.run(spin, Limits(instructions=most, wall_seconds=600)).usage.instructions
            print(f"limit {most:.0e}: used {used / most - 1:.2%} more ({used - most:.1e} instructions)", flush=True)


def counts(bench: Bench) -> None:
    """How many different counts 20 runs of each program give in one guest."""
    source, program, packed = (bench.folder / name for name in ("prog.c", "prog", "prog.tar"))
    source.write_text(_C)
    subprocess.run(["cc", "-O1", "-static", "-o", program, source], check=True)
    with tarfile.open(packed, "w") as tar:
        info = tar.gettarinfo(program, "prog")
        tar.addfile(info, io.BytesIO(program.read_bytes()))
    with bench.hypervisor(saves=True).boot(Machine(image=bench.image, entry=packed)) as guest:
        guest.run(Command(argv=("/bin/tar", "xf", "-"), stdin_entry=True, keep=True), LIMITS)
        for name, argv in PROGRAMS.items():
            found = [guest.run(Command(argv=argv), LIMITS).usage.instructions for _ in range(22)][2:]
            print(f"{name}: {len(set(found))} different counts in 20 runs of {min(found):.3g},", end=" ")
            print(f"spread {max(found) - min(found)} instructions", flush=True)


PARTS: dict[str, Callable[[Bench], None]] = {
    part.__name__: part for part in (boot, commands, true, restore, records, plugin, snapshot, density, limit, counts)
}
COUNTED = ("plugin", "limit", "counts")
"""Parts that measure the plugin, which only emulation has."""


def arguments() -> argparse.ArgumentParser:
    """Those of this program."""
    parser = argparse.ArgumentParser(description="what the sandbox costs")
    parser.add_argument("--state", type=Path, default=default_state())
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--turns", type=int, default=25)
    parser.add_argument("--accelerator", choices=["tcg", "kvm"], default="tcg")
    return parser


def main() -> None:
    """Print what the parts find."""
    given = arguments().parse_args()
    parts = [name for name in given.only if given.accelerator == "tcg" or name not in COUNTED]
    state = open_state(given.state)
    with RunFolders(state / "runs").new("benchmark") as folder:  # which QEMU's user can reach
        bench = Bench(
            state=state,
            image=load_image("bookworm", state),
            folder=folder,
            times=given.times,
            turns=given.turns,
            accelerator=given.accelerator,
        )
        for name in parts:
            PARTS[name](bench)


if __name__ == "__main__":
    main()
