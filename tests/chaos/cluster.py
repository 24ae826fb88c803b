"""Scripted daemons on one queue, and what is done to them by a seeded schedule.

A daemon is armed when it is started: it ends, or stops, itself at a transition that the schedule names.  What has not
happened by itself after a while is done from outside.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import sqlalchemy as sa
import yaml

from evaluate.store.db.rows import State
from evaluate.store.entries.store import Store, open_store
from evaluate.store.schedule.hosts import executors
from evaluate.views.board import board_of
from tests.chaos.audit import wait_until
from tests.chaos.daemon import CLOCK, TRANSITIONS, guest_name, run
from tests.chaos.network import Link
from tests.support.postgres import Server
from tests.support.queues import CHALLENGE, upload

_CLOCK = """
    create schema steps;
    create table steps.step (seconds float not null);
    insert into steps.step values (0);
    create function steps.clock_timestamp() returns timestamptz language sql as
        $$select pg_catalog.clock_timestamp() + (select seconds from steps.step) * interval '1 second'$$
"""
"""A clock that can be set, which hosts find before the server's own."""
NAMES = ("good", "good", "good", "fails-quiz", "fails-exam", "fault-prep", "recovers-exam", "broken-score")
_PATIENCE, _DRAINED = 120.0, 1800.0
"""Seconds in which a process does what it must by itself, however busy the machine is, and until nothing is left."""
_EVICTED = 3
"""Exit status of a process whose work others have taken over."""


def uploads(
    count: int, names: tuple[str, ...] = NAMES, teams: int = 5, challenge: str = CHALLENGE
) -> list[dict[str, object]]:
    """Entries to submit, whose names say what their stages do."""
    return [{**upload(f"team{i % teams}", i, challenge), "name": names[i % len(names)]} for i in range(count)]


_FORKED = multiprocessing.get_context("forkserver")
"""Starts daemons from a process that has imported what they need, which is most of what a short one does."""
_FORKED.set_forkserver_preload([run.__module__])


class Host:
    """A daemon with its own state directory, which is started again whenever it dies; as a context it is killed then.

    ``log``: by default beside the state directory.
    """

    def __init__(self, state: Path, log: Path | None = None) -> None:
        self.state, self._log = state, log or state.with_name(f"{state.name}.log")
        self._process = _FORKED.Process()
        self.act = ""

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        if self.alive:
            self.end()

    def start(self, *options: str, act: str = "") -> None:
        """Start it; ``act`` is what it does to itself (`tests.chaos.daemon`)."""
        self.act = act
        words = [str(self.state), *options, "--act", act]
        self._process = _FORKED.Process(target=run, args=(self._log, words, dict(os.environ)), daemon=True)
        self._log.write_text("")
        self._process.start()

    def drain(self, *options: str) -> str:
        """Let it do all that there is; returns its log."""
        self.start("--once", *options)
        assert self.wait() == 0, self.said
        return self.said

    @property
    def pid(self) -> int:
        """The number of its process, the last one if it ended."""
        return self._process.pid or 0

    @property
    def status(self) -> int | None:
        """The exit status of its last process, with a minus the signal that ended it; None before its end."""
        return self._process.exitcode

    @property
    def alive(self) -> bool:
        """True if it was started and has not ended."""
        return self._process.pid is not None and self.status is None

    @property
    def stopped(self) -> bool:
        """True if it is frozen."""
        with suppress(psutil.NoSuchProcess):
            return self.alive and psutil.Process(self.pid).status() == psutil.STATUS_STOPPED
        return False

    @property
    def said(self) -> str:
        """The log of its last process."""
        return self._log.read_text() if self._log.is_file() else ""

    def ready(self) -> bool:
        """Wait until it takes entries; False if it ended or stopped before."""
        wait_until(lambda: " daemon started " in self.said or not self.alive or self.stopped, _PATIENCE)
        return self.alive and not self.stopped

    def send(self, number: signal.Signals) -> None:
        """Send it a signal, if it is alive."""
        if self.alive:
            os.kill(self.pid, number)

    def wait(self, seconds: float = _PATIENCE) -> int | None:
        """Wait for its end; returns its exit status, None if it goes on."""
        self._process.join(seconds)
        return self.status

    def end(self, number: signal.Signals = signal.SIGKILL) -> int | None:
        """Send it a signal and wait for its end; returns its exit status."""
        self.send(number)
        self.wait()
        self.send(signal.SIGKILL)
        return self.wait()


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Keep a small disk full meanwhile, whatever is removed from it."""
    ended, ballast = threading.Event(), disk / "ballast"

    def fill() -> None:
        with ballast.open("ab", buffering=0) as f:
            while not ended.wait(0.02):
                with suppress(OSError):
                    while True:
                        f.write(bytes(4096))

    filling = threading.Thread(target=fill)
    filling.start()
    try:
        yield
    finally:
        ended.set()
        filling.join()
        ballast.unlink()


@contextmanager
def small_disk(folder: Path, mib: int) -> Iterator[Path]:
    """A disk in memory at an empty folder; PermissionError if this user may not mount one."""
    argv = ["mount", "-t", "tmpfs", "-o", f"size={mib}m,mode=0700", "evaluate-chaos", str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise PermissionError(done.stderr)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


class Cluster:
    """Hosts that share a queue: one on SQLite, or many on PostgreSQL; a context, after which all are killed.

    ``root``: an empty folder for everything.  ``server``: without one there is one host, on SQLite.  ``cuts``: the
    network between a host and the server can be cut.
    """

    def __init__(self, root: Path, *, hosts: int = 1, server: Server | None = None, cuts: bool = False) -> None:
        self.root, self.server = root, server
        self.shared = root / ("shared" if server else "host0")
        self.shared.mkdir(exist_ok=True)
        url = server.database(f"chaos_{uuid.uuid4().hex}") if server else ""
        self.store: Store = open_store(self.shared, url)
        if server:
            with self.store.change() as connection:
                connection.exec_driver_sql(_CLOCK)
        self.links = [Link(server.port) for _ in range(hosts)] if server and cuts else []
        """The network of each host to the database."""
        self.hosts = []
        for number in range(hosts):
            state = root / f"host{number}"
            state.mkdir(exist_ok=True)
            config = {}
            if server:
                address = url.replace(f":{server.port}/", f":{self.links[number].port}/") if cuts else url
                address += "?options=-csearch_path%3Dsteps,pg_catalog,public"
                config = {"database": address, "shared": str(self.shared)}
            text = yaml.safe_dump({**config, "host": f"host{number}", "heartbeat": {"seconds": 0.5, "ttl_seconds": 5}})
            (state / "evaluate.yaml").write_text(text)
            self.hosts.append(Host(state))
        self.findings: list[str] = []
        self.disk: Path | None = None
        """The small disk under the shared folder, if it may be filled."""

    def start(self, *options: str) -> None:
        """Start every host, and wait until all take entries."""
        for host in self.hosts:
            host.start(*options)
        for host in self.hosts:
            assert host.ready(), host.said

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        for host in self.hosts:
            host.__exit__()
        for link in self.links:
            link.end()
        self.store.engine.dispose()

    def set_clock(self, seconds: float) -> None:
        """Add seconds to the clock that all hosts see: their own, or that of the database."""
        if self.server is None:
            (self.shared / CLOCK).write_text(str(seconds))
            return
        with self.store.change() as connection:
            connection.execute(sa.text("update steps.step set seconds = :seconds"), {"seconds": seconds})

    def left(self) -> int:
        """Number of entries that wait or are in their stages."""
        return sum(n for state, n in self.store.counts().items() if not state.ended and state is not State.PARKED)

    def stage_runs(self) -> list[str]:
        """Every run of a stage, as ``entry task host``."""
        path = self.shared / "ran.txt"
        return path.read_text().splitlines() if path.is_file() else []

    def leases(self) -> list[str]:
        """The names of the hosts that count as alive."""
        return sorted(executor.rpartition(":")[0] for executor in executors(self.store))

    def kill_guest(self, dice: random.Random) -> bool:
        """Kill one of the processes that stages depend on; False if there was none for a while."""

        def killed() -> bool:
            name = guest_name(self.shared)
            guests = [p for p in psutil.process_iter(["cmdline"]) if (p.info["cmdline"] or [""])[0] == name]
            with suppress(IndexError, psutil.NoSuchProcess):
                dice.choice(guests).kill()
                return True
            return False

        return wait_until(killed, 2)

    def drain(self, *options: str) -> None:
        """Let every host work until nothing is left anywhere, and shut down cleanly."""
        for host in self.hosts:
            host.send(signal.SIGKILL)  # it may still be armed, or frozen
        for host in self.hosts:
            host.__exit__()
            host.start("--once", *options)
        for host in self.hosts:
            wait_until(lambda host=host: not host.alive, _DRAINED)
            self.expect(host, host.end(), 0)

    def expect(self, host: Host, status: int | None, *wanted: int) -> None:
        """Note a finding unless a process ended as it should."""
        if status not in wanted:
            self.findings.append(f"left: {host.state.name} ended with {status}: {host.said[-2000:]}")


class Schedule:
    """Disturbs a cluster, again and again, while it submits entries."""

    def __init__(self, cluster: Cluster, entries: list[dict[str, object]], seed: int, options: tuple[str, ...]) -> None:
        self.cluster, self._dice, self._options = cluster, random.Random(seed), options
        self._waiting = list(reversed(entries))
        self._points: list[str] = []
        self.done: Counter[str] = Counter()
        """Disturbance -> number of times that it happened."""

    def run(self, events: int) -> None:
        """Cause so many events, then let everything finish."""
        for host in self.cluster.hosts:
            self._start(host)
        for number in range(events):
            for _ in range(-(-len(self._waiting) // (events - number))):
                self.cluster.store.submit([self._waiting.pop()])
            board_of(self.cluster.store, CHALLENGE, (), 0, 12)  # keeps answers, which what comes may change
            self._one()
            if number == events // 2:  # once in every run, however short
                self._clock(self.cluster.hosts[0])
            if number % 20 == 0:
                done = ", ".join(f"{n} {what}" for what, n in sorted(self.done.items()))
                print(f"{number} of {events}: {done}; {self.cluster.left()} entries are left", file=sys.stderr)
        self.cluster.set_clock(0)
        self.cluster.drain(*self._options)

    @property
    def kills(self) -> int:
        """Number of processes that were killed."""
        return sum(n for what, n in self.done.items() if what.startswith(("killed", "thawed", "guest")))

    def _start(self, host: Host) -> None:
        act = ""
        if self._dice.random() < 0.8:
            frozen = self.cluster.server is not None and self._dice.random() < 0.2
            act = f"{self._next_point()}:{self._dice.choice((1, 1, 2, 4, 8))}:{'STOP' if frozen else 'KILL'}"
        host.start(*self._options, act=act)

    def _next_point(self) -> str:
        """Choose every transition once before any is repeated."""
        if not self._points:
            self._points = [f"{name}-{when}" for name in TRANSITIONS for when in ("before", "after")]
            self._dice.shuffle(self._points)
        return self._points.pop()

    def _one(self) -> None:
        for host in self.cluster.hosts:
            if not host.alive or host.stopped:
                self._by_itself(host)
                return
        host = self._dice.choice(self.cluster.hosts)
        if self._dice.random() < 0.85:  # else it is killed while it starts
            host.ready()
        if wait_until(lambda: not host.alive or host.stopped, self._dice.uniform(0.1, 1.5)):
            self._by_itself(host)
            return
        events = {self._kill: 5, self._terminate: 1, self._freeze: 2, self._guest: 1, self._clock: 1}
        if self.cluster.server is not None:
            events[self._database] = 1
        if self.cluster.links:
            events[self._cut] = 2
        if self.cluster.disk is not None:
            events[self._fill] = 3
        (event,) = self._dice.choices(list(events), list(events.values()))
        event = self._terminate if host.act.startswith("left") else event
        event(host)
        if not host.alive:
            self._start(host)

    def _by_itself(self, host: Host) -> None:
        if host.stopped:
            self._thaw(host, f"at {host.act.split(':')[0]}")
        elif host.status == -signal.SIGKILL and host.act:
            self.done[f"killed at {host.act.split(':')[0]}"] += 1
        elif host.status == _EVICTED and re.search("the lease (could not|ran out)", host.said):
            self.done["gave up its lease"] += 1  # the database was unavailable for too long
        elif "lost while the daemon was starting" in host.said or "cannot be reached" in host.said:
            self.done["found no database"] += 1  # while it was starting; what started it starts it again
        else:
            self.cluster.expect(host, host.status)
        if not host.alive:
            self._start(host)

    def _kill(self, host: Host) -> None:
        host.end()
        self.done["killed anywhere"] += 1

    def _terminate(self, host: Host) -> None:
        host.send(signal.SIGTERM)
        if wait_until(lambda: not host.alive or host.stopped, _PATIENCE) and host.stopped:
            self._by_itself(host)
            return
        status = host.end()
        self.cluster.expect(host, status, 0, -signal.SIGTERM, *([-signal.SIGKILL] if host.act else []))
        self.done["ended in order" if status != -signal.SIGKILL else f"killed at {host.act.split(':')[0]}"] += 1

    def _freeze(self, host: Host) -> None:
        host.send(signal.SIGSTOP)
        self._thaw(host, "anywhere")

    def _thaw(self, host: Host, where: str) -> None:
        """Wait until others have taken its work, then let it continue: it must end by itself."""
        if self.cluster.server is None:
            time.sleep(self._dice.uniform(0, 0.3))
            host.send(signal.SIGCONT)
            self.done[f"frozen {where}"] += 1
            return
        # without a lease it had nothing that others could take over
        had_none = where == "at hosted-before" or (where == "anywhere" and " daemon started " not in host.said)
        gone = not had_none and wait_until(lambda: host.state.name not in self.cluster.leases(), _PATIENCE)
        host.send(signal.SIGCONT)
        if gone:
            if wait_until(lambda: not host.alive or host.stopped, _PATIENCE) and host.stopped:
                host.send(signal.SIGCONT)  # it came to where it was to freeze by itself
                self.done["froze twice"] += 1
            status = host.wait()
            if host.alive:
                self.cluster.findings.append(f"left: {host.state.name} lived on after others had taken its work")
                status = host.end()
            ended = [0] if host.act.startswith("left") else []  # it had released its lease
            self.cluster.expect(host, status, _EVICTED, -signal.SIGKILL, *ended)
        self.done[f"{'thawed' if gone else 'frozen'} {where}"] += 1

    def _guest(self, host: Host) -> None:
        if self.cluster.kill_guest(self._dice):
            self.done["guests killed"] += 1

    def _database(self, host: Host) -> None:
        server = self.cluster.server
        assert server is not None
        server.stop("immediate")
        server.start()
        self.cluster.store.engine.dispose()
        self.done["database restarted"] += 1

    def _cut(self, host: Host) -> None:
        """Cut its network for a moment, or until it must have given up by itself."""
        link = self.cluster.links[self.cluster.hosts.index(host)]
        gives_up = self._dice.random() < 0.5
        link.cut()
        seconds = _PATIENCE if gives_up else self._dice.uniform(0.1, 2)
        if wait_until(lambda: not host.alive or host.stopped, seconds):
            if not host.stopped:
                killed = [-signal.SIGKILL] if host.act else []
                self.cluster.expect(host, host.status, _EVICTED, *killed)
        elif gives_up:
            self.cluster.findings.append(f"left: {host.state.name} lived on without its database")
        link.mend()
        self.done["cut off until it gave up" if gives_up else "cut off for a moment"] += 1

    def _fill(self, host: Host) -> None:
        assert self.cluster.disk is not None
        with full(self.cluster.disk):
            time.sleep(self._dice.uniform(0.5, 4))
        self.done["disk filled"] += 1

    def _clock(self, host: Host) -> None:
        self.cluster.set_clock(self._dice.choice((-1, 1)) * self._dice.uniform(60, 8 * 3600))
        self.done["clock jumped"] += 1
