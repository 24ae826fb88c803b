"""DBOS, by its documented interface: one queue of workflows in the database of the entries.

DBOS decides which workflow runs next, and lets one host claim it.  A host claims at most as many as the largest host
has slots, because DBOS keeps one number for all of them; `evaluate.store.schedule.slots` returns what is too much here.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import sqlalchemy as sa
from dbos import DBOS, DBOSClient, DBOSConfig, DBOSPortableJSONSerializer, EnqueueOptions, error

from evaluate.store.db.database import ENGINE_POOL, Database

VERSION = "chain1"
"""Changed only when what a workflow does changes: a host claims work of its own version alone."""
RECOVERIES = 1_000_000
"""DBOS counts takeovers and restarts against a workflow; they are not the entry's fault."""
STAGES, GPU_STAGES = "stages", "gpu-stages"
"""Names of the queues of DBOS.  Hosts without GPUs do not see what needs some."""
WORKFLOW = "stage"
_APPLICATION = "evaluate"
_ORDINARY = (
    error.DBOSAwaitedWorkflowCancelledError,
    error.DBOSWorkflowCancelledError,
    error.DBOSWorkflowConflictIDError,
)
"""Errors that DBOS raises in a workflow that was cancelled or taken over meanwhile, as it should."""
_WAITS, _DELAYED, _RUNS = "ENQUEUED", "DELAYED", "PENDING"
_OVER = ["ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED", "SUCCESS"]
_AT_ONCE = 500
"""Ids in one statement."""
_OFTEN, _SELDOM = 0.1, 0.5
"""Pauses between two looks for work, as parts of the daemon's pause; DBOS is not notified of new work."""
_MESSAGES_SECONDS = 1.0
"""Pause between two looks of DBOS for messages, which are not used here."""


@dataclass(frozen=True, kw_only=True)
class Flow:
    """A workflow that has not ended."""

    id: str
    executor: str
    """Executor that claimed it; empty while it waits."""
    version: str
    delayed: bool


class Engine:
    """DBOS in this process.

    * ``executor``: name of this process among those that claim.
    * ``poll_seconds``: pause between two looks of the daemon; DBOS looks more often.
    * ``gpus``: whether stages that need GPUs may run here.
    """

    def __init__(self, database: Database, executor: str, poll_seconds: float = 1.0, *, gpus: bool = False) -> None:
        self._database, self._executor, self._poll = database, executor, poll_seconds
        self._queues = [STAGES, *([GPU_STAGES] if gpus else [])]
        self._offered: tuple[int, bool] = (0, False)
        self.claims = False
        """True if this process claims workflows."""

    def launch(self, slots: int) -> None:
        """Begin to claim workflows, at most ``slots`` at once of each queue."""
        # pickles could run code on every host that reads these rows
        config = DBOSConfig(
            name=_APPLICATION,
            system_database_url=self._database.url,
            sys_db_pool_size=ENGINE_POOL,
            executor_id=self._executor,
            application_version=VERSION,
            serializer=DBOSPortableJSONSerializer(),
            log_level="ERROR",
            notification_listener_polling_interval_sec=_MESSAGES_SECONDS,
            notification_coalesce_sec=_MESSAGES_SECONDS,
        )
        logging.getLogger("dbos").addFilter(_is_news)
        with self._database.alone(), _quiet():  # if two processes create DBOS's tables at once, one fails
            try:
                DBOS(config=config)
                DBOS.listen_queues(self._queues)
                DBOS.launch()
                self._register(slots, often=True)
            except BaseException:
                DBOS.destroy()  # it can be launched again when the database is back
                raise
        self.claims = True

    def offer(self, slots: int, *, often: bool) -> None:
        """Let each host claim so many workflows at once: as many as the largest host has slots.

        ``often``: whether hosts look for work often; DBOS shortens its pause gradually, over some seconds.
        """
        if (slots, often) != self._offered:
            self._register(slots, often=often)

    def _register(self, slots: int, *, often: bool) -> None:
        pause = self._poll * (_OFTEN if often else _SELDOM)
        for name in self._queues:
            DBOS.register_queue(name, worker_concurrency=slots, polling_interval_sec=pause, on_conflict="always_update")
        self._offered = slots, often

    def end(self) -> None:
        """Claim nothing more; nothing may be running any more."""
        self.claims = False
        DBOS.destroy()

    def place(
        self, connection: sa.Connection, flow: str, priority: int, *, needs_gpu: bool = False, delay: float = 0.0
    ) -> None:
        """Add a workflow to a queue, in a transaction.

        * ``flow``: its id, new.
        * ``priority``: lower is earlier.
        * ``delay``: seconds until it can be claimed.
        """
        options: EnqueueOptions = {
            "workflow_name": WORKFLOW,
            "queue_name": GPU_STAGES if needs_gpu else STAGES,
            "workflow_id": flow,
            "app_version": VERSION,
            "priority": priority,
        }
        if delay > 0:
            options["delay_seconds"] = delay
        self._client.enqueue_in_transaction(connection, options, flow)

    def unfinished(self) -> list[Flow]:
        """Workflows that wait in a queue, or that an executor has claimed."""
        listed = self._client.list_workflows(status=[_WAITS, _DELAYED, _RUNS], load_input=False, load_output=False)
        return [
            Flow(
                id=workflow.workflow_id,
                executor=(workflow.executor_id or "") if workflow.status == _RUNS else "",
                version=workflow.app_version or "",
                delayed=workflow.status == _DELAYED,
            )
            for workflow in listed
        ]

    def cancel(self, flows: Collection[str]) -> None:
        """End workflows that no process is to run."""
        for part in _parts(flows):
            self._client.cancel_workflows(part)

    def forget(self) -> int:
        """Remove from DBOS workflows that have ended, whose outcomes are recorded with their entries; how many."""
        over = self._client.list_workflows(status=_OVER, load_input=False, load_output=False)
        for part in _parts([flow.workflow_id for flow in over]):
            self._client.delete_workflows(part)
        return len(over)

    @cached_property
    def _client(self) -> DBOSClient:
        return DBOSClient(
            system_database_url=self._database.url,
            system_database_pool_size=1,
            serializer=DBOSPortableJSONSerializer(),
            application_name=_APPLICATION,
            lazy=True,
            retry_connection_errors=False,
        )


def _parts(flows: Collection[str]) -> Iterator[list[str]]:
    ids = sorted(flows)
    for start in range(0, len(ids), _AT_ONCE):
        yield ids[start : start + _AT_ONCE]


def _is_news(record: logging.LogRecord) -> bool:
    """Refuse what a log has already: takeovers and cancellations."""
    return record.exc_info is None or not isinstance(record.exc_info[1], _ORDINARY)


@contextmanager
def _quiet() -> Iterator[None]:
    """DBOS writes a traceback of every error that it raises at its start; the handler of the error reports it."""
    logger = logging.getLogger("dbos")

    def passes(record: logging.LogRecord) -> bool:
        return record.exc_info is None

    logger.addFilter(passes)
    try:
        yield
    finally:
        logger.removeFilter(passes)
