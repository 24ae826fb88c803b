"""Measurements that a daemon gives Prometheus, at ``/metrics`` of an address that should be a loopback one.

What concerns this process (stages, verdicts, faults) is counted here since its start, so that the sum over
hosts is the total; what concerns the queue, which hosts share, is read from the store when asked for::

    evaluate_queue_entries{state}                     evaluate_queue_oldest_seconds{state}
    evaluate_slots  evaluate_slots_used               evaluate_faults_total{stage,kind}
    evaluate_stages_total{challenge,stage,verdict}    evaluate_stage_seconds{stage}        (histogram)
    evaluate_instructions_total{stage}                evaluate_instructions_per_second{stage}  (histogram)
    evaluate_state_findings  evaluate_state_verified_seconds
    evaluate_internal_errors{part,name,stopped}       evaluate_host_drained{host}  evaluate_overdue_stages
    evaluate_thread_age_seconds{thread}               evaluate_thread_failures_total{thread}
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import sqlalchemy as sa
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from evaluate.config.schema.keys import Address
from evaluate.core.errors import EvaluateError, UsageError
from evaluate.core.model import Stage, StageOutcome, StageResult
from evaluate.report.audience import coarse, two_digits
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.store import Store
from evaluate.store.files.stage_folders import Runner, Task
from evaluate.store.schedule.faults import faults
from evaluate.store.schedule.hosts import hosts
from evaluate.store.schedule.tasks import overdue
from evaluate.store.threads import Threads

_SECONDS = (1, 3, 10, 30, 60, 180, 600, 1800, 3600, 3 * 3600, 12 * 3600)
_RATES = (1e7, 3e7, 1e8, 3e8, 1e9, 3e9, 1e10)


class Measures:
    """The numbers of one daemon."""

    def __init__(self, store: Store, threads: Threads) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        registry.register(_Asked(store, threads))
        gauge, counter = partial(Gauge, registry=registry), partial(Counter, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self.slots = gauge("evaluate_slots", "Stages this daemon runs at once.")
        self.findings = gauge("evaluate_state_findings", "What the last comparison of the queue found wrong.")
        self.verified = gauge("evaluate_state_verified_seconds", "When the whole queue was last compared.")
        self.used = gauge("evaluate_slots_used", "Stages that run now.")
        self._stages = counter("evaluate_stages", "Stages that ended.", ("challenge", "stage", "verdict"))
        self._faults = counter("evaluate_faults", "Stages without a verdict, by what failed.", ("stage", "kind"))
        self._seconds = histogram("evaluate_stage_seconds", "Time of a stage.", ("stage",), buckets=_SECONDS)
        self._instructions = counter("evaluate_instructions", "Instructions of entries.", ("stage",))
        rate = "evaluate_instructions_per_second"
        self._rates = histogram(rate, "Of entries' commands, by stage.", ("stage",), buckets=_RATES)

    def counted(self, runner: Runner) -> Runner:
        """A runner whose stages are counted."""

        def run(task: Task, folder: Path) -> StageOutcome:
            started = time.monotonic()
            try:
                outcome = runner(task, folder)
            except (EvaluateError, OSError) as e:
                self._faults.labels(task.stage.value, type(e).__name__).inc()
                raise
            self.ended(task, outcome.result, time.monotonic() - started)
            return outcome

        return run

    def ended(self, task: Task, result: StageResult, seconds: float) -> None:
        """A stage ended with a verdict; the shards of an exam are what was run, joining them is its end."""
        stage, usage = result.stage.value, result.usage
        if task.shard is None:
            self._stages.labels(Path(task.entry.challenge).name, stage, result.verdict.value).inc()
            if task.stage is Stage.EXAM:
                return
        if task.stage in (Stage.TRAIN, Stage.EXAM):  # it may be hidden, and exact sums would tell much of it
            seconds, usage = two_digits(round(seconds, 1)), coarse(usage)
        self._seconds.labels(stage).observe(seconds)
        self._instructions.labels(stage).inc(usage.instructions)
        if usage.wall_seconds > 0 and usage.instructions:
            self._rates.labels(stage).observe(usage.instructions / usage.wall_seconds)

    @contextmanager
    def served(self, address: Address) -> Iterator[int]:
        """Serve the metrics at an address; returns its port.

        Raises UsageError if it is not possible to listen there.
        """
        try:
            server, thread = start_http_server(address.port, address.host, self.registry)
        except OSError as e:
            raise UsageError(f"prometheus: {address.host}:{address.port}: {e.strerror or e}") from e
        try:
            yield server.server_port
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


class _Asked(Collector):
    """Numbers of the queue, its faults, its hosts and the daemon's threads, asked for only when Prometheus asks."""

    def __init__(self, store: Store, threads: Threads) -> None:
        self._store, self._threads = store, threads

    def describe(self) -> list[GaugeMetricFamily]:
        """No metrics in advance."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        """Query the store, and look at the threads."""
        many = GaugeMetricFamily("evaluate_queue_entries", "Entries by state.", labels=["state"])
        oldest = GaugeMetricFamily(
            "evaluate_queue_oldest_seconds", "How long the oldest entry is in its state.", labels=["state"]
        )
        with self._store.engine.connect() as connection:
            counts = self._store.counts()
            # one look into the index for each state, however much is over
            first = {
                state: connection.scalar(
                    sa.select(sa.func.min(ENTRIES.c.changed)).where(ENTRIES.c.state == state.value)
                )
                for state in State
                if not state.ended
            }
        now = time.time()
        for state in State:
            many.add_metric([state.value], counts.get(state, 0))
        for state, since in first.items():
            oldest.add_metric([state.value], 0.0 if since is None else max(0.0, now - since))
        errors = GaugeMetricFamily(
            "evaluate_internal_errors",
            "Internal errors that are not resolved, by their entries.",
            labels=["part", "name", "stopped"],
        )
        for fault in faults(self._store.database):
            errors.add_metric([fault.part.value, fault.name, "yes" if fault.stopped else "no"], fault.times)
        drained = GaugeMetricFamily("evaluate_host_drained", "Hosts that accept no new work.", labels=["host"])
        for host in hosts(self._store):
            drained.add_metric([host.name], float(host.draining))
        late = GaugeMetricFamily(
            "evaluate_overdue_stages", "Stages that have run longer than all their limits.", value=overdue(self._store)
        )
        age = GaugeMetricFamily("evaluate_thread_age_seconds", "Since a thread last did its work.", labels=["thread"])
        failures = CounterMetricFamily("evaluate_thread_failures", "How often a thread failed.", labels=["thread"])
        for name, life in self._threads.lives().items():
            age.add_metric([name], life.age)
            failures.add_metric([name], life.failures)
        yield from (many, oldest, errors, drained, late, age, failures)
