"""What the walls cost for each reader, as a ratio to starting Python: ``python -m tests.benchmarks.walls``.

Elapsed time, the smallest of some runs, taken in turns so that the ratios can be compared under load.  "the same
unwalled" is a process that imports the same modules and reads the same request.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.lockdown import standing
from evaluate.confine.scratch import Scratch
from evaluate.confine.walls import ROOT, Openings

RUNS = 10
_BOUNDS = Bounds(doing="measuring", seconds=60)


def _started(*argv: str) -> None:
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Print a table."""
    imports = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import evaluate.confine.isolated_child"
    with tempfile.TemporaryDirectory() as folder:
        scratch = Scratch(folder=Path(folder), most_bytes=1 << 30)
        git = Openings(scratch=scratch, programs=(Path("/usr/bin/git"),))
        writes = Bounds(doing="measuring", seconds=60, openings=git)
        measured: dict[str, Callable[[], object]] = {
            "python -I -c pass": lambda: _started(sys.executable, "-I", "-c", "pass"),
            "bwrap true": lambda: _started("bwrap", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "true"),
            "the same unwalled": lambda: _started(sys.executable, "-I", "-c", imports),
            "a reader": lambda: isolated(_BOUNDS, standing),
            "a reader that writes and starts git": lambda: isolated(writes, standing),
        }
        found: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(RUNS):
            for name, run in measured.items():
                begin = time.perf_counter()
                run()
                found[name].append(time.perf_counter() - begin)
    base = min(found["python -I -c pass"])
    print(f"{'what':<40}{'ms':>8}{'ratio':>8}")
    for name, seconds in found.items():
        print(f"{name:<40}{1000 * min(seconds):>8.0f}{min(seconds) / base:>8.1f}")


if __name__ == "__main__":
    main()
