"""Sampler of a Python program for `evaluate try --profile`; the guest's Python loads it as ``sitecustomize``, in the
place of its own.

Every few milliseconds a thread notes the line that the main thread is in, with the processor time since the last note:
a call into a library is one long sample.  Notes are appended to the file that ``EVALUATE_PROFILE`` names, a line each:
microseconds, a tab, and the line.
"""

from __future__ import annotations

import os
import sys
import threading
import time

_LOOK_SECONDS = 0.005


def begin() -> None:
    """Sample this process from now on."""
    threading.Thread(target=look, daemon=True).start()


def look() -> None:
    """Append a note at every look, with one call, since other processes write to the file too."""
    file = os.open(os.environ["EVALUATE_PROFILE"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    line, last = "the start of the interpreter", 0.0
    while True:
        now = time.process_time()
        name = line.replace("\t", " ").replace("\n", " ")
        os.write(file, f"{round((now - last) * 1e6)}\t{name}\n".encode(errors="replace"))
        last = now
        time.sleep(_LOOK_SECONDS)
        frame = sys._current_frames().get(threading.main_thread().ident or 0)
        line = f"{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name}" if frame is not None else line


if __name__ == "sitecustomize" and "EVALUATE_PROFILE" in os.environ:
    begin()
    os.register_at_fork(after_in_child=begin)
