"""What every `Counter` must do: the fake one, perf with a software event, the plugin of software emulation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluate.core.errors import CounterFault
from evaluate.core.model import Limits
from evaluate.counters.base import Counter, Reading
from evaluate.counters.perf import PerfCounter
from evaluate.counters.tcg import TcgCounter
from evaluate.sandbox.base import Command
from evaluate.sandbox.connection import qemu_pid
from evaluate.sandbox.domain import PREFIX
from tests.support.fake_counter import FakeCounter, FakeReading


@dataclass(frozen=True)
class Counted:
    """A counter attached to something that can be made to work."""

    counter: Counter
    reading: Reading
    work: Callable[[int], None]
    """Do this many units of work, to the end."""


@contextmanager
def fake() -> Iterator[Counted]:
    counter = FakeCounter()
    reading: FakeReading = counter.attach(Path(), 1)
    yield Counted(counter, reading, reading.advance)


_TOUCH = """
import mmap, sys
for line in sys.stdin:
    pages = mmap.mmap(-1, int(line) * mmap.PAGESIZE)
    pages.madvise(mmap.MADV_NOHUGEPAGE)
    for i in range(int(line)):
        pages[i * mmap.PAGESIZE] = 1
    print("done", flush=True)
"""


@contextmanager
def perf() -> Iterator[Counted]:
    """Each unit of work is a page that is touched for the first time."""
    if shutil.which("perf") is None:
        pytest.skip("perf is not installed (Debian package linux-perf)")
    if subprocess.run(["perf", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("perf of this machine does not run on its kernel (Ubuntu package linux-tools-KERNEL)")
    counter = PerfCounter(event="page-faults:u")
    with subprocess.Popen(
        [sys.executable, "-c", _TOUCH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def work(pages: int) -> None:
            stdin.write(f"{pages}\n")
            stdin.flush()
            stdout.readline()

        work(1)  # the interpreter is up
        reading = counter.attach_threads(process.pid)
        try:
            yield Counted(counter, reading, work)
        finally:
            reading.close()
            process.kill()


@pytest.fixture(params=[fake, perf, pytest.param(None, marks=pytest.mark.vm, id="tcg")])
def counted(request: pytest.FixtureRequest) -> Iterator[Counted]:
    if request.param is not None:
        with request.param() as found:
            yield found
        return
    counter, sandbox = request.getfixturevalue("hypervisor")._counter, request.getfixturevalue("sandbox")
    limits = Limits(instructions=10**12, wall_seconds=600)

    def work(loops: int) -> None:
        sandbox.run(Command(argv=("/bin/bash", "-c", f"for ((i = 0; i < {loops}; i++)); do :; done")), limits)

    with closing(counter.attach(sandbox.folder, qemu_pid(PREFIX + sandbox.folder.name))) as reading:  # a second one
        yield Counted(counter, reading, work)


def test_counter_says_what_it_is(counted: Counted, tmp_path: Path) -> None:
    assert counted.counter.kind in ("fake", "perf", "tcg")
    assert 0 < counted.counter.tolerance < 0.1
    assert all(isinstance(argument, str) for argument in counted.counter.qemu_arguments(tmp_path))


def test_work_is_counted_and_more_work_counts_more(counted: Counted) -> None:
    counts = []
    for units in (1000, 5000):
        before = counted.reading.instructions(settled=True)
        counted.work(units)
        counts.append(counted.reading.instructions(settled=True) - before)
    assert counts[0] >= 1000
    assert counts[1] > 2 * counts[0]


def test_settled_count_of_something_idle_stands_still(counted: Counted) -> None:
    counted.work(1000)
    counts = {counted.reading.instructions(settled=True) for _ in range(3)}
    assert len(counts) == 1


def test_count_never_decreases(counted: Counted) -> None:
    seen = []
    for _ in range(5):
        counted.work(100)
        seen += [counted.reading.instructions(), counted.reading.instructions(settled=True)]
    assert seen == sorted(seen)


def test_closed_counter_tells_nothing(counted: Counted) -> None:
    counted.reading.close()
    with pytest.raises((CounterFault, ValueError)):
        counted.reading.instructions(settled=True)


@pytest.mark.parametrize("counter", [PerfCounter(), TcgCounter(Path("plugin.so"))], ids=lambda c: c.kind)
def test_process_that_is_no_guest_cannot_be_attached_to(counter: Counter, tmp_path: Path) -> None:
    with pytest.raises(CounterFault, match="expected one thread called"):
        counter.attach(tmp_path, os.getpid())
