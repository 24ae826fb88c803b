"""The process that takes entries out of the queue and runs their workflows; there is one per state directory.

Theory of operation.  Entries wait in the store; the daemon takes the next few of them, fairly among teams, and about
once a second does for each what comes next (`evaluate.queue.execution.progress`).  Killed at any moment, it resumes
where it was, or another host does: finished stages are not run again, virtual machines of the killed process die with
it, unfinished folders are removed.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.config.load import name_of
from evaluate.config.types import Config
from evaluate.core.errors import ChallengeError, Fault, UsageError
from evaluate.core.waiting import readable
from evaluate.queue.entries.shadows import owned_shadows, take_shadows
from evaluate.queue.entries.store import Store
from evaluate.queue.execution.engine import VERSION, Engine
from evaluate.queue.execution.flow import FlowContext, gate, set_context, start
from evaluate.queue.execution.progress import Progress
from evaluate.queue.execution.watchdog import Watchdog
from evaluate.queue.logs import LOG, about, log_to
from evaluate.queue.outbound.announcements import announcing
from evaluate.queue.outbound.prometheus import MeasuredRunner, Measures
from evaluate.queue.schedule import tasks
from evaluate.queue.schedule.faults import stopped_challenges
from evaluate.queue.schedule.hosts import PLACE, Lease, Neighbours, draining, end_at_once, executors, state_identity
from evaluate.queue.schedule.tasks import QueueSignals
from evaluate.queue.storage import leftovers
from evaluate.queue.storage.stage_folders import BESIDE_SECONDS
from evaluate.queue.threads import Threads
from evaluate.queue.upkeep import LastComparison, upkeep

LOCK = "daemon.lock"
_STARTED = 32
"""Entries of a host that are in their stages at once; the others wait in the queue, where order can still change."""
_SOON_SECONDS = 0.05
"""Seconds between two looks while DBOS is recording what has just ended."""
_WRITTEN_SECONDS = 20.0
"""Seconds to wait until the outcome of a stage that has ended is recorded."""
_FIXED = ("database", "shared", "host", "heartbeat", "prometheus")
"""The settings that a reload does not change."""


class Daemon:
    """See the module.

    * ``state``: the state directory of this host.
    * ``context``: what the workflows use.
    * ``measures``: what Prometheus reads.
    * ``load``: reads the configuration again, for `reload`.
    * ``seconds``: how long this process has: it runs a stage only if its limits end before, and ends itself in time.
    * ``bears``: how many stages this host bears now, with those that run; it never runs more than its slots.
    """

    def __init__(
        self,
        state: Path,
        context: FlowContext,
        measures: Measures | None = None,
        load: Callable[[], Config] | None = None,
        seconds: float = math.inf,
        bears: Callable[[int], int] = lambda _held: sys.maxsize,
    ) -> None:
        self._until = time.monotonic() + seconds
        self._bears = bears
        self._state, self._load = state, load
        self._config = context.config
        self._store: Store = context.store
        self._engine = Engine(context.store.database, context.executor, self._hurry)
        self._measures = measures or Measures(context.store)
        self._measures.slots.set(context.config.slots)
        self._measures.used.set_function(self._engine.held_here)
        self._known = LastComparison()
        self._measures.findings.set_function(lambda: self._known.findings)
        self._measures.verified.set_function(lambda: self._known.at)
        runner = MeasuredRunner(runner=context.runner, measures=self._measures)
        self._context = replace(context, runner=runner, engine=self._engine)
        place = state_identity(state)
        heartbeat = context.config.heartbeat
        self._threads = Threads()
        self._measures.threads(self._threads)
        self._lease = Lease(context.store, context.executor, place, heartbeat, end_at_once, self._threads_as_text)
        self._neighbours = Neighbours(context.store, context.executor, place, heartbeat)
        self._watchdog = Watchdog(
            context.store, self._engine, context.executor, self._neighbours, context.depot, context.shared
        )
        self._progress = Progress(self._engine, lambda: self._context)
        self._stops = self._reloads = self._full = self._draining = False
        """What organisers changed at the site, as it was when it was looked at last."""
        self._stopped: dict[str, bool] = {}
        """Challenges that wait until a fault is resolved (`evaluate.queue.schedule.faults.stopped_challenges`)."""
        # a lock, such as an Event has, must not be taken in a signal handler
        self._woken, self._wake = os.pipe()
        for end in (self._woken, self._wake):
            os.set_blocking(end, False)

    def stop(self) -> None:
        """Accept no new work and end; callable from any thread, and from a signal handler."""
        self._stops = True
        self._hurry()

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._stops

    def reload(self) -> None:
        """Read the configuration again soon; from any thread, and from a signal."""
        self._reloads = True
        self._hurry()

    def _hurry(self) -> None:
        with suppress(BlockingIOError):  # it is full of calls already
            os.write(self._wake, b".")

    def _rest(self, seconds: float) -> None:
        if readable([self._woken], seconds):
            os.read(self._woken, 1000)

    def run(self, *, once: bool = False) -> bool:
        """Run until stopped or, with ``once``, until nothing is left to do on any host, or in the time that this has.

        Raises UsageError if another daemon runs on this state directory (its process is named), or this is a copy of
        the state directory of a host that is alive. Raises Fault if the database was lost before the daemon had
        started.

        Returns whether every workflow has ended.  If not, their threads are still alive, and the process must end by
        `os._exit`; they resume at the next start, or on another host.
        """
        with alone(self._state), ExitStack() as stack:
            set_context(self._context)
            if left := leftovers.sweep(self._store, self._state, self._context.shared):
                LOG.info("removed %d things that killed processes left", left)
            if self._config.prometheus is not None:
                port = stack.enter_context(self._measures.served(self._config.prometheus))
                LOG.info("numbers for Prometheus at http://%s:%d/metrics", self._config.prometheus.host, port)
            try:
                self._start(stack)
            except sa.exc.SQLAlchemyError as e:
                problem = str(getattr(e, "orig", None) or e).strip()
                raise Fault(f"database: lost while the daemon was starting; nothing was started: {problem}") from e
            LOG.info(
                "daemon started", extra=about(host=self._config.host, slots=self._config.slots, process=os.getpid())
            )
            try:
                self._loop(once)
            finally:
                finished = self._end()
        return finished

    def _start(self, stack: ExitStack) -> None:
        self._refuse_copy()
        stack.enter_context(announcing(self._store, self._context.executor, lambda: self._config, self._threads))
        shared, executor = self._context.shared, self._context.executor
        stack.enter_context(
            upkeep(self._store, self._state, shared, executor, lambda: self._config, self._known, self._threads)
        )
        # before the first stage can be claimed
        self._look_for_room()
        self._is_draining(draining(self._store, self._config.host))
        self._lease.take(self._config.slots, VERSION, len(self._config.gpus))
        stack.enter_context(self._neighbours.watched(self._context.poll_seconds, self._threads.start))
        self._engine.launch()

    def _threads_as_text(self) -> str:
        return json.dumps({name: life.as_json() for name, life in self._threads.lives().items()})

    def _refuse_copy(self) -> None:
        """Two processes whose state directories are one and its copy would take it for one host.

        A lease that is not renewed is that of an earlier process of this directory, on another boot of the machine, or
        before it was moved.
        """
        said = False
        while copies := self._neighbours.copies():
            if renewed := [one for one in copies if one in self._neighbours.renewed()]:
                raise UsageError(
                    f"{self._state}: a copy of the state directory of host {renewed[0].rpartition(':')[0]}, which is "
                    f"alive ({renewed[0]}); to make it a host of its own, remove {self._state / PLACE} and set another "
                    "`host` in its evaluate.yaml; to move the host, stop the other daemon first"
                )
            if not said:
                LOG.info("waiting for the lease of %s, which has this state directory, or has had it", copies[0])
                said = True
            if self._stops:
                return
            self._neighbours.look()
            self._rest(min(self._context.poll_seconds, self._config.heartbeat.seconds))

    def _loop(self, once: bool) -> None:
        look_at, pause = 0.0, self._context.poll_seconds
        while not self._stops and self._remaining() > 0:
            if self._reloads:
                self._reload()
            try:
                self._look_for_room()  # before anything writes: on a full disk nothing else gets this far
                looked = time.monotonic() >= look_at or self._watchdog.is_needed()
                if looked:
                    self._watchdog.look()
                    look_at = time.monotonic() + self._config.heartbeat.seconds
                self._round(looked)
                # an entry ends shortly before its workflow does; after a kill, others may have to finish that
                if once and not (self._engine.held_here() or self._store.left() or self._engine.unfinished()):
                    return
                if once and self._stopped and not self._engine.held_here() and not self._store.left(self._stopped):
                    names = ", ".join(sorted(name_of(known, self._config) for known in self._stopped))
                    LOG.warning(
                        "%s: stopped for faults; the rest of the queue is left (evaluate status --faults)", names
                    )
                    return
                if once and self._draining and self._is_alone():
                    LOG.warning("this host is drained and no other is alive: the rest of the queue is left")
                    return
                if once and self._is_too_short():
                    LOG.warning(
                        "the limits of no stage that waits end within the %.0f s that this host has: the rest of the "
                        "queue is left",
                        self._remaining(),
                    )
                    return
                pause = _SOON_SECONDS if self._progress.is_due() else self._context.poll_seconds
            except (
                sa.exc.SQLAlchemyError
            ) as e:  # unavailable for a while, or the disk is full: nothing is lost by waiting
                pause = min(2 * max(pause, self._context.poll_seconds), self._config.heartbeat.seconds)
                LOG.error("the database cannot be used; next try in %.0f s: %s", pause, getattr(e, "orig", None) or e)
            except Exception:  # stages continue: a daemon does not end because of one round
                pause = self._config.heartbeat.seconds
                LOG.exception("a round failed; next try in %.0f s", pause)
            self._rest(min(pause, max(0.0, self._remaining())))
        self._stops = True

    def _round(self, looked: bool) -> None:
        """Do what there is to do; a round in which nothing has happened asks the database one question."""
        news = self._news()
        taken = not self._full and not self._draining and self._take(news)
        waiting = news.waiting
        if looked or taken or news.elsewhere or self._progress.is_due():
            self._progress.look(
                everywhere=looked or news.elsewhere, faulty=news.faulty, shadows=bool(news.beside or taken)
            )
            waiting = self._news().waiting if self._progress.faulty else True
        if waiting:
            self._claim()

    def _news(self) -> QueueSignals:
        news = tasks.news(self._store, self._context.executor)
        self._stopped = stopped_challenges(self._store.database) if news.stopped else {}
        self._is_draining(news.draining)
        return news

    def _claim(self) -> None:
        """Run the next tasks, as many as slots are free."""
        free = self._slots() - self._engine.held_here()
        if free <= 0:
            return
        for task in tasks.claim(self._store, self._context.executor, free, self._within(), self._stopped):
            start(self._engine, task)

    def _take(self, news: QueueSignals) -> bool:
        """Start the next entries, as many as this host may have in their stages; returns whether there were any."""
        me, taken = self._context.executor, []
        if news.queued:
            own, stopped = len(self._store.owned(me)), list(self._stopped)
            if own < _STARTED:
                taken = self._store.next_entries(_STARTED - own, me, stopped=stopped)
            else:  # a team whose entries are all in the queue does not wait for the long exams of others
                taken = self._store.next_entries(_STARTED, me, teams_in_stages=False, stopped=stopped)
        most = _STARTED - len(owned_shadows(self._store, me)) if news.shadows else 0
        return bool(taken or (most > 0 and take_shadows(self._store, most, me)))

    def _is_alone(self) -> bool:
        """Whether nothing runs here any more, and no other host can run what is left."""
        return not self._engine.held_here() and set(executors(self._store)) == {self._context.executor}

    def _is_too_short(self) -> bool:
        """Whether nothing that waits can be run in the time that this process has, so that it need not wait."""
        if self._until == math.inf or self._engine.held_here() or self._progress.is_due():
            return False
        return tasks.none_fits(self._store, self._context.executor, self._within(), self._stopped)

    def _within(self) -> float:
        """Seconds in which the limits of a task must end; what is beside them may take as long, and seldom does."""
        return self._remaining() + BESIDE_SECONDS

    def _remaining(self) -> float:
        """Seconds in which stages may still run; then those that run have `stop_seconds` to end."""
        return self._until - self._config.stop_seconds - time.monotonic()

    def _slots(self) -> int:
        if self._stops or self._full or self._draining:
            return 0
        return min(self._config.slots, self._bears(self._engine.held_here()))

    def _is_draining(self, now: bool) -> bool:
        before, self._draining = self._draining, now
        if self._draining != before:
            LOG.info("accepts work again" if before else "drained: nothing new is started on this host")
        return self._draining

    def _look_for_room(self) -> None:
        tight = []
        for folder in {self._state, self._context.shared}:
            if (free := shutil.disk_usage(folder).free) < self._config.free_bytes:
                tight.append(f"{free >> 20} MiB are free in {folder}")
        before, self._full = self._full, bool(tight)
        if self._full and not before:
            wanted = self._config.free_bytes >> 20
            LOG.error("%s, at least %d are needed: nothing is started until there is room", " and ".join(tight), wanted)
        elif before and not self._full:
            LOG.info("there is room on the disk again")

    def _reload(self) -> None:
        self._reloads = False
        if self._load is None:
            return
        try:
            found = self._load()
        except (ChallengeError, UsageError) as e:
            LOG.error("the configuration is not changed: %s", e)
            return
        if kept := [name for name in _FIXED if getattr(found, name) != getattr(self._config, name)]:
            LOG.warning("%s: a change takes effect after a restart", ", ".join(kept))
            found = replace(found, **{name: getattr(self._config, name) for name in kept})
        self._config = found
        self._context = replace(self._context, config=found)
        set_context(self._context)
        log_to(form=found.log)
        self._measures.slots.set(found.slots)
        self._lease.offer(found.slots, len(found.gpus))
        LOG.info("the configuration was read again", extra=about(slots=found.slots))

    def _end(self) -> bool:
        """Wait a while for running stages to end, and record their results; returns whether every workflow has."""
        running = gate.close()
        if running:
            LOG.info("stopping: %d running stages have %.0f s to finish", len(running), self._config.stop_seconds)
        end = time.monotonic() + self._config.stop_seconds
        while gate.inside and time.monotonic() < end:
            gate.wait(end - time.monotonic())
        if left := len(gate.inside):
            LOG.warning("stopped in the middle of %d stages, which will run again", left)
        try:
            self._wait_until_written()
            self._progress.look()
            whole = not self._engine.running_here()
            if whole:
                self._engine.end()
            self._lease.leave()
        except sa.exc.SQLAlchemyError as e:
            LOG.error("the database cannot be used: %s", getattr(e, "orig", None) or e)
            return False
        LOG.info("stopped")
        return whole

    def _wait_until_written(self) -> None:
        """Wait while DBOS is still recording what has just ended, also shortly before the gate was closed."""
        end = time.monotonic() + _WRITTEN_SECONDS
        while time.monotonic() < end:
            flows = {flow.id for flow in self._engine.unfinished() if flow.executor == self._context.executor}
            if flows <= self._engine.running_here():
                return
            time.sleep(_SOON_SECONDS)


@contextmanager
def alone(state: Path) -> Iterator[None]:
    """Hold the lock that makes this the only daemon of a state directory.

    Raises UsageError if another daemon holds it; its process is named.
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


def handle_signals(daemon: Daemon) -> None:
    """Shut down cleanly on SIGTERM and Ctrl-C, at once on a second one; read the configuration again on SIGHUP."""

    def end(_number: int, _frame: Any) -> None:
        if daemon.stopping:
            os._exit(3)
        daemon.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    signal.signal(signal.SIGHUP, lambda _number, _frame: daemon.reload())
