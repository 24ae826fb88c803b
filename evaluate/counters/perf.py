"""The processor's own counter, by the linux-perf command line, for KVM hosts with a PMU.

``perf stat -I`` prints the guest-user count of the vCPU thread every few milliseconds as CSV.  An interval in
which the thread did not run is ``<not counted>`` and means zero; a thread that ran and was never counted is a
fault.  A count that had to share the PMU (running share below 100 %) is an estimate, and refused.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluate.core.errors import CounterFault
from evaluate.counters.vcpu import cpu_seconds, vcpu_thread

EVENT = "instructions:uG"
"""User mode, guest only."""
_INTERVAL_MS = 50
_SETTLE_SECONDS = 30.0
_SHARED = "another program uses the counters (often the NMI watchdog: sysctl kernel.nmi_watchdog=0)"


@dataclass(frozen=True, kw_only=True)
class Interval:
    """One CSV line of ``perf stat -I -x,``."""

    seconds: float
    """Since the start of perf."""
    count: int | None
    """None: ``<not counted>``."""
    running: float
    """Fraction of the time that the event was on the PMU, 0..1."""


def parse_line(line: str) -> Interval | None:
    """One line of the CSV output; None for comments and empty lines.

    Raises
    ------
    CounterFault
        The event is not supported, or the line does not have the form that perf prints.
    """
    line = line.strip()
    if not line or line.startswith("#"):
        return None
    cells = [cell.strip() for cell in line.split(",")]
    try:
        seconds, value, event = float(cells[0]), cells[1], cells[3]
        if value == "<not supported>":
            raise CounterFault(
                f"perf: {event} is not supported here: this machine has no PMU, or does not expose it. "
                "Use software emulation, which needs none (accelerator: tcg)"
            )
        if value == "<not counted>":
            return Interval(seconds=seconds, count=None, running=0.0)
        return Interval(seconds=seconds, count=int(value), running=float(cells[5]) / 100)
    except (IndexError, ValueError) as e:
        raise CounterFault(f"perf: expected a CSV line 'seconds,count,unit,event,time,percent', found {line!r}") from e


class PerfCounter:
    """Counts with the processor.  Interrupts and page faults overcount slightly, hence the tolerance."""

    kind = "perf"
    version = ""
    tolerance = 0.02

    def __init__(self, event: str = EVENT, perf: str = "perf") -> None:
        self._event = event
        self._perf = perf

    def qemu_arguments(self, folder: Path) -> tuple[str, ...]:
        """None."""
        del folder
        return ()

    def attach(self, folder: Path, pid: int) -> PerfReading:
        """Count on the vCPU thread of QEMU process ``pid``."""
        del folder
        return self.attach_thread(vcpu_thread(pid))

    def attach_thread(self, tid: int) -> PerfReading:
        """Count on any thread.

        Raises
        ------
        CounterFault
            perf is missing, may not count, or does not have the event; the message names the remedy.
        """
        return PerfReading([self._perf, "stat", "-x,", "-I", str(_INTERVAL_MS), "-e", self._event], tid)


class PerfReading:
    """The sum over the intervals perf has printed."""

    def __init__(self, argv: Sequence[str], tid: int) -> None:
        self._argv = argv
        self._tid = tid
        self._total = 0
        self._counted = False
        self._tick = 0  # number of intervals seen
        self._fault: CounterFault | None = None
        self._news = threading.Condition()
        self._cpu_at_start = cpu_seconds(tid)
        read_end, write_end = os.pipe()
        try:
            self._process = subprocess.Popen(
                [*argv, "--log-fd", str(write_end), "-t", str(tid)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                pass_fds=[write_end],
            )
        except OSError as e:
            os.close(read_end)
            raise CounterFault(
                f"{argv[0]} cannot be started ({e.strerror}); it is in the Debian package linux-perf"
            ) from e
        finally:
            os.close(write_end)
        self._thread = threading.Thread(target=self._follow, args=(read_end,), daemon=True)
        self._thread.start()
        try:
            self.instructions(settled=True)
        except CounterFault:
            self.close()
            raise

    def _follow(self, read_end: int) -> None:
        try:
            with os.fdopen(read_end) as lines:
                for line in lines:
                    interval = parse_line(line)
                    if interval is not None:
                        self._add(interval)
        except CounterFault as e:
            self._fail(e)
        else:
            self._fail(self._ended())

    def _add(self, interval: Interval) -> None:
        if interval.count is not None and interval.running < 0.999:
            raise CounterFault(
                f"perf: the event was on the PMU for only {interval.running:.0%} of the time, "
                f"so the count is an estimate: {_SHARED}"
            )
        with self._news:
            self._total += interval.count or 0
            self._counted |= interval.count is not None
            self._tick += 1
            self._news.notify_all()

    def _fail(self, fault: CounterFault) -> None:
        with self._news:
            self._fault = self._fault or fault
            self._news.notify_all()

    def _ended(self) -> CounterFault:
        assert self._process.stderr is not None
        stderr = self._process.stderr.read().strip()
        if "permission" in stderr.lower() or "paranoid" in stderr:
            return CounterFault(
                "perf may not count (kernel.perf_event_paranoid): sysctl kernel.perf_event_paranoid=1, "
                f"or give perf the capability CAP_PERFMON. perf says: {stderr[:500]}"
            )
        return CounterFault(f"perf ended with {self._process.wait()}: {stderr[:500] or 'no message'}")

    def instructions(self, *, settled: bool = False) -> int:
        """The sum; ``settled`` waits for one whole interval that began after this call."""
        with self._news:
            if settled:
                wanted = self._tick + 2  # the interval now running began before the call
                self._news.wait_for(lambda: self._fault or self._tick >= wanted, timeout=_SETTLE_SECONDS)
                if not self._fault and self._tick < wanted:
                    raise CounterFault(f"perf printed no count for {_SETTLE_SECONDS:.0f} s")
            if self._fault:
                raise self._fault
            if settled and not self._counted and cpu_seconds(self._tid) - self._cpu_at_start > 0.1:
                raise CounterFault(
                    f"perf: <not counted> although the guest ran: {_SHARED}, or this event cannot count guests"
                )
            return self._total

    def close(self) -> None:
        """End perf."""
        self._process.terminate()
        self._process.wait()
        self._thread.join()
        if self._process.stderr:
            self._process.stderr.close()
