"""MedPerf and Synapse: one start of an image for all records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.challenge.load import read_challenge
from evaluate.challenge.types import Challenge, Mode
from evaluate.core.errors import EntryError
from evaluate.core.model import Limits, Program, Run, Stage, User, Verdict
from evaluate.sandbox.base import Command
from evaluate.stages.contracts.medperf import described
from evaluate.stages.contracts.synapse import prediction
from evaluate.stages.scorers.base import Link
from tests.support.fake_sandbox import FakeHypervisor, ended_well
from tests.support.oci_images import docker_save, layer, with_file
from tests.support.scripted import evaluated
from tests.unit.stages.test_kinds import Layers

VOLUMES = "/mlcommons/volumes"
CONFIG: dict[str, Any] = {
    "container_type": "DockerImage",
    "image": "team/model:1",
    "tasks": {
        "infer": {
            "run_args": {"command": "infer --fast", "environment": {"THREADS": 2}, "shm_size": "1g"},
            "input_volumes": {
                "data_path": {"mount_path": f"{VOLUMES}/data", "type": "directory"},
                "parameters_file": {"mount_path": f"{VOLUMES}/parameters/parameters_file.yaml", "type": "file"},
                "additional_files": {"mount_path": f"{VOLUMES}/additional_files", "type": "directory"},
            },
            "output_volumes": {"output_path": {"mount_path": f"{VOLUMES}/predictions", "type": "directory"}},
        }
    },
}
PROGRAM = Program(argv=("python3", "/run.py", "infer"), env={"A": "b"}, cwd="/", user=User(uid=0, gid=0))


@pytest.fixture(autouse=True)
def digests_of_layers_are_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluate.stages.outcome.sha256_kept", lambda path: path.name)


def challenge(folder: Path, contract: str, **changes: Any) -> tuple[Challenge | None, list[str]]:
    (folder / "data").mkdir(parents=True)
    for record in ("r1", "r2"):
        (folder / "data" / f"{record}.txt").write_text(record)
    rules = {
        "title": "one start",
        "contract": contract,
        "kind": "image",
        "image": "bookworm",
        "metric": "own.py",
        "inputs": ["{record}.txt"],
        "data": {"quiz": {"folder": "data"}, "exam": {"folder": "data"}},
        "limits": {one: {"instructions_per_record": 1e10, "wall_seconds_per_record": 60} for one in ("quiz", "exam")},
        **changes,
    }
    (folder / "challenge.yaml").write_text(yaml.safe_dump({k: one for k, one in rules.items() if one is not None}))
    return read_challenge(folder)


def run_image(found: Challenge, entry: Path, tmp_path: Path, left: dict[str, str]) -> tuple[Any, FakeHypervisor]:
    def script(command: Command, limits: Limits) -> Run:
        if command.gather is not None:
            command.gather.mkdir()
            for name, text in left.items():
                (command.gather / name).write_text(text)
        return ended_well(command, limits)

    return evaluated(found, entry, tmp_path, script, layers=Layers())


def test_task_has_its_volumes_where_it_looks_for_them() -> None:
    found = described(yaml.safe_dump(CONFIG))
    assert found.argument == "infer"
    assert found.places == {
        f"{VOLUMES}/data": Link("/input"),
        f"{VOLUMES}/parameters/parameters_file.yaml": b"{}\n",
        f"{VOLUMES}/additional_files/.empty": b"",
        f"{VOLUMES}/predictions": Link("/output"),
    }
    started = found.started(PROGRAM)
    assert started.argv == ("python3", "/run.py", "infer", "--fast")
    assert started.env == {"A": "b", "THREADS": "2"}


def test_entry_point_of_the_task_takes_the_place_of_the_images() -> None:
    task = {"run_args": {"entrypoint": "/bin/sh -c", "command": ["go on"]}}
    found = described(yaml.safe_dump({**CONFIG, "tasks": {"infer": task}}))
    assert found.started(PROGRAM).argv == ("/bin/sh", "-c", "go on")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [", "expected YAML"),
        ("name: old mlcube", "container_type: expected DockerImage or DockerArchive, found 'None'"),
        ("container_type: SingularityFile", "container_type: expected DockerImage"),
        ("{container_type: DockerImage, tasks: {prepare: {}}}", "tasks: expected infer, found prepare"),
        ("{container_type: DockerImage, tasks: [infer]}", "tasks: expected a mapping"),
        ("{container_type: DockerImage, tasks: {infer: {run_args: {privileged: true}}}}", "unknown privileged"),
        (
            "{container_type: DockerImage, tasks: {infer: {run_args: {command: 'a \"'}}}}",
            "command: No closing quotation",
        ),
        (
            "{container_type: DockerImage, tasks: {infer: {input_volumes: {data_path: {mount_path: a, type: file}}}}}",
            "input_volumes.data_path.mount_path: expected an absolute path",
        ),
        (
            "{container_type: DockerImage, tasks: {infer: {input_volumes: {labels: {mount_path: /a, type: file}}}}}",
            "input_volumes: expected data_path, parameters_file, additional_files, found 'labels'",
        ),
        (
            "{container_type: DockerImage, tasks: {infer: {output_volumes: {o: {mount_path: /a, type: file}}}}}",
            "output_volumes.o: expected a place below a folder",
        ),
    ],
)
def test_description_that_cannot_be_used_is_refused_by_its_key(text: str, problem: str) -> None:
    with pytest.raises(EntryError) as found:
        described(text)
    assert str(found.value).startswith("container_config.yaml: ") and problem in str(found.value)


@pytest.mark.slow
def test_model_is_started_once_for_all_records(tmp_path: Path) -> None:
    rules, problems = challenge(tmp_path / "challenge", "medperf", answers={"files": ["{record}.json"]})
    assert problems == [] and rules is not None and rules.run.mode is Mode.SET
    image = docker_save(tmp_path / "entry.tar", [layer(("run", b""))])
    entry = with_file(image, "container_config.yaml", yaml.safe_dump(CONFIG).encode())
    evaluation, hypervisor = run_image(rules, entry, tmp_path, {"r1.json": "1", "r2.json": "2"})
    exam = evaluation.stages[-1]
    assert [one.answer for one in exam.records] == ["r1.json", "r2.json"], exam.message
    assert len(hypervisor.machines[-1].layers) == 2
    assert hypervisor.sandboxes[-1].commands[-1].argv == ("/run", "infer", "--fast")


@pytest.mark.slow
def test_image_without_its_description_is_refused(tmp_path: Path) -> None:
    rules, _ = challenge(tmp_path / "challenge", "medperf", answers={"files": ["{record}.json"]})
    assert rules is not None
    evaluation, hypervisor = run_image(rules, docker_save(tmp_path / "e.tar", [layer(("run", b""))]), tmp_path, {})
    assert evaluation.verdict is Verdict.INVALID_ENTRY and hypervisor.machines == []
    assert "container_config.yaml" in evaluation.stages[0].message


@pytest.mark.slow
def test_one_prediction_answers_every_record(tmp_path: Path) -> None:
    rules, problems = challenge(tmp_path / "challenge", "synapse")
    assert problems == [] and rules is not None
    entry = docker_save(tmp_path / "entry.tar", [layer(("run", b""))])
    evaluation, _ = run_image(rules, entry, tmp_path, {"predictions.csv": "id,p\n", "log.txt": "well"})
    exam = evaluation.stages[-1]
    assert [one.answer for one in exam.records] == ["predictions.csv"] * 2, exam.message
    assert [path.name for path in (tmp_path / "work" / "answers").iterdir()] == ["predictions.csv"]


@pytest.mark.parametrize(
    ("left", "found"),
    [
        ({}, "found neither"),
        ({"predictions.csv": ""}, "found an empty predictions.csv"),
        ({"predictions.csv": "a", "predictions.zip": "b"}, "found predictions.csv and predictions.zip"),
        ({"predictions.csv": "a", "predictions.zip": ""}, "found predictions.csv and an empty predictions.zip"),
    ],
)
def test_any_other_number_of_predictions_is_invalid(left: dict[str, str], found: str, tmp_path: Path) -> None:
    for name, text in left.items():
        (tmp_path / name).write_text(text)
    name, problem = prediction(tmp_path)
    assert name == "" and problem.startswith("INVALID: ") and problem.endswith(found)


@pytest.mark.slow
def test_missing_prediction_ends_the_quiz_with_that_reason(tmp_path: Path) -> None:
    rules, _ = challenge(tmp_path / "challenge", "synapse")
    assert rules is not None
    evaluation, _ = run_image(rules, docker_save(tmp_path / "e.tar", [layer(("run", b""))]), tmp_path, {})
    result = evaluation.stages[-1]
    assert (result.stage, result.verdict) == (Stage.QUIZ, Verdict.BAD_ANSWER)
    assert "INVALID: expected either predictions.csv or predictions.zip" in result.message


@pytest.mark.parametrize("contract", ["medperf", "synapse"])
def test_files_of_a_record_must_be_said(contract: str, tmp_path: Path) -> None:
    _, problems = challenge(tmp_path, contract, inputs=None, answers={"files": ["{record}.json"]})
    assert any("key 'inputs' is missing" in one for one in problems), problems
