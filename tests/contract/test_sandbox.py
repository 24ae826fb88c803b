"""What every `Hypervisor` and `Sandbox` must do: fake, libvirt's, and without a virtual machine."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.model import Limits, Verdict
from evaluate.sandbox.base import Command, Hypervisor, Machine
from evaluate.sandbox.plain import NONE, PlainHypervisor
from tests.support.fake_sandbox import FakeHypervisor

LIMITS = Limits(instructions=10**12, wall_seconds=120)
TRUE = Command(argv=("/bin/true",))


@pytest.fixture(params=["fake", "plain", pytest.param("libvirt", marks=pytest.mark.vm)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Hypervisor, Machine, Path]]:
    """A hypervisor, a machine for it, and a folder that it can write to."""
    image: Any = None
    if request.param != "libvirt":
        alone = FakeHypervisor() if request.param == "fake" else PlainHypervisor(tmp_path)
        yield alone, Machine(image=image), tmp_path
        return
    hypervisor = request.getfixturevalue("hypervisor")
    with hypervisor.runs.new("test") as folder:
        yield hypervisor, Machine(image=request.getfixturevalue("image")), folder


def test_guest_lives_from_boot_to_freeze(place: tuple[Hypervisor, Machine, Path]) -> None:
    """One boot for all that can be asked of one guest."""
    hypervisor, machine, folder = place
    assert hypervisor.accelerator
    with hypervisor.boot(machine) as sandbox:
        assert hypervisor.counter is not None
        assert abs(sandbox.counter.calibration_error) < 0.1
        runs = [sandbox.run(TRUE, LIMITS), sandbox.run(Command(argv=("/bin/true",), collect=("/absent",)), LIMITS)]
        for run in runs:
            assert (run.verdict, run.exit_code, run.signal, run.detail) == (Verdict.OK, 0, None, "")
            assert run.usage.wall_seconds > 0
            assert (run.usage.instructions > 0) == (sandbox.counter.kind != NONE)
            assert (dict(run.files), dict(run.problems)) == ({}, {})
        prepared = sandbox.freeze(folder)
        assert {prepared.root.parent, prepared.home.parent} == {folder}
        assert prepared.root.exists() and prepared.home.exists()
        with pytest.raises(SandboxFault):
            sandbox.run(TRUE, LIMITS)


def test_guest_is_gone_when_its_context_ends_however_it_ends(place: tuple[Hypervisor, Machine, Path]) -> None:
    hypervisor, machine, _ = place
    with pytest.raises(ZeroDivisionError), hypervisor.boot(machine) as sandbox:
        raise ZeroDivisionError
    with pytest.raises(SandboxFault):
        sandbox.run(TRUE, LIMITS)
