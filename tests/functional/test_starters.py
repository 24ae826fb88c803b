"""`evaluate new` in real machines: languages that need no packages; others are for `python -m tests.starters`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.authoring.starter import write_entry
from evaluate.challenge import load_challenge
from evaluate.core.model import Verdict
from evaluate.host.trial import try_entry
from evaluate.stages.monitor import NullMonitor


@pytest.mark.vm
@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "python"])
def test_new_entry_passes_in_a_machine(language: str, state: Path, hypervisor: object, tmp_path: Path) -> None:
    challenge = load_challenge("cinc2017")
    short = replace(challenge, exam=replace(challenge.exam, records=challenge.exam.records[:1]))
    write_entry(tmp_path / "mine", challenge, language)
    evaluation = try_entry(tmp_path / "mine", short, state, NullMonitor(), accelerator="tcg", quiz_records=2)
    assert evaluation.verdict is Verdict.OK, evaluation.stages[-1].message + evaluation.stages[-1].diagnostics
