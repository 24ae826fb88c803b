"""Looks around at every heartbeat: takes over what belonged to dead hosts, and repairs what is stuck.

What it cannot repair it reports, once.  Every step may be done by several hosts at the same time, or twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import sqlalchemy as sa

from evaluate.queue.engine import VERSION, Engine, Flow
from evaluate.queue.flow import flow_id
from evaluate.queue.logs import LOG, about
from evaluate.queue.store import tasks
from evaluate.queue.store.entries import Store
from evaluate.queue.store.hosts import evict, executors
from evaluate.queue.store.reasons import Cause, Reason
from evaluate.queue.store.rows import QueuedEntry, State
from evaluate.queue.store.shadows import attempt_of, owned_shadows
from evaluate.queue.store.tables import TASKS
from evaluate.queue.work import sweep_parts

_MOST_FLOWS = 20
"""Workflows of one attempt; an attempt that needs more makes no progress."""
_FORGOTTEN_AT_ONCE = 200


class Watchdog:
    """The watchdog of one process."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        executor: str,
        place: str,
        shared: Path,
        begin: Callable[[QueuedEntry], None],
    ) -> None:
        self._store, self._engine, self._executor, self._place = store, engine, executor, place
        self._shared, self._begin = shared, begin
        self._without_thread: frozenset[str] = frozenset()
        self._reported: frozenset[tuple[str, int, str]] = frozenset()

    def look(self) -> None:
        """Do every check once."""
        for gone in evict(self._store, self._executor, self._place):
            LOG.warning("a host is dead; its work is taken over", extra=about(executor=gone))
        unsupported = self._free()
        self._carry_on(unsupported)
        if swept := sweep_parts(self._shared, lambda: {one.rpartition(":")[2] for one in executors(self._store)}):
            LOG.info("removed %d unfinished folders and files of processes that were killed", swept)
        while self._engine.forget_ended(_FORGOTTEN_AT_ONCE) == _FORGOTTEN_AT_ONCE:
            pass
        self._report()

    def _free(self) -> list[Flow]:
        """Let others run what no process runs; returns waiting entries whose version no live host supports."""
        pending, waiting = self._engine.pending(), self._engine.waiting()
        here = self._engine.running_here()
        alive = executors(self._store)  # after the workflows: a new host has a lease before it has work
        # after a full disk: DBOS could record neither the outcome nor the end.  Seen twice, since what was just
        # taken out of the queue has no thread yet
        dropped = frozenset(flow.id for flow in pending if flow.executor == self._executor and flow.id not in here)
        orphans = [flow for flow in pending if flow.executor not in alive or flow.id in dropped & self._without_thread]
        self._without_thread = dropped
        if freed := self._engine.give_back(orphans):
            LOG.warning("%d workflows had no process to run them; any host may take them now", freed)
        # a stage is one step, so any version may run those of a version that no live host supports any more
        unsupported = [flow for flow in waiting if flow.version not in alive.values()]
        self._engine.adopt(flow for flow in unsupported if flow.name == "stage")
        tasks.release(self._store, alive)
        return [flow for flow in unsupported if flow.name == "entry"]

    def _carry_on(self, unsupported: Iterable[Flow]) -> None:
        """Every attempt in its stages has a workflow that some host runs, and no other attempt keeps one forever."""
        attempts = self._store.owned()
        attempts += [attempt_of(self._store, one.entry, one.attempt) for one in owned_shadows(self._store)]
        flows = self._engine.flows([flow_id(entry) for entry in attempts])
        alive = executors(self._store)
        for entry in attempts:
            try:
                self._carry(entry, flows.get(flow_id(entry)), alive)
            except Exception:  # the other attempts must not wait for this one
                LOG.exception("cannot be continued", extra=about(entry=entry.id, attempt=entry.attempt))
        for flow in unsupported:
            if flow.id not in flows:  # its attempt has ended
                self._engine.cancel(flow)

    def _carry(self, entry: QueuedEntry, flow: Flow | None, alive: Mapping[str, str]) -> None:
        if flow is None:
            if entry.owner == self._executor or entry.owner not in alive:
                self._restart(entry, entry.flow)  # killed between taking it out of the queue and starting it
        elif flow.over:
            self._restart(entry, entry.flow + 1)
        elif flow.version != VERSION and flow.version not in alive.values():
            self._engine.cancel(flow)  # its steps differ from ours; its finished stages are not run again
            self._restart(entry, entry.flow + 1)
        elif flow.executor != entry.owner and flow.executor in alive:
            self._store.adopt(entry, flow.executor, entry.flow)

    def _restart(self, entry: QueuedEntry, number: int) -> None:
        if number > _MOST_FLOWS:
            message = f"its workflow was started {number} times"
            reason = Reason(cause=Cause.INFRASTRUCTURE, stage=entry.state.value, message=message)
            self._store.move(entry.id, State.PARKED, reason, charged=False, attempt=entry.attempt)
        elif self._store.adopt(entry, self._executor, number):
            LOG.warning("restarted", extra=about(entry=entry.id, attempt=entry.attempt, flow=number))
            self._begin(attempt_of(self._store, entry.id, entry.attempt))

    def _report(self) -> None:
        now = time.time()
        late = {
            (row.entry, row.attempt, row.task): row
            for row in tasks.tasks(self._store, TASKS.c.deadline < now, TASKS.c.executor != "")
        }
        for key, row in late.items():
            if key not in self._reported:
                LOG.error(
                    "a stage has run longer than all its limits together; if its host is healthy, look at its guest",
                    extra=about(entry=row.entry, task=row.task, executor=row.executor),
                )
        self._reported = frozenset(late)


def overdue(store: Store) -> int:
    """How many stages have run longer than all their limits together."""
    late = (TASKS.c.deadline < time.time()) & (TASKS.c.executor != "")
    with store.engine.connect() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(TASKS).where(late)) or 0
