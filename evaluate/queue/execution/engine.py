"""DBOS, as this project uses it: workflows that are begun once for each id, and whose outcomes are kept.

Which host runs what is decided by `evaluate.queue.schedule.tasks`, so no queue of DBOS is used, and nothing that it
does not document but for one thing: its threads for queues, schedules, delays and timeouts are stopped, since they
would ask the database several times a second for what never comes. A DBOS without these attributes runs them; nothing
else changes.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetWorkflowID, error

from evaluate.queue.db.database import Database

VERSION = "flow5"
"""Changed only when what a workflow does changes: an executor leaves work of another version alone."""
RECOVERIES = 1_000_000
"""DBOS counts takeovers and restarts against a workflow; they are not the entry's fault."""
_ORDINARY = (
    error.DBOSAwaitedWorkflowCancelledError,
    error.DBOSWorkflowCancelledError,
    error.DBOSWorkflowConflictIDError,
)
"""What DBOS raises in a workflow that was cancelled or taken over meanwhile, as it should."""
_OVER = ["ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED", "SUCCESS"]
_GOES_ON = ["PENDING", "ENQUEUED"]
_AT_ONCE = 500
"""Ids in one statement."""
_SELDOM = 1.0
"""Seconds between two looks of a thread of DBOS for what is not used here; its end waits for them."""


@dataclass(frozen=True, kw_only=True)
class Flow:
    """A workflow as DBOS knows it."""

    id: str
    name: str
    """``stage``."""
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
    def host(self) -> str:
        """The host that ran it."""
        return self.executor.rpartition(":")[0]

    @property
    def attempt(self) -> tuple[str, int]:
        """The entry and the attempt at it that it belongs to."""
        return attempt_in(self.id)


def attempt_in(identity: str) -> tuple[str, int]:
    """The entry and the attempt at it that the workflow of this id belongs to."""
    entry, _, rest = identity.partition(":")
    number = rest.partition(":")[0]
    return entry, int(number) if number.isdecimal() else 0


class Engine:
    """DBOS in this process.

    ``ended``: called whenever a workflow has left its thread; soon afterwards DBOS has its outcome.
    """

    def __init__(self, database: Database, executor: str, ended: Callable[[], None] = lambda: None) -> None:
        self._database, self._executor, self._ended = database, executor, ended
        self._here: set[str] = set()
        self._left: set[str] = set()
        self._turn = threading.Lock()
        self._dbos: Any = None

    def launch(self) -> None:
        """Be ready to run workflows."""
        # pickles could run code on every host that reads these rows
        config = DBOSConfig(
            name="evaluate",
            system_database_url=self._database.url,
            executor_id=self._executor,
            application_version=VERSION,
            serializer=DBOSPortableJSONSerializer(),
            log_level="ERROR",
            notification_listener_polling_interval_sec=_SELDOM,
            notification_coalesce_sec=_SELDOM,
        )
        if (
            self._database.shared
        ):  # one pool, with the limits of this program; of a file DBOS needs connections of its own
            config["system_database_engine"] = self._database.engine
        logging.getLogger("dbos").addFilter(_is_news)
        with self._database.alone(), _quiet():  # if two processes create DBOS's tables at once, one fails
            self._dbos = DBOS(config=config)
            DBOS.launch()
        unused = [*getattr(self._dbos, "background_thread_stop_events", ())]
        # it holds a transaction open and asks eight times a second for delays and timeouts, of which there are none
        unused += [event] if (event := getattr(self._dbos, "_background_jobs_stop_event", None)) else []
        for event in unused:
            event.set()

    def start(self, flow: Callable[..., Any], identity: str, *arguments: Any) -> bool:
        """Run a workflow of this id in a thread of this process; False if it was begun before, here or elsewhere.

        It calls `running` around what it does.
        """
        with self._turn:
            self._here.add(identity)
        try:
            with SetWorkflowID(identity, workflow_id_reuse_policy="reject"):
                DBOS.start_workflow(flow, *arguments)
        except error.DBOSWorkflowIDInUseError:
            self._leave(identity)
            return False
        except BaseException:
            self._leave(identity)
            raise
        return True

    @contextmanager
    def running(self, identity: str) -> Iterator[None]:
        """Around what a workflow does: its slot is held until then."""
        try:
            yield
        finally:
            self._leave(identity)
            self._ended()

    def _leave(self, identity: str) -> None:
        with self._turn:
            self._here.discard(identity)
            self._left.add(identity)

    def left(self) -> set[str]:
        """The workflows that have left their threads here since this was asked before."""
        with self._turn:
            found, self._left = self._left, set()
        return found

    def running_here(self) -> set[str]:
        """The ids of the workflows that threads of this process run."""
        with self._turn:
            return set(self._here)

    def held_here(self) -> int:
        """How many slots this process holds."""
        return len(self._here)

    def children(self, *attempts: tuple[str, int]) -> dict[str, Flow]:
        """Every workflow of attempts at entries, with its outcome."""
        prefixes = [f"{entry}:{attempt}:" for entry, attempt in attempts]
        return {flow.id: flow for flow in self._listed(workflow_id_prefix=prefixes, outcomes=True)} if prefixes else {}

    def ended(self, ids: Collection[str]) -> set[str]:
        """Those of these ids whose workflows have ended."""
        asked, found = sorted(ids), set[str]()
        for start in range(0, len(asked), _AT_ONCE):
            part = asked[start : start + _AT_ONCE]
            found |= {flow.id for flow in self._listed(workflow_ids=part, status=_OVER)}
        return found

    def over(self) -> list[Flow]:
        """Workflows that have ended, in whatever way, and are still recorded."""
        return self._listed(status=_OVER)

    def unfinished(self) -> list[Flow]:
        """Workflows that are recorded as running on some executor."""
        return self._listed(status=_GOES_ON)

    def cancel(self, flows: Iterable[Flow]) -> int:
        """End workflows that no process runs; returns how many. What a lost process records later is refused."""
        ids = [flow.id for flow in flows]
        for start in range(0, len(ids), _AT_ONCE):
            DBOS.cancel_workflows(ids[start : start + _AT_ONCE])
        return len(ids)

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


def _is_news(record: logging.LogRecord) -> bool:
    """Whether DBOS says something of which a log does not know: takeovers and cancellations are in it already."""
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
