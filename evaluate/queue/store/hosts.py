"""Which hosts are alive: a row for each process, renewed by its heartbeat on the database's clock.

Theory of operation.  An executor is a host's name and an id that is new at every start, so it is unique.  Its row is
its lease.  Any host that finds an expired lease deletes it; work of an executor without a row belongs to
no host and is taken over (`evaluate.queue.watchdog`).  A process that has lost its row, or has not been able to renew
it for most of its time, has lost its work to others: it ends at once, and its virtual machines die with it.

What it recorded before cannot be wrong: DBOS refuses checkpoints of an execution that another has taken over, and
products of stages appear by a rename that only the first can do.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa

from evaluate import __version__
from evaluate.core.errors import UsageError
from evaluate.host.config import Heartbeat
from evaluate.queue.store.entries import Store
from evaluate.queue.store.reading import DRAIN
from evaluate.queue.store.tables import HOSTS, insert

_PLACE = "place"
_PATIENCE = 0.7
"""The part of a lease after which a process that could not renew it gives up; before others may take over."""
_LEAVE_SECONDS = 5.0
"""Until a heartbeat that is under way has ended; a database that hangs is not waited for any longer."""


def new_executor(name: str = "") -> str:
    """An executor for a process that starts now."""
    return f"{name or socket.gethostname()}:{uuid.uuid4().hex[:12]}"


def state_identity(state: Path) -> str:
    """What two processes share only if they are on one machine and in one state directory; only one may be alive.

    Copies of one machine, and containers, may have the same id and path; so the directory has its own name.
    """
    name = state / _PLACE
    if not name.is_file():
        part = state / f".{_PLACE}.{uuid.uuid4().hex}"
        part.write_text(f"{uuid.uuid4().hex}\n")
        with suppress(FileExistsError):  # another process was first
            name.hardlink_to(part)
        part.unlink()
    machine = Path("/etc/machine-id")
    return f"{machine.read_text().strip() if machine.is_file() else socket.gethostname()}:{name.read_text().strip()}"


class Lease:
    """The row of this process, the thread that renews it, and a thread that checks whether it is renewed."""

    def __init__(
        self, store: Store, executor: str, place: str, heartbeat: Heartbeat, lost: Callable[[str], None]
    ) -> None:
        self._store, self._executor, self._place = store, executor, place
        self._heartbeat, self._lost = heartbeat, lost
        self._ended = threading.Event()
        self._problem = "the database does not answer"
        self._renewed = 0.0
        self._threads = [
            threading.Thread(target=does, name="heartbeat", daemon=True) for does in (self._renew, self._watch)
        ]

    def take(self, slots: int, flow: str, gpus: int = 0) -> None:
        """Insert the row: this process is now a host."""
        with self._store.change() as connection:
            now = self._store.database.now()
            statement = insert(connection, HOSTS).values(
                executor=self._executor,
                name=self._executor.rpartition(":")[0],
                place=self._place,
                slots=slots,
                version=__version__,
                flow=flow,
                started=now,
                expires=now + self._heartbeat.ttl_seconds,
                gpus=gpus,
            )
            connection.execute(statement)
        self._renewed = _clock()
        for thread in self._threads:
            thread.start()

    def offer(self, slots: int, gpus: int = 0) -> None:
        """Say how many slots and devices there are now."""
        with self._store.change() as connection:
            connection.execute(
                sa.update(HOSTS).where(HOSTS.c.executor == self._executor).values(slots=slots, gpus=gpus)
            )

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
            except sa.exc.SQLAlchemyError as e:
                self._problem = str(e)
                continue
            if not kept and not self._ended.is_set():
                self._lost(f"the lease expired: this process did not renew it for {started - self._renewed:.0f} s")
            self._renewed = started

    def _watch(self) -> None:
        """A database that is cut off may not even answer with an error."""
        if not self._store.database.shared:
            return  # with one host, no other could take over
        while not self._ended.wait(self._heartbeat.seconds):
            silent = _clock() - self._renewed
            if silent > _PATIENCE * self._heartbeat.ttl_seconds:
                self._lost(f"the lease could not be renewed for {silent:.0f} s: {self._problem}")

    def _beat(self) -> bool:
        expires = self._store.database.now() + self._heartbeat.ttl_seconds
        mine = sa.update(HOSTS).where(HOSTS.c.executor == self._executor)
        with self._store.database.note() as connection:  # a writer that is stuck must not cost all hosts their leases
            return connection.execute(mine.values(expires=expires)).rowcount > 0


def _clock() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)  # advances while the machine is suspended


def evict(store: Store, executor: str, place: str) -> list[str]:
    """End expired leases and those of earlier processes in this one's place; returns their executors."""
    dead = (HOSTS.c.expires < store.database.now()) | (HOSTS.c.place == place)
    with store.change() as connection:
        where = dead & (HOSTS.c.executor != executor)
        return list(connection.scalars(sa.delete(HOSTS).where(where).returning(HOSTS.c.executor)))


def executors(store: Store) -> dict[str, str]:
    """Every executor with a lease, and the version of its flow."""
    with store.engine.connect() as connection:
        return {row.executor: row.flow for row in connection.execute(sa.select(HOSTS.c.executor, HOSTS.c.flow))}


def is_first(store: Store, executor: str) -> bool:
    """Whether this executor is the oldest live one, which does what only one of them should do."""
    alive = sa.select(HOSTS.c.executor).where(HOSTS.c.expires >= store.database.now())
    with store.engine.connect() as connection:
        return connection.scalar(alive.order_by(HOSTS.c.started, HOSTS.c.executor).limit(1)) == executor


def draining(store: Store, name: str) -> bool:
    """Whether a host must start nothing new."""
    return store.setting(DRAIN + name) != ""


def drain(store: Store, name: str, *, on: bool = True) -> None:
    """Make a host start nothing new, or start work again; this holds across its restarts.

    Raises
    ------
    UsageError
        No host has this name.
    """
    known = {host.name for host in store.reader.hosts()}
    if name not in known and not draining(store, name):
        raise UsageError(f"no host {name!r} is alive; alive are: {', '.join(sorted(known)) or 'none'}")
    store.keep_setting(DRAIN + name, "yes" if on else "")


def end_at_once(why: str) -> None:
    """End this process without recording anything more."""
    os.write(2, f"evaluate: {why}; this process ends, and its virtual machines with it\n".encode())
    os._exit(3)
