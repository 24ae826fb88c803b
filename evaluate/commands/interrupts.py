"""Ctrl-C and SIGTERM: one line, and exit code 128 + the signal's number, as shells have it.

While a command works, the first signal is raised as an exception, so that every guest is destroyed on the way out.
Before (imports) and after (clean-up, joining threads) it ends the process at once: an exception there would be a
traceback.
A program that is started with a signal ignored, as by nohup, keeps ignoring it.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING, Never

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_WORDS = {signal.SIGINT: "Interrupted", signal.SIGTERM: "Terminated"}
_AGAIN_SECONDS = 0.01


class Terminated(SystemExit):
    """SIGTERM has come while a command worked."""


INTERRUPTIONS = (KeyboardInterrupt, Terminated)
"""Exceptions as which the first signal is raised."""


def guard() -> None:
    """End at once, with one line, whenever a signal comes; first and last in the life of the process."""
    for number in _WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end_now)
    sys.unraisablehook = _raise_again


def work_begins() -> None:
    """Raise the next signal as an exception; nothing where `guard` was not called, as in another program."""
    for number in _WORDS:
        if signal.getsignal(number) is _end_now:
            signal.signal(number, _raise)


def work_ends() -> None:
    """End at once again; a command that has handlers of its own keeps them."""
    for number in _WORDS:
        if signal.getsignal(number) is _raise:
            signal.signal(number, _end_now)


def line(number: int, remains: str) -> str:
    """The line of an interrupted command: ``Interrupted; ``, what is left, and the next step."""
    return f"{_WORDS[signal.Signals(number)]}; {remains}"


def _end_now(number: int, _frame: FrameType | None) -> Never:
    message = line(number, "ended at once; the same command can be run again")
    os.write(2, f"{message}\n".encode())  # not through `sys.stderr`, which the signal may have found in use
    os._exit(128 + number)


def _raise(number: int, _frame: FrameType | None) -> Never:
    work_ends()
    raise Terminated(128 + number) if number == signal.SIGTERM else KeyboardInterrupt


def _raise_again(hook: UnraisableHookArgs) -> None:
    """Python drops an exception that a signal raised within a destructor or a callback, as of its import locks."""
    if hook.exc_type not in INTERRUPTIONS:
        sys.__unraisablehook__(hook)
        return
    number = signal.SIGTERM if hook.exc_type is Terminated else signal.SIGINT
    signal.signal(signal.SIGALRM, lambda _number, frame: _raise(number, frame))
    signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)
