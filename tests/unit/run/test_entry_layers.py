"""Everything that a later stage needs of prep is found by another process, at another place, and on another host."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from evaluate.core.errors import ImageFault
from evaluate.core.model import CounterInfo, Limits, MachineInfo, Run, Stage, StageOutcome, StageResult, Verdict
from evaluate.host.wiring import HostMeans
from evaluate.images.recipe import load_recipe
from evaluate.run import runner
from evaluate.run.runner import StageRunner
from evaluate.sandbox.base import Command, Machine
from evaluate.stages.prep import PREPARED
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.files.depot import Depot, Mirror, SharedFolder
from evaluate.store.files.stage_folders import Task, archive_of, perform
from tests.support.fake_sandbox import FakeHypervisor, FakeSandbox, ended_well
from tests.support.oci_images import docker_save, layer
from tests.support.queues import queue, submitted, upload
from tests.support.scorers import written
from tests.support.small_images import small_image


def answering(command: Command, limits: Limits) -> Run:
    if command.gather is not None:
        command.gather.mkdir()
        for record in ("r1", "r2"):
            (command.gather / f"{record}.json").write_text("1")
    return ended_well(command, limits)


class StrictHypervisor(FakeHypervisor):
    """Refuses a machine whose layers are not files, as a real one does."""

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[FakeSandbox]:
        """See `FakeHypervisor`."""
        assert [path for path in machine.layers if not path.is_file()] == []
        with super().boot(machine) as sandbox:
            yield sandbox


@pytest.fixture
def hypervisor(monkeypatch: pytest.MonkeyPatch) -> FakeHypervisor:
    found = StrictHypervisor(answering)
    monkeypatch.setattr("evaluate.host.wiring.open_hypervisor", lambda *_: found)
    return found


@pytest.fixture
def entry(tmp_path: Path) -> Callable[[], QueuedEntry]:
    """A container image; each call opens the queue again, as a daemon does when it starts."""
    written(tmp_path / "challenge/data", {"RECORDS": "r1\nr2\n", "r1.txt": "", "r2.txt": ""})
    rules = {
        "title": "images",
        "kind": "image",
        "image": "bookworm",
        "metric": "own.py",
        "inputs": ["{record}.txt"],
        "answers": {"files": ["{record}.json"]},
        "run": {"mode": "set"},
        "data": {"quiz": {"folder": "data"}, "exam": {"folder": "data"}},
        "limits": {one: {"instructions_per_record": 1e10, "wall_seconds_per_record": 60} for one in ("quiz", "exam")},
    }
    (tmp_path / "challenge/challenge.yaml").write_text(yaml.safe_dump(rules))
    (tmp_path / "state").mkdir()
    with queue(tmp_path / "state") as store:
        store.submit([upload("red", 0, str(tmp_path / "challenge"))])

    def read() -> QueuedEntry:
        with queue(tmp_path / "state") as store:
            (one,) = store.entries()
            return one

    return read


def with_upload(shared: Path, entry: QueuedEntry) -> None:
    archive = archive_of(shared, entry.sha256)
    archive.parent.mkdir(parents=True)
    docker_save(archive, [layer(("run.sh", b""))])
    small_image("bookworm", load_recipe("bookworm"), shared, "1")


def ran(entry: QueuedEntry, stage: Stage, shared: Path, depot: Depot, shard: int | None = None) -> StageResult:
    runner = StageRunner(state=shared, shared=shared, depot=depot)
    return perform(Task(entry=entry, stage=stage, shard=shard), shared, runner, "a:1", depot).outcome.result


@pytest.mark.slow
@pytest.mark.parametrize("mirrored", [False, True], ids=["restored elsewhere", "on another host, from the depot"])
def test_quiz_and_exam_find_what_prep_left(
    entry: Callable[[], QueuedEntry], hypervisor: FakeHypervisor, tmp_path: Path, mirrored: bool
) -> None:
    def depot(folder: Path) -> Depot:
        return Mirror((tmp_path / "depot").as_uri(), folder) if mirrored else SharedFolder(folder)

    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    with_upload(before, entry())
    depot(before).publish(str(archive_of(before, entry().sha256).relative_to(before)))
    prep = ran(entry(), Stage.PREP, before, depot(before))
    assert prep.verdict is Verdict.OK, prep.message
    if mirrored:
        after.mkdir()
    else:
        before.rename(after)
    quiz = ran(entry(), Stage.QUIZ, after, depot(after))
    assert quiz.verdict is Verdict.OK, quiz.message
    exam = ran(entry(), Stage.EXAM, after, depot(after), shard=0)
    assert [one.answer for one in exam.records] == ["r1.json", "r2.json"], exam.message
    assert [path.parent for path in hypervisor.machines[-1].layers] == [after / "layers"]


class Asked(Exception):
    """With the image of a job."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def make_job(means: HostMeans, *_: object, **__: object) -> object:
        assert means.image_of is not None
        raise Asked(means.image_of(load_recipe("bookworm")).digest)

    monkeypatch.setattr(runner, "make_job", make_job)


@pytest.fixture
def task(tmp_path: Path) -> Iterator[Task]:
    with queue(tmp_path / "state") as store:
        submitted(store, "red")
        (entry,) = store.next_entries(1)
        yield Task(entry=entry, stage=Stage.QUIZ)


def built(name: str, shared: Path, content: str) -> str:
    return small_image(name, load_recipe("bookworm"), shared, content)


def prepared_on(digest: str, task: Task, shared: Path, depot: Depot) -> None:
    def run(_: Task, folder: Path) -> StageOutcome:
        prepared = {"kind": "scripts", "dry_run": False, "folder": ".", "expected": {}}
        (folder / PREPARED).write_text(json.dumps(prepared))
        machine = MachineInfo(accelerator="tcg", image=digest, counter=CounterInfo(kind="tcg", calibration_error=0.0))
        return StageOutcome(result=StageResult(stage=Stage.PREP, verdict=Verdict.OK), machine=machine)

    perform(Task(entry=task.entry, stage=Stage.PREP), shared, run, "a:1", depot)


def image_for_quiz(task: Task, shared: Path, depot: Depot) -> str:
    folder = shared / "work"
    folder.mkdir(exist_ok=True)
    with pytest.raises(Asked) as found:
        StageRunner(state=shared, shared=shared, depot=depot)(task, folder)
    return str(found.value)


@pytest.mark.usefixtures("asked")
def test_entry_keeps_its_image_when_another_is_built_or_the_recipe_is_renamed(task: Task, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    depot = SharedFolder(shared)
    archive = archive_of(shared, task.entry.sha256)
    archive.parent.mkdir(parents=True)
    archive.write_bytes(b"an entry")
    # as after the recipe and `image:` of challenge.yaml were renamed, and bookworm was built again
    digest = built("bookworm-2025", shared, "old")
    (shared / "images" / "bookworm-2025").unlink()
    assert built("bookworm", shared, "new") != digest
    prepared_on(digest, task, shared, depot)
    assert image_for_quiz(task, shared, depot) == digest
    shutil.rmtree(shared / "images" / f"bookworm-2025-{digest[7:23]}")
    with pytest.raises(ImageFault, match=f"the image {digest}, which the entry was prepared on, is not in .*rejudge"):
        StageRunner(state=shared, shared=shared, depot=depot)(task, shared / "work")
