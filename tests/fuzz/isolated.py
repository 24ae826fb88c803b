"""Running a parser where it can do no harm: in a forked process with bounded memory and time."""

from __future__ import annotations

import mmap
import os
import resource
import signal
import struct
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.parsers import Parser

HANG_SECONDS = 20
MEMORY_BYTES = 3 << 30
"""Bytes of memory beyond what the process has after its imports."""
_STALLED = 15 * HANG_SECONDS
_COUNT_AND_SIZE = struct.Struct("=QQ")
_SHARED_BYTES = 1 << 26


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that must not happen."""

    what: str
    """Error and place, signal, or hang; the same for the same fault."""
    data: bytes
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Work of a worker before it ended."""

    tried: int
    peak_bytes: int
    finding: Finding | None = None


def _hang(_number: int, _frame: object) -> None:
    raise TimeoutError(f"no end within {HANG_SECONDS} s of a processor")


def attempt(parser: Parser, data: bytes) -> None:
    """Run a parser; raises only what is a finding."""
    signal.signal(signal.SIGPROF, _hang)
    signal.setitimer(signal.ITIMER_PROF, HANG_SECONDS)  # a busy host is no finding
    try:
        if parser.over(data):
            return
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
            parser.run(data, Path(folder))
    except parser.allowed:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class Progress:
    """Number of inputs and the last of them, in memory shared with the parent, so that it survives the worker."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, _SHARED_BYTES)

    def begin(self, data: bytes) -> None:
        """Record an input before it runs."""
        kept = data[: _SHARED_BYTES - _COUNT_AND_SIZE.size]
        self._shared[_COUNT_AND_SIZE.size : _COUNT_AND_SIZE.size + len(kept)] = kept
        _COUNT_AND_SIZE.pack_into(self._shared, 0, self.tried + 1, len(kept))

    @property
    def tried(self) -> int:
        """Number of inputs that were started."""
        return int(_COUNT_AND_SIZE.unpack_from(self._shared)[0])

    @property
    def last(self) -> bytes:
        """The last of them."""
        size = _COUNT_AND_SIZE.unpack_from(self._shared)[1]
        return self._shared[_COUNT_AND_SIZE.size : _COUNT_AND_SIZE.size + size]


def run_isolated(work: Callable[[Progress], None]) -> Outcome:
    """Call ``work`` in a forked process; what it raises, a signal or silence is a finding about its last input."""
    progress = Progress()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _work(work, progress, writing)
    os.close(writing)
    stalled = _wait(child, progress)
    _, status, usage = os.wait4(child, 0)
    with os.fdopen(reading, "rb") as f:
        what, _, detail = f.read().decode(errors="replace").partition("\n")
    if stalled:
        what = "hang"
    elif os.WIFSIGNALED(status):
        what = f"signal {os.WTERMSIG(status)}"
    finding = Finding(what=what, data=progress.last, detail=detail) if what else None
    return Outcome(tried=progress.tried, peak_bytes=1024 * usage.ru_maxrss, finding=finding)


def _work(work: Callable[[Progress], None], progress: Progress, writing: int) -> None:
    """In the child; does not return."""
    try:
        begun = int(Path("/proc/self/statm").read_text().split()[0]) * mmap.PAGESIZE
        resource.setrlimit(resource.RLIMIT_AS, (begun + MEMORY_BYTES, begun + MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        work(progress)
    except BaseException as e:
        os.write(writing, f"{_name(e)}\n{e}"[:60_000].encode(errors="replace"))
    finally:
        os._exit(0)


def _wait(child: int, progress: Progress) -> bool:
    """Wait for the child; True if it had to be killed, because an alarm does not interrupt a library in C."""
    tried, since = -1, time.monotonic()
    while os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.01)
        if progress.tried != tried:
            tried, since = progress.tried, time.monotonic()
        elif tried and time.monotonic() - since > _STALLED:  # a child that has not begun is only waiting for a core
            os.kill(child, signal.SIGKILL)
            return True
    return False


def _name(error: BaseException) -> str:
    """Class of the error and the last line of ours that it passed."""
    if isinstance(error, TimeoutError):
        return "hang"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/metrics/" in f.filename or "/evaluate/" in f.filename]
    last = (ours or frames)[-1]
    return f"{type(error).__name__} at {'/'.join(Path(last.filename).parts[-2:])}:{last.lineno}"


def minimised(parser: Parser, finding: Finding, seconds: float = 60) -> Finding:
    """The same finding with fewer bytes, as far as time allows."""
    end = time.monotonic() + seconds
    size = len(finding.data) // 2
    while size and time.monotonic() < end:
        at = 0
        while at < len(finding.data) and time.monotonic() < end:
            shorter = finding.data[:at] + finding.data[at + size :]
            smaller = replay(parser, shorter).finding
            if smaller is not None and smaller.what == finding.what:
                finding = smaller
            else:
                at += size
        size //= 2
    return finding


def replay(parser: Parser, data: bytes) -> Outcome:
    """Run one input."""

    def once(progress: Progress) -> None:
        progress.begin(data)
        attempt(parser, data)

    return run_isolated(once)
