"""What the queue costs: ``python -m tests.benchmarks.queue [N]``.

With N (100,000) queued entries: submitting one by one and in bulk, what ``evaluate status`` takes, also of one entry,
the next entries out of the queue; an idle daemon's share of a core and memory, and that of one on whose only slot
many teams wait (``idle [SECONDS]`` measures this alone); how much 5 and 20 daemons on one PostgreSQL database do in
the time of one, what an entry costs the database then, and how many connections they have (``python -m
tests.benchmarks.queue scale [SECONDS]`` measures this alone); how long others wait for a daemon that freezes while it
writes; and how the cost of a query grows with the queue.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread

import psutil
import sqlalchemy as sa

from evaluate.queue.db.database import DAEMON_CONNECTIONS, IDLE_SECONDS
from evaluate.queue.db.rows import State
from evaluate.queue.entries.store import Store, open_store
from evaluate.queue.views.overview import overview
from evaluate.queue.views.why import why
from tests.chaos.cluster import HEARTBEAT, cluster
from tests.support.postgres import BINARIES, Server, server

BULK, SINGLE = 1000, 300
STAGE_SECONDS, ENTRIES, SLOTS = 10.0, 40, 4
"""Of `scale`: mean seconds of a stage; of `frozen`: entries."""
EACH = 8
"""Entries for each host."""
HOSTS = {1: 1.0, 5: 4.7, 20: 18.0}
"""How many daemons, and how much more than one they must do; the entries of each have the same lengths of stages."""
POLL_SECONDS = 0.05
SETTLED_SECONDS = 5.0
"""After which a daemon has done what there is to do at its start."""
TEAMS = 242
WRITERS = (1, 2, 4, 8)
STEPS = """
import sys, time
from pathlib import Path
from evaluate.queue.db import journal
from evaluate.queue.entries.store import open_store
store, until, count = open_store(Path(sys.argv[1]), sys.argv[2]), time.monotonic() + float(sys.argv[3]), 0
while time.monotonic() < until:
    with store.database.step() as connection:
        journal.write(connection, "e", "moved", {"to": "exam", "reason": {}, "charged": None}, time.time())
    count += 1
print(count)
"""
_CONNECTIONS = sa.text(
    "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid != pg_backend_pid()"
)


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
            last = store.entries()[-1]
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


def idle(seconds: float = 60.0) -> None:
    """What a daemon costs that has nothing to do, and one on whose only slot an entry of each of many teams waits."""
    with ExitStack() as stack:
        urls = {"SQLite": ""}
        if BINARIES:
            urls["PostgreSQL"] = stack.enter_context(server()).database("benchmark")
        for name, url in urls.items():
            for teams in (0, TEAMS):
                folder = stack.enter_context(tempfile.TemporaryDirectory())
                share, text = _share(Path(folder), url, teams, seconds)
                print(
                    f"{name}, {teams:3} entries wait       {100 * share:8.2f} % of a core (at most 1), {text}",
                    flush=True,
                )


def _share(folder: Path, url: str, teams: int, seconds: float) -> tuple[float, str]:
    """Which part of a core a daemon takes while one stage runs and nothing happens, and what else it takes."""
    state = folder / "state"
    state.mkdir()
    (folder / "shared").mkdir()
    place = f"database: {url}\nshared: {folder}/shared\n" if url else ""
    (state / "evaluate.yaml").write_text(f"host: idle\n{place}")
    store = open_store(state, url)
    store.submit([{**upload(i, "good"), "team": f"t{i}"} for i in range(teams)])
    words = ["--slots", "1", "--seconds", "36000", "--poll", "1"]
    argv = [sys.executable, "-W", "ignore", "-m", "tests.chaos.daemon", str(state), *words]
    daemon = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    try:
        assert daemon.stdout is not None
        while "daemon started" not in daemon.stdout.readline():
            pass
        while len(store.owned()) < teams:
            time.sleep(POLL_SECONDS)
        time.sleep(SETTLED_SECONDS)
        process = psutil.Process(daemon.pid)
        before, begin = sum(process.cpu_times()[:2]), time.monotonic()
        time.sleep(seconds)
        share = (sum(process.cpu_times()[:2]) - before) / (time.monotonic() - begin)
        return share, f"{process.memory_info().rss >> 20} MiB, {process.num_threads()} threads"
    finally:
        daemon.kill()
        daemon.wait()
        store.engine.dispose()


def frozen() -> None:
    """How long others wait for a host that freezes while it holds the lock of all writers."""
    if not BINARIES:
        return
    with ExitStack() as stack:
        postgres, folder = stack.enter_context(server()), stack.enter_context(tempfile.TemporaryDirectory())
        found = stack.enter_context(cluster(Path(folder), hosts=2, server=postgres, database="benchmark"))
        stops, other = found.hosts
        other.start()
        assert other.ready(), other.said
        stops.start("--slots", "8", act="journalled-after:20:STOP")
        found.store.submit([upload(i, "good") for i in range(ENTRIES)])
        while not stops.stopped:
            time.sleep(POLL_SECONDS)
        begin, longest = time.perf_counter(), 0.0
        while stops.state.name in found.leases():
            number = ENTRIES + int(1000 * (time.perf_counter() - begin))
            longest = max(longest, timed(lambda number=number: found.store.submit([upload(number, "good")])))
            time.sleep(POLL_SECONDS)
        took, ttl = time.perf_counter() - begin, HEARTBEAT["ttl_seconds"]
        print(f"takeover from a frozen writer    {took:8.1f} s, of which its lease lasts {ttl} (at most 2 more)")
        print(f"longest submit meanwhile         {longest:8.1f} s (at most {IDLE_SECONDS:.0f} and a little)")


def drained(postgres: Server, url: str, root: Path, hosts: int, stage_seconds: float) -> float:
    """Seconds until so many hosts have ended `EACH` entries each, counted from when all hosts are ready."""
    shared = root / "shared"
    shared.mkdir(exist_ok=True)
    daemons = []
    for number in range(hosts):
        state = root / f"{hosts}-{number}"
        state.mkdir()
        (state / "evaluate.yaml").write_text(f"database: {url}\nshared: {shared}\nhost: h{number}\n")
        words = ["--slots", str(SLOTS), "--shards", "1", "--seconds", str(stage_seconds), "--poll", "1"]
        words += ["--mix", str(EACH)]
        argv = [sys.executable, "-W", "ignore", "-m", "tests.chaos.daemon", str(state), *words]
        daemons.append(subprocess.Popen(argv, stdout=subprocess.PIPE, text=True))
    try:
        for daemon in daemons:
            assert daemon.stdout is not None
            while "daemon started  host" not in daemon.stdout.readline():
                pass
            Thread(target=daemon.stdout.read, daemon=True).start()
        store = open_store(root, url)
        before, begin = postgres.logged_statements(), time.perf_counter()
        used, served = _cpu(*(daemon.pid for daemon in daemons)), _cpu(postgres.process)
        store.submit([upload(1000 * hosts + i, "good") for i in range(EACH * hosts)])
        most = 0
        while store.left():
            time.sleep(1.0)
            with store.engine.connect() as connection:
                most = max(most, connection.scalar(_CONNECTIONS) or 0)
        seconds = time.perf_counter() - begin
        used, served = _cpu(*(daemon.pid for daemon in daemons)) - used, _cpu(postgres.process) - served
        each = (postgres.logged_statements() - before) / (EACH * hosts)
        store.engine.dispose()
        limit = DAEMON_CONNECTIONS * hosts
        print(f"connections of {hosts:2} daemons       {most:8} (at most {limit})")
        print(f"statements for an entry          {each:8.0f}, what hosts ask each second included")
        cost = f"{1000 * used / (EACH * hosts):.0f} ms of a processor on hosts, {1000 * served / (EACH * hosts):.0f} ms"
        print(f"an entry costs                   {cost} on the server; load {os.getloadavg()[0]:.1f}")
    finally:
        for daemon in daemons:
            daemon.terminate()
        for daemon in daemons:
            daemon.wait()
    return EACH * hosts / seconds


def _cpu(*processes: int) -> float:
    """Seconds of a processor that processes and their children have used, those that have ended too."""
    found = 0.0
    for number in processes:
        process = psutil.Process(number)
        found += sum(process.cpu_times())
        for child in process.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                found += sum(child.cpu_times())
    return found


def steps(seconds: float = 5.0) -> None:
    """How many steps of entries, each with a line of the journal, processes write at once."""
    if not BINARIES:
        return
    with server() as postgres, tempfile.TemporaryDirectory() as folder:
        url = postgres.database("benchmark")
        open_store(Path(folder), url).engine.dispose()
        for writers in WRITERS:
            argv = [sys.executable, "-c", STEPS, folder, url, str(seconds)]
            started = [subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) for _ in range(writers)]
            rate = sum(int(one.communicate()[0]) for one in started) / seconds
            print(f"steps of {writers} hosts at once         {rate:8.0f} /s")


def scale(stage_seconds: float = STAGE_SECONDS) -> None:
    """One daemon against more, with stages that sleep."""
    if not BINARIES:
        print("more daemons: no PostgreSQL server on this machine (Debian package postgresql)")
        return
    one = 0.0
    for hosts, wanted in HOSTS.items():
        with server(connections=250) as postgres, tempfile.TemporaryDirectory() as folder:
            url = postgres.database("benchmark")
            postgres.log_statements("benchmark")
            rate = drained(postgres, url, Path(folder), hosts, stage_seconds)
            one = one or rate
            times = f"{rate / one:.2f} times one (at least {wanted})"
            print(f"{hosts:2} daemons of {SLOTS} slots           {rate:8.3f} entries/s, {times}", flush=True)


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["scale"]:
        steps()
        scale(*map(float, sys.argv[2:]))
        return
    if sys.argv[1:2] == ["idle"]:
        idle(*map(float, sys.argv[2:]))
        return
    queries(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    idle()
    steps()
    scale()
    frozen()


if __name__ == "__main__":
    main()
