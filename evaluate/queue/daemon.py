"""The process that takes entries out of the queue and runs their workflows; one for a state directory.

Theory of operation.  Entries wait in the store; the daemon begins the next few of them, fairly among teams, as
workflows whose id is the entry's, so beginning one twice is beginning it once.  Killed at any moment, it goes on where
it was: finished stages are not run again, virtual machines of the killed process die with it, unfinished folders are
swept away.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetWorkflowID

from evaluate.errors import UsageError
from evaluate.queue.flow import SLOTS, VERSION, Means, entry_flow, gate, set_means
from evaluate.queue.store import ACTIVE, FILE, State, Store
from evaluate.queue.work import sweep_parts

LOCK = "daemon.lock"
_EXECUTOR = "daemon"
_CHECKPOINT_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How a daemon behaves."""

    slots: int = 1
    """Stages, and so virtual machines, at once."""
    begun: int = 32
    """Entries that are in their stages at once; the others wait in the queue, where order can still change."""
    stop_seconds: float = 30.0
    """How long a running stage may go on after SIGTERM; later its work is done again at the next start."""
    free_bytes: int = 5 << 30
    """Below so much room on the disk no entry is begun."""
    poll_seconds: float = 1.0


class Daemon:
    """See the module."""

    def __init__(self, means: Means, rules: Rules, say: Callable[[str], None]) -> None:
        self._means, self._rules, self._say = means, rules, say
        self._store: Store = means.store
        self._stop = threading.Event()
        self._full = False

    def stop(self) -> None:
        """Begin nothing more and end; from any thread."""
        self._stop.set()

    def run(self, *, once: bool = False) -> bool:
        """Run until stopped or, with ``once``, until nothing is left to do.

        Returns
        -------
        bool
            Whether every workflow has ended.  If not, their threads live on, and the process must end by `os._exit`;
            they go on at the next start.

        Raises
        ------
        UsageError
            Another daemon runs on this state directory; its process is named.
        """
        with alone(self._means.state):
            swept = sweep_parts(self._means.state)
            if swept:
                self._say(f"removed {swept} unfinished folders of a process that was killed")
            set_means(self._means)
            DBOS(
                config=DBOSConfig(
                    name="evaluate",
                    system_database_url=f"sqlite:///{self._means.state / FILE}",
                    executor_id=_EXECUTOR,
                    application_version=VERSION,
                    serializer=DBOSPortableJSONSerializer(),
                    log_level="ERROR",
                )
            )
            DBOS.launch()
            try:
                DBOS.register_queue(
                    SLOTS, worker_concurrency=self._rules.slots, polling_interval_sec=self._rules.poll_seconds
                )
                self._begin_again()
                self._loop(once)
            finally:
                finished = self._end()
        return finished

    def _loop(self, once: bool) -> None:
        while not self._stop.is_set():
            counts = self._store.counts()
            active = sum(counts.get(state, 0) for state in ACTIVE)
            queued = counts.get(State.QUEUED, 0)
            if once and not active and not queued:
                return
            if queued and active < self._rules.begun and self._has_room():
                for entry in self._store.next_entries(self._rules.begun - active):
                    self._begin(entry.id, entry.attempt)
            self._stop.wait(self._rules.poll_seconds)

    def _begin(self, identity: str, attempt: int) -> None:
        with SetWorkflowID(f"{identity}:{attempt}"):
            DBOS.start_workflow(entry_flow, identity, attempt, self._means.shards)

    def _begin_again(self) -> None:
        """Entries that were taken, and whose workflow was not begun before the process was killed."""
        for entry in self._store.entries():
            if entry.state in ACTIVE:
                self._begin(entry.id, entry.attempt)

    def _has_room(self) -> bool:
        free = shutil.disk_usage(self._means.state).free
        full = free < self._rules.free_bytes
        if full and not self._full:
            self._say(
                f"{free >> 20} MiB are free in {self._means.state}, wanted {self._rules.free_bytes >> 20}: "
                "no entry is begun until there is room"
            )
        self._full = full
        return not full

    def _end(self) -> bool:
        """Let running stages end for a while; whether nothing is left in the middle."""
        gate.close()
        if gate.inside:
            self._say(f"stopping: {gate.inside} running stages have {self._rules.stop_seconds:.0f} s to end")
        end = time.monotonic() + self._rules.stop_seconds
        while gate.inside and time.monotonic() < end:
            time.sleep(0.1)
        if gate.inside:
            self._say(f"stopped in the middle of {gate.inside} stages, which will be done again")
            return False
        time.sleep(_CHECKPOINT_SECONDS)  # what has just ended is being written down
        pending = DBOS.list_workflows(status="PENDING", load_input=False, load_output=False, limit=1)
        if not pending:
            DBOS.destroy()
        self._say("stopped")
        return not pending


@contextmanager
def alone(state: Path) -> Iterator[None]:
    """Be the only daemon of a state directory.

    Raises
    ------
    UsageError
        There is another; its process is named.
    """
    with (state / LOCK).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as e:
            lock.seek(0)
            raise UsageError(f"{state}: a daemon runs here already, process {lock.read().strip() or 'unknown'}") from e
        lock.seek(0)
        lock.truncate()
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield


def holder(state: Path) -> int | None:
    """Process of the daemon that runs on a state directory; None if none does."""
    try:
        with (state / LOCK).open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                text = lock.read().strip()
                return int(text) if text.isdecimal() else 0
    except FileNotFoundError:
        pass
    return None


def stop_on_signals(daemon: Daemon) -> None:
    """End in order on SIGTERM and Ctrl-C; a second one ends at once."""

    def handle(_number: int, _frame: object) -> None:
        if daemon._stop.is_set():
            os._exit(3)
        daemon.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle)
