"""One guest's conversation, with an agent that a test plays."""

import math
import pickle
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import BootFault, CounterFault, SandboxFault
from evaluate.core.model import Limits, Run, Usage, Verdict
from evaluate.counters.base import Counter, probe_instructions
from evaluate.protocol import messages
from evaluate.protocol.frames import FrameReader, FrameWriter
from evaluate.protocol.guest import PROBE
from evaluate.protocol.messages import Busy, Ended, Exited, Finished, Loaded, Message, Started
from evaluate.sandbox.base import FIXED_CLOCK, Command, Machine, User, environment
from evaluate.sandbox.channel import Channel, Conversation
from evaluate.sandbox.guest import Guest, judge, place_of
from evaluate.sandbox.running import console_tail
from evaluate.sandbox.snapshots import SavedGuest
from tests.support.fake_sandbox import COMMAND, ENDED, FakeCounter, FakeReading

LIMITS = Limits(instructions=10**9, wall_seconds=60)
SAVED = SavedGuest(conversation=Conversation(nonce="00"), overhead=500, overhead_at_once=30, error=0.0002)
Answers = dict[str, tuple[Message, ...]]
HONEST: Answers = {"run": (Started(),), "go": (Exited(),), "counted": (ENDED,), "kill": (Exited(),)}
UNANNOUNCED: Answers = {"run": (Exited(),), "counted": (ENDED,)}
"""Where the host sees when a command begins."""


@contextmanager
def guest_of(
    answers: Answers,
    *,
    on: Callable[[str], None] = lambda _kind: None,
    uses: Mapping[str, int] | None = None,
    clock: Callable[[], float] = time.monotonic,
    silence: float = 60,
    exchange: float = 60,
    reading: FakeReading | None = None,
    counter: Counter | None = None,
    known: SavedGuest | None = None,
    heard: list[Message] | None = None,
) -> Iterator[tuple[Guest, FakeReading]]:
    """A guest whose agent answers each kind of message by a list of messages; after a `Busy` at its end, for ever.

    What the agent hears is noted in ``heard``, and at each kind in ``uses`` the guest has used so many instructions.
    Unless a test says so, this host may be slow.
    """
    near, far = socket.socketpair()
    gone = threading.Event()
    reading = reading or FakeReading()

    def agent() -> None:
        reader, writer = FrameReader(None), None
        while data := far.recv(1 << 16):
            for frame in reader.feed(data):
                writer = writer or FrameWriter(reader.nonce or b"")
                if heard is not None:
                    heard.append(messages.decode(frame, messages.FROM_HOST))
                on(frame.kind)
                reading.advance((uses or {}).get(frame.kind, 0))
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
    channel = Channel(near, silence=silence, clock=clock)
    try:
        guest = Guest(channel, counter or FakeCounter(), reading, exchange_seconds=exchange, clock=clock, saved=known)
        yield guest, reading
    finally:
        gone.set()
        channel.close()
        thread.join()
        far.close()


def test_command_that_ends_by_itself_is_judged_by_the_report() -> None:
    files = (messages.Collected(data=b"N" * 10, problem=""), messages.Collected(data=None, problem="a folder"))
    answers = {**HONEST, "run": (Busy(), Busy(), Started()), "go": (Busy(), Exited())}
    for left, problems in ((files, {"b": "a folder"}), ((files[0], ENDED.files[1]), {})):
        with guest_of({**answers, "counted": (replace(ENDED, files=left),)}, known=SAVED) as (guest, _):
            run = guest.run(COMMAND, replace(LIMITS, answer_bytes=10))
        assert (run.verdict, run.exit_code, run.stdout, run.stderr) == (Verdict.OK, 0, b"out", b"error")
        assert (dict(run.files), dict(run.problems)) == ({"a": b"N" * 10}, problems), "a missing file is no problem"
        assert (run.usage.memory_bytes, run.usage.output_bytes) == (5_000_000, 8)
        assert run.usage.instructions == 0, "never negative, whatever is subtracted"


@pytest.mark.parametrize(
    ("kind", "detail", "is_marked"),
    [
        ("run", "cleaning up after the previous command took more than", False),
        ("run", "cleaning up after the previous command took more than", True),
        ("kill", "ending its processes took more than", False),
        ("counted", "collecting its files took more than", False),
    ],
)
def test_agent_that_is_alive_and_not_done_is_the_entrys_verdict_from_then_on(
    kind: str, detail: str, is_marked: bool
) -> None:
    reading, heard = Marked(0) if is_marked else None, list[float]()

    def on(said: str) -> None:
        heard.extend([time.monotonic()] if said == kind else [])

    def clock() -> float:
        """It runs fast from then on alone, so that a slow agent has time for what it is to do before."""
        now = time.monotonic()
        return now + 1000 * (now - heard[0] if heard else 0)

    answers = {**HONEST, "go": (), kind: (Busy(),)}
    with guest_of(answers, on=on, clock=clock, silence=1e9, reading=reading) as (guest, _):
        first = guest.run(COMMAND, replace(LIMITS, wall_seconds=0.01))
        second = guest.run(COMMAND, LIMITS)
    assert first.verdict is second.verdict is Verdict.WALL_LIMIT
    assert detail in first.detail and first.detail == second.detail


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        *(({"go": (), kind: ()}, "from the guest, heard nothing for 0 s") for kind in ("run", "kill", "counted")),
        ({"go": (Started(),)}, "found 'started'"),
        ({"go": (Loaded(),)}, "found 'loaded'"),
        ({"run": (messages.AgentFault(message="OSError: no disk"),)}, "the guest agent gave up: OSError: no disk"),
        *(
            ({"run": ()}, f"expected a command's mark from the guest.* {said}")
            for said in ("heard nothing for 0 s", "within 0 s, heard nothing")
        ),
    ],
)
def test_agent_that_is_silent_or_speaks_out_of_turn_or_gives_up_is_a_fault(answers: Answers, problem: str) -> None:
    silence, exchange = (0.2 if "heard nothing for" in problem else 60), (0.5 if "within" in problem else 60)
    reading = Marked(0) if "mark" in problem else None
    with (
        guest_of({**HONEST, **answers}, reading=reading, silence=silence, exchange=exchange) as (guest, _),
        pytest.raises(SandboxFault, match=problem),
    ):
        guest.run(COMMAND, replace(LIMITS, wall_seconds=0.01))


def test_guest_that_the_host_does_not_let_run_exceeds_no_time_limit() -> None:
    stopped, late = time.monotonic(), threading.Event()

    def on(kind: str) -> None:
        if kind in ("run", "go"):
            late.wait(0.3)  # longer than the silence, the wall limit and the exchange together

    with guest_of(HONEST, on=on, clock=lambda: stopped, silence=0.1, exchange=0.1) as (guest, _):
        run = guest.run(COMMAND, replace(LIMITS, wall_seconds=0.01))
    assert (run.verdict, run.usage.wall_seconds) == (Verdict.OK, 0.0)


def test_disks_that_are_not_written_or_given_back_are_a_fault_not_a_verdict() -> None:
    with guest_of({"finish": (Busy(),)}, exchange=0.2) as (guest, _), pytest.raises(SandboxFault, match="not written"):
        guest.finish()
    with guest_of({"finish": (Finished(),)}) as (guest, _):
        guest.finish()
    with guest_of({"rest": (Exited(),)}) as (guest, _), pytest.raises(SandboxFault, match="expected 'resting'"):
        guest.rest()


@pytest.mark.parametrize(
    ("facts", "verdict", "detail"),
    [
        ({}, Verdict.OK, ""),
        ({"oom": True, "forks_refused": 1}, Verdict.MEMORY_LIMIT, "needed more than 1536 MiB of memory"),
        ({"forks_refused": 1}, Verdict.PROCESS_LIMIT, "exceeded the limit of"),
        ({"output_bytes": LIMITS.output_bytes}, Verdict.OK, ""),
        ({"output_bytes": LIMITS.output_bytes + 1}, Verdict.OUTPUT_LIMIT, "printed more than 16 MiB"),
        ({"disk_full": ("home", "root")}, Verdict.OK, ""),
        ({"exit_code": 1, "disk_full": ("home", "root")}, Verdict.DISK_LIMIT, "filled up /home, the root disk"),
        ({"exit_code": 3}, Verdict.RUNTIME_ERROR, "ended with exit code 3"),
        ({"exit_code": 3, "gather_problem": "x"}, Verdict.RUNTIME_ERROR, "ended with exit code 3"),
        ({"exit_code": None, "signal": 11}, Verdict.RUNTIME_ERROR, "was ended by signal 11"),
        ({"gather_problem": "more than 1 MiB"}, Verdict.OUTPUT_LIMIT, "left more than 1 MiB in its folder of answers"),
        ({"used": LIMITS.instructions}, Verdict.OK, ""),
        ({"used": LIMITS.instructions + 1}, Verdict.INSTRUCTION_LIMIT, r"used more than 1e\+09 instructions$"),
        ({"late": True}, Verdict.WALL_LIMIT, "ran for more than 60 s$"),
        ({"used": 1, "late": True}, Verdict.WALL_LIMIT, r"ran for more than 60 s and used 1 of 1e\+09 instructions$"),
    ],
)
def test_each_fact_has_its_verdict_and_use_up_to_a_limit_is_allowed(
    facts: dict[str, Any], verdict: Verdict, detail: str
) -> None:
    def judged(used: int = 0, late: bool = False, **facts: Any) -> Run:
        return judge(replace(ENDED, **facts), LIMITS, COMMAND, usage=Usage(instructions=used), timed_out=late)

    run = judged(**facts)
    assert run.verdict is verdict and re.match(detail, run.detail) and bool(run.detail) == bool(detail)


def test_report_that_does_not_fit_the_order_is_a_fault() -> None:
    with pytest.raises(SandboxFault, match="expected 1 files from the guest, found 2"):
        judge(ENDED, LIMITS, Command(argv=("x",), collect=("a",)), usage=Usage(), timed_out=False)
    large = replace(ENDED, files=(messages.Collected(data=bytes(11), problem=""), ENDED.files[1]))
    with pytest.raises(SandboxFault, match="expected at most 10 bytes of a from the guest, found 11"):
        judge(large, replace(LIMITS, answer_bytes=10), COMMAND, usage=Usage(), timed_out=False)


def test_console_of_a_fault_is_a_field_and_made_plain(tmp_path: Path) -> None:
    (tmp_path / "console.log").write_bytes(b"".join(b"line %d\n" % i for i in range(20)) + b"\x1b[2J\xff")
    fault = pickle.loads(pickle.dumps(BootFault("no answer", console=console_tail(tmp_path))))
    assert (str(fault), fault.console[0], len(fault.console)) == ("no answer", "line 13", 8)
    assert "\x1b" not in fault.console[-1] and console_tail(tmp_path / "none") == ()


class Simulated:
    """An agent in simulated time, whose command uses ``speed`` instructions a second until it is killed or ends."""

    def __init__(self, speed: float, ends: float = math.inf) -> None:
        self.speed, self.ends, self.now, self.looks, self.reading = speed, ends, 0.0, 0, FakeReading()

    def send(self, message: Message) -> None:
        pass

    def receive(self, seconds: float) -> Message | None:
        if self.now >= self.ends:
            return Exited()
        passed = min(self.now + seconds, self.ends) - self.now
        self.now, self.looks = self.now + passed, self.looks + 1
        self.reading.advance(math.ceil(passed * self.speed))
        return None

    def expect(self, kind: type[Message], _seconds: float) -> Message:
        return ENDED if kind is Ended else kind()

    def run(self, limits: Limits, command: Command = COMMAND, known: SavedGuest | None = None) -> Run:
        channel: Any = self
        guest = Guest(channel, FakeCounter(), self.reading, clock=lambda: self.now, saved=known)
        return guest.run(command, limits)


@pytest.mark.parametrize("speed", [1e8, 1e9, 1e10, 5e11])
def test_command_has_at_most_a_millisecond_beyond_its_instructions_and_is_seldom_looked_at(speed: float) -> None:
    found = Simulated(speed)
    run = found.run(LIMITS)
    assert run.verdict is Verdict.INSTRUCTION_LIMIT
    assert run.usage.instructions - LIMITS.instructions <= 0.00101 * speed
    assert found.looks <= LIMITS.instructions / speed / 0.05 + 40


def test_command_that_is_slow_is_killed_at_its_time_limit_and_seldom_looked_at() -> None:
    found = Simulated(1.0)
    run = found.run(LIMITS)
    assert run.verdict is Verdict.WALL_LIMIT and run.detail.startswith("ran for more than 60 s and used ")
    assert 60 < run.usage.wall_seconds < 60.1
    assert found.looks <= 60 / 0.05 + 40
    exactly = Simulated(1e6, ends=0.001).run(replace(LIMITS, wall_seconds=0.001))
    assert exactly.verdict is Verdict.OK, "it may take its time"


def test_who_watches_a_command_sees_what_it_has_used_so_far() -> None:
    found, seen = Simulated(1e8), list[Usage]()
    found.now = 7.0
    found.reading.advance(5000)

    def using(usage: Usage, limits: Limits) -> None:
        assert limits is LIMITS
        seen.append(usage)

    run = found.run(LIMITS, replace(COMMAND, using=using), replace(SAVED, overhead=10**6))
    assert [one.instructions for one in seen[:2]] == [0, pytest.approx(seen[1].wall_seconds * 1e8 - 1e6, abs=10)]
    assert seen[0].wall_seconds == pytest.approx(0.001)
    assert (seen[-1].instructions, seen[-1].wall_seconds) == (run.usage.instructions, run.usage.wall_seconds)


def test_files_are_taken_from_the_disk_of_answers_when_a_command_gathers_them(tmp_path: Path) -> None:
    (tmp_path / "disk").write_bytes(struct.pack("<HQ", 6, 2) + b"a.json{}" + struct.pack("<HQ", 0, 0))
    for gather, answers, wanted in (
        (tmp_path / "answers", tmp_path / "disk", ["a.json"]),
        (tmp_path / "none", None, []),
        (None, tmp_path / "disk", []),
    ):
        with guest_of(HONEST) as (guest, _):
            guest._answers = answers
            assert guest.run(replace(COMMAND, gather=gather), LIMITS).verdict is Verdict.OK
        assert [path.name for path in gather.glob("*")] == wanted if gather else not wanted


@pytest.mark.parametrize(("more", "killed"), [(0, False), (1, True)])
def test_running_command_is_killed_after_the_limit_and_the_agents_own_part_of_the_count(
    more: int, killed: bool
) -> None:
    heard: list[Message] = []
    answers = {**HONEST, "go": () if killed else (Busy(), Exited())}
    uses = {"go": LIMITS.instructions + 500 + more}
    with guest_of(answers, uses=uses, known=SAVED, heard=heard) as (guest, _):
        run = guest.run(COMMAND, LIMITS)
    assert (messages.Kill() in heard) is killed
    assert run.usage.instructions == LIMITS.instructions + more
    assert run.verdict is (Verdict.INSTRUCTION_LIMIT if killed else Verdict.OK)


class Marked(FakeReading):
    """A count with a mark where the command began; 0: it has not begun."""

    def __init__(self, mark: int) -> None:
        super().__init__()
        self.mark, self.awaited, self.settled = mark, 0, 0

    def await_mark(self) -> bool:
        self.awaited += 1
        return True

    def marked(self) -> int | None:
        return self.mark

    def instructions(self, *, settled: bool = False) -> int:
        self.settled += settled
        return super().instructions()


@pytest.mark.parametrize(("mark", "counted"), [(700, 3000 - 700 - 50), (0, 0)])
def test_count_begins_at_the_mark_of_the_command_and_nothing_counts_before_it(mark: int, counted: int) -> None:
    marked = Marked(mark)
    heard: list[Message] = []
    known = replace(SAVED, overhead=50)
    with guest_of(UNANNOUNCED, uses={"run": 3000}, reading=marked, known=known, heard=heard) as (guest, _):
        # a command that has not begun can exceed no limit of instructions
        run = guest.run(COMMAND, replace(LIMITS, instructions=2500 if mark else 10), clock=5)
        assert (marked.awaited, marked.settled) == (1, 1), "after it"
        guest.wait_until_idle()
    assert (run.verdict, run.usage.instructions, marked.settled) == (Verdict.OK, counted, 2)
    order, ended = heard
    assert isinstance(order, messages.Run) and (order.clock, order.waits, ended) == (5, False, messages.Counted())


def test_time_of_a_command_begins_where_its_mark_was_last_looked_for_in_vain() -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 1.0
        return now

    class Late(Marked):
        def marked(self) -> int | None:
            return 0 if now < 60 else 1

    answers = {**UNANNOUNCED, "run": (), "kill": (Exited(),)}
    with guest_of(answers, clock=clock, reading=Late(0), silence=1e9, exchange=1e9) as (guest, _):
        run = guest.run(COMMAND, replace(LIMITS, wall_seconds=20))
    assert run.verdict is Verdict.WALL_LIMIT
    assert 20 < run.usage.wall_seconds < 40


def test_order_that_a_guest_finds_in_memory_is_the_next_frame_of_its_conversation() -> None:
    heard: list[Message] = []
    answers = {**HONEST, "await": (messages.Awaiting(random_key_at=5000),), "run": (Exited(),)}
    with guest_of(answers, known=SAVED, heard=heard) as (guest, reading):

        def resume(order: bytes) -> None:
            reading.advance(1030)
            guest._channel._socket.sendall(order)  # as found in memory by a real guest

        assert guest.await_order(place_of(COMMAND, LIMITS)) == 5000
        run = guest.run_at_once(COMMAND, LIMITS, resume)
    assert (run.verdict, run.usage.instructions) == (Verdict.OK, 1000), "less its own overhead"
    awaited, order, counted = heard
    assert (awaited, counted) == (messages.Await(order=place_of(COMMAND, LIMITS)), messages.Counted())
    assert isinstance(order, messages.Run) and order.at_once and not order.medium


def test_greeting_says_what_the_machine_has(tmp_path: Path) -> None:
    image: Any = None  # not used in the conversation
    has = {
        "entry": tmp_path,
        "records": tmp_path,
        "container": True,
        "answers_bytes": 1,
        "layers": (tmp_path, tmp_path),
    }
    heard: list[Message] = []
    for machine in (Machine(image=image), Machine(image=image, exact=True, **has)):  # type: ignore[arg-type]
        with guest_of({"hello": (messages.Ready(),)}, heard=heard) as (guest, _):
            guest.greet(machine, 60)
    bare, full = (hello for hello in heard if isinstance(hello, messages.Hello))
    assert time.time() - 600 < bare.clock <= time.time()
    for hello, everything, layers, clock in ((bare, False, 0, bare.clock), (full, True, 2, FIXED_CLOCK)):
        flags = dict.fromkeys(("entry", "records", "answers", "container"), everything)
        assert hello == messages.Hello(layers=layers, clock=clock, licence=(), fresh=True, **flags)


def test_program_starts_as_many_threads_as_its_machine_has_processors() -> None:
    own = {"OMP_NUM_THREADS": "2"}
    for processors, env, threads in ((4, {}, "4"), (1, {}, "1"), (4, own, "2"), (0, {}, None)):
        given = environment(replace(COMMAND, env=env), replace(LIMITS, processors=processors))
        assert given.get("OMP_NUM_THREADS") == threads


ENDED_PROBE = replace(ENDED, files=())


def calibrated(error: float, cold: int = 10**6, **answers: tuple[Message, ...]) -> tuple[Guest, list[Message]]:
    """A guest whose counter is wrong by so much, and whose first run counts more."""
    heard: list[Message] = []

    def on(kind: str) -> None:
        if kind == "go":
            order = [one for one in heard if isinstance(one, messages.Run)]
            loops = int(order[-1].argv[-1])
            exact = probe_instructions(loops) + round(error * probe_instructions(loops) * (loops > 1))
            reading.advance(400 + exact + cold * (len(order) == 1))

    with guest_of({**HONEST, **answers}, on=on, heard=heard) as (guest, reading):
        guest.calibrate()
    return guest, heard


def test_calibration_finds_the_agents_part_and_the_error_of_the_counter_which_has_a_bound() -> None:
    guest, heard = calibrated(0.0005, counted=(ENDED_PROBE,))
    assert guest._overhead == 400
    assert guest.counter.kind == "fake" and guest.counter.calibration_error == pytest.approx(0.0005, rel=1e-3)
    assert [one.argv[0] for one in heard if isinstance(one, messages.Run)] == [PROBE] * 3
    exact = probe_instructions(10_000_000)
    for sign in (1, -1):
        found = f"found {exact + round(sign * 0.0011 * exact)} instructions, expected {exact}"
        with pytest.raises(CounterFault, match=rf"{found}: an error of .*, above the tolerance of 0\.10%"):
            calibrated(sign * 0.0011, counted=(ENDED_PROBE,))
    full, _ = calibrated(0.0, counted=(replace(ENDED_PROBE, exit_code=126, disk_full=("home",)),))
    assert full._overhead == 0, "an entry that has filled a disk gets that verdict for each command"
    with pytest.raises(SandboxFault, match="the calibration probe failed: RUNTIME_ERROR ended with exit code 3"):
        calibrated(0.0, counted=(replace(ENDED_PROBE, exit_code=3),))


def test_agents_part_at_once_is_measured_with_the_inputs_and_limits_of_a_record() -> None:
    sample = Command(argv=("/next.sh",), inputs={"a": "b"}, medium=Path("records"), gather=Path("answers"))
    limits = replace(LIMITS, memory_bytes=123 << 20)
    for exit_code in (0, 3):
        heard: list[Message] = []
        answers = {"run": (Exited(),), "counted": (replace(ENDED_PROBE, exit_code=exit_code),)}
        with guest_of(answers, heard=heard) as (guest, reading):

            def resume(order: bytes, guest: Guest = guest, reading: FakeReading = reading) -> None:
                reading.advance(400 + probe_instructions(1))
                guest._channel._socket.sendall(order)

            with pytest.raises(SandboxFault, match="probe failed: RUNTIME_ERROR") if exit_code else nullcontext():
                assert guest.calibrate_at_once(sample, limits, resume) == 400
        order = heard[0]
        assert isinstance(order, messages.Run) and order.at_once and order.medium and not order.waits
        assert (order.argv, order.cwd, order.inputs) == ((PROBE, "1"), "/", {"a": "b"})
        assert order.limits.memory_bytes == 123 << 20


def test_facts_about_a_guest_go_with_it_when_it_is_saved() -> None:
    with guest_of({"rest": (messages.Resting(),)}, known=SAVED) as (guest, _):
        guest.rest()
        assert replace(guest.facts, conversation=SAVED.conversation) == SAVED
        assert guest.counter.calibration_error == 0.0002 and guest.is_usable


def test_commands_of_one_stage_have_the_same_place() -> None:
    place = place_of(COMMAND, LIMITS)
    other = replace(COMMAND, argv=("/bin/b",), cwd="/b", env={"B": "b"}, inputs={"/b": "b"}, collect=("/b",))
    other = replace(other, remove=("/b",), medium=Path("b.iso"), mounts={"/b": "b"})
    assert place_of(other, replace(LIMITS, instructions=1, wall_seconds=1)) == place
    for elsewhere in ({"output": "/b"}, {"user": User(uid=1, gid=1)}, {"keep": True}, {"inbox": "/b"}):
        assert place_of(replace(COMMAND, **elsewhere), LIMITS) != place
    assert place_of(COMMAND, replace(LIMITS, memory_bytes=1)) != place


SERVER = replace(COMMAND, inbox="/input")


@pytest.mark.parametrize("at_once", [True, False])
def test_server_that_is_loaded_is_paused_and_is_invoked_in_a_room_or_at_a_mark_of_its_own(at_once: bool) -> None:
    """And the clock of a restored guest is set before its command."""
    heard: list[Message] = []
    answers = {**UNANNOUNCED, "run": (Loaded(),), "invoke": (Exited(),)}
    with guest_of(answers, reading=(marked := Marked(1)), heard=heard) as (guest, _):
        assert guest.load(SERVER, LIMITS) is None
        if at_once:
            guest.run_at_once(SERVER, LIMITS, guest._channel._socket.sendall)
        else:
            assert guest.invoke(SERVER, LIMITS, clock=6).verdict is Verdict.OK
    assert marked.awaited == 1 + (not at_once)
    loaded, invoked, counted = heard
    assert isinstance(loaded, messages.Run) and (loaded.clock, counted) == (0, messages.Counted())
    assert invoked == messages.Invoke(waits=False, at_once=at_once, clock=0 if at_once else 6)


@pytest.mark.parametrize(
    ("answers", "verdict", "detail"),
    [
        ({"counted": (replace(ENDED, exit_code=1),)}, Verdict.RUNTIME_ERROR, "ended with exit code 1"),
        ({"counted": (replace(ENDED, exit_code=0),)}, Verdict.RUNTIME_ERROR, "ended before it was healthy"),
        # loaded just when it was killed
        ({"go": (), "kill": (Loaded(), Exited())}, Verdict.INSTRUCTION_LIMIT, "used more than 1e+09 instructions"),
    ],
)
def test_server_that_cannot_be_loaded_has_the_outcome_of_a_command(
    answers: Answers, verdict: Verdict, detail: str
) -> None:
    uses = {"go": LIMITS.instructions + 10**6 if "go" in answers else 0}
    with guest_of({**HONEST, **answers}, uses=uses) as (guest, _):
        run = guest.load(SERVER, LIMITS)
    assert run is not None and (run.verdict, run.detail) == (verdict, detail)
