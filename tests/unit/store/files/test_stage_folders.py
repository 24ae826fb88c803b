"""A task is published once, whole, and whatever interrupted it leaves nothing behind."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.scorer import Form, Scorer
from evaluate.config.challenge.types import BuildRules, DockerfileRules
from evaluate.core.errors import SandboxFault
from evaluate.core.model import CounterInfo, Limits, MachineInfo, Note, Score, Stage, StageOutcome, StageResult, Verdict
from evaluate.store.files import stage_folders
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import Task, part_of, perform, seconds_allowed, sweep_parts, work_folder
from tests.support.queues import queue, submitted

MACHINE = MachineInfo(accelerator="tcg", image="sha256:0", counter=CounterInfo(kind="tcg", calibration_error=1e-5))
OUTCOME = StageOutcome(
    result=StageResult(stage=Stage.SCORE, verdict=Verdict.OK, message="F1 0.5000"),
    machine=MACHINE,
    score=Score(
        primary="F1",
        values={"F1": 0.5, "F1p": math.inf},
        official={},
        intervals={"F1": (0.25, 0.75)},
        resampled=(0.5, 0.25),
        clusters=12,
        notes=(Note(text="12 records"), Note(text="T1 is short", record="T1")),
    ),
)


class Runner:
    """Leaves a file and an outcome, or raises."""

    def __init__(self, outcome: StageOutcome | Exception) -> None:
        self.outcome = outcome
        self.runs = 0

    def __call__(self, task: Task, folder: Path) -> StageOutcome:
        self.runs += 1
        (folder / "product").write_text(f"run {self.runs}")
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


@pytest.fixture
def task(tmp_path: Path) -> Iterator[Task]:
    with queue(tmp_path) as store:
        submitted(store, "red")
        (entry,) = store.next_entries(1)
        yield Task(entry=entry, stage=Stage.SCORE)


def test_task_runs_once_and_a_second_host_finds_its_product(task: Task, tmp_path: Path) -> None:
    runner = Runner(OUTCOME)
    done = [perform(task, tmp_path, runner, host, SharedFolder(tmp_path)) for host in ("green:1", "blue:2")]
    assert runner.runs == 1
    assert [performed.outcome for performed in done] == [OUTCOME, OUTCOME]
    assert [performed.executor for performed in done] == ["green:1", "green:1"], "who ran it, not who found it"
    assert (work_folder(tmp_path, task.entry) / "score" / "product").read_text() == "run 1"


def test_fault_publishes_nothing_and_leaves_nothing(task: Task, tmp_path: Path) -> None:
    with pytest.raises(SandboxFault):
        perform(task, tmp_path, Runner(SandboxFault("the guest has ended")), "green:1", SharedFolder(tmp_path))
    assert list(work_folder(tmp_path, task.entry).iterdir()) == []


def test_what_dead_processes_left_unfinished_is_removed(tmp_path: Path) -> None:
    work, evidence = tmp_path / "work" / "e1" / "1", tmp_path / "evidence" / "e1" / "1"
    for folder in (work, evidence):
        folder.mkdir(parents=True)
    living, dead = part_of(work, "prep", "a1"), part_of(work, "exam-0", "b2")
    for folder in (living, dead):
        folder.mkdir()
        (folder / "half").touch()
    half = part_of(evidence, "prep.1", "b2")
    half.touch()
    (evidence / "prep.2.json").touch()
    assert sweep_parts(tmp_path, lambda: {"a1"}) == 2
    assert sorted(path.name for path in (*work.iterdir(), *evidence.iterdir())) == sorted([living.name, "prep.2.json"])


def test_time_of_a_task_counts_the_limits_of_builds_and_scorers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = load_challenge("cinc2017")
    build = DockerfileRules(build=BuildRules(wall_seconds=7000.0))
    scorer = Scorer(form=Form.COMMAND, limits=Limits(instructions=1, wall_seconds=5000.0))
    with queue(tmp_path) as store:
        submitted(store, "red")
        (entry,) = store.entries()
    before = [seconds_allowed(Task(entry=entry, stage=stage)) for stage in (Stage.PREP, Stage.SCORE)]
    monkeypatch.setattr(stage_folders, "load_challenge", lambda _: replace(rules, dockerfile=build, scorer=scorer))
    after = [seconds_allowed(Task(entry=entry, stage=stage)) for stage in (Stage.PREP, Stage.SCORE)]
    assert after[0] >= before[0] + 7000.0 and after[1] >= before[1] + 5000.0
