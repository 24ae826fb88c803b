"""Samples a Python program while `evaluate try --profile` runs it; the guest's Python loads it as ``sitecustomize``.

Every few milliseconds of processor time it notes the line that the main thread is in, with the time since it did so
last: a call into a library is one long sample.  Samples are appended to the file that ``EVALUATE_PROFILE`` names, a
line each: microseconds, a tab, and the line.
"""

from __future__ import annotations

import atexit
import importlib
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

_SECONDS = 0.005
_MOST_KEPT, _MOST_BYTES = 200, 8 << 20
_START = "the start of the interpreter"
_WRITES_SECONDS = 0.1
"""A process that ends without its last words has lost so much."""


class Sampler:
    """Counts the time of each line."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._spent: Counter[str] = Counter()
        self._last = self._wrote = 0.0
        self._written = 0
        self._busy = False

    def begin(self) -> None:
        """Sample from now on; a child process starts its own count."""
        self._spent.clear()
        self._busy = False
        self._last = self._wrote = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, _SECONDS, _SECONDS)

    def note_start(self) -> None:
        """Count what this process has taken until now."""
        self._spent[_START] += round(self._last * 1e6)

    def sample(self, number: int, frame: FrameType | None) -> None:
        """Note the line."""
        del number
        if self._busy or frame is None:
            return
        self._busy = True
        now, code = time.process_time(), frame.f_code
        line = f"{code.co_filename}:{frame.f_lineno} {code.co_name}".replace("\t", " ").replace("\n", " ")
        self._spent[line] += round((now - self._last) * 1e6)
        self._last = now
        if len(self._spent) >= _MOST_KEPT or now - self._wrote > _WRITES_SECONDS:
            self._wrote = now
            self.write()
        self._busy = False

    def write(self) -> None:
        """Append what was found to the file, all at once: other processes write to it too."""
        data = "".join(f"{n}\t{line}\n" for line, n in self._spent.items() if n > 0).encode(errors="replace")
        self._spent.clear()
        self._written += len(data)
        if data and self._written <= _MOST_BYTES:
            fd = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            os.write(fd, data)
            os.close(fd)

    def end(self, *_: Any) -> None:
        """Stop, before another program takes the place of this one: the timer would kill it."""
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        self.write()


def install(file: str) -> Sampler:
    """Sample this process and its children."""
    sampler = Sampler(file)
    signal.signal(signal.SIGPROF, sampler.sample)
    os.register_at_fork(after_in_child=sampler.begin)
    atexit.register(sampler.end)
    for name in ("execv", "execve"):
        setattr(os, name, _after(sampler.end, getattr(os, name)))
    sampler.begin()
    sampler.note_start()
    return sampler


def _after(first: Callable[[], None], really: Callable[..., Any]) -> Callable[..., Any]:
    def both(*words: Any) -> Any:
        first()
        return really(*words)

    return both


if __name__ == "sitecustomize" and "EVALUATE_PROFILE" in os.environ:
    install(os.environ["EVALUATE_PROFILE"])
    # the one of the distribution, which this has hidden
    sys.path[:] = [folder for folder in sys.path if folder != os.path.dirname(__file__)]  # noqa: PTH120  # imports little
    hidden = sys.modules.pop("sitecustomize")
    try:
        importlib.import_module("sitecustomize")
    except ImportError:
        sys.modules["sitecustomize"] = hidden  # which is being imported
