"""A deadline for calls of libvirt, which has none of its own: a daemon that hangs never answers.

A process that ends waits for the calls that are under way, within bounds: libvirt gives each error to a handler in
Python, and a thread that does so when the interpreter has ended ends the process by a segmentation fault.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from typing import TypeVar

from evaluate.core.errors import SandboxFault

ANSWER_SECONDS = 120.0
"""Longest time that libvirt may take: to start QEMU on a machine with a high load takes tens of seconds."""
_END_SECONDS = 10.0
"""Longest time that the end of the process waits for calls."""
_T = TypeVar("_T")
_threads: set[threading.Thread] = set()


def answered(
    doing: str, call: Callable[[], _T], undo: Callable[[_T], object] | None = None, seconds: float | None = None
) -> _T:
    """What a call returns, or the error that it raises.

    Raises SandboxFault if it takes too long. Its thread remains until there is an answer, or the process ends.

    * ``doing``: what is done, for the message: ``starting domain x``.
    * ``undo``: called with what a call returns that came too late.
    * ``seconds``: how long it may take; by default `ANSWER_SECONDS`.
    """
    limit = ANSWER_SECONDS if seconds is None else seconds
    found: Future[_T] = Future()
    given_up = threading.Event()
    decided = threading.Lock()

    def run() -> None:
        try:
            value = call()
        except BaseException as e:  # it is raised where the answer is waited for
            found.set_exception(e)
            return
        with decided:
            late = given_up.is_set()
            if not late:
                found.set_result(value)
        if late and undo is not None:
            with suppress(Exception):  # nobody waits for it any more, and libvirt itself undoes it with this process
                undo(value)

    in_background("libvirt", run)
    try:
        return found.result(limit)
    except NotYet:
        with decided:
            if found.done():
                return found.result()
            given_up.set()
    raise SandboxFault(f"libvirt did not answer for {limit:.0f} s ({doing}); look at its log, and restart libvirtd")


def in_background(name: str, call: Callable[[], object]) -> None:
    """Make calls in a thread that ends with the process, which waits a while for it."""

    def run() -> None:
        try:
            call()
        finally:
            _threads.discard(thread)

    thread = threading.Thread(target=run, name=name, daemon=True)
    _threads.add(thread)
    thread.start()


@atexit.register
def _wait_for_calls() -> None:
    deadline = time.monotonic() + _END_SECONDS
    for thread in list(_threads):
        thread.join(max(0.0, deadline - time.monotonic()))
