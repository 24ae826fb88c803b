"""DBOS, as this project uses it: the only module that touches what DBOS does not document.

There are three such uses, each with its own tests (``tests/unit/queue/test_engine.py``), which must be run on every
upgrade: how many of a queue's workflows this process may run, which it runs now, and returning a workflow to its queue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetWorkflowID

from evaluate.queue.store.database import Database

SLOTS = "slots"
VERSION = "flow3"
"""Changed only when the order of steps in a workflow changes: an executor leaves work of another version alone."""
RECOVERIES = 1_000_000
"""DBOS counts takeovers and restarts against a workflow; they are not the entry's fault."""
_INTERNAL = "_dbos_internal_queue"
_FAILED = ("ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED", "SUCCESS")


@dataclass(frozen=True, kw_only=True)
class Flow:
    """A workflow as DBOS knows it."""

    id: str
    name: str
    """``entry`` or ``stage``."""
    status: str
    executor: str
    version: str

    @property
    def over(self) -> bool:
        """Whether it has ended, so that no process will continue it."""
        return self.status in _FAILED


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
        with self._database.alone():  # if two processes create DBOS's tables at once, one fails
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

    def start(self, flow: Callable[..., str], identity: str, *arguments: Any) -> None:
        """Start a workflow of this id, unless there is one."""
        with SetWorkflowID(identity):
            DBOS.start_workflow(flow, *arguments)

    def flows(self, ids: list[str]) -> dict[str, Flow]:
        """The workflows among these ids that exist."""
        return {flow.id: flow for flow in self._listed(workflow_ids=ids)} if ids else {}

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

    def forget_ended(self, most: int) -> int:
        """Remove entries' workflows that have ended well, with their children; returns how many."""
        ended = self._listed(status="SUCCESS", name="entry", limit=most)
        if ended:
            DBOS.delete_workflows([flow.id for flow in ended], delete_children=True)
        return len(ended)

    def end(self) -> None:
        """Shut DBOS down; nothing may be running any more."""
        DBOS.destroy()

    def _listed(self, **which: Any) -> list[Flow]:
        return [
            Flow(
                id=found.workflow_id,
                name=found.name,
                status=found.status,
                executor=found.executor_id or "",
                version=found.app_version or "",
            )
            for found in DBOS.list_workflows(**which, load_input=False, load_output=False)
        ]
