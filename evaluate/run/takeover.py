"""Looks around at every heartbeat: whatever has no process that works on it is given to another workflow.

One rule holds for killed processes, full disks, restored databases and workflows that DBOS ended by itself: a task
whose workflow neither waits in a queue nor runs in a process that is alive gets a new one (`tasks.again`).  So does one
that was to wait a while, and still does because a clock was set back.  What the old one does later is refused, since
the task no longer names it.  Every step may be done by several hosts, or twice.
"""

from __future__ import annotations

import time

from evaluate.run.chain import begin_again
from evaluate.run.flow import FlowContext
from evaluate.store.db.rows import TaskRow
from evaluate.store.db.tables import TASKS
from evaluate.store.files.stage_folders import sweep_parts
from evaluate.store.logs import LOG, about
from evaluate.store.schedule import tasks
from evaluate.store.schedule.engine import VERSION
from evaluate.store.schedule.hosts import Neighbours, executors

_LATE_SECONDS = 5.0
"""DBOS looks once a second whether a time has come."""


class Takeover:
    """Knowledge that one process has of the others."""

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = neighbours
        self._silent: frozenset[str] = frozenset()
        """Workflows that no process seemed to run at the last look; what is being recorded seems so for a moment."""
        self._delayed: dict[str, float] = {}
        """Workflow that waits for a time -> when it was first seen, by a clock that nobody sets."""

    def is_needed(self) -> bool:
        """True if a lease was ended, so that looking cannot wait."""
        return self._neighbours.any_gone

    def look(self, host: FlowContext) -> None:
        """Do every check once."""
        self._neighbours.look()
        for gone in self._neighbours.gone():
            LOG.warning("a host is dead; other hosts continue its work", extra=about(executor=gone))
        self._give_again(host)
        rows = tasks.tasks(host.store)
        attempts = {(entry.id, entry.attempt): entry for entry in host.store.in_stages()}
        for key in attempts.keys() - {(row.entry, row.attempt) for row in rows}:
            begin_again(host, attempts[key])
        for row in rows:
            if (row.entry, row.attempt) not in attempts and not row.running:
                with host.store.database.step() as connection:
                    tasks.end(connection, row.flow, row.task)
        host.engine.forget()
        if swept := sweep_parts(host.shared, lambda: {name.rpartition(":")[2] for name in executors(host.store)}):
            LOG.info("removed %d unfinished folders and files of processes that were killed", swept)

    def _give_again(self, host: FlowContext) -> None:
        rows = tasks.tasks(host.store)
        placed = [row for row in rows if not row.held]
        flows = host.engine.unfinished()
        here = host.slots.running
        alive = executors(host.store)  # after the workflows: a new host has a lease before it has work
        # work of another version is left to its hosts, as long as there are any
        ours = [flow for flow in flows if flow.version == VERSION or flow.version not in alive.values()]
        dead = {flow.id for flow in ours if flow.executor and flow.executor not in alive}
        dead |= {flow.id for flow in ours if flow.version != VERSION}
        silent = {flow.id for flow in ours if flow.executor == host.executor and flow.id not in here}
        live = {flow.id for flow in flows} - dead - silent
        silent |= {row.flow for row in placed} - live - dead
        lost = dead | (silent & self._silent) | self._late(placed, {flow.id for flow in ours if flow.delayed})
        # those of attempts that were cancelled, or that another workflow runs by now
        silent |= {flow.id for flow in ours if not flow.executor} - {row.flow for row in rows}
        lost |= silent & self._silent
        self._silent = frozenset(silent)
        for row in placed:
            if row.flow in lost:
                with host.store.database.step() as connection:
                    given = tasks.again(connection, host.engine, row.flow)
                if given:
                    about_it = about(entry=row.entry, attempt=row.attempt, task=row.task, executor=row.executor)
                    LOG.warning("no process runs it; any host may run it now", extra=about_it)
        if ended := lost & {flow.id for flow in ours}:
            host.engine.cancel(ended)
        self._without_gpus(host)

    def _late(self, placed: list[TaskRow], delayed: set[str]) -> set[str]:
        """Workflows that wait longer than they were to."""
        now = time.monotonic()
        self._delayed = {flow: self._delayed.get(flow, now) for flow in delayed}
        return {row.flow for row in placed if now > self._delayed.get(row.flow, now) + row.delay + _LATE_SECONDS}

    def _without_gpus(self, host: FlowContext) -> None:
        """Let hosts without GPUs say what is missing, where no host has had any for a while."""
        if host.signals().gpus:
            return
        for row in tasks.tasks(host.store, TASKS.c.needs_gpu, TASKS.c.executor == "", TASKS.c.place > 0):
            with host.store.database.step() as connection:
                tasks.again(connection, host.engine, row.flow, needs_gpu=False)
