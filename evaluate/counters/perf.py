"""The processor's own counter, by the linux-perf command line, for KVM hosts with a PMU.

``perf stat -I`` prints the guest-user count of the vCPU threads, all together, every few milliseconds as CSV, and once
more when a signal interrupts its waiting for the next time.  So a settled count needs no waiting: the perf that runs is
switched off (``--control``) and ended, and the next one, started before and attached to the threads, is switched on.
Both take a millisecond or two.

An interval in which no thread ran is ``<not counted>`` and means zero; a thread that ran and was never counted
is a fault.  A count that had to share the PMU (running share below 100 %) is an estimate, and refused.  A processor of
two kinds of cores (hybrids of Intel) has a PMU for each kind, and so two lines for each interval, whose counts and
running shares are added; unscaled (``--no-scale``), since a thread that moved ran on each for a part.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluate.core.errors import CounterFault
from evaluate.core.waiting import readable
from evaluate.counters.base import Reading, cpu_seconds, is_waiting, vcpu_threads

EVENT = "instructions:uG"
"""User mode, guest only."""
_INTERVAL_MS = 50
_SETTLE_SECONDS = 30.0
_LOOK_SECONDS = 0.0002
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

    Raises CounterFault if the event is not supported, or the line does not have the form that perf prints.
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

    def qemu_arguments(self, folder: Path, **_guest: object) -> tuple[str, ...]:
        del folder
        return ()

    def attach(self, folder: Path, pid: int, processors: int = 1) -> PerfReading:
        """Count on the vCPU threads of QEMU process ``pid``."""
        del folder
        return self.attach_threads(*vcpu_threads(pid, processors))

    def attach_threads(self, *tids: int) -> PerfReading:
        """Count on any threads, and add.

        Raises CounterFault if perf is missing, may not count, or does not have the event; the message names the remedy.
        """
        return PerfReading(
            [self._perf, "stat", "-x,", "--no-scale", "-I", str(_INTERVAL_MS), "-D", "-1", "-e", self._event], tids
        )


class PerfReading(Reading):
    """The sum over all that one perf after the other has printed."""

    def __init__(self, argv: Sequence[str], tids: Sequence[int]) -> None:
        self._argv = argv
        self._tids = tids
        self._ended = 0
        self._counted = False
        self._closed = False
        self._next: _Perf | None = None
        self._current = _Perf(argv, tids)
        try:
            self._current.switch_on()
            self._cpu_at_start = sum(map(cpu_seconds, tids))  # from here on, a thread that runs is counted
            self._next = _Perf(argv, tids)
            self.instructions(settled=True)  # the event is supported
        except BaseException:
            self.close()
            raise

    def instructions(self, *, settled: bool = False) -> int:
        """The sum; ``settled`` has the running perf print what it has counted since its last interval, and ends it."""
        if self._closed:
            raise CounterFault("perf was ended")
        if settled:
            self._current.end()
            total, counted = self._current.result()
            self._ended += total
            self._counted |= counted
            assert self._next is not None
            self._current = self._next
            self._current.switch_on()
            self._next = _Perf(self._argv, self._tids)
            if not self._counted and sum(map(cpu_seconds, self._tids)) - self._cpu_at_start > 0.1:
                raise CounterFault(
                    f"perf: <not counted> although the guest ran: {_SHARED}, or this event cannot count guests"
                )
            return self._ended
        return self._ended + self._current.result()[0]

    def close(self) -> None:
        self._closed = True
        for perf in (self._current, self._next):
            if perf is not None:
                perf.close()


class _Perf:
    """One perf process, attached to threads and switched off until `switch_on`."""

    def __init__(self, argv: Sequence[str], tids: Sequence[int]) -> None:
        self._total = 0
        self._counted = False
        self._interval: list[Interval] = []
        """The lines of the newest interval, one for each PMU, that have a count."""
        self._fault: CounterFault | None = None
        log, their_log = os.pipe()
        their_control, self._control = os.pipe()
        self._acknowledged, their_acknowledged = os.pipe()
        theirs = (their_log, their_control, their_acknowledged)
        control = ("--control", f"fd:{their_control},{their_acknowledged}")
        try:
            self._process = subprocess.Popen(
                [*argv, *control, "--log-fd", str(their_log), "-t", ",".join(map(str, tids))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                pass_fds=theirs,
            )
        except OSError as e:
            for fd in (log, self._control, self._acknowledged):
                os.close(fd)
            raise CounterFault(
                f"{argv[0]} cannot be started ({e.strerror}); it is in the Debian package linux-perf"
            ) from e
        finally:
            for fd in theirs:
                os.close(fd)
        self._thread = threading.Thread(target=self._follow, args=(log,), daemon=True)
        self._thread.start()

    def _follow(self, log: int) -> None:
        try:
            with os.fdopen(log) as lines:
                for line in lines:
                    interval = parse_line(line)
                    if interval is not None:
                        self._add(interval)
            self._check_share()
        except CounterFault as e:
            self._fault = e

    def _add(self, interval: Interval) -> None:
        if self._interval and self._interval[0].seconds != interval.seconds:
            self._check_share()
        if interval.count is not None:
            self._interval.append(interval)
            self._total += interval.count
            self._counted = True

    def _check_share(self) -> None:
        """Raise CounterFault if the counts of an interval are an estimate."""
        share = sum(line.running for line in self._interval)
        if self._interval and share < 0.999:
            raise CounterFault(
                f"perf: the event was on the PMU for only {share:.0%} of the time, "
                f"so the count is an estimate: {_SHARED}"
            )
        self._interval = []

    def switch_on(self) -> None:
        """Count from now on; CounterFault if it cannot."""
        if not self._obeyed(b"enable\n"):
            self._thread.join()
            raise self._fault or self._reason()

    def _obeyed(self, command: bytes) -> bool:
        """True if perf acknowledged a command; False: it has ended."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self._control, command)
        if not readable([self._acknowledged], _SETTLE_SECONDS):
            raise CounterFault(f"perf did not answer '{command.decode().strip()}' within {_SETTLE_SECONDS:.0f} s")
        return bool(os.read(self._acknowledged, 16))

    def end(self) -> None:
        """Have it print the rest, and wait for that."""
        if self._obeyed(b"disable\n"):
            # a signal before it waits again would end it without the rest; while it prints, it prints the rest
            deadline = time.monotonic() + _SETTLE_SECONDS
            while not is_waiting(self._process.pid):
                if time.monotonic() > deadline:
                    raise CounterFault(f"perf did not come to rest within {_SETTLE_SECONDS:.0f} s")
                time.sleep(_LOOK_SECONDS)
            self._process.send_signal(signal.SIGINT)
        self._thread.join(_SETTLE_SECONDS)
        if self._thread.is_alive():
            raise CounterFault(f"perf printed no count for {_SETTLE_SECONDS:.0f} s")
        reason = self._reason()
        if self._process.returncode not in (0, -signal.SIGINT):
            self._fault = self._fault or reason
        self.close()

    def result(self) -> tuple[int, bool]:
        """Result that it has printed so far: the sum, and whether the event was ever counted."""
        if self._fault:
            raise self._fault
        return self._total, self._counted

    def _reason(self) -> CounterFault:
        assert self._process.stderr is not None
        stderr = self._process.stderr.read().strip()
        if "permission" in stderr.lower() or "paranoid" in stderr:
            return CounterFault(
                "perf may not count (kernel.perf_event_paranoid): sysctl kernel.perf_event_paranoid=1, "
                f"or give perf the capability CAP_PERFMON. perf says: {stderr[:500]}"
            )
        return CounterFault(f"perf ended with {self._process.wait()}: {stderr[:500] or 'no message'}")

    def close(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._thread.join()
        if self._process.stderr and not self._process.stderr.closed:
            self._process.stderr.close()
            os.close(self._control)
            os.close(self._acknowledged)
