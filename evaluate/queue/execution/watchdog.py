"""Looks around at every heartbeat: takes over what belonged to dead hosts, and repairs what is stuck.

What it cannot repair it reports, once.  Every step may be done by several hosts at the same time, or twice.
"""

from __future__ import annotations

import time
from pathlib import Path

from evaluate.queue.db.tables import TASKS
from evaluate.queue.entries.shadows import attempts_in_stages
from evaluate.queue.entries.store import Store
from evaluate.queue.execution.engine import Engine
from evaluate.queue.execution.flow import flow_of
from evaluate.queue.execution.progress import is_of_later_release
from evaluate.queue.logs import LOG, about
from evaluate.queue.schedule import tasks
from evaluate.queue.schedule.hosts import Neighbours, executors
from evaluate.queue.storage.depot import Depot
from evaluate.queue.storage.lost_products import begins_again
from evaluate.queue.storage.stage_folders import sweep_parts


class Watchdog:
    """The watchdog of one process."""

    def __init__(
        self, store: Store, engine: Engine, executor: str, neighbours: Neighbours, depot: Depot, shared: Path
    ) -> None:
        self._store, self._engine, self._executor, self._neighbours = store, engine, executor, neighbours
        self._depot, self._shared = depot, shared
        self._stray: frozenset[str] = frozenset()
        self._reported: frozenset[tuple[str, int, str]] = frozenset()
        self._left: frozenset[tuple[str, int]] = frozenset()
        """Attempts that hosts of a later release must continue, as was said."""

    def is_needed(self) -> bool:
        """Whether a lease was ended, so that looking cannot wait."""
        return self._neighbours.any_gone

    def look(self) -> None:
        """Do every check once."""
        self._neighbours.look()
        for gone in self._neighbours.gone():
            LOG.warning("a host is dead; its work is taken over", extra=about(executor=gone))
        self._free()
        self._take_over()
        self._forget()
        if swept := sweep_parts(self._shared, lambda: {one.rpartition(":")[2] for one in executors(self._store)}):
            LOG.info("removed %d unfinished folders and files of processes that were killed", swept)
        self._report()

    def _free(self) -> None:
        """Let others run what no process runs."""
        claimed, flows = tasks.running(self._store, self._executor), self._engine.unfinished()
        here = self._engine.running_here()
        alive = executors(self._store)  # after the workflows: a new host has a lease before it has work
        # after a full disk: DBOS could record neither the beginning, nor the outcome, nor the end.  Seen twice, since
        # what just left its thread is being recorded
        stray = {flow_of(row): row for row in claimed if flow_of(row) not in here}
        over = self._engine.ended(stray)
        pending = [flow for flow in flows if flow.status == "PENDING"]
        silent = {flow.id for flow in pending if flow.executor == self._executor and flow.id not in here}
        seen, self._stray = self._stray, frozenset(silent | set(stray))
        lost = [flow for flow in pending if flow.executor not in alive or flow.id in silent & seen]
        if freed := self._engine.cancel(lost):
            LOG.warning("%d workflows had no process to run them; any host may run them now", freed)
        again = [row for name, row in stray.items() if name in seen and name not in over]
        left = [row for name, row in stray.items() if name in over]  # that their owners have not removed
        tasks.release(self._store, alive, again, left)

    def _take_over(self) -> None:
        """Every attempt in its stages belongs to a live host."""
        attempts = attempts_in_stages(self._store)
        alive = executors(self._store)  # after the attempts, as above
        later: set[tuple[str, int]] = set()
        for entry in attempts:
            if entry.owner in alive:
                continue
            if is_of_later_release(entry.plan):
                later.add((entry.id, entry.attempt))
                if (entry.id, entry.attempt) not in self._left:
                    LOG.warning(
                        "a later release began it, with stages or rules that this one does not know: it waits for a "
                        "host of that release; start one, or install it here",
                        extra=about(entry=entry.id, attempt=entry.attempt, executor=entry.owner),
                    )
                continue
            if gone := begins_again(self._store, self._depot, entry):
                about_it = about(entry=entry.id, attempt=entry.attempt)
                LOG.warning("the products of %s are gone, as after a restore: it begins again", gone, extra=about_it)
            elif self._store.adopt(entry, self._executor, entry.flow + 1):
                LOG.warning("taken over", extra=about(entry=entry.id, attempt=entry.attempt, executor=entry.owner))
        self._left = frozenset(later)

    def _forget(self) -> None:
        """Remove from DBOS, however it ended, what belongs to no attempt in its stages."""
        over = self._engine.over()
        needed = {(entry.id, entry.attempt) for entry in attempts_in_stages(self._store)} if over else set()
        self._engine.forget(flow for flow in over if flow.attempt not in needed)

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
