"""Whatever a guest agent says, a command ends with a verdict or with a `SandboxFault`."""

from __future__ import annotations

from evaluate.core.errors import SandboxFault
from evaluate.core.model import Run
from tests.support.lying_agent import converse


def test_lies_end_in_a_run_or_a_sandbox_fault() -> None:
    found = [outcome for seed in range(150) for outcome in converse(seed)]
    # how many of each depends on how busy this host is
    assert {type(outcome) for outcome in found} == {Run, SandboxFault}
