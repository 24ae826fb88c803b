"""Everything that a later stage needs of prep is found by another process, at another place, and on another host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from evaluate.core.model import Limits, Run, Stage, StageResult, Verdict
from evaluate.images.recipe import load_recipe
from evaluate.run.runner import StageRunner
from evaluate.sandbox.base import Command, Machine
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.files.depot import Depot, Mirror, SharedFolder
from evaluate.store.files.stage_folders import Task, archive_of, perform
from tests.support.fake_sandbox import FakeHypervisor, FakeSandbox, ended_well
from tests.support.oci_images import docker_save, layer
from tests.support.queues import queue, upload
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
