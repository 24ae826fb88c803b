"""One booted guest as the stages see it: commands, limits, verdicts.

`evaluate.protocol.messages` has the order of the conversation.  The guest is idle whenever the counter is read, so a
count includes the command and a small constant part of the agent, which `calibrate` measures and which is subtracted
from every later count.

Who is to blame for a delay: an agent that sends nothing is our fault.  An agent that reports that it is busy is delayed
by what the entry did or left behind, so if its exchange does not finish by the deadline, the verdict on the entry is
`Verdict.WALL_LIMIT`; nothing more can be run in that guest, and every later command gets the same verdict.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from evaluate.core.errors import CounterFault, SandboxFault
from evaluate.core.model import CounterInfo, Limits, Run, Usage, Verdict
from evaluate.counters.base import Counter, Reading, probe_instructions
from evaluate.protocol import messages
from evaluate.protocol.guest import PROBE
from evaluate.sandbox.base import FIXED_CLOCK, Command, Machine, environment
from evaluate.sandbox.channel import Channel, Overdue, check
from evaluate.sandbox.snapshots import SavedGuest
from evaluate.untrusted.answers_disk import unpack_answers

BOOT_SECONDS = 120.0
EXCHANGE_SECONDS = 300.0
"""Time to prepare a command, to end its processes after a kill, to collect its files, or to finish."""

_POLL_SECONDS = 0.05
_CALIBRATION_LOOPS = 10_000_000
_CALIBRATION_LIMITS = Limits(instructions=1 << 40, wall_seconds=120)
_DISKS = {"root": "the root disk", "home": "/home", "tmp": "/tmp"}


class Guest:
    """A `Sandbox` on an open channel; `LibvirtHypervisor` makes and destroys it."""

    def __init__(
        self,
        channel: Channel,
        counter: Counter,
        reading: Reading,
        answers: Path | None = None,
        *,
        exchange_seconds: float = EXCHANGE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        saved: SavedGuest | None = None,
    ) -> None:
        self._channel = channel
        self._answers = answers
        self._kind = counter.kind
        self._tolerance = counter.tolerance
        self._reading = reading
        self._exchange_seconds = exchange_seconds
        self._clock = clock
        self._overhead = saved.overhead if saved else 0
        self._overhead_at_once = saved.overhead_at_once if saved else 0
        self._error = saved.error if saved else 0.0
        self._overdue = ""
        self._loading = self._loaded = False

    @property
    def counter(self) -> CounterInfo:
        """The counter and its calibration error in this guest."""
        return CounterInfo(kind=self._kind, calibration_error=self._error)

    @property
    def facts(self) -> SavedGuest:
        """Facts that must be kept about this guest if it is saved now."""
        return SavedGuest(
            conversation=self._channel.conversation,
            overhead=self._overhead,
            overhead_at_once=self._overhead_at_once,
            error=self._error,
        )

    @property
    def is_usable(self) -> bool:
        """True if another command can be run: none has left the agent with more to do than it had time for."""
        return not self._overdue

    def wait_until_idle(self) -> None:
        """Return when the agent waits for a message."""
        self._reading.instructions(settled=True)

    def greet(self, machine: Machine, timeout: float = BOOT_SECONDS) -> None:
        """Wait until the agent has mounted its disks."""
        self._channel.send(
            messages.Hello(
                layers=len(machine.layers),
                container=machine.container,
                entry=machine.entry is not None,
                records=machine.records is not None,
                answers=machine.answers_bytes > 0,
                licence=machine.licence_server.ports if machine.licence_server else (),
                fresh=machine.prepared is None,
                clock=FIXED_CLOCK if machine.exact else int(time.time()),
            )
        )
        message = self._channel.receive(timeout)
        if message is None:
            raise SandboxFault(f"expected 'ready' from the guest within {timeout:.0f} s, heard nothing")
        check(message, messages.Ready)

    def calibrate(self) -> None:
        """Measure the agent's own part of a count, and the counter against a probe of known count.

        Raises CounterFault if the error is larger than the counter's published tolerance.
        """
        counts = []
        # the first run reads the keeper and the probe from the disk, and is not used
        for loops in (1, 1, _CALIBRATION_LOOPS):
            probe = self.run(Command(argv=(PROBE, str(loops)), cwd="/"), _CALIBRATION_LIMITS)
            if probe.verdict is Verdict.DISK_LIMIT:
                return  # the entry has filled a disk, and the agent refuses every command
            if probe.verdict is not Verdict.OK:
                raise SandboxFault(f"the calibration probe failed: {probe.verdict} {probe.detail}")
            counts.append(probe.usage.instructions)
        self._overhead = counts[-2] - probe_instructions(1)
        expected = probe_instructions(_CALIBRATION_LOOPS)
        self._error = (counts[-1] - self._overhead - expected) / expected
        if abs(self._error) > self._tolerance:
            raise CounterFault(
                f"the {self._kind} counter found {counts[-1] - self._overhead} instructions, expected {expected}: "
                f"an error of {self._error:.2%}, above the tolerance of {self._tolerance:.2%}"
            )

    def rest(self) -> None:
        """Have the agent give back the disks and wait for another greeting."""
        self._channel.send(messages.Rest())
        self._channel.expect(messages.Resting, self._exchange_seconds)

    def await_order(self, order: messages.Run | None) -> int:
        """Have the agent take its next message from memory; it looks for it again and again.

        ``order``: a command that differs from the next one only in what `place_of` leaves out.

        Returns the place of the key in the guest's memory that its random numbers come from; 0 if the agent does not
        know it.
        """
        self._channel.send(messages.Await(order=order))
        return self._channel.expect(messages.Awaiting, self._exchange_seconds).random_key_at

    def calibrate_at_once(self, sample: Command, limits: Limits, resume: Callable[[bytes], None]) -> int:
        """Measure the agent's part in the count of a command that starts at once, with the inputs of the sample.

        The agent does the same for the probe as for a record only if both have the same limits within the guest.
        """
        ours = _CALIBRATION_LIMITS
        limits = replace(limits, instructions=ours.instructions, wall_seconds=ours.wall_seconds)
        run = self.run_at_once(replace(sample, argv=(PROBE, "1"), cwd="/", gather=None), limits, resume)
        if run.verdict is Verdict.DISK_LIMIT:
            return 0  # the entry has filled a disk, and the agent refuses every command
        if run.verdict is not Verdict.OK:
            raise SandboxFault(f"the calibration probe failed: {run.verdict} {run.detail}")
        return run.usage.instructions - probe_instructions(1)

    def run(self, command: Command, limits: Limits, *, clock: int = 0) -> Run:
        """Run a command; ``clock``: the guest's clock before it, in seconds since 1970; 0: as it is."""
        if self._overdue:
            return _too_slow(self._overdue, Usage())
        waits = not self._reading.await_mark()
        self._channel.send(replace(_order(command, limits), clock=clock, waits=waits))
        return self._measure(command, limits, self._start if waits else self._begin, self._overhead)

    def load(self, server: Command, limits: Limits) -> Run | None:
        """Start a server; None when it is loaded and paused, otherwise how it ended."""
        self._loading = True
        run = self.run(replace(server, medium=None, gather=None), limits)
        self._loading = False
        if self._loaded:
            return None
        if run.verdict is Verdict.OK:  # a server that ends before it was invoked has not answered anything
            run = replace(run, verdict=Verdict.RUNTIME_ERROR, detail="ended before it was healthy")
        return run

    def invoke(self, server: Command, limits: Limits, *, clock: int = 0) -> Run:
        """Let the server that was loaded answer the record in memory, and end; ``clock`` as in `run`."""
        waits = not self._reading.await_mark()
        self._channel.send(messages.Invoke(clock=clock, waits=waits))
        return self._measure(server, limits, self._start if waits else self._begin, self._overhead)

    def _start(self) -> tuple[int, float]:
        self._channel.expect(messages.Started, self._exchange_seconds)
        before = self._reading.instructions(settled=True)
        self._channel.send(messages.Go())
        return before, self._clock()

    def _begin(self) -> tuple[int, float]:
        return 0, self._channel.wait_for_mark(lambda: self._reading.marked() != 0, self._exchange_seconds)

    def run_at_once(self, command: Command, limits: Limits, resume: Callable[[bytes], None]) -> Run:
        """Run the only command of a restored guest that awaits an order, and is paused until ``resume`` is called.

        That is called with the frame of the order, which must be in the guest's memory before its clock resumes: then
        the guest does the same whenever it is restored.
        """

        def start() -> tuple[int, float]:
            before = self._reading.instructions()
            server = messages.Invoke(waits=False, at_once=True)
            resume(self._channel.pack(server if command.inbox else _order(command, limits, at_once=True)))
            return before, self._clock()

        return self._measure(command, limits, start, self._overhead_at_once)

    def _measure(self, command: Command, limits: Limits, start: Callable[[], tuple[int, float]], overhead: int) -> Run:
        """Start a command, follow it to its end, and judge it; ``start`` returns the count and the time before it."""
        usage, doing = Usage(), "cleaning up after the previous command"
        try:
            started, begin = start()
            doing = "ending its processes"
            timed_out = self._watch(lambda: self._begun(started, overhead), begin, limits, command.using)
            seconds = self._clock() - begin
            count = self._reading.instructions(settled=True)
            before = self._begun(started, overhead)
            instructions = 0 if before is None else max(0, count - before)
            usage = Usage(instructions=instructions, wall_seconds=seconds)
            if self._loaded:
                return Run(verdict=Verdict.OK, usage=usage)
            self._channel.send(messages.Counted())
            doing = "collecting its files"
            ended = self._channel.expect(messages.Ended, self._exchange_seconds)
        except Overdue:
            self._overdue = f"{doing} took more than {self._exchange_seconds:.0f} s"
            return _too_slow(self._overdue, usage)
        if command.gather is not None and self._answers is not None:
            unpack_answers(self._answers, command.gather, limits.answers_bytes)
        return judge(ended, limits, command, usage=usage, timed_out=timed_out)

    def _begun(self, started: int, overhead: int) -> int | None:
        """The count from which on a command's own instructions are counted; None: it has not begun.

        The agent's part of a count follows the mark of its command, if the counter sees one; what comes before depends
        on the length of names in its order, and on how they hash.
        """
        mark = self._reading.marked()
        if mark is None:
            return started + overhead
        return mark + overhead if mark else None

    def _watch(
        self,
        begun: Callable[[], int | None],
        begin: float,
        limits: Limits,
        using: Callable[[Usage, Limits], None] | None,
    ) -> bool:
        """Wait for the end; kill a command that exceeds a limit of the host.  Returns whether it was the wall limit."""
        seen, seen_at, wait = self._reading.instructions(), begin, 0.001
        while True:
            message = self._channel.receive(wait)
            if message is not None and not isinstance(message, messages.Busy):  # busy: many processes are dying
                self._loaded = self._loading and isinstance(message, messages.Loaded)
                if not self._loaded:
                    check(message, messages.Exited)
                return False
            now, count, before = self._clock(), self._reading.instructions(), begun()
            ceiling = math.inf if before is None else before + limits.instructions
            timed_out = now - begin > limits.wall_seconds
            if using is not None and before is not None:
                using(Usage(instructions=max(0, count - before), wall_seconds=now - begin), limits)
            if timed_out or count > ceiling:
                self._channel.send(messages.Kill())
                wanted = messages.Message if self._loading else messages.Exited
                if isinstance(last := self._channel.expect(wanted, self._exchange_seconds), messages.Loaded):
                    last = self._channel.expect(messages.Exited, self._exchange_seconds)  # it had not heard of that yet
                check(last, messages.Exited)
                return timed_out
            # read the counter again when, at the current speed, half of the remaining instructions may be used
            speed = (count - seen) / (now - seen_at) if now > seen_at else 0.0
            left = (ceiling - count) / speed / 2 if speed > 0 else _POLL_SECONDS
            seen, seen_at, wait = count, now, min(_POLL_SECONDS, max(0.001, left))

    def finish(self) -> None:
        """Have the agent write everything to the disks and power off."""
        self._channel.send(messages.Finish())
        try:
            self._channel.expect(messages.Finished, self._exchange_seconds)
        except Overdue as e:
            raise SandboxFault(f"the guest's disks were not written completely: {e}") from e


def place_of(command: Command, limits: Limits) -> messages.Run:
    """The order for a command of a room, without what may differ from one record to the next."""
    order = _order(command, limits, at_once=True)
    return replace(order, argv=("",), cwd="", env={}, inputs={}, remove=(), collect=(), mounts={}, medium=False)


def _order(command: Command, limits: Limits, *, at_once: bool = False) -> messages.Run:
    user = command.user
    return messages.Run(
        argv=tuple(command.argv),
        cwd=command.cwd,
        env=environment(command, limits),
        stdin_entry=command.stdin_entry,
        inputs=command.inputs,
        remove=tuple(command.remove),
        collect=tuple(command.collect),
        keep=command.keep,
        mounts=command.mounts,
        output=command.output,
        inbox=command.inbox,
        user=messages.User(uid=user.uid, gid=user.gid) if user else None,
        builds=command.builds,
        beside=command.beside,
        medium=command.medium is not None,
        waits=not at_once,
        at_once=at_once,
        limits=messages.Limits(
            memory_bytes=limits.memory_bytes,
            processes=limits.processes,
            output_bytes=limits.output_bytes,
            answer_bytes=limits.answer_bytes,
            answers_bytes=limits.answers_bytes,
        ),
    )


def _too_slow(detail: str, usage: Usage) -> Run:
    """The verdict on a command in a guest that has become unusable because of what the entry did in it."""
    return Run(verdict=Verdict.WALL_LIMIT, usage=usage, detail=detail)


def judge(ended: messages.Ended, limits: Limits, command: Command, *, usage: Usage, timed_out: bool) -> Run:
    """The verdict on a command that has ended, from what host and agent measured.

    Raises SandboxFault if the report does not match the request.

    * ``ended``: the agent's report.
    * ``usage``: instructions and seconds, measured by the host.
    * ``timed_out``: whether the host killed it for its wall limit.
    """
    if len(ended.files) != len(command.collect):
        raise SandboxFault(f"expected {len(command.collect)} files from the guest, found {len(ended.files)}")
    files = dict(zip(command.collect, ended.files, strict=True))
    for path, file in files.items():
        if file.data is not None and len(file.data) > limits.answer_bytes:
            raise SandboxFault(
                f"expected at most {limits.answer_bytes} bytes of {path} from the guest, found {len(file.data)}"
            )
    usage += Usage(memory_bytes=ended.memory_peak, output_bytes=ended.output_bytes)
    counted = f" and used {usage.instructions:.3g} of {limits.instructions:.3g} instructions"
    counted = counted if usage.instructions else ""  # not counted, or not yet
    full = ", ".join(_DISKS[disk] for disk in ended.disk_full)
    # the first that applies; decided by values, so it does not matter which limit was noticed first
    outcomes = (
        (
            usage.instructions > limits.instructions,
            Verdict.INSTRUCTION_LIMIT,
            f"used more than {limits.instructions:.3g} instructions",
        ),
        (ended.oom, Verdict.MEMORY_LIMIT, f"needed more than {limits.memory_bytes >> 20} MiB of memory"),
        (
            ended.forks_refused > 0,
            Verdict.PROCESS_LIMIT,
            f"exceeded the limit of {limits.processes} processes and threads",
        ),
        (
            ended.output_bytes > limits.output_bytes,
            Verdict.OUTPUT_LIMIT,
            f"printed more than {limits.output_bytes >> 20} MiB",
        ),
        (timed_out, Verdict.WALL_LIMIT, f"ran for more than {limits.wall_seconds:.0f} s{counted}"),
        (
            ended.exit_code == 0 and ended.gather_problem != "",
            Verdict.OUTPUT_LIMIT,
            f"left {ended.gather_problem} in its folder of answers",
        ),
        (ended.exit_code != 0 and full != "", Verdict.DISK_LIMIT, f"filled up {full}"),
        (ended.signal is not None, Verdict.RUNTIME_ERROR, f"was ended by signal {ended.signal}"),
        (ended.exit_code != 0, Verdict.RUNTIME_ERROR, f"ended with exit code {ended.exit_code}"),
    )
    verdict, detail = next(((verdict, detail) for holds, verdict, detail in outcomes if holds), (Verdict.OK, ""))
    return Run(
        verdict=verdict,
        usage=usage,
        exit_code=ended.exit_code,
        signal=ended.signal,
        stdout=ended.stdout,
        stderr=ended.stderr,
        files={path: file.data for path, file in files.items() if file.data is not None},
        problems={path: file.problem for path, file in files.items() if file.problem not in ("", "missing")},
        detail=detail,
    )
