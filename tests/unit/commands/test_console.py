"""What a person sees of an evaluation while it runs."""

from __future__ import annotations

import pytest

from evaluate.commands.console import ConsoleMonitor
from evaluate.core.model import Limits, RecordOutcome, Stage, StageResult, Usage, Verdict
from evaluate.core.waiting import Deadline
from evaluate.report.audience import Policy
from tests.support.terminal import shown as shown_on_terminal

USED = Usage(instructions=1000, wall_seconds=0.1)
FAILED = RecordOutcome(record="r2", verdict=Verdict.RUNTIME_ERROR, usage=USED, message="ended with exit code 1")


def shown(capsys: pytest.CaptureFixture[str], stage: Stage, *, hidden: bool) -> str:
    with ConsoleMonitor(Policy(hidden_exam=hidden), again="evaluate try mine --challenge c") as monitor:
        monitor.stage_started(stage, 3)
        monitor.record_ended(stage, RecordOutcome(record="r1", verdict=Verdict.OK, usage=USED, answer="N"))
        monitor.record_ended(stage, FAILED, "standard error:\nboom \x1b[31m")
        monitor.record_ended(stage, FAILED, "a second one")
    return capsys.readouterr().err


def test_first_failure_is_told_at_once_with_its_output_and_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, Stage.QUIZ, hidden=True).splitlines() == [
        "quiz: 3 records",
        "  1/3 r1 N  1.0e3 instructions, 0.1 s",
        "  2/3 r2 RUNTIME_ERROR  1.0e3 instructions, 0.1 s",
        "quiz r2: RUNTIME_ERROR ended with exit code 1",
        "    | standard error:",
        "    | boom \N{REPLACEMENT CHARACTER}[31m",
        "  next: evaluate try mine --challenge c --record r2     runs it alone",
        "        evaluate try mine --challenge c --shell r2      opens a shell where it ran",
        "  3/3 r2 RUNTIME_ERROR  1.0e3 instructions, 0.1 s",
    ]


@pytest.mark.parametrize("stage", [Stage.QUIZ, Stage.EXAM])
def test_record_that_runs_long_is_named_with_its_age_and_the_limits_that_it_nears_unless_it_is_hidden(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, stage: Stage
) -> None:
    monkeypatch.setattr("evaluate.commands.console._QUIET_SECONDS", 0.02)
    limits = Limits(instructions=1000, wall_seconds=600.0)
    printed, deadline = "", Deadline(60)
    with ConsoleMonitor(Policy(hidden_exam=True)) as monitor:
        monitor.stage_started(stage, 3)
        monitor.step("record r1")
        monitor.using(Usage(instructions=900, wall_seconds=45), limits)
        capsys.readouterr()
        while printed.count("still running") < 2 and not deadline.passed:  # the first may be of the step before
            printed += capsys.readouterr().err
    used = "45.0 s of at most 600 s, 9.0e2 of 1.0e3 instructions (90 %)"
    assert (f"  still running: record r1, {used}" in printed) == (stage is Stage.QUIZ)


@pytest.mark.parametrize("hidden", [False, True])
def test_training_that_runs_long_says_how_long_it_can_take_at_most_unless_its_records_are_hidden(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, hidden: bool
) -> None:
    monkeypatch.setattr("evaluate.commands.console._QUIET_SECONDS", 0.02)
    limits = Limits(instructions=1000, wall_seconds=6000.0)
    printed, deadline = "", Deadline(60)
    with ConsoleMonitor(Policy(hidden_exam=hidden, hidden_training=hidden)) as monitor:
        monitor.stage_started(Stage.TRAIN, 0)
        monitor.step("training: train_model.py, 4 records")
        monitor.using(Usage(instructions=200, wall_seconds=100), limits)
        capsys.readouterr()
        while printed.count("still running") < 2 and not deadline.passed:  # the first may be of the step before
            printed += capsys.readouterr().err
    used = "100 s of at most 6,000 s, 2.0e2 of 1.0e3 instructions (20 %), at most 400 s left"
    assert (f"  still running: training: train_model.py, 4 records, {used}" in printed) is not hidden


def test_nothing_but_progress_is_told_of_a_hidden_exam(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, Stage.EXAM, hidden=True).splitlines() == ["exam: 3 records", "  1/3", "  2/3", "  3/3"]


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


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.mark.usefixtures("terminal")
def test_a_try_among_others_leaves_few_lines_on_a_terminal_and_none_of_progress(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with ConsoleMonitor(Policy(hidden_exam=False), again="evaluate try mine", most_lines=11) as monitor:
        monitor.stage_started(Stage.QUIZ, 3)
        monitor.record_ended(Stage.QUIZ, FAILED, "\n".join(f"line {n} " + "x" * 100 for n in range(50)))
        for n in range(30):
            monitor.say(f"wrong answer {n}")
        monitor.stage_ended(StageResult(stage=Stage.QUIZ, verdict=Verdict.RUNTIME_ERROR, message="record r2: 1"))
    lines = shown_on_terminal(capsys.readouterr().err)
    assert lines[0] == "quiz r2: RUNTIME_ERROR ended with exit code 1"
    assert lines[1].startswith("    | line 46") and max(map(len, lines)) <= 80
    assert len(lines) == 11 and lines[-1].startswith("… and 27 more lines")


@pytest.mark.usefixtures("terminal")
def test_a_stage_that_fails_without_a_record_says_why_although_its_line_goes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with ConsoleMonitor(Policy(hidden_exam=False), most_lines=11) as monitor:
        monitor.stage_started(Stage.PREP, 0)
        failed = StageResult(
            stage=Stage.PREP, verdict=Verdict.RUNTIME_ERROR, message="setup.sh: exit code 1", diagnostics="a\nb"
        )
        monitor.stage_ended(failed)
    assert shown_on_terminal(capsys.readouterr().err) == ["prep: setup.sh: exit code 1", "    | a", "    | b"]


def test_what_runs_long_before_the_first_stage_has_a_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluate.commands.console._QUIET_SECONDS", 0.02)
    printed, deadline = "", Deadline(60)
    with ConsoleMonitor(Policy(hidden_exam=False)):
        capsys.readouterr()
        while printed.count("still running") < 2 and not deadline.passed:  # the first may be of the step before
            printed += capsys.readouterr().err
    assert "  still running: preparing the machine, " in printed
