"""DBOS, as this project uses it: the only module that touches what DBOS does not document.

There are four such uses, each with its own tests (``tests/unit/queue/test_engine.py``), which must be run on every
upgrade: how many of a queue's workflows this process may run, which it runs now, returning a workflow to its queue, and
the connections that DBOS shares with us.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetEnqueueOptions, SetWorkflowID

from evaluate.queue.store.database import Database

SLOTS = "slots"
VERSION = "flow4"
"""Changed only when what a workflow does changes: an executor leaves work of another version alone."""
RECOVERIES = 1_000_000
"""DBOS counts takeovers and restarts against a workflow; they are not the entry's fault."""
_INTERNAL = "_dbos_internal_queue"
_OVER = ("ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED", "SUCCESS")
_AT_ONCE = 500
"""Ids in one statement."""


@dataclass(frozen=True, kw_only=True)
class Flow:
    """A workflow as DBOS knows it."""

    id: str
    name: str
    """``stage``; in earlier releases also ``entry``."""
    status: str
    executor: str
    version: str
    output: Any = None
    """What it returned; only of `Engine.children`."""
    error: str = ""
    """The class of the error that ended it, if DBOS could not complete it; only of `Engine.children`."""
    message: str = ""

    @property
    def over(self) -> bool:
        """Whether it has ended, so that no process will continue it."""
        return self.status in _OVER

    @property
    def attempt(self) -> tuple[str, int]:
        """The entry and the attempt at it that it belongs to."""
        entry, _, rest = self.id.partition(":")
        number = rest.partition(":")[0]
        return entry, int(number) if number.isdecimal() else 0


class Engine:
    """DBOS in this process."""

    def __init__(self, database: Database, executor: str, slots: Callable[[], int], poll_seconds: float) -> None:
        self._database, self._executor = database, executor
        self._slots, self._poll_seconds = slots, poll_seconds
        self._dbos: Any = None

    def launch(self) -> None:
        """Start running workflows."""
        # pickles could run code on every host that reads these rows
        config = DBOSConfig(
            name="evaluate",
            system_database_url=self._database.url,
            executor_id=self._executor,
            application_version=VERSION,
            serializer=DBOSPortableJSONSerializer(),
            log_level="ERROR",
        )
        if self._database.shared:  # one pool, with the limits of ours; of a file DBOS needs connections of its own
            config["system_database_engine"] = self._database.engine
        with self._database.alone(), _quiet():  # if two processes create DBOS's tables at once, one fails
            self._dbos = DBOS(config=config)
            DBOS.launch()
        system = self._dbos._sys_db
        original = system.get_queue

        def with_own_slots(name: str, **options: Any) -> Any:
            queue = original(name, **options)
            if queue is not None and name == SLOTS:
                queue._worker_concurrency = self._slots()  # the row is the same for all hosts
            return queue

        system.get_queue = with_own_slots
        # a host on which `with_own_slots` is not in effect starts nothing
        DBOS.register_queue(SLOTS, worker_concurrency=0, polling_interval_sec=self._poll_seconds)

    def enqueue(self, flow: Callable[..., Any], identity: str, priority: int, *arguments: Any) -> None:
        """Let a workflow of this id wait for a slot, unless there is one."""
        with SetWorkflowID(identity), SetEnqueueOptions(priority=priority):
            DBOS.enqueue_workflow(SLOTS, flow, *arguments)

    def children(self, attempt: tuple[str, int]) -> dict[str, Flow]:
        """Every workflow of an attempt at an entry, with its outcome."""
        return {flow.id: flow for flow in self._listed(workflow_id_prefix=f"{attempt[0]}:{attempt[1]}:", outcomes=True)}

    def flows(self, ids: list[str]) -> dict[str, Flow]:
        """The workflows among these ids that exist."""
        return {flow.id: flow for flow in self._listed(workflow_ids=ids)} if ids else {}

    def ended(self, ids: Collection[str]) -> set[str]:
        """Those of these ids whose workflows have ended."""
        status, asked, found = self._dbos._sys_db.tables.workflow_status, sorted(ids), set[str]()
        for start in range(0, len(asked), _AT_ONCE):
            where = status.c.workflow_uuid.in_(asked[start : start + _AT_ONCE]) & status.c.status.in_(_OVER)
            with self._dbos._sys_db.engine.connect() as connection:
                found |= set(connection.scalars(sa.select(status.c.workflow_uuid).where(where)))
        return found

    def over(self) -> list[Flow]:
        """Workflows that have ended, in whatever way, and are still recorded."""
        return self._listed(status=list(_OVER))

    def pending(self) -> list[Flow]:
        """Workflows that are recorded as running on some executor."""
        return self._listed(status="PENDING")

    def waiting(self) -> list[Flow]:
        """Workflows that wait to be run."""
        return self._listed(status="ENQUEUED")

    def unfinished(self) -> bool:
        """Whether any workflow runs or waits, on any host and of any version."""
        return bool(self._listed(status=["PENDING", "ENQUEUED"], limit=1))

    def running_here(self) -> set[str]:
        """The ids of the workflows that threads of this process run."""
        return set(self._dbos._active_workflows_set.activeList())

    def held_here(self) -> int:
        """How many slots this process holds; one is free when its workflow is fully recorded."""
        return 0 if self._dbos is None else int(self._dbos._active_workflows_set.count_for_queue(SLOTS))

    def give_back(self, flows: Iterable[Flow]) -> int:
        """Return workflows to the queue if the executor that lost them still owns them; returns how many."""
        system = self._dbos._sys_db
        return sum(bool(system.reenqueue_for_recovery(flow.id, [flow.executor], _INTERNAL)) for flow in flows)

    def adopt(self, flows: Iterable[Flow]) -> int:
        """Take over waiting workflows of another version of the flow, whose steps are the same."""
        if not (ids := [flow.id for flow in flows]):
            return 0
        system = self._dbos._sys_db
        status = system.tables.workflow_status
        with system.engine.begin() as connection:
            where = status.c.workflow_uuid.in_(ids) & (status.c.status == "ENQUEUED")
            done = connection.execute(sa.update(status).where(where).values(application_version=VERSION))
            return int(done.rowcount)

    def cancel(self, flow: Flow) -> None:
        """Cancel a workflow."""
        DBOS.cancel_workflow(flow.id)

    def forget(self, flows: Iterable[Flow]) -> int:
        """Remove workflows that have ended; returns how many."""
        ids = [flow.id for flow in flows]
        for start in range(0, len(ids), _AT_ONCE):
            DBOS.delete_workflows(ids[start : start + _AT_ONCE])
        return len(ids)

    def end(self) -> None:
        """Shut DBOS down; nothing may be running any more."""
        DBOS.destroy()

    def _listed(self, *, outcomes: bool = False, **which: Any) -> list[Flow]:
        return [
            Flow(
                id=found.workflow_id,
                name=found.name,
                status=found.status,
                executor=found.executor_id or "",
                version=found.app_version or "",
                output=found.output,
                error=str(getattr(found.error, "name", type(found.error).__name__)) if found.error else "",
                message=str(found.error or ""),
            )
            for found in DBOS.list_workflows(**which, load_input=False, load_output=outcomes)
        ]


@contextmanager
def _quiet() -> Iterator[None]:
    """DBOS writes a traceback of every error that it raises at its start; whoever catches the error says what it is."""
    logger = logging.getLogger("dbos")

    def passes(record: logging.LogRecord) -> bool:
        return record.exc_info is None

    logger.addFilter(passes)
    try:
        yield
    finally:
        logger.removeFilter(passes)
