"""Two hypervisors, one of which checks the other: KVM, which is fast, and emulation, which counts exactly.

Where the first one counts (KVM with `perf`), its count judges.  One command of some dozen runs again under emulation:
the difference is recorded, and one above the counter's tolerance raises an alarm.

Where the first one cannot count (`evaluate.counters.base`), no processor could have retired more than
`MOST_A_SECOND` instructions in each second of the command's time, so most commands are known to be within their limit.
The others run again under emulation, and that run's count judges.  A program that behaves otherwise there (another
verdict, exit code, standard output or files) could hide its instructions, and is refused if it does so twice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from evaluate.confine.ownership import discard_tree
from evaluate.core.files import sha256_file
from evaluate.core.model import CounterInfo, Limits, Run, Verdict
from evaluate.counters.base import UNCOUNTED
from evaluate.sandbox.base import Command, Hypervisor, Machine, Prepared, Sandbox, Wrapped

MOST_A_SECOND = 6e10
"""Instructions: 7.5 GHz with eight a cycle, more than any processor of today."""
_SLOWER = 40
"""Emulation takes up to so many times as long, and a recount must not end at the wall limit."""


@dataclass(frozen=True, kw_only=True)
class Recount:
    """One command that ran twice."""

    counted: int
    recounted: int

    @property
    def difference(self) -> float:
        """Relative to the exact count."""
        return (self.counted - self.recounted) / self.recounted if self.recounted else 0.0


class CheckedHypervisor(Wrapped):
    """Boots guests of the first hypervisor, and, when one is needed, its double of the second."""

    def __init__(
        self,
        first: Hypervisor,
        second: Callable[[], Hypervisor],
        *,
        tolerance: float,
        every: int,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Connect the two.

        * ``second``: makes the second hypervisor; called once, and only if it is needed.
        * ``tolerance``: relative difference above which an alarm is raised.
        * ``every``: of so many commands that are not kept, the last is recounted; 0: none.
        """
        super().__init__(first)
        self._make_second = second
        self._second: Hypervisor | None = None
        self.tolerance = tolerance
        self.every = every
        self.say = say
        self.recounts: list[Recount] = []

    @property
    def counter(self) -> CounterInfo | None:
        """Counter of the first hypervisor, with the largest difference of the recounts."""
        counter = self._wrapped.counter
        if counter is None or not self.recounts:
            return counter
        largest = max((recount.difference for recount in self.recounts), key=abs)
        return dataclasses.replace(counter, recount_difference=largest)

    def boot(self, machine: Machine) -> AbstractContextManager[CheckedSandbox]:
        """A guest of the first; a double of it is booted when a command must be recounted."""
        return self._pair(machine, lambda hypervisor: hypervisor.boot(machine))

    def rooms(self, machine: Machine, sample: Command, limits: Limits) -> AbstractContextManager[CheckedSandbox]:
        """Rooms of the first; those of the second are made when a command must be recounted."""
        return self._pair(machine, lambda hypervisor: hypervisor.rooms(machine, sample, limits))

    @contextmanager
    def _pair(
        self, machine: Machine, open_in: Callable[[Hypervisor], AbstractContextManager[Sandbox]]
    ) -> Iterator[CheckedSandbox]:
        with ExitStack() as stack:
            sandbox = stack.enter_context(open_in(self._wrapped))

            def double() -> Sandbox:
                if self._second is None:
                    self._second = self._make_second()
                return stack.enter_context(open_in(self._second))

            # a device of the host cannot be in two guests, and emulation has none
            again = None if machine.gpus else double
            # threads that wait for each other count otherwise each time
            yield CheckedSandbox(sandbox, again, self, alarms=machine.sizes.processors == 1)


class CheckedSandbox:
    """A guest, some of whose commands run again in its double."""

    def __init__(
        self, first: Sandbox, double: Callable[[], Sandbox] | None, owner: CheckedHypervisor, *, alarms: bool = True
    ) -> None:
        self._first = first
        self._make_double = double
        self._double: Sandbox | None = None
        self._kept: list[tuple[Command, Limits]] = []
        self._n_replayed = 0
        self._n = 0
        self._owner = owner
        self._alarms = alarms

    @property
    def counter(self) -> CounterInfo:
        """Counter of the first guest."""
        return self._first.counter

    def run(self, command: Command, limits: Limits) -> Run:
        run = self._first.run(command, limits)
        judges = self.counter.kind == UNCOUNTED
        if self._make_double is not None:
            if judges and run.usage.wall_seconds * MOST_A_SECOND > limits.instructions:
                run = self._judged(run, command, limits)
            elif not judges and not command.keep and self._is_due() and run.verdict is Verdict.OK:
                self._compare(run, self._again(command, limits))
        if command.keep:
            self._kept.append((command, limits))
        return run

    def freeze(self, folder: Path) -> Prepared:
        """The disks of the first."""
        return self._first.freeze(folder)

    def _is_due(self) -> bool:
        self._n += 1
        return self._owner.every > 0 and self._n % self._owner.every == 0

    def _again(self, command: Command, limits: Limits) -> Run:
        """The command in the double, after all that was kept before it; the first of these that fails, if one does."""
        if self._double is None:
            assert self._make_double is not None
            self._double, self._n_replayed = self._make_double(), 0
        for kept, of_kept in self._kept[self._n_replayed :]:
            run = self._double.run(dataclasses.replace(kept, gather=None), _with_patience(of_kept))
            if run.verdict is not Verdict.OK:
                self._double = None  # not the machine that the command is to run in
                return run
        self._n_replayed = len(self._kept) + command.keep
        return self._double.run(command, _with_patience(limits))

    def _compare(self, run: Run, again: Run) -> None:
        if again.verdict is not Verdict.OK:
            return  # it was ended before it had counted all
        recount = Recount(counted=run.usage.instructions, recounted=again.usage.instructions)
        self._owner.recounts.append(recount)
        if self._alarms and abs(recount.difference) > self._owner.tolerance:
            self._owner.say(
                f"alarm: the {self.counter.kind} counter found {recount.counted} instructions and emulation "
                f"{recount.recounted}, a difference of {recount.difference:+.2%} (tolerance "
                f"{self._owner.tolerance:.2%}); counts of this host cannot be relied on, see evaluate doctor"
            )

    def _judged(self, run: Run, command: Command, limits: Limits) -> Run:
        """The first run with the count, and the instruction limit, of the second, which must agree with it."""
        again, difference = self._recounted(run, command, limits)
        if difference:
            self._double = None  # a new one, since a kept command would run twice in this one
            again, difference = self._recounted(run, command, limits)
        usage = dataclasses.replace(run.usage, instructions=again.usage.instructions)
        if again.verdict is Verdict.INSTRUCTION_LIMIT and run.verdict in (Verdict.OK, Verdict.WALL_LIMIT):
            detail = f"used more than {limits.instructions:.3g} instructions, counted under emulation"
            return dataclasses.replace(run, usage=usage, verdict=Verdict.INSTRUCTION_LIMIT, detail=detail)
        if difference:
            detail = f"ran twice under emulation to be counted, and each time {difference}"
            return dataclasses.replace(run, usage=usage, verdict=Verdict.NOT_REPRODUCIBLE, detail=detail)
        return dataclasses.replace(run, usage=usage)

    def _recounted(self, run: Run, command: Command, limits: Limits) -> tuple[Run, str]:
        """The second run, and in which way it disagrees with the first; empty: in none that matters."""
        gather = command.gather.with_name(f"{command.gather.name}.recounted") if command.gather is not None else None
        try:
            again = self._again(dataclasses.replace(command, gather=gather), limits)
            if run.verdict is not Verdict.OK or again.verdict is Verdict.INSTRUCTION_LIMIT:
                return again, ""
            return again, _difference(run, again) or (_of_files(command, gather) if gather is not None else "")
        finally:
            if gather is not None:
                discard_tree(gather)


def _with_patience(limits: Limits) -> Limits:
    return dataclasses.replace(limits, wall_seconds=_SLOWER * limits.wall_seconds)


def _difference(run: Run, again: Run) -> str:
    """Standard error is not compared: progress bars and warnings have times."""
    if run.verdict is not again.verdict:
        return f"ended as {again.verdict} ({again.detail})"
    if (run.exit_code, run.signal) != (again.exit_code, again.signal):
        return f"ended with exit code {again.exit_code}, not {run.exit_code}"
    if run.stdout != again.stdout:
        return "printed something else"
    if (run.files, run.problems) != (again.files, again.problems):
        return "left other files"
    return ""


def _of_files(command: Command, gathered: Path) -> str:
    """A build makes files with dates, which differ each time."""
    assert command.gather is not None
    return "left other files" if not command.builds and _digests(command.gather) != _digests(gathered) else ""


def _digests(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): sha256_file(path) for path in files}
