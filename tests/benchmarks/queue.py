"""What the queue costs at 100,000 entries: ``python -m tests.benchmarks.queue [N]``.

Submitting one by one and in bulk, the queries of ``evaluate status`` and ``evaluate why``, taking the next entries out
of the queue, and an idle daemon's share of a core and memory.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from evaluate.queue.store import State, open_store
from evaluate.queue.why import why

BULK = 1000


def upload(n: int) -> dict[str, object]:
    digest = hashlib.sha256(str(n).encode()).hexdigest()
    return {"challenge": "toy", "team": f"t{n % 50}", "name": "a.zip", "sha256": digest, "bytes": 1, "commit": ""}


def timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def idle(state: Path, seconds: float = 20.0) -> tuple[float, float]:
    """Share of a core and MiB of a daemon that has nothing to do."""
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(state), "daemon"]
    daemon = subprocess.Popen(argv, stderr=subprocess.DEVNULL)
    try:
        process = psutil.Process(daemon.pid)
        time.sleep(6)
        before = sum(process.cpu_times()[:2])
        time.sleep(seconds)
        return (sum(process.cpu_times()[:2]) - before) / seconds, process.memory_info().rss / (1 << 20)
    finally:
        daemon.terminate()
        daemon.wait()


def main() -> None:
    """Measure and print."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        single = 300
        seconds = timed(lambda: [store.submit([upload(i)]) for i in range(single)])
        print(f"submit one by one: {single / seconds:.0f}/s")
        parts = range(single, n, BULK)
        seconds = timed(lambda: [store.submit([upload(i) for i in range(p, min(p + BULK, n))]) for p in parts])
        print(f"submit in parts of {BULK}: {(n - single) / seconds:.0f}/s")
        queued = store.counts()[State.QUEUED]
        shown = timed(lambda: (store.counts(), store.entries(newest=20)))
        print(f"status with {queued} queued: {1000 * shown:.0f} ms")
        last = store.entries(newest=1)[0]
        print(f"why of the last: {1000 * timed(lambda: why(last, store, None)):.0f} ms")
        print(f"taking the next 10: {1000 * timed(lambda: store.next_entries(10)):.0f} ms")
        store.engine.dispose()
    with tempfile.TemporaryDirectory() as folder:
        share, mebibytes = idle(Path(folder))
        print(f"idle daemon: {100 * share:.1f} % of a core, {mebibytes:.0f} MiB")


if __name__ == "__main__":
    main()
