"""What the metrics cost, compared with the organisers' programs; ``python -m tests.benchmarks.metrics``.

Each measurement runs in a separate process, so that its peak memory can be measured.  The seconds of the organisers'
programs were measured on another day (see `tests.benchmarks._items`); the published algorithm, or what the promise
names, also runs here (`tests.benchmarks._published`), and the ratio within the same run is printed next to the other.
Then every generic measure is resampled (`tests.benchmarks._resamples`, alone with ``--resamples``).  Exit code 1 if a
promise is not kept.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import math
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from tests.benchmarks._items import ITEMS, Item, Work
from tests.benchmarks._resamples import show as show_resamples

GROWTH = (1, 2, 4, 8)
CAVEAT = (
    "CPU seconds, best and median of several runs after a warm one. Trust ratios within one run (beside) more than "
    "those to the official program's time, which was measured on another machine."
)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What one process found."""

    seconds: tuple[float, ...]
    """Seconds of each round, ascending."""
    beside_seconds: float | None
    """Seconds of the other way for the same work, measured or computed from its share; None if not requested."""
    bytes: int
    """The peak memory of the process while it scored."""
    imports_bytes: int
    """Its memory after imports, before there were inputs."""

    @property
    def best(self) -> float:
        """Seconds."""
        return self.seconds[0]

    @property
    def median(self) -> float:
        """Seconds."""
        return float(np.median(self.seconds))


@dataclass(frozen=True, kw_only=True)
class Found:
    """One item's result."""

    item: Item
    measured: Measured
    growth: Mapping[int, float]
    """Times the smallest work -> best seconds; empty if not requested."""

    @property
    def ratio(self) -> float | None:
        """How many times faster than the official program."""
        return self.item.official_seconds / self.measured.best if self.item.official_seconds else None

    @property
    def beside(self) -> float | None:
        """How many times faster than the other way in the same run."""
        return self.measured.beside_seconds / self.measured.best if self.measured.beside_seconds else None

    @property
    def kept(self) -> bool:
        """Whether the promise is kept."""
        item = self.item
        faster = item.ratio is None or (self.ratio or 0.0) >= item.ratio
        beside = item.ratio_beside is None or (self.beside or 0.0) >= item.ratio_beside
        return faster and beside and self.measured.best <= item.seconds and self.measured.bytes <= item.bytes

    @property
    def exponent(self) -> float:
        """p of cost = work^p, fitted over the growth; NaN without."""
        if len(self.growth) < 2:
            return math.nan
        sizes, seconds = np.log(list(self.growth)), np.log(list(self.growth.values()))
        return float(np.polyfit(sizes, seconds, 1)[0])


def timed(work: Work, *, elapsed: bool = False) -> float:
    """CPU seconds of this process and its children, which other programs on the machine hardly change.

    With ``elapsed`` the wall time, to show what several processes gain.
    """
    clock = time.perf_counter if elapsed else _cpu_seconds
    begin = clock()
    work()
    return clock() - begin


def _cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def resident(line: str) -> int:
    """``VmRSS`` (now) or ``VmHWM`` (the most) of this process, in bytes."""
    found = re.search(rf"{line}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return 1024 * int(found[1])


def measure(item: Item, size: float, rounds: int, *, beside: bool) -> Measured:
    """Measure one item in this process."""
    imports = resident("VmRSS")
    with tempfile.TemporaryDirectory() as folder:
        works = item.prepare(Path(folder), size)
        gc.collect()
        with contextlib.suppress(OSError):  # else the peak may be that of making the inputs, which is never too low
            Path("/proc/self/clear_refs").write_text("5")
        first = timed(works.ours, elapsed=works.elapsed)
        peak = resident("VmHWM")
        seconds = sorted(timed(works.ours, elapsed=works.elapsed) for _ in range(rounds)) if rounds > 1 else [first]
        other = None
        if works.beside is not None and beside:
            # what is as short as ours is measured as often
            other = (
                min(timed(works.beside, elapsed=works.elapsed) for _ in range(rounds if works.often else 1))
                / works.share
            )
    children = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return Measured(seconds=tuple(seconds), beside_seconds=other, bytes=max(peak, children), imports_bytes=imports)


def measure_in_child(item: Item, size: float, rounds: int, *, beside: bool) -> Measured:
    options = ["--child", item.name, "--size", str(size), "--rounds", str(rounds), *(["--beside"] if beside else [])]
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.metrics", *options], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{item.name}, size {size:g}: {done.stderr[-2000:]}")
    return Measured(**json.loads(done.stdout))


def examine(item: Item, *, quick: bool) -> Found:
    """Measure one item in separate processes."""
    measured = measure_in_child(item, 1, min(item.rounds, 3) if quick else item.rounds, beside=True)
    growth = {}
    for times in () if quick else GROWTH:
        size = item.smallest * times
        growth[times] = (
            measured.best if size == 1 else measure_in_child(item, size, min(item.rounds, 3), beside=False).best
        )
    return Found(item=item, measured=measured, growth=growth)


def duration(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.0f}x" if ratio >= 100 else f"{ratio:.1f}x"


def promise(item: Item) -> str:
    parts = [f"≥ {item.ratio:g}x"] if item.ratio is not None else []
    parts += [f"beside ≥ {item.ratio_beside:g}x"] if item.ratio_beside is not None else []
    parts += [f"≤ {duration(item.seconds)}"] if item.seconds < math.inf else []
    parts += [f"≤ {item.bytes / 1e6:.0f} MB"] if item.bytes < math.inf else []
    return ", ".join(parts)


def show(found: Sequence[Found], console: Console) -> None:
    table = Table("work", title="Speed", box=None, pad_edge=False)
    for title in ("best", "median", "official", "ratio", "promise", "", "beside", "peak MB"):
        table.add_column(title, justify="left" if title in ("", "promise") else "right", no_wrap=True)
    table.add_column("beside what")
    for each in found:
        item, measured = each.item, each.measured
        table.add_row(
            item.what,
            duration(measured.best),
            duration(measured.median),
            "" if item.official_seconds is None else duration(item.official_seconds),
            times(each.ratio),
            promise(item),
            "" if not promise(item) else "ok" if each.kept else "missed",
            times(each.beside),
            f"{(measured.bytes - measured.imports_bytes) / 1e6:.0f}",
            item.beside,
        )
    console.print(table)
    console.print("peak: inputs in memory included, imports not\n")
    grown = [each for each in found if each.growth]
    if grown:
        table = Table("growth", "of", "1x is", *(f"{n}x" for n in GROWTH), "cost", box=None, pad_edge=False)
        for each in grown:
            share = f"{each.item.smallest:g} of the above"
            row = (duration(seconds) for seconds in each.growth.values())
            table.add_row(each.item.name, each.item.grows, share, *row, f"work^{each.exponent:.2f}")
        console.print(table)
    console.print(CAVEAT)


def as_json(found: Sequence[Found]) -> str:
    content = {
        each.item.name: {
            **asdict(each.measured),
            "ratio": each.ratio,
            "beside": each.beside,
            "kept": each.kept,
            "growth": each.growth,
        }
        for each in found
    }
    return json.dumps(content, indent=1) + "\n"


def main() -> int:
    """Measure, print, judge."""
    items = {item.name: item for item in ITEMS}
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=items, metavar="NAME", default=list(items), help=", ".join(items))
    parser.add_argument("--quick", action="store_true", help="few rounds, no growth")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--resamples", action="store_true", help="only resample every generic measure")
    parser.add_argument("--child", choices=items, help=argparse.SUPPRESS)
    parser.add_argument("--size", type=float, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--beside", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        print(json.dumps(asdict(measure(items[asked.child], asked.size, asked.rounds, beside=asked.beside))))
        return 0
    console = Console() if sys.stdout.isatty() else Console(width=170)
    if asked.resamples:
        return 0 if show_resamples(console, timed) else 1
    found = []
    for name in asked.only:
        with console.status(f"measuring {name} …"):
            found.append(examine(items[name], quick=asked.quick))
        if asked.json:
            asked.json.write_text(as_json(found))
    show(found, console)
    whole = len(found) == len(items)
    quick = not whole or show_resamples(console, timed)
    return 0 if quick and all(each.kept for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())
