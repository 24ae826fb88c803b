"""Sampler of a Python program for `evaluate try --profile`; the guest's Python loads it as ``sitecustomize``.

Every few milliseconds a thread notes the line that the main thread is in, with the processor time since the last note:
a call into a library is one long sample.  Notes are appended to the file that ``EVALUATE_PROFILE`` names, a line each:
microseconds, a tab, and the line.
"""

from __future__ import annotations

import atexit
import importlib
import os
import sys
import threading
import time
from collections import Counter

_LOOK_SECONDS = 0.005
_WRITE_SECONDS = 0.1
"""Time that is lost of a process that is killed or becomes another program, at most."""
_START = "the start of the interpreter"


class Sampler:
    """Counter of the time of each line, in this process and in those that it forks."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._begin()
        self._spent[_START] = round(self._last * 1e6)
        os.register_at_fork(after_in_child=self._begin)
        atexit.register(self._end)

    def _begin(self) -> None:
        self._spent: Counter[str] = Counter()
        self._last = time.process_time()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        written = time.monotonic()
        while not self._ended.wait(_LOOK_SECONDS):
            frame = sys._current_frames().get(threading.main_thread().ident or 0)
            now = time.process_time()
            if frame is not None:
                line = f"{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name}"
                self._spent[line.replace("\t", " ").replace("\n", " ")] += round((now - self._last) * 1e6)
            self._last = now
            if time.monotonic() - written > _WRITE_SECONDS:
                self._write()
                written = time.monotonic()
        self._write()

    def _write(self) -> None:
        """Append the notes with one call, since other processes write to the file too."""
        data = "".join(f"{n}\t{line}\n" for line, n in self._spent.items() if n > 0).encode(errors="replace")
        self._spent.clear()
        fd = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        os.write(fd, data)
        os.close(fd)

    def _end(self) -> None:
        self._ended.set()
        self._thread.join()


if __name__ == "sitecustomize" and "EVALUATE_PROFILE" in os.environ:
    Sampler(os.environ["EVALUATE_PROFILE"])
    sys.path.remove(os.path.dirname(__file__))  # noqa: PTH120  # imports little
    sampler = sys.modules.pop("sitecustomize")
    try:
        importlib.import_module("sitecustomize")  # that of the distribution, which this one has hidden
    except ImportError:
        sys.modules["sitecustomize"] = sampler  # which is being imported
