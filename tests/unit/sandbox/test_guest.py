"""One guest's conversation, with an agent that a test plays."""

from __future__ import annotations

import pickle
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.errors import BootFault, SandboxFault
from evaluate.core.model import Limits, Usage, Verdict
from evaluate.counters.fake import FakeCounter, FakeReading
from evaluate.protocol import messages
from evaluate.protocol.frames import NONCE_BYTES, FrameReader, FrameWriter
from evaluate.protocol.messages import Busy, Ended, Exited, Finished, Message, Started
from evaluate.sandbox.base import Command
from evaluate.sandbox.channel import Channel
from evaluate.sandbox.guest import Guest, judge
from evaluate.sandbox.running import console_tail
from tests.support.lying_agent import COMMAND, ENDED

LIMITS = Limits(instructions=10**9, wall_seconds=60)
Answers = dict[str, tuple[Message, ...]]
HONEST: Answers = {"run": (Started(),), "go": (Exited(),), "counted": (ENDED,), "kill": (Exited(),)}


@contextmanager
def guest_of(
    answers: Answers,
    *,
    on: Callable[[str], None] = lambda _kind: None,
    clock: Callable[[], float] = time.monotonic,
    silence: float = 0.2,
) -> Iterator[tuple[Guest, FakeReading]]:
    """A guest whose agent answers each kind of message by a list of messages; after a `Busy` at its end, for ever."""
    near, far = socket.socketpair()
    gone = threading.Event()

    def agent() -> None:
        reader, writer = FrameReader(None), None
        while data := far.recv(1 << 16):
            for frame in reader.feed(data):
                writer = writer or FrameWriter(reader.nonce or b"")
                on(frame.kind)
                reply = answers.get(frame.kind, ())
                for message in reply:
                    far.sendall(writer.pack(messages.encode(message)))
                while reply and isinstance(reply[-1], Busy) and not gone.wait(0.01):
                    far.sendall(writer.pack(messages.encode(Busy())))

    def until_gone() -> None:
        try:
            agent()
        except (BrokenPipeError, ConnectionResetError):
            if not gone.is_set():  # the host may close the channel while the agent speaks
                raise

    thread = threading.Thread(target=until_gone, daemon=True)
    thread.start()
    channel, reading = Channel(near, silence=silence, clock=clock), FakeReading()
    try:
        yield Guest(channel, FakeCounter(), reading, exchange_seconds=0.5, clock=clock), reading
    finally:
        gone.set()
        channel.close()
        thread.join()
        far.close()


def test_command_that_ends_by_itself_is_judged_by_the_report() -> None:
    with guest_of(HONEST) as (guest, _):
        run = guest.run(COMMAND, LIMITS)
    assert (run.verdict, run.exit_code, run.stdout, run.stderr) == (Verdict.OK, 0, b"out", b"error")
    assert (dict(run.files), dict(run.problems)) == ({"a": b"N"}, {})


def test_count_beyond_the_limit_kills_and_is_the_verdict() -> None:
    killed = []

    def on(kind: str) -> None:
        if kind == "go":
            reading.advance(2 * 10**9)
        killed.append(kind)

    with guest_of({**HONEST, "go": ()}, on=on) as (guest, reading):
        run = guest.run(COMMAND, LIMITS)
    assert run.verdict is Verdict.INSTRUCTION_LIMIT
    assert run.usage.instructions == 2 * 10**9
    assert "kill" in killed


@pytest.mark.parametrize(
    ("kind", "detail"),
    [
        ("run", "cleaning up after the previous command took more than"),
        ("kill", "ending its processes took more than"),
        ("counted", "collecting its files took more than"),
    ],
)
def test_agent_that_is_alive_and_not_done_is_the_entrys_verdict_from_then_on(kind: str, detail: str) -> None:
    with guest_of({**HONEST, "go": (), kind: (Busy(),)}, silence=60) as (guest, _):  # this host may be the slow one
        first = guest.run(COMMAND, replace(LIMITS, wall_seconds=0.01))
        second = guest.run(COMMAND, LIMITS)
    assert first.verdict is second.verdict is Verdict.WALL_LIMIT
    assert detail in first.detail and first.detail == second.detail


@pytest.mark.parametrize("kind", ["run", "kill", "counted"])
def test_agent_that_falls_silent_is_a_fault(kind: str) -> None:
    with (
        guest_of({**HONEST, "go": (), kind: ()}) as (guest, _),
        pytest.raises(SandboxFault, match=r"from the guest, heard nothing for 0 s"),
    ):
        guest.run(COMMAND, replace(LIMITS, wall_seconds=0.01))


def test_busy_agent_is_waited_for() -> None:
    with guest_of({**HONEST, "run": (Busy(), Busy(), Started()), "go": (Busy(), Exited())}) as (guest, _):
        assert guest.run(COMMAND, LIMITS).verdict is Verdict.OK


def test_guest_that_the_host_does_not_let_run_exceeds_no_time_limit() -> None:
    stopped, late = time.monotonic(), threading.Event()

    def on(kind: str) -> None:
        if kind in ("run", "go"):
            late.wait(0.3)  # longer than the silence, the wall limit and the exchange together

    with guest_of(HONEST, on=on, clock=lambda: stopped) as (guest, _):
        run = guest.run(COMMAND, replace(LIMITS, wall_seconds=0.01))
    assert (run.verdict, run.usage.wall_seconds) == (Verdict.OK, 0.0)


def test_answer_out_of_turn_is_a_fault() -> None:
    with (
        guest_of({**HONEST, "run": (Exited(),)}) as (guest, _),
        pytest.raises(SandboxFault, match="expected 'started' from the guest, found 'exited'"),
    ):
        guest.run(COMMAND, LIMITS)


def test_fault_of_the_agent_is_told_with_its_message() -> None:
    with (
        guest_of({"run": (messages.AgentFault(message="OSError: no disk"),)}) as (guest, _),
        pytest.raises(SandboxFault, match="the guest agent gave up: OSError: no disk"),
    ):
        guest.run(COMMAND, LIMITS)


def test_disks_that_are_not_written_in_time_are_a_fault_not_a_verdict() -> None:
    with (
        guest_of({"finish": (Busy(),)}) as (guest, _),
        pytest.raises(SandboxFault, match="not written"),
    ):
        guest.finish()
    with guest_of({"finish": (Finished(),)}) as (guest, _):
        guest.finish()


def verdict_of(**values: object) -> tuple[Verdict, str]:
    ended: Ended = replace(ENDED, **values)  # type: ignore[arg-type]
    run = judge(ended, LIMITS, COMMAND, usage=Usage(), timed_out=False)
    return run.verdict, run.detail


def test_each_fact_has_its_verdict() -> None:
    assert verdict_of() == (Verdict.OK, "")
    assert verdict_of(oom=True, forks_refused=1) == (Verdict.MEMORY_LIMIT, "needed more than 1536 MiB of memory")
    assert verdict_of(forks_refused=1)[0] is Verdict.PROCESS_LIMIT
    assert verdict_of(output_bytes=LIMITS.output_bytes)[0] is Verdict.OK
    assert verdict_of(output_bytes=LIMITS.output_bytes + 1) == (Verdict.OUTPUT_LIMIT, "printed more than 16 MiB")
    assert verdict_of(disk_full=("home", "root"))[0] is Verdict.OK
    full = verdict_of(exit_code=1, disk_full=("home", "root"))
    assert full == (Verdict.DISK_LIMIT, "filled up /home, the root disk")
    assert verdict_of(exit_code=3) == (Verdict.RUNTIME_ERROR, "ended with exit code 3")
    assert verdict_of(exit_code=None, signal=11) == (Verdict.RUNTIME_ERROR, "was ended by signal 11")
    assert verdict_of(gather_problem="more than 1 MiB")[0] is Verdict.OUTPUT_LIMIT


def test_report_that_does_not_fit_the_order_is_a_fault() -> None:
    with pytest.raises(SandboxFault, match="expected 1 files from the guest, found 2"):
        judge(ENDED, LIMITS, Command(argv=("x",), collect=("a",)), usage=Usage(), timed_out=False)
    large = replace(ENDED, files=(messages.Collected(data=bytes(11), problem=""), ENDED.files[1]))
    with pytest.raises(SandboxFault, match="expected at most 10 bytes of a from the guest, found 11"):
        judge(large, replace(LIMITS, answer_bytes=10), COMMAND, usage=Usage(), timed_out=False)


def test_console_of_a_fault_is_a_field_and_made_plain(tmp_path: Path) -> None:
    (tmp_path / "console.log").write_bytes(b"".join(b"line %d\n" % i for i in range(20)) + b"\x1b[2J\xff")
    fault = BootFault("no answer", console=console_tail(tmp_path))
    assert str(fault) == "no answer"
    assert fault.console[0] == "line 13" and len(fault.console) == 8
    assert "\x1b" not in fault.console[-1]
    assert pickle.loads(pickle.dumps(fault)).console == fault.console
    assert SandboxFault("x").console == console_tail(tmp_path / "none") == ()


def test_order_that_a_guest_finds_in_memory_is_the_next_frame_of_its_conversation() -> None:
    near, far = socket.socketpair()
    memory: queue.Queue[bytes] = queue.Queue()
    heard: list[Message] = []

    def agent() -> None:
        reader = FrameReader(None)

        def hear(data: bytes, answer: Message | None) -> None:
            (frame,) = reader.feed(data)
            heard.append(messages.decode(frame, messages.FROM_HOST))
            if answer is not None:
                far.sendall(writers[0].pack(messages.encode(answer)))

        data = far.recv(1 << 16)
        writers = [FrameWriter(data[4 : 4 + NONCE_BYTES])]
        hear(data, messages.Awaiting(random_key_at=5000))
        hear(memory.get(timeout=60), None)
        hear(memory.get(timeout=60), Exited())
        hear(far.recv(1 << 16), ENDED)

    thread = threading.Thread(target=agent)
    thread.start()
    with far:
        guest = Guest(Channel(near), FakeCounter(), FakeReading())
        frame, key_at = guest.await_order(COMMAND, LIMITS)
        memory.put(frame)
        run = guest.run_at_once(COMMAND, LIMITS, memory.put)
        thread.join()
    near.close()
    assert run.verdict is Verdict.OK
    assert key_at == 5000
    awaited, rehearsal, order, counted = heard
    assert (awaited, counted) == (messages.Await(), messages.Counted())
    assert isinstance(rehearsal, messages.Run) and rehearsal.rehearsal and rehearsal.at_once
    assert isinstance(order, messages.Run) and order.at_once and not order.rehearsal
    assert rehearsal.limits == order.limits and rehearsal.inputs == order.inputs
