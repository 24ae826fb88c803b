"""What a person sees of an evaluation while it runs."""

import pytest

from evaluate.commands.console import ConsoleMonitor
from evaluate.core.model import Limits, RecordOutcome, Stage, StageResult, Usage, Verdict
from evaluate.core.waiting import Deadline
from evaluate.report.audience import Policy

USED = Usage(instructions=1000, wall_seconds=0.1)
NEAR = "41.0 s of at most 600 s, 9.0e2 of 1.0e3 instructions (90 %)"
FAILED = RecordOutcome(record="r2", verdict=Verdict.RUNTIME_ERROR, usage=USED, message="ended with exit code 1")


TOLD = {
    Stage.QUIZ: [
        "quiz: 3 records",
        "  1/3 r1 N  1.0e3 instructions, 0.1 s",
        "  2/3 r2 RUNTIME_ERROR  1.0e3 instructions, 0.1 s",
        "quiz r2: RUNTIME_ERROR ended with exit code 1",
        "    | standard error:",
        "    | boom \N{REPLACEMENT CHARACTER}[31m",
        "  next: evaluate try mine --challenge c --record r2     runs it alone",
        "        evaluate try mine --challenge c --shell r2      opens a shell where it ran",
        "  3/3 r2 RUNTIME_ERROR  1.0e3 instructions, 0.1 s",
    ],
    Stage.EXAM: ["exam: 3 records", "  1/3", "  2/3", "  3/3"],
}


@pytest.mark.parametrize("stage", TOLD)
@pytest.mark.parametrize("has_shell", [True, False], ids=["machine", "plain runner"])
def test_first_failure_is_told_at_once_with_what_can_be_done_and_nothing_of_a_hidden_exam(
    capsys: pytest.CaptureFixture[str], stage: Stage, *, has_shell: bool
) -> None:
    again = "evaluate try mine --challenge c"
    with ConsoleMonitor(Policy(hidden_exam=True), again=again, has_shell=has_shell) as monitor:
        monitor.stage_started(stage, 3)
        monitor.record_ended(stage, RecordOutcome(record="r1", verdict=Verdict.OK, usage=USED, answer="N"))
        monitor.record_ended(stage, FAILED, "standard error:\nboom \x1b[31m")
        monitor.record_ended(stage, FAILED, "a second one")
    wanted = [line for line in TOLD[stage] if has_shell or "--shell" not in line]
    assert capsys.readouterr().err.splitlines() == wanted


@pytest.mark.parametrize(
    ("stage", "step", "policy", "words"),
    [
        (Stage.QUIZ, "record r1", Policy(hidden_exam=True), NEAR),
        (Stage.EXAM, "record r1", Policy(hidden_exam=True), None),
        (Stage.TRAIN, "training", Policy(hidden_exam=True), NEAR),
        (Stage.TRAIN, "training", Policy(hidden_exam=True, hidden_training=True), None),
        (None, "preparing the machine", Policy(hidden_exam=True), ""),
    ],
)
def test_what_runs_long_is_named_with_the_limits_that_it_nears_unless_its_records_are_hidden(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    stage: Stage | None,
    step: str,
    policy: Policy,
    words: str | None,
) -> None:
    monkeypatch.setattr("evaluate.commands.console._QUIET_SECONDS", 0.02)
    printed, deadline = "", Deadline(60)
    with ConsoleMonitor(policy) as monitor:
        if stage is not None:
            monitor.stage_started(stage, 3)
            monitor.step(step)
            monitor.using(Usage(instructions=900, wall_seconds=41), Limits(instructions=1000, wall_seconds=600.0))
        capsys.readouterr()
        while printed.count("still running") < 2 and not deadline.passed:  # the first may be of the step before
            printed += capsys.readouterr().err
    assert f"  still running: {step}, " in printed
    assert (f"  still running: {step}, {words}" in printed) == (words is not None)


def test_a_terminal_shows_a_line_for_each_stage(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with ConsoleMonitor(Policy(hidden_exam=False)) as monitor:
        for stage in (Stage.QUIZ, Stage.EXAM):
            monitor.stage_started(stage, 1)
            monitor.record_ended(stage, RecordOutcome(record="r1", verdict=Verdict.OK, usage=USED, answer="N"))
            monitor.stage_ended(StageResult(stage=stage, verdict=Verdict.OK, message="1 of 1"))
    printed = capsys.readouterr().err
    last = [line for line in printed.splitlines() if "OK  1 of 1" in line][-2:]
    assert ["quiz" in last[0], "exam" in last[1]] == [True, True]
