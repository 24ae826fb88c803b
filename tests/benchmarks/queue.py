"""What the queue costs: ``python -m tests.benchmarks.queue [SECONDS]``, with stages of so many seconds.

How many steps of entries are written at once; how much 5 and 20 daemons on one PostgreSQL database do in the time of
one, what an entry costs the database then, and how many connections they have.  What ended entries cost is in
`tests.benchmarks.ended`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread

import psutil
import sqlalchemy as sa

from evaluate.store.db.database import DAEMON_CONNECTIONS
from evaluate.store.entries.store import open_store
from tests.support.postgres import BINARIES, Server, server

STAGE_SECONDS, SLOTS = 10.0, 4
"""Of `scale`: mean seconds of a stage."""
EACH = 8
"""Entries for each host."""
HOSTS = {1: 1.0, 5: 4.7, 20: 18.0}
"""How many daemons, and how much more than one they must do; the entries of each have the same lengths of stages."""
WRITERS = (1, 2, 4, 8)
STEPS = """
import sys, time
from pathlib import Path
from evaluate.store.db import journal
from evaluate.store.entries.store import open_store
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
    steps()
    scale(*map(float, sys.argv[1:]))


if __name__ == "__main__":
    main()
