from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.core.model import CounterInfo, Limits, Run, Usage, Verdict
from evaluate.counters.uncounted import UNCOUNTED, NoCounter
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.cross_checked import CheckedHypervisor, Recount
from tests.support.fake_sandbox import FakeHypervisor, FakeSandbox, Script
from tests.unit.stages.test_stages import IMAGE

LIMITS = Limits(instructions=10**9, wall_seconds=60)
TRUE = Command(argv=("/bin/true",))
SETUP = Command(argv=("./setup.sh",), keep=True)


class Uncounted(FakeHypervisor):
    """KVM without a counter."""

    accelerator = "kvm"

    def __init__(self, script: Script) -> None:
        super().__init__(script)

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
    hypervisor, said = checked(FakeHypervisor(script(1010)), second, every=3)
    with hypervisor.boot(machine()) as sandbox:
        for _ in range(7):
            assert sandbox.run(TRUE, LIMITS).usage.instructions == 1010
    assert hypervisor.recounts == [Recount(counted=1010, recounted=1000)] * 2
    assert hypervisor.counter is not None
    assert hypervisor.counter.recount_difference == pytest.approx(0.01)
    assert said == []
    assert second.running == 0


def test_difference_beyond_the_tolerance_is_an_alarm() -> None:
    hypervisor, said = checked(FakeHypervisor(script(1100)), FakeHypervisor(script(1000)), every=1)
    with hypervisor.boot(machine()) as sandbox:
        assert sandbox.run(TRUE, LIMITS).usage.instructions == 1100  # the first counter still judges
    assert len(said) == 1
    assert said[0].startswith("alarm: the fake counter found 1100 instructions and emulation 1000")
    assert "+10.00%" in said[0]


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
def test_uncounted_command_that_was_too_short_to_exceed_its_limit_is_not_recounted() -> None:
    second = FakeHypervisor(script(5))
    hypervisor, _ = checked(Uncounted(script(0, seconds=0.01)), second)
    with hypervisor.boot(machine()) as sandbox:
        run = sandbox.run(TRUE, LIMITS)
    assert (run.verdict, run.usage.instructions) == (Verdict.OK, 0)
    assert second.machines == []
    assert hypervisor.counter is not None
    assert hypervisor.counter.kind == UNCOUNTED


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


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("verdict", [Verdict.OK, Verdict.RUNTIME_ERROR, Verdict.WALL_LIMIT])
def test_emulation_judges_only_the_instructions(verdict: Verdict) -> None:
    hypervisor, _ = checked(Uncounted(script(0, seconds=1.0)), FakeHypervisor(script(7, verdict=verdict)))
    with hypervisor.boot(machine()) as sandbox:
        run = sandbox.run(TRUE, LIMITS)
    assert (run.verdict, run.usage.instructions) == (Verdict.OK, 7)


@pytest.mark.usefixtures("uncounted")
def test_guest_with_a_device_of_the_host_has_no_double() -> None:
    second = FakeHypervisor(script(7))
    hypervisor, _ = checked(Uncounted(script(0, seconds=100.0)), second)
    with hypervisor.boot(machine(gpus=("0000:01:00.0",))) as sandbox:
        assert sandbox.run(TRUE, LIMITS).usage.instructions == 0
    assert second.machines == []


def test_no_counter_reads_nothing(tmp_path: Path) -> None:
    counter = NoCounter()
    reading = counter.attach(tmp_path, 1)
    assert (counter.kind, counter.qemu_arguments(tmp_path), reading.instructions(settled=True)) == ("uncounted", (), 0)
