"""One booted guest as the stages see it: commands, limits, verdicts.

The order of one command, and who waits for whom::

    host    run ------------------> prepares; the command's process waits just before exec
            <---------------------- started
            reads the counter
            go -------------------> lets it run
            watches counter and clock, may send `kill`
            <---------------------- exited          (everything of the command is dead)
            reads the counter
            counted --------------> cleans up, collects files
            <---------------------- ended

The guest is idle at both readings, so what is counted is the command and a small constant part of the agent,
which `calibrate` measures and every later count leaves out.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from evaluate.core.errors import CounterFault, SandboxFault
from evaluate.core.model import CounterInfo, Limits, Run, Usage, Verdict
from evaluate.counters.base import Counter, Reading
from evaluate.counters.probe import probe_instructions
from evaluate.protocol.frames import PROBE, VERSION, Frame
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.channel import Channel, check
from evaluate.untrusted.answers_disk import unpack_answers

BOOT_SECONDS = 120.0
PREPARE_SECONDS = 120.0
DIE_SECONDS = 60.0
"""From `kill` to `exited`."""
COLLECT_SECONDS = 300.0
FINISH_SECONDS = 120.0

_POLL_SECONDS = 0.05
_CALIBRATION_LOOPS = 10_000_000
_WARM_UP_RUNS = 5
_CALIBRATION_LIMITS = Limits(instructions=1 << 40, wall_seconds=120)


class Guest:
    """A `Sandbox` on an open channel; `LibvirtHypervisor` makes and destroys it."""

    def __init__(self, channel: Channel, counter: Counter, reading: Reading, answers: Path | None = None) -> None:
        self._channel = channel
        self._answers = answers
        self._kind = counter.kind
        self._tolerance = counter.tolerance
        self._reading = reading
        self._overhead = 0
        self._error = 0.0
        self._commands = 0

    @property
    def counter(self) -> CounterInfo:
        """The counter and its calibration error in this guest."""
        return CounterInfo(kind=self._kind, calibration_error=self._error)

    def greet(self, machine: Machine, timeout: float = BOOT_SECONDS) -> None:
        """Wait until the agent has mounted its disks."""
        self._channel.send(
            "hello",
            version=VERSION,
            layers=len(machine.layers),
            base=not machine.container,
            entry=machine.entry is not None,
            records=machine.records is not None,
            answers=machine.answers_bytes > 0,
            licence=list(machine.licence_server.ports) if machine.licence_server else [],
            fresh=machine.prepared is None,
        )
        self._channel.expect("ready", timeout)

    def calibrate(self) -> None:
        """Measure the agent's own part of a count, and the counter against a probe of known count.

        Raises
        ------
        CounterFault
            The error is larger than the counter's published tolerance.
        """
        counts = []
        # the agent's interpreter specialises its code in the first runs, which are not used
        for loops in (*(1,) * _WARM_UP_RUNS, 1, _CALIBRATION_LOOPS):
            probe = self.run(Command(argv=(PROBE, str(loops)), cwd="/"), _CALIBRATION_LIMITS)
            if probe.verdict is not Verdict.OK:
                raise SandboxFault(f"the calibration probe did not end well: {probe.verdict} {probe.detail}")
            counts.append(probe.usage.instructions)
        self._overhead = counts[-2] - probe_instructions(1)
        known = probe_instructions(_CALIBRATION_LOOPS)
        self._error = (counts[-1] - self._overhead - known) / known
        if abs(self._error) > self._tolerance:
            raise CounterFault(
                f"the {self._kind} counter says {counts[-1] - self._overhead} for a probe of {known} "
                f"instructions: an error of {self._error:.2%}, tolerated are {self._tolerance:.2%}"
            )

    def run(self, command: Command, limits: Limits) -> Run:
        """See `Sandbox.run`."""
        self._commands += 1
        number = self._commands
        self._channel.send(
            "run",
            id=number,
            argv=list(command.argv),
            cwd=command.cwd,
            env=dict(command.env),
            stdin_entry=command.stdin_entry,
            inputs=dict(command.inputs),
            remove=list(command.remove),
            collect=list(command.collect),
            keep=command.keep,
            mounts=dict(command.mounts),
            output=command.output,
            user=[command.user.uid, command.user.gid] if command.user else None,
            limits={
                "memory_bytes": limits.memory_bytes,
                "processes": limits.processes,
                "output_bytes": limits.output_bytes,
                "answer_bytes": limits.answer_bytes,
                "answers_bytes": limits.answers_bytes,
            },
        )
        self._channel.expect("started", PREPARE_SECONDS, id=number)
        before = self._reading.instructions(settled=True)
        begin = time.monotonic()
        self._channel.send("go", id=number)
        timed_out = self._watch(number, before, begin, limits)
        wall_seconds = time.monotonic() - begin
        instructions = max(0, self._reading.instructions(settled=True) - before - self._overhead)
        self._channel.send("counted", id=number)
        ended = self._channel.expect("ended", COLLECT_SECONDS, id=number)
        if command.gather is not None and self._answers is not None:
            unpack_answers(self._answers, command.gather, limits.answers_bytes)
        return judge(
            ended,
            limits,
            command.collect,
            instructions=instructions,
            wall_seconds=wall_seconds,
            timed_out=timed_out,
        )

    def _watch(self, number: int, before: int, begin: float, limits: Limits) -> bool:
        """Wait for the end; kill what runs over a limit the host measures.  Whether the clock struck."""
        ceiling = before + self._overhead + limits.instructions
        seen, seen_at, wait = before, begin, 0.001
        struck_at: float | None = None
        timed_out = False
        while True:
            frame = self._channel.receive(wait)
            if frame is not None:
                check(frame, "exited", id=number)
                return timed_out
            now, count = time.monotonic(), self._reading.instructions()
            if struck_at is not None:
                if now - struck_at > DIE_SECONDS:
                    raise SandboxFault(f"a command was not dead {DIE_SECONDS:.0f} s after it was to be killed")
                continue
            timed_out = now - begin > limits.wall_seconds
            if timed_out or count > ceiling:
                self._channel.send("kill", id=number)
                struck_at, wait = now, _POLL_SECONDS
                continue
            # look again when, at the speed just seen, half of what is left may be used up
            speed = (count - seen) / (now - seen_at) if now > seen_at else 0.0
            left = (ceiling - count) / speed / 2 if speed > 0 else _POLL_SECONDS
            seen, seen_at, wait = count, now, min(_POLL_SECONDS, max(0.001, left))

    def finish(self) -> None:
        """Have the agent write everything to the disks and power off."""
        self._channel.send("finish")
        self._channel.expect("finished", FINISH_SECONDS)


def judge(
    ended: Frame,
    limits: Limits,
    collect: Sequence[str],
    *,
    instructions: int,
    wall_seconds: float,
    timed_out: bool,
) -> Run:
    """The verdict on a command that has ended, from what host and agent measured.

    The instruction count comes first and is compared by value: who fired first does not matter.
    """
    try:
        stdout, stderr, files = _parts(ended, collect)
        facts = ended.values
        usage = Usage(
            instructions=instructions,
            wall_seconds=wall_seconds,
            memory_bytes=int(facts["memory_peak"]),
            output_bytes=int(facts["output_bytes"]),
        )
        exit_code, signal = facts["exit_code"], facts["signal"]
        if instructions > limits.instructions:
            verdict = Verdict.INSTRUCTION_LIMIT
            detail = f"used more than {limits.instructions:.3g} instructions"
        elif facts["oom"]:
            verdict = Verdict.MEMORY_LIMIT
            detail = f"needed more than {limits.memory_bytes >> 20} MiB of memory"
        elif facts["forks_refused"]:
            verdict = Verdict.PROCESS_LIMIT
            detail = f"wanted more than {limits.processes} processes and threads at once"
        elif facts["output_exceeded"]:
            verdict = Verdict.OUTPUT_LIMIT
            detail = f"printed more than {limits.output_bytes >> 20} MiB"
        elif timed_out:
            verdict = Verdict.WALL_LIMIT
            detail = (
                f"ran for more than {limits.wall_seconds:.0f} s and used {instructions:.3g} of "
                f"{limits.instructions:.3g} instructions"
            )
        elif facts["gather_problem"] and exit_code == 0:
            verdict, detail = Verdict.OUTPUT_LIMIT, f"left {facts['gather_problem']} in its folder of answers"
        elif (exit_code != 0) and facts["disk_full"]:
            verdict = Verdict.DISK_LIMIT
            detail = f"filled up {', '.join(facts['disk_full'])}"
        elif exit_code != 0:
            verdict = Verdict.RUNTIME_ERROR
            detail = f"ended with exit code {exit_code}" if signal is None else f"was ended by signal {signal}"
        else:
            verdict, detail = Verdict.OK, ""
    except (KeyError, TypeError, ValueError) as e:
        raise SandboxFault(f"the guest's report of a command cannot be read: {e!r}") from e
    return Run(
        verdict=verdict,
        usage=usage,
        exit_code=exit_code,
        signal=signal,
        stdout=stdout,
        stderr=stderr,
        files=files,
        problems={str(f["path"]): str(f["problem"]) for f in facts["files"] if f["problem"] not in ("", "missing")},
        detail=detail,
    )


def _parts(ended: Frame, collect: Sequence[str]) -> tuple[bytes, bytes, dict[str, bytes]]:
    """Take the blob apart into standard output, standard error and the collected files."""
    blob = memoryview(ended.blob)
    sizes = [int(ended.values["stdout_bytes"]), int(ended.values["stderr_bytes"])]
    files = ended.values["files"]
    if [f["path"] for f in files] != list(collect):
        raise ValueError("other files than were asked for")
    sizes += [int(f["bytes"] or 0) for f in files]
    if min(sizes) < 0 or sum(sizes) != len(blob):
        raise ValueError(f"parts of {sizes} bytes in a blob of {len(blob)}")
    parts = []
    for size in sizes:
        parts.append(bytes(blob[:size]))
        blob = blob[size:]
    found = {str(f["path"]): part for f, part in zip(files, parts[2:], strict=True) if f["bytes"] is not None}
    return parts[0], parts[1], found
