"""Costs of the queue: ``python -m tests.benchmarks.queue [ENTRIES]``, with stages that take no time.

Entries a second by one and by two hosts of eight slots on one PostgreSQL, and the statements and processor time of an
entry.  Run another version of this program beside it, in turns: the figures depend on the machine.
"""

import os
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil

from evaluate.store.entries.store import open_store
from tests.chaos.cluster import Host, uploads
from tests.support.postgres import BINARIES, Server, server
from tests.support.queues import queue

SLOTS, TEAMS = 8, 50


def drain(postgres: Server, url: str, root: Path, hosts: int, entries: int) -> None:
    """Let so many hosts evaluate so many entries, and print what it took."""
    shared = root / "shared"
    shared.mkdir()
    with ExitStack() as stack:
        daemons = []
        for number in range(hosts):
            state = root / f"state{number}"
            state.mkdir()
            (state / "evaluate.yaml").write_text(f"database: {url}\nshared: {shared}\nhost: h{number}\n")
            words = ["--slots", str(SLOTS), "--shards", "1", "--seconds", "0", "--poll", "1"]
            daemons.append(stack.enter_context(Host(state)))
            daemons[-1].start(*words)
        assert all(daemon.ready() for daemon in daemons)
        store = stack.enter_context(queue(root, url))
        first = int((postgres.folder / "data" / "postmaster.pid").read_text().split()[0])
        statements, begin = postgres.logged_statements(), time.perf_counter()
        used, served = _seconds(*(daemon.pid for daemon in daemons)), _seconds(first)
        store.submit(uploads(entries, ("good",), TEAMS))
        while store.left():
            time.sleep(0.5)
        rate = entries / (time.perf_counter() - begin)
        used, served = _seconds(*(daemon.pid for daemon in daemons)) - used, _seconds(first) - served
        statements = postgres.logged_statements() - statements
    print(
        f"{hosts} hosts of {SLOTS} slots: {rate:.1f} entries/s, an entry: {statements / entries:.0f} statements, "
        f"{1000 * used / entries:.0f} ms on hosts, {1000 * served / entries:.0f} ms on the server; "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def _seconds(*processes: int) -> float:
    """Processor time that processes and their children have used."""
    seconds = 0.0
    for number in processes:
        process = psutil.Process(number)
        seconds += sum(process.cpu_times())
        for child in process.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                seconds += sum(child.cpu_times())
    return seconds


def main() -> None:
    """Measure and print."""
    if not BINARIES:
        sys.exit("no PostgreSQL server on this machine (Debian package postgresql)")
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    for hosts in (1, 2):
        with server() as postgres, tempfile.TemporaryDirectory() as folder:
            url = postgres.database("benchmark")
            open_store(Path(folder), url).engine.dispose()
            postgres.log_statements("benchmark")
            drain(postgres, url, Path(folder), hosts, entries)


if __name__ == "__main__":
    main()
