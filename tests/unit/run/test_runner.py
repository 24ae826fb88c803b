"""An entry keeps the image that it was prepared on, whatever is built or renamed before its verdict."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.core.errors import ImageFault
from evaluate.core.model import CounterInfo, MachineInfo, Stage, StageOutcome, StageResult, Verdict
from evaluate.host.wiring import HostMeans
from evaluate.images.recipe import load_recipe
from evaluate.run import runner
from evaluate.run.runner import StageRunner
from evaluate.stages.prep import PREPARED
from evaluate.store.files.depot import Depot, SharedFolder
from evaluate.store.files.stage_folders import Task, archive_of, perform
from tests.support.queues import queue, submitted
from tests.support.small_images import small_image


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
