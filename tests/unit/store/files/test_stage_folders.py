"""A task is published once, whole; whatever interrupted it leaves nothing behind but evidence of its fault."""

import json
import logging
import math
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.scorer import Form, Scorer
from evaluate.config.challenge.types import BuildRules, DockerfileRules
from evaluate.core.errors import BootFault, SandboxFault
from evaluate.core.model import Limits, Stage, StageOutcome
from evaluate.core.sanitize import sanitize
from evaluate.store.files import stage_folders
from evaluate.store.files.depot import SharedFolder, open_depot
from evaluate.store.files.evidence import as_text, evidence_folder, evidence_of, keep_evidence
from evaluate.store.files.stage_folders import Task, part_of, perform, seconds_allowed, sweep_parts, work_folder
from evaluate.store.logs import LOG
from tests.support.evaluations import MACHINE, passed
from tests.support.queues import queue, submitted

SCORED = passed().outcomes[-1]
assert SCORED.score is not None
DRAWN = replace(SCORED.score, values={"F1": 0.5, "F1p": math.inf}, resampled=(0.5, 0.25), clusters=12)
OUTCOME = replace(SCORED, machine=MACHINE, score=DRAWN)
"""With every kind of value, but for one that is not equal to itself."""


@pytest.fixture
def task(tmp_path: Path) -> Iterator[Task]:
    with queue(tmp_path) as store:
        submitted(store, "red")
        (entry,) = store.next_entries(1)
        yield Task(entry=entry, stage=Stage.SCORE)


def test_task_runs_once_and_a_second_host_finds_its_product(task: Task, tmp_path: Path) -> None:
    runs = []

    def run(_task: Task, folder: Path) -> StageOutcome:
        runs.append(folder)
        (folder / "product").touch()
        return OUTCOME

    done = [perform(task, tmp_path, run, host, SharedFolder(tmp_path)) for host in ("green:1", "blue:2")]
    assert len(runs) == 1
    assert [performed.outcome for performed in done] == [OUTCOME, OUTCOME]
    assert [performed.executor for performed in done] == ["green:1", "green:1"], "who ran it, not who found it"
    assert (work_folder(tmp_path, task.entry) / "score" / "product").is_file()


def test_fault_publishes_nothing_and_leaves_nothing(task: Task, tmp_path: Path) -> None:
    def run(_task: Task, folder: Path) -> StageOutcome:
        (folder / "product").touch()
        raise SandboxFault("the guest has ended")

    with pytest.raises(SandboxFault):
        perform(task, tmp_path, run, "green:1", SharedFolder(tmp_path))
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


@pytest.fixture
def part(task: Task) -> Task:
    """A part of an exam."""
    return replace(task, stage=Stage.EXAM, shard=1, shards=2)


def test_fault_is_kept_with_its_cause_its_console_and_where_it_was(part: Task, tmp_path: Path) -> None:
    fault = BootFault("no answer", console=("Kernel panic", "not syncing"))
    fault.__cause__ = OSError("libvirt is away")
    keep_evidence(tmp_path, SharedFolder(tmp_path), part, 1, "green:ab12", fault)
    folder = evidence_folder(tmp_path, part.entry.id, 1)
    (file,) = folder.iterdir()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, file)]
    assert (file.name, modes) == ("exam-1.2.json", [0o700, 0o600]), "for its owner alone"
    record = json.loads(file.read_text())
    assert (record["entry"], record["attempt"], record["task"], record["try"]) == (part.entry.id, 1, "exam-1", 2)
    assert (record["error"], record["executor"]) == ("BootFault", "green:ab12")
    assert record["console"] == ["Kernel panic", "not syncing"]
    assert "OSError: libvirt is away" in record["causes"] and "BootFault" in record["causes"]
    assert record["free_bytes"] > 0 and len(record["load"]) == 3


@pytest.mark.parametrize(
    "text", ["", "\0\x1b[2J", "\udcff no text", "x" * 100_000], ids=["none", "controls", "no text", "long"]
)
def test_whatever_a_program_printed_can_be_kept(
    part: Task, tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LOG, "propagate", False)  # workers of the tests cannot tell each other what is no text
    keep_evidence(tmp_path, SharedFolder(tmp_path), part, 0, "green:1", SandboxFault(text))
    (file,) = evidence_folder(tmp_path, part.entry.id, 1).iterdir()
    assert json.loads(file.read_text())["message"] == sanitize(text)


@pytest.mark.parametrize("away", ["evidence", "store"])
def test_where_nothing_can_be_kept_the_log_has_the_fault_and_the_reason(
    part: Task, tmp_path: Path, log: list[logging.LogRecord], away: str
) -> None:
    folder, depot = open_depot(tmp_path, f"file://{tmp_path}/store" if away == "store" else "")
    (tmp_path / away).touch()
    keep_evidence(folder, depot, part, 0, "green:1", SandboxFault("the guest closed its channel"))
    text = "\n".join(map(logging.Formatter().format, log))
    assert "SandboxFault: the guest closed its channel" in text
    assert "the evidence of this fault cannot be kept" in text


def test_faults_of_all_hosts_are_told_in_their_order(part: Task, tmp_path: Path) -> None:
    for number, name in ((0, "green"), (1, "blue"), (1, "blue")):  # the last one is tried again
        (tmp_path / name).mkdir(exist_ok=True)
        folder, depot = open_depot(tmp_path / name, f"file://{tmp_path}/store")
        keep_evidence(folder, depot, part, number, f"{name}:1", SandboxFault(f"\x1b[2Jtry {number}"))
    records = evidence_of(folder, depot, part.entry.id, 1)
    assert [record["try"] for record in records] == [1, 2]
    assert evidence_of(folder, depot, part.entry.id, 2) == []
    text = as_text(records[0])
    assert text.startswith("exam-1, try 1 on host green, ")
    assert "SandboxFault: \N{REPLACEMENT CHARACTER}[2Jtry 0" in text and "\x1b" not in text
