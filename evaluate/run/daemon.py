"""The process that takes entries out of the queue and runs their workflows; there is one per state directory.

Theory of operation.  Entries wait in the store; about once a second the daemon lets the next few begin, fairly among
teams.  Their stages follow each other by themselves (`evaluate.run.chain`), on this host or another one.
Killed at any moment, it resumes where it was, or another host does: finished stages are not run again, virtual machines
of the killed process die with it, unfinished folders are removed.
"""

from __future__ import annotations

import fcntl
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

from evaluate.config.types import Config
from evaluate.core.errors import ChallengeError, Fault, UsageError
from evaluate.core.waiting import readable
from evaluate.operate import prune
from evaluate.operate.notify import announcing
from evaluate.operate.prometheus import Measures
from evaluate.operate.upkeep import upkeep
from evaluate.run.chain import admit, let_go
from evaluate.run.flow import FlowContext, set_context
from evaluate.run.takeover import Takeover
from evaluate.store.entries.store import Store
from evaluate.store.files.stage_folders import BESIDE_SECONDS
from evaluate.store.logs import LOG, about, log_to
from evaluate.store.schedule import tasks
from evaluate.store.schedule.engine import VERSION
from evaluate.store.schedule.faults import Signals, signals
from evaluate.store.schedule.hosts import PLACE, Lease, Neighbours, draining, end_at_once, executors, state_identity
from evaluate.store.schedule.slots import Slots
from evaluate.store.threads import Threads

LOCK = "daemon.lock"
_IDLE_SECONDS = 5.0
"""Without a task that could begin here for so long, the engine asks the database less often; without any work, it
ends."""
_ABSENT_SECONDS = 3600.0
"""Work that needs GPUs waits for a host that was alive so long ago: it may be restarted, or repaired."""
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
        load: Callable[[], Config] | None = None,
        seconds: float = math.inf,
        bears: Callable[[int], int] = lambda _held: sys.maxsize,
    ) -> None:
        self._until = time.monotonic() + seconds
        self._bears = bears
        self._state, self._load = state, load
        self._config = context.config
        self._store: Store = context.store
        self._engine, self._slots = context.engine, Slots()
        self._signals = Signals()
        # of what was alive before this process began, a queue of several hosts tells nothing
        self._gpus_seen = {sys.maxsize: time.monotonic()} if context.store.database.shared else {}
        """Most GPUs of a host -> when such a host was last seen, by the monotonic clock."""
        self._threads = Threads()
        self._measures = Measures(context.store, self._threads)
        self._measures.slots.set(context.config.slots)
        self._measures.used.set_function(lambda: len(self._slots.running))
        runner = self._measures.counted(context.runner)
        until = self._until - context.config.stop_seconds + BESIDE_SECONDS
        self._context = replace(context, runner=runner, slots=self._slots, signals=lambda: self._signals, until=until)
        identity = state_identity(state)
        heartbeat = context.config.heartbeat
        self._lease = Lease(context.store, context.executor, identity, heartbeat, end_at_once)
        self._neighbours = Neighbours(context.store, context.executor, identity)
        self._takeover = Takeover(self._neighbours)
        self._stops = self._reloads = self._full = False
        self._worked_at = self._waited_at = time.monotonic()
        """Last times at which there was work, and at which a task waited that could begin here."""
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
        """True once `stop` was called."""
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
            if left := prune.sweep(self._store, self._state, self._context.shared):
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
            upkeep(self._store, self._state, shared, executor, lambda: self._config, self._measures, self._threads)
        )
        # before the first stage can be claimed
        self._look_for_room()
        self._hear(Signals(draining=draining(self._store, self._config.host)))
        self._lease.take(self._config.slots, VERSION, len(self._config.gpus))
        stack.enter_context(self._neighbours.watched(self._context.poll_seconds, self._threads.start, self._hurry))
        self._hear(signals(self._store, self._context.executor))
        self._offer_slots()
        self._launch()  # also on a drained host: in a new database it creates its tables

    def _refuse_copy(self) -> None:
        """Two processes whose state directories are one and its copy would take it for one host.

        A lease that is not renewed is that of an earlier process of this directory, on another boot of the machine, or
        before it was moved.
        """
        reported = False
        while copies := self._neighbours.copies():
            if renewed := [copy for copy in copies if copy in self._neighbours.renewed()]:
                raise UsageError(
                    f"{self._state}: a copy of the state directory of host {renewed[0].rpartition(':')[0]}, which is "
                    f"alive ({renewed[0]}); to make it a host of its own, remove {self._state / PLACE} and set another "
                    "`host` in its evaluate.yaml; to move the host, stop the other daemon first"
                )
            if not reported:
                LOG.info("waiting for the lease of %s, which has this state directory, or has had it", copies[0])
                reported = True
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
                self._hear(signals(self._store, self._context.executor))
                self._claim_or_rest()
                if time.monotonic() >= look_at or self._takeover.is_needed():
                    self._takeover.look(self._context)
                    look_at = time.monotonic() + self._config.heartbeat.seconds
                self._let_begin()
                if once and self._is_over():
                    return
                pause = self._context.poll_seconds
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

    def _hear(self, now: Signals) -> None:
        if now.draining != self._signals.draining:
            LOG.info("drained: nothing new is started on this host" if now.draining else "accepts work again")
        clock = time.monotonic()
        self._gpus_seen[now.gpus] = clock
        self._signals = replace(now, gpus=max(n for n, at in self._gpus_seen.items() if at > clock - _ABSENT_SECONDS))

    def _claim_or_rest(self) -> None:
        """Claim work while there is some that may run here; what is claimed otherwise goes back to its queue."""
        if not self._offer_slots():
            if self._engine.claims and not self._slots.running:
                self._engine.end()
        elif self._engine.claims:
            often = time.monotonic() < self._waited_at + _IDLE_SECONDS
            self._engine.offer(self._signals.slots, often=often)
        else:
            self._launch()

    def _launch(self) -> None:
        self._engine.launch(self._signals.slots)
        self._waited_at = time.monotonic()

    def _offer_slots(self) -> bool:
        """Offer the slots that this host bears now, none if it rests or is idle; returns True if it takes work."""
        now, running = self._signals, len(self._slots.running)
        if now.waits and (running < self._slots.offered or self._slots.changed_at > time.monotonic() - _IDLE_SECONDS):
            self._waited_at = time.monotonic()
        if now.busy or now.queued or now.rejudgings or now.held or running:
            self._worked_at = time.monotonic()
        idle = time.monotonic() > self._worked_at + _IDLE_SECONDS
        rests = self._stops or self._full or now.draining or self._is_too_short()
        self._slots.offer(0 if rests or idle else min(self._config.slots, self._bears(running)))
        return not (rests or idle)

    def _let_begin(self) -> None:
        """Let the next attempts begin, and those go on that waited for others."""
        now, host = self._signals, self._context
        if not self._slots.offered:
            return
        if now.queued or now.rejudgings:
            hosts = len(executors(self._store))
            admit(host, entries=now.queued, rejudgings=now.rejudgings, hosts=hosts)
        if now.held:
            for identity, attempt in tasks.held(self._store):
                let_go(host, identity, attempt)

    def _is_over(self) -> bool:
        """True if nothing is left that this host, or another, can do."""
        stopped, rest = self._signals.stopped, "the rest of the queue is left"
        if self._slots.running:
            return False
        if not self._store.left():
            return True
        if stopped and not self._store.left(stopped):
            names = ", ".join(sorted(self._config.name_of(challenge) or challenge for challenge in stopped))
            LOG.warning("%s: stopped for faults; %s (evaluate status --faults)", names, rest)
            return True
        if self._signals.draining and set(executors(self._store)) == {self._context.executor}:
            LOG.warning("this host is drained and no other is alive: %s", rest)
            return True
        if self._is_too_short():
            LOG.warning(
                "the limits of the longest stage that waits do not end within the %.0f s that this host has: %s",
                self._remaining(),
                rest,
            )
            return True
        return False

    def _is_too_short(self) -> bool:
        """True if the longest task that waits may take longer than this process has; what is beside its limits may take
        as long, and seldom does.
        """
        longest = tasks.longest(self._store, gpus=bool(self._config.gpus)) if self._until < math.inf else 0.0
        return longest > self._remaining() + BESIDE_SECONDS

    def _remaining(self) -> float:
        """Seconds in which stages may still run; then those that run have `stop_seconds` to end."""
        return self._until - self._config.stop_seconds - time.monotonic()

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
            config = self._load()
        except (ChallengeError, UsageError) as e:
            LOG.error("the configuration is not changed: %s", e)
            return
        if kept := [name for name in _FIXED if getattr(config, name) != getattr(self._config, name)]:
            LOG.warning("%s: a change takes effect after a restart", ", ".join(kept))
            config = replace(config, **{name: getattr(self._config, name) for name in kept})
        self._config = config
        self._context = replace(self._context, config=config)
        set_context(self._context)
        log_to(form=config.log)
        self._measures.slots.set(config.slots)
        self._lease.offer(config.slots, len(config.gpus))
        LOG.info("the configuration was read again", extra=about(slots=config.slots))

    def _end(self) -> bool:
        """Wait a while for running stages to end, and record their results; returns whether every workflow has."""
        self._slots.offer(0)
        running = self._slots.running
        if running:
            LOG.info("stopping: %d running stages have %.0f s to finish", len(running), self._config.stop_seconds)
        end = time.monotonic() + self._config.stop_seconds
        while self._slots.running and time.monotonic() < end:
            self._slots.wait(end - time.monotonic())
        if left := len(self._slots.running):
            LOG.warning("stopped in the middle of %d stages, which will run again", left)
        try:
            if self._engine.claims:
                self._engine.end()
            self._lease.leave()
        except sa.exc.SQLAlchemyError as e:
            LOG.error("the database cannot be used: %s", getattr(e, "orig", None) or e)
            return False
        LOG.info("stopped")
        return not left


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
