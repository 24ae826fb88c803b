"""A deadline for calls of libvirt, which has none of its own: a daemon that hangs never answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from typing import TypeVar

from evaluate.core.errors import SandboxFault

ANSWER_SECONDS = 120.0
"""Longest time that libvirt may take: to start QEMU on a machine with a high load takes tens of seconds."""
_T = TypeVar("_T")


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

    threading.Thread(target=run, name="libvirt", daemon=True).start()
    try:
        return found.result(limit)
    except NotYet:
        with decided:
            if found.done():
                return found.result()
            given_up.set()
    raise SandboxFault(f"libvirt did not answer for {limit:.0f} s ({doing}); look at its log, and restart libvirtd")
