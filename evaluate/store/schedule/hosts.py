"""Leases of hosts: a row for each process that is alive, renewed by its heartbeat.

Theory of operation.  An executor is a host's name and an id that is new at every start, so it is unique.  Its row is
its lease.  A host that has seen the same row for as long as the lease lasts deletes it (`Neighbours`); it measures
that by its own clock, which no one sets, so a step of the database's clock, or of any host's, neither ends a lease nor
prolongs it.  Work of an executor without a row belongs to no host and is taken over
(`evaluate.run.takeover`).  A process that has lost its row, or has not been able to renew it for most of
its time, has lost its work to others: it ends at once, and its virtual machines die with it.

What it recorded before cannot be wrong: DBOS refuses checkpoints of an execution that another has taken over, and
products of stages appear by a rename that only the first can do.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate import __version__
from evaluate.config.types import FENCED, Heartbeat
from evaluate.core.errors import UsageError
from evaluate.store.db.rows import Host
from evaluate.store.db.tables import HOSTS, TASKS
from evaluate.store.entries.store import Store
from evaluate.store.schedule.faults import DRAIN, DRAINED_BY

PLACE = "place"
"""In a state directory: the name that it has."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_LEAVE_SECONDS = 5.0
"""Until a heartbeat that is under way has ended; a database that hangs is not waited for any longer."""


def new_executor(name: str = "") -> str:
    """An executor for a process that starts now."""
    return f"{name or socket.gethostname()}:{uuid.uuid4().hex[:12]}"


def state_identity(state: Path, boot: Path = _BOOT) -> str:
    """The place of a state directory, of which only one process may be alive: its own name, machine, inode and boot.

    Copies of one machine, and containers, may have the same id and path; so the directory has a name, its copies on one
    machine have another inode, and copies of a machine another boot.
    """
    name = state / PLACE
    if not name.is_file():
        part = state / f".{PLACE}.{uuid.uuid4().hex}"
        part.write_text(f"{uuid.uuid4().hex}\n")
        with suppress(FileExistsError):  # another process was first
            name.hardlink_to(part)
        part.unlink()
    machine = Path("/etc/machine-id")
    parts = (
        name.read_text().strip(),
        machine.read_text().strip() if machine.is_file() else socket.gethostname(),
        str(state.stat().st_ino),
        boot.read_text().strip() if boot.is_file() else "",
    )
    return ":".join(parts)


class Lease:
    """The row of this process, the thread that renews it, and a thread that checks whether it is renewed."""

    def __init__(
        self,
        store: Store,
        executor: str,
        state_place: str,
        heartbeat: Heartbeat,
        lost: Callable[[str], None],
    ) -> None:
        self._store, self._executor, self._place = store, executor, state_place
        self._heartbeat, self._lost = heartbeat, lost
        self._ended = threading.Event()
        self._problem = "the database does not answer"
        self._renewed = 0.0
        self._offered: dict[str, int] = {}
        self._threads = [
            threading.Thread(target=does, name="heartbeat", daemon=True) for does in (self._renew, self._watch)
        ]

    def take(self, slots: int, flow: str, gpus: int = 0) -> None:
        """Insert the row: this process is now a host."""
        with self._store.change() as connection:
            started = _clock()  # only now: a writer that froze may have kept this one waiting for longer than a lease
            now = self._store.database.now()
            row = sa.insert(HOSTS).values(
                executor=self._executor,
                name=self._executor.rpartition(":")[0],
                place=self._place,
                slots=slots,
                version=__version__,
                flow=flow,
                started=now,
                expires=now + self._heartbeat.ttl_seconds,
                gpus=gpus,
                ttl=self._heartbeat.ttl_seconds,
            )
            connection.execute(row)
        self._renewed = started
        for thread in self._threads:
            thread.start()

    def offer(self, slots: int, gpus: int = 0) -> None:
        """Say with each heartbeat from now on how many slots and devices there are."""
        self._offered = {"slots": slots, "gpus": gpus}

    def leave(self) -> None:
        """Release the lease: other hosts may take over what is unfinished at once."""
        self._ended.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(_LEAVE_SECONDS)
        with self._store.change() as connection:
            connection.execute(sa.delete(HOSTS).where(HOSTS.c.executor == self._executor))

    def _renew(self) -> None:
        while not self._ended.wait(self._heartbeat.seconds):
            started = _clock()
            try:
                kept = self._beat()
            except Exception as e:  # whatever it is, the lease may still be renewed in time
                self._problem = f"{type(e).__name__}: {e}"
                continue
            if not kept and not self._ended.is_set():
                self._lost(f"the lease expired: this process did not renew it for {started - self._renewed:.0f} s")
            self._renewed = started

    def _watch(self) -> None:
        """A database that is cut off may not even answer with an error."""
        if not self._store.database.shared:
            return  # with one host, no other could take over
        most = FENCED * self._heartbeat.ttl_seconds
        while (silent := _clock() - self._renewed) < most:
            # not in one go: the machine may be suspended meanwhile, which this wait does not notice
            if self._ended.wait(min(most - silent, self._heartbeat.seconds)):
                return
        self._lost(f"the lease could not be renewed for {silent:.0f} s: {self._problem}")

    def _beat(self) -> bool:
        expires = self._store.database.now() + self._heartbeat.ttl_seconds
        mine = sa.update(HOSTS).where(HOSTS.c.executor == self._executor)
        with self._store.database.beat() as connection:  # a writer that is stuck must not cost all hosts their leases
            return connection.execute(mine.values(expires=expires, **self._offered)).rowcount > 0


def _clock() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)  # advances while the machine is suspended


class Neighbours:
    """The leases of other processes, as this process sees them.

    They are looked at in a thread that waits for no writer: a lease that is seen late is also ended late.
    """

    def __init__(self, store: Store, executor: str, state_place: str, clock: Callable[[], float] | None = None) -> None:
        self._store, self._executor, self._place, self._clock = store, executor, state_place, clock or _clock
        self._seen: dict[str, tuple[float, float]] = {}
        """Executor -> what its row says, and when that was first seen; by this process's clock."""
        self._renewed: set[str] = set()
        self._gone: list[str] = []
        self._turn = threading.Lock()

    @contextmanager
    def watched(
        self,
        seconds: float,
        start: Callable[[str, Any, threading.Event], threading.Thread],
        wake: Callable[[], None],
    ) -> Iterator[None]:
        """Look again and again meanwhile; where there are no others, only `look` does.

        * ``start``: begins a thread (`evaluate.store.threads.Threads.start`).
        * ``wake``: called when a lease was ended.
        """
        if not self._store.database.shared:
            yield
            return
        ended = threading.Event()

        def watch(ended: threading.Event, beat: Callable[[], None]) -> None:
            while not ended.wait(seconds):
                with suppress(sa.exc.SQLAlchemyError):  # the heartbeat says so
                    self.look()
                    beat()
                if self.any_gone:
                    wake()

        thread = start("neighbours", watch, ended)
        try:
            yield
        finally:
            ended.set()
            thread.join(_LEAVE_SECONDS)

    def look(self) -> None:
        """End the leases that have expired; to be called about once a second."""
        with self._turn:
            self._gone += evict(self._store, self.expired())

    @property
    def any_gone(self) -> bool:
        """True if a lease was ended by this process, and `gone` has not been asked for since."""
        return bool(self._gone)

    def gone(self) -> list[str]:
        """The executors whose leases this process has ended since it was asked before."""
        with self._turn:
            gone, self._gone = self._gone, []
        return gone

    def expired(self) -> dict[str, float]:
        """The executors whose leases have expired, and what their rows say."""
        asked = self._clock()
        rows = self._rows()
        answered = self._clock()
        before, self._seen = self._seen, {}
        expired = {}
        for row in rows:
            seen, since = before.get(row.executor, (None, 0.0))
            if seen not in (None, row.expires):
                self._renewed.add(row.executor)
            self._seen[row.executor] = (row.expires, since if seen == row.expires else answered)
            silent = asked - self._seen[row.executor][1]
            if self._is_earlier(row.place) or silent > row.ttl:
                expired[row.executor] = row.expires
        return expired

    def renewed(self) -> set[str]:
        """The executors that have renewed their leases since this process began to look."""
        return self._renewed

    def copies(self) -> list[str]:
        """Executors of directories that are copies of this one, or of this one on another machine or boot."""
        return [row.executor for row in self._rows() if self._is_here(row.place) and not self._is_earlier(row.place)]

    def _is_here(self, address: str) -> bool:
        """True if an address is this state directory, or a copy of it."""
        return address.partition(":")[0] == self._place.partition(":")[0]

    def _is_earlier(self, address: str) -> bool:
        """True if a process there was an earlier one of this place, since only one at a time holds its lock.

        Without a shared database there is nothing but this place, and the machine may have been restarted.
        """
        return address == self._place or (not self._store.database.shared and self._is_here(address))

    def _rows(self) -> list[sa.Row[Any]]:
        with self._store.database.beat() as connection:
            return list(connection.execute(sa.select(HOSTS).where(HOSTS.c.executor != self._executor)))


def evict(store: Store, expired: Mapping[str, float]) -> list[str]:
    """End leases that have not been renewed since (`Neighbours.expired`); returns those that this process ended."""
    gone = []
    for executor, expires in expired.items():
        same = (HOSTS.c.executor == executor) & (HOSTS.c.expires == expires)
        with store.database.beat() as connection:
            if connection.execute(sa.delete(HOSTS).where(same)).rowcount:
                gone.append(executor)
    return gone


def hosts(store: Store) -> list[Host]:
    """Every host, ordered by name."""
    held = sa.select(sa.func.count()).where(TASKS.c.executor == HOSTS.c.executor).scalar_subquery()
    left = HOSTS.c.expires - store.database.now()
    query = sa.select(HOSTS, held.label("running"), left.label("left_seconds"))
    with store.database.ask() as connection:
        rows = connection.execute(query.order_by(HOSTS.c.name, HOSTS.c.started)).mappings().all()
    drained = store.settings.under(DRAIN) if rows else {}
    names = ("executor", "name", "slots", "version", "flow", "started", "gpus", "running", "left_seconds")
    return [
        Host(
            **{name: row[name] for name in names},
            draining=drained.get(row["name"], "") != "",
            fault=_fault(drained.get(row["name"], "")),
        )
        for row in rows
    ]


def _fault(drained: str) -> int:
    """The internal error for which a host was drained; 0: for none."""
    number = drained.removeprefix(DRAINED_BY)
    return int(number) if drained != number and number.isdecimal() else 0


def executors(store: Store) -> dict[str, str]:
    """Every executor with a lease, and the version of its flow."""
    with store.database.ask() as connection:
        return {row.executor: row.flow for row in connection.execute(sa.select(HOSTS.c.executor, HOSTS.c.flow))}


def is_first(store: Store, executor: str) -> bool:
    """True if this executor is the oldest live one, which does what only one of them should do."""
    alive = sa.select(HOSTS.c.executor).where(HOSTS.c.expires >= store.database.now())
    with store.database.ask() as connection:
        return connection.scalar(alive.order_by(HOSTS.c.started, HOSTS.c.executor).limit(1)) == executor


def draining(store: Store, name: str) -> bool:
    """True if a host is drained: it accepts no new work."""
    return store.settings.get(DRAIN + name) != ""


def drain(store: Store, name: str, *, on: bool = True) -> None:
    """Drain a host, or end its draining; this holds across its restarts. Raises UsageError if no host has this name."""
    names = {host.name for host in hosts(store)}
    if name not in names and not draining(store, name):
        raise UsageError(f"no host {name!r} is alive; alive are: {', '.join(sorted(names)) or 'none'}")
    store.settings.keep(DRAIN + name, "yes" if on else "")


def end_at_once(why: str) -> None:
    """End this process without recording anything more."""
    os.write(2, f"evaluate: {why}; this process ends, and its virtual machines with it\n".encode())
    os._exit(3)
