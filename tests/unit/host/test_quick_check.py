"""The three lines that `evaluate doctor` begins with."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.core.model import (
    CounterInfo,
    Entry,
    Evaluation,
    MachineInfo,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.host import quick_check as module
from evaluate.host.finding import Check
from evaluate.host.quick_check import note_speed, working_parts

GOOD = [Check(name=name, ok=True, found="there") for name in ("programs", "binding", "libvirt", "walls", "state")]
NO_KVM = Check(name="kvm", ok=False, needed=False, found="no /dev/kvm: software emulation is used")


@pytest.fixture(autouse=True)
def _no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_engine", lambda: "")
    monkeypatch.setattr(module.shutil, "which", lambda name: f"/usr/bin/{name}")


def test_three_lines_say_what_works_and_how_fast_it_was(tmp_path: Path) -> None:
    assert list(working_parts(tmp_path, [*GOOD, NO_KVM])) == [
        "KVM        no  no /dev/kvm: software emulation is used",
        "emulation  yes not measured yet: the first try does; counts are the same as on a server",
        "container  no  neither podman nor docker answers; --runner plain works without any, for the first minutes",
    ]
    used = Usage(instructions=3 * 10**9, wall_seconds=20.0)
    result = StageResult(stage=Stage.QUIZ, verdict=Verdict.OK, usage=used)
    machine = MachineInfo(accelerator="tcg", image="i", counter=CounterInfo(kind="tcg", calibration_error=0.0))
    outcomes = (StageOutcome(result=result, machine=machine),)
    note_speed(tmp_path, Evaluation(entry=Entry(archive=tmp_path, sha256="", size=0), challenge="c", outcomes=outcomes))
    found = list(working_parts(tmp_path, [*GOOD, NO_KVM]))
    assert found[1].startswith("emulation  yes 1.5e8 instructions a second when last tried")


def test_what_is_missing_for_the_machine_is_named_and_nothing_is_claimed(tmp_path: Path) -> None:
    broken = Check(name="libvirt", ok=False, found="no connection to libvirt")
    lines = list(working_parts(tmp_path, [broken, NO_KVM]))
    assert [line[11:14].strip() for line in lines] == ["no", "no", "no"]
    assert "no connection to libvirt" in lines[1]


def test_doctor_is_short_for_a_participant_and_whole_for_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = [*GOOD, NO_KVM, Check(name="images", ok=False, found="none", remedy=(("evaluate", "demo"),))]
    monkeypatch.setattr("evaluate.host.doctor.diagnose", lambda _: checks)
    monkeypatch.setattr("evaluate.host.doctor.repair", lambda _: None)

    def lines(*words: str) -> list[str]:
        return CliRunner().invoke(main, ["--state", str(tmp_path), "doctor", *words]).stdout.splitlines()

    short = lines()
    assert [line.split()[0] for line in short] == ["KVM", "emulation", "container", "miss", "repair:", "evaluate"]
    assert lines("--fix") == short  # as at the end of ./run setup
    assert len(lines("--all")) == 3 + len(checks) + 2
    (tmp_path / "evaluate.yaml").write_text("host: green\n")
    assert lines() == lines("--all")
