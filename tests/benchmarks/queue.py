"""What the queue costs: ``python -m tests.benchmarks.queue [N]``; ``ended [N …]`` for entries that are over alone.

With N (100,000) queued entries: submitting one by one and in bulk, what ``evaluate status`` and ``evaluate why`` take,
the next entries out of the queue; an idle daemon's share of a core and memory; how much two daemons on one PostgreSQL
database do in the time of one; and how the cost of a query grows with the queue.  With 10,000 and N entries that have
ended, each with 100 records (``ended 1000000`` by hand: it takes an hour): what the same commands take, the size of the
files, comparing the queue with its journal, and how long rejudging keeps other writers waiting.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path

import psutil
import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.queue.outbound.prometheus import Measures
from evaluate.queue.store import journal, verify
from evaluate.queue.store.entries import Store, open_store
from evaluate.queue.store.rows import State
from evaluate.queue.store.shadows import adopt_shadows, begin_shadows
from evaluate.queue.store.tables import ENTRIES, SHADOWS
from evaluate.queue.views.board import board_of
from evaluate.queue.views.overview import overview
from evaluate.queue.views.why import why
from tests.support.ended_entries import fill_ended
from tests.support.postgres import BINARIES, server

BULK, SINGLE = 1000, 300
STAGE_SECONDS, RUN, SLOTS = 0.5, 40, 4
POLL_SECONDS = 0.05
RECORDS = 100


def upload(n: int, name: str = "a.zip") -> dict[str, object]:
    digest = hashlib.sha256(str(n).encode()).hexdigest()
    return {"challenge": "cinc2017", "team": f"t{n % 50}", "name": name, "sha256": digest, "bytes": 1, "commit": ""}


def timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def best(work: Callable[[], object], times: int = 5) -> float:
    return min(timed(work) for _ in range(times))


def fill(store: Store, start: int, end: int) -> float:
    """Submit in bulk; returns seconds."""
    parts = range(start, end, BULK)
    return timed(lambda: [store.submit([upload(i) for i in range(p, min(p + BULK, end))]) for p in parts])


def queries(n: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        seconds = timed(lambda: [store.submit([upload(i)]) for i in range(SINGLE)])
        print(f"submit one by one                {SINGLE / seconds:8.0f} /s      (at least 300)")
        filled = SINGLE
        print(f"{'queued':>32} {'status':>10} {'why':>10} {'next 10':>10}   milliseconds, best of 5")
        for size in (n // 4, n // 2, n):
            seconds = fill(store, filled, size)
            filled = size
            (last,) = store.entries(newest=1)
            shown, said = best(lambda: overview(store.reader)), best(lambda last=last: why(last, store))
            taken = timed(lambda: store.next_entries(10))
            queued = store.reader.counts()[State.QUEUED]
            print(f"{queued:>32} {1000 * shown:>10.1f} {1000 * said:>10.1f} {1000 * taken:>10.1f}")
        print(f"submit in parts of {BULK}          {(n - n // 2) / seconds:8.0f} /s")
        command = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", folder, "status"]
        whole = best(lambda: subprocess.run(command, check=True, capture_output=True), 3)
        bare = best(lambda: subprocess.run([*command[:-1], "status", "--help"], check=True, capture_output=True), 3)
        print(f"evaluate status, a process       {1000 * whole:8.0f} ms     (of it {1000 * bare:.0f} ms start Python)")
        store.engine.dispose()


def ended(sizes: Sequence[int]) -> None:
    """Entries that are over must cost next to nothing: seconds, and of them how many of a processor."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        filled = 0
        for size in sizes:
            fill_ended(store, filled, size, RECORDS)
            filled = size
            journal.move_out(store.database)
            (identity, _), *_ = store.submit([upload(10**9 + size)])
            waiting = store.entry(identity)
            measures = Measures(store)
            print(f"{size} entries have ended, with {RECORDS} records each")
            for goal, what, work in (
                ("at most 0.4", "evaluate status, a process", partial(_process, folder, "status")),
                ("at most 1", "evaluate board, a process", partial(_process, folder, "board", "cinc2017")),
                ("at most 0.02", "why", partial(why, waiting, store)),
                ("", "board", partial(board_of, store, "cinc2017", (), 0, 12)),
                ("", "next entries", partial(store.next_entries, 0)),
                ("", "Prometheus asks", partial(_nothing_kept, measures.registry.collect)),
                ("", "opening the queue", partial(_opened, folder)),
                ("", "submit one", partial(_submit_one, store, count(10**10 + size * 100))),
            ):
                print(f"  {what:<31}{_spent(work)}  {goal}")
            store.cancel(identity)
            _files_and_comparison(store, Path(folder))
        _rejudging(store, min(sizes[-1], 10_000))
        store.engine.dispose()


def _spent(work: Callable[[], object]) -> str:
    """The best time, and the least time of a processor, here and in child processes."""
    found = []
    for _ in range(3):
        before, used = time.perf_counter(), os.times()
        work()
        seconds, now = time.perf_counter() - before, os.times()
        found.append((seconds, sum(now[:4]) - sum(used[:4])))
    return f"{min(one for one, _ in found):8.3f} s {min(one for _, one in found):8.2f} s CPU"


def _opened(folder: str) -> None:
    open_store(Path(folder)).engine.dispose()


def _submit_one(store: Store, numbers: Iterator[int]) -> None:
    store.submit([upload(next(numbers))])


def _nothing_kept(work: Callable[[], Iterable[object]]) -> None:
    list(work())


def _process(folder: str, *words: str) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", folder, *words]
    subprocess.run(command, check=True, capture_output=True)


def _files_and_comparison(store: Store, folder: Path) -> None:
    with store.engine.connect() as connection:
        connection.exec_driver_sql("pragma wal_checkpoint(truncate)")
    queue, long = ((folder / name).stat().st_size / 1e6 for name in ("queue.sqlite", "queue-details.sqlite"))
    print(f"  queue.sqlite {queue:.0f} MB (at most 300 at 100,000), queue-details.sqlite {long:.0f} MB")
    position = store.database.position()
    for what, work in (
        ("compared with its journal", partial(verify.whole, store.database)),
        ("compared at a daemon's start", partial(verify.newest, store.database, position)),
    ):
        before, used = time.perf_counter(), time.process_time()
        _nothing(work())
        print(f"  {what:<31}{time.perf_counter() - before:8.3f} s {time.process_time() - used:8.2f} s CPU")


def _nothing(found: Iterable[object]) -> None:
    assert not list(found)


def _rejudging(store: Store, most: int) -> None:
    """How long one transaction holds the lock that every writer needs."""
    entries = store.entries(ENTRIES.c.number <= most)
    start = timed(lambda: begin_shadows(store, entries, "r1", Stage.SCORE))
    with store.change() as connection:
        connection.execute(sa.update(SHADOWS).values(state="done"))
    apply = timed(lambda: adopt_shadows(store, "r1"))
    print(f"rejudging {most} entries: start {start:.2f} s, apply {apply:.2f} s, in one transaction each")


def idle(seconds: float = 20.0) -> None:
    """What a daemon that has nothing to do costs."""
    with tempfile.TemporaryDirectory() as folder:
        argv = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", folder, "daemon"]
        daemon = subprocess.Popen(argv, stderr=subprocess.PIPE, text=True)
        try:
            assert daemon.stderr is not None
            while "daemon started" not in daemon.stderr.readline():
                pass
            process = psutil.Process(daemon.pid)
            before = sum(process.cpu_times()[:2])
            time.sleep(seconds)
            share = (sum(process.cpu_times()[:2]) - before) / seconds
            memory = process.memory_info().rss / (1 << 20)
            print(f"idle daemon                      {100 * share:8.1f} % of a core (at most 2), {memory:.0f} MiB")
        finally:
            daemon.terminate()
            daemon.communicate()


def drained(url: str, root: Path, hosts: Sequence[str], first: int) -> float:
    """Seconds until these hosts have ended all entries, counted from when all hosts are ready."""
    shared = root / "shared"
    shared.mkdir(exist_ok=True)
    daemons = []
    for host in hosts:
        state = root / host
        state.mkdir(exist_ok=True)
        (state / "evaluate.yaml").write_text(f"database: {url}\nshared: {shared}\nhost: {host}\n")
        words = ["--slots", str(SLOTS), "--seconds", str(STAGE_SECONDS)]
        argv = [sys.executable, "-W", "ignore", "-m", "tests.chaos.daemon", str(state), *words]
        daemons.append(subprocess.Popen(argv, stdout=subprocess.PIPE, text=True))
    try:
        for daemon in daemons:
            assert daemon.stdout is not None
            while "daemon started  host" not in daemon.stdout.readline():
                pass
        store = open_store(root, url)
        begin = time.perf_counter()
        store.submit([upload(first + i, "good") for i in range(RUN)])
        while store.left():
            time.sleep(POLL_SECONDS)
        seconds = time.perf_counter() - begin
        store.engine.dispose()
    finally:
        for daemon in daemons:
            daemon.terminate()
        for daemon in daemons:
            daemon.communicate()
    return seconds


def hosts() -> None:
    """One daemon against two, with stages that sleep as long as real ones take."""
    if not BINARIES:
        print("two daemons: no PostgreSQL server on this machine (Debian package postgresql)")
        return
    with server() as postgres, tempfile.TemporaryDirectory() as folder:
        url = postgres.database("benchmark")
        one = drained(url, Path(folder), ["a"], 0)
        two = drained(url, Path(folder), ["a", "b"], RUN)
        print(f"one daemon                       {RUN / one:8.2f} entries/s, {SLOTS} slots")
        print(f"two daemons                      {RUN / two:8.2f} entries/s, {one / two:.2f} times one (at least 1.9)")


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["ended"]:
        ended([int(word) for word in sys.argv[2:]] or [10_000, 100_000])
        return
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    queries(most)
    ended([most // 10, most])
    idle()
    hosts()


if __name__ == "__main__":
    main()
