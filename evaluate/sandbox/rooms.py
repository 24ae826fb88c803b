"""The guests of `Hypervisor.rooms`: which of them wait for a command, and when they go."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from evaluate.core.errors import Fault, SandboxFault
from evaluate.core.model import CounterInfo, Limits, Run
from evaluate.sandbox.base import Command, Prepared


class Room(Protocol):
    """A restored guest, for one command."""

    @property
    def folder(self) -> Path:
        """Its own on the host."""

    def run_alone(self, command: Command, limits: Limits) -> Run:
        """See `Sandbox.run`."""


R = TypeVar("R", bound=Room)


class Rooms(Generic[R]):
    """A `Sandbox` whose every command has a guest of its own, restored from the same snapshot.

    While a command runs, the next guests are restored and the last one destroyed, so that a command waits for neither.
    """

    _WAITING = 2
    """Guests that wait, or are on their way: a short command ends before one is ready."""

    def __init__(
        self,
        restore: Callable[[ExitStack], R],
        counter: CounterInfo,
        after: Callable[[Path], None],
    ) -> None:
        """Begin to restore.

        * ``restore``: a guest, which exists as long as the stack that it gets.
        * ``after``: gets the folder of each guest when its command has ended.
        """
        self._restore, self._counter, self._after = restore, counter, after
        self._loader = ThreadPoolExecutor(self._WAITING, "restoring a guest")
        self._remover = ThreadPoolExecutor(1, "destroying a guest")
        self._waiting = deque(self._loader.submit(self._load) for _ in range(self._WAITING))
        self._last: Future[None] | None = None

    @property
    def counter(self) -> CounterInfo:
        return self._counter

    def run(self, command: Command, limits: Limits) -> Run:
        next_one = self._waiting.popleft()
        wait([next_one])
        self._waiting.append(self._loader.submit(self._load))
        try:
            room, sandbox = next_one.result()
        except Fault:  # nothing of the command has started
            room, sandbox = self._load()
        try:
            run = sandbox.run_alone(command, limits)
            self._after(sandbox.folder)
        finally:
            last, self._last = self._last, self._remover.submit(room.close)
        if last is not None:
            last.result()  # so that there are never more than four guests, and a fault is not lost
        return run

    def freeze(self, folder: Path) -> Prepared:
        """Impossible: a room leaves nothing."""
        raise SandboxFault(f"a restored guest leaves nothing to be kept in {folder}")

    def close(self) -> None:
        """Destroy the guests that wait, and the last one, whatever became of the others."""
        with ExitStack() as ending:
            if self._last is not None:
                ending.callback(self._last.result)
            ending.callback(self._remover.shutdown)
            ending.callback(self._loader.shutdown)
            for waiting in self._waiting:
                ending.callback(_end, waiting)

    @contextmanager
    def one(self) -> Iterator[R]:
        """A guest that nobody has restored before it was asked for."""
        room, sandbox = self._load()
        with room:
            yield sandbox

    def _load(self) -> tuple[ExitStack, R]:
        with ExitStack() as room:
            sandbox = self._restore(room)
            return room.pop_all(), sandbox


class NotLoaded:
    """A `Sandbox` for a server that could not be loaded: every command has that outcome."""

    def __init__(self, run: Run, counter: CounterInfo) -> None:
        self._run, self.counter = run, counter

    def run(self, command: Command, limits: Limits) -> Run:
        """How the server ended."""
        del command, limits
        return self._run

    def freeze(self, folder: Path) -> Prepared:
        """Impossible: nothing runs."""
        raise SandboxFault(f"a server that could not be loaded leaves nothing to be kept in {folder}")


def _end(waiting: Future[tuple[ExitStack, R]]) -> None:
    """Destroy a guest that waits; one that could not be restored is gone already."""
    with suppress(Fault):
        waiting.result()[0].close()
