"""What it costs to keep a queue: ``python -m tests.benchmarks.kept [N …]``, by default 10,000 and 100,000 entries.

Time and memory of `verify-state`, `backup`, a second backup and `restore`, each a process of its own.  Entries have 100
records, or ``--records``; ``--folder`` keeps what was made, and takes it up again.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from evaluate.queue.db.rows import State
from evaluate.queue.entries.store import open_store
from tests.support.ended_entries import fill_ended

_AT_ONCE = 5000
GOAL_MIB = 200


def measured(sizes: Sequence[int], records: int, kept: Path | None = None) -> bool:
    """Whether no process needed more memory than the goal, whatever the size."""
    worst = 0.0
    with nullcontext(str(kept)) if kept else tempfile.TemporaryDirectory() as folder:
        state, places = Path(folder) / "state", Path(folder) / "places"
        state.mkdir(parents=True, exist_ok=True)
        for size in sizes:
            _fill(state, size, records)
            shutil.rmtree(places, ignore_errors=True)
            places.mkdir()
            print(f"{size} entries have ended, with {records} records each")
            for what, command in (
                ("verify-state", ["verify-state"]),
                ("backup", ["backup", f"{places}/full"]),
                ("the same again", ["backup", f"{places}/full"]),
                ("restore", ["restore", f"{places}/full"]),
            ):
                own = places / "restored" if what.startswith("restore") else state
                shutil.rmtree(places / "restored", ignore_errors=True)
                seconds, cpu, mib = _process(own, command)
                worst = max(worst, mib)
                print(f"  {what:<24}{seconds:8.1f} s{cpu:8.1f} s CPU{mib:8.0f} MiB", flush=True)
            print(f"  the backup: {_size(places / 'full') / (1 << 20):.0f} MiB on the disk", flush=True)
    print(f"at most {worst:.0f} MiB of memory; the goal is {GOAL_MIB}")
    return worst <= GOAL_MIB


def _fill(state: Path, size: int, records: int) -> None:
    store = open_store(state)
    filled = store.reader.counts().get(State.DONE, 0)
    for first in range(filled, size, _AT_ONCE):
        end = min(first + _AT_ONCE, size)
        fill_ended(store, first, end, records)
    store.engine.dispose()
    folder = state / "entries"
    for n in range(filled, size):  # empty, as no other content has such a digest: missing uploads are named
        (folder / f"{n:064x}").mkdir(parents=True, exist_ok=True)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _process(state: Path, command: Sequence[str]) -> tuple[float, float, float]:
    """Seconds, those of a processor, and MiB of the largest resident set."""
    argv = [sys.executable, "-m", "evaluate", "--state", str(state), *command]
    begin = time.monotonic()
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        said = running.stderr.read()
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode not in (0, 3) or "Traceback" in said:
        raise RuntimeError(f"{' '.join(command)}: {said[-2000:]}")
    return time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Run it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("sizes", type=int, nargs="*", default=[10_000, 100_000])
    options.add_argument("--records", type=int, default=100)
    options.add_argument("--folder", type=Path)
    given = options.parse_args()
    sys.exit(0 if measured(given.sizes, given.records, given.folder) else 1)


if __name__ == "__main__":
    main()
