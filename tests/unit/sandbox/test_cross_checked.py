from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.model import CounterInfo, Limits, Run, Sizes, Usage, Verdict
from evaluate.counters.base import UNCOUNTED, NoCounter
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.cross_checked import CheckedHypervisor, Recount
from tests.support.fake_sandbox import FakeHypervisor, FakeSandbox, Script
from tests.support.scripted import IMAGE

LIMITS = Limits(instructions=10**9, wall_seconds=60)
TRUE = Command(argv=("/bin/true",))
SETUP = Command(argv=("./setup.sh",), keep=True)


class Uncounted(FakeHypervisor):
    """KVM without a counter."""

    accelerator = "kvm"

    @property
    def counter(self) -> CounterInfo:
        return CounterInfo(kind=UNCOUNTED, calibration_error=0.0)


def script(instructions: int, seconds: float = 0.1, verdict: Verdict = Verdict.OK) -> Script:
    usage = Usage(instructions=instructions, wall_seconds=seconds)
    return lambda _command, _limits: Run(verdict=verdict, usage=usage, exit_code=0)


def checked(first: FakeHypervisor, second: FakeHypervisor, every: int = 0) -> tuple[CheckedHypervisor, list[str]]:
    said: list[str] = []
    return CheckedHypervisor(first, lambda: second, tolerance=0.02, every=every, say=said.append), said


def machine(gpus: tuple[str, ...] = ()) -> Machine:
    return Machine(image=IMAGE, gpus=gpus)


def test_every_so_many_commands_one_is_recounted_and_the_difference_recorded() -> None:
    second = FakeHypervisor(script(1000))
    hypervisor, messages = checked(FakeHypervisor(script(1010)), second, every=3)
    with hypervisor.boot(machine()) as sandbox:
        for _ in range(7):
            assert sandbox.run(TRUE, LIMITS).usage.instructions == 1010
    assert hypervisor.recounts == [Recount(counted=1010, recounted=1000)] * 2
    assert hypervisor.counter is not None
    assert hypervisor.counter.recount_difference == pytest.approx(0.01)
    assert (messages, second.running) == ([], 0)


@pytest.mark.parametrize(
    ("again", "processors", "recounts", "alarms"),
    [
        (script(1000), 1, [Recount(counted=1100, recounted=1000)], 1),
        # threads that wait for each other count otherwise each time
        (script(1000), 4, [Recount(counted=1100, recounted=1000)], 0),
        (script(3, verdict=Verdict.WALL_LIMIT), 1, [], 0),  # it was ended before it had counted all
    ],
)
def test_difference_beyond_the_tolerance_is_an_alarm_where_counts_can_be_compared(
    again: Script, processors: int, recounts: list[Recount], alarms: int
) -> None:
    hypervisor, messages = checked(FakeHypervisor(script(1100)), FakeHypervisor(again), every=1)
    with hypervisor.boot(replace(machine(), sizes=Sizes(processors=processors))) as sandbox:
        assert sandbox.run(TRUE, LIMITS).usage.instructions == 1100  # the first counter still judges
    assert (hypervisor.recounts, len(messages)) == (recounts, alarms)
    alarm = "alarm: the fake counter found 1100 instructions and emulation 1000, a difference of +10.00%"
    assert all(message.startswith(alarm) for message in messages)


def test_double_is_booted_only_when_it_is_needed_and_has_seen_what_was_kept() -> None:
    second = FakeHypervisor(script(1000))
    hypervisor, _ = checked(FakeHypervisor(script(1000)), second, every=2)
    with hypervisor.boot(machine()) as sandbox:
        sandbox.run(SETUP, LIMITS)
        sandbox.run(TRUE, LIMITS)
        assert second.machines == []
        sandbox.run(TRUE, LIMITS)
        sandbox.run(SETUP, LIMITS)
        sandbox.run(TRUE, LIMITS)
        sandbox.run(TRUE, LIMITS)
    assert second.sandboxes[0].commands == [SETUP, TRUE, SETUP, TRUE]


@pytest.fixture
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    info = property(lambda _self: CounterInfo(kind=UNCOUNTED, calibration_error=0.0))
    monkeypatch.setattr(FakeSandbox, "counter", info)


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(("seconds", "gpus"), [(0.01, ()), (100.0, ("0000:01:00.0",))], ids=["short", "with a device"])
def test_uncounted_command_that_cannot_exceed_its_limit_or_have_a_double_is_not_recounted(
    seconds: float, gpus: tuple[str, ...], tmp_path: Path
) -> None:
    second = FakeHypervisor(script(5))
    hypervisor, _ = checked(Uncounted(script(0, seconds=seconds)), second)
    with hypervisor.boot(machine(gpus)) as sandbox:
        run = sandbox.run(TRUE, LIMITS)
    assert (run.verdict, run.usage.instructions, second.machines) == (Verdict.OK, 0, [])
    assert hypervisor.counter is not None and hypervisor.counter.kind == UNCOUNTED
    counter = NoCounter()
    assert (counter.kind, counter.qemu_arguments(tmp_path)) == (UNCOUNTED, ())
    assert counter.attach(tmp_path, 1).instructions(settled=True) == 0


@pytest.mark.usefixtures("uncounted")
def test_uncounted_command_that_could_have_exceeded_it_is_judged_by_emulation(tmp_path: Path) -> None:
    hypervisor, _ = checked(
        Uncounted(script(0, seconds=1.0)), FakeHypervisor(script(10**9 + 1, 20.0, Verdict.INSTRUCTION_LIMIT))
    )
    with hypervisor.boot(machine()) as sandbox:
        run = sandbox.run(TRUE, LIMITS)
        sandbox.freeze(tmp_path)
    assert run.verdict is Verdict.INSTRUCTION_LIMIT
    assert "counted under emulation" in run.detail
    assert run.usage == Usage(instructions=10**9 + 1, wall_seconds=1.0)


def result(**changes: object) -> Run:
    usage = Usage(instructions=7, wall_seconds=1.0)
    run = Run(verdict=Verdict.OK, usage=usage, exit_code=0, stdout=b"N", files={"answer": b"N"})
    return replace(run, **changes)  # type: ignore[arg-type]


DIFFERENT = [
    (result(verdict=Verdict.RUNTIME_ERROR, exit_code=1, detail="ended with exit code 1"), "ended as RUNTIME_ERROR"),
    (result(verdict=Verdict.WALL_LIMIT), "ended as WALL_LIMIT"),
    (result(exit_code=3), "ended with exit code 3, not 0"),
    (result(stdout=b""), "printed something else"),
    (result(files={}), "left other files"),
    (result(problems={"answer": "not a regular file"}), "left other files"),
]


def in_turn(*runs: Run) -> Script:
    left = list(runs)
    return lambda _command, _limits: left.pop(0) if len(left) > 1 else left[0]


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize(("again", "words"), DIFFERENT)
def test_program_that_behaves_otherwise_when_it_is_counted_is_refused(again: Run, words: str) -> None:
    second = FakeHypervisor(lambda _command, _limits: again)
    hypervisor, _ = checked(Uncounted(in_turn(result())), second)
    with hypervisor.boot(machine()) as sandbox:
        run = sandbox.run(TRUE, LIMITS)
    assert run.verdict is Verdict.NOT_REPRODUCIBLE and words in run.detail
    assert len(second.machines) == 2 and second.running == 0


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("again", [again for again, _ in DIFFERENT] + [result(stderr=b"99 %|x| 3.1 s")])
def test_program_that_agrees_at_the_second_time_or_in_all_but_its_warnings_is_judged_as_it_ran(again: Run) -> None:
    hypervisor, _ = checked(Uncounted(in_turn(result())), FakeHypervisor(in_turn(again, result())))
    with hypervisor.boot(machine()) as sandbox:
        assert sandbox.run(TRUE, LIMITS) == result()


@pytest.mark.usefixtures("uncounted")
def test_program_that_failed_is_only_counted() -> None:
    failed = result(verdict=Verdict.RUNTIME_ERROR, exit_code=1)
    second = FakeHypervisor(in_turn(result(usage=Usage(instructions=9, wall_seconds=30))))
    hypervisor, _ = checked(Uncounted(in_turn(failed)), second)
    with hypervisor.boot(machine()) as sandbox:
        assert sandbox.run(TRUE, LIMITS) == replace(failed, usage=Usage(instructions=9, wall_seconds=1.0))
    assert len(second.machines) == 1


@pytest.mark.usefixtures("uncounted")
def test_kept_command_that_fails_in_the_double_is_no_recount() -> None:
    def again(command: Command, _limits: Limits) -> Run:
        return result(verdict=Verdict.RUNTIME_ERROR, exit_code=1, detail="no setup") if command.keep else result()

    quick = replace(result(), usage=Usage(instructions=0, wall_seconds=0.001))
    hypervisor, _ = checked(Uncounted(in_turn(quick, result())), FakeHypervisor(again))
    with hypervisor.boot(machine()) as sandbox:
        assert sandbox.run(SETUP, LIMITS).verdict is Verdict.OK
        run = sandbox.run(TRUE, LIMITS)
    assert run.verdict is Verdict.NOT_REPRODUCIBLE and "no setup" in run.detail


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("same", [True, False])
def test_folder_of_answers_is_compared(tmp_path: Path, same: bool) -> None:
    def leaving(text: str) -> Script:
        def script(command: Command, _limits: Limits) -> Run:
            assert command.gather is not None
            command.gather.mkdir()
            (command.gather / "a.json").write_text(text)
            return result()

        return script

    hypervisor, _ = checked(Uncounted(leaving("1")), FakeHypervisor(leaving("1" if same else "2")))
    with hypervisor.boot(machine()) as sandbox:
        run = sandbox.run(replace(TRUE, gather=tmp_path / "answers"), LIMITS)
    assert (run.verdict is Verdict.OK) is same
    assert [path.name for path in tmp_path.rglob("*")] == ["answers", "a.json"]
