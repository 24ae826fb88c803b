"""Everything that a later stage needs of prep is found by another process, at another place, and on another host."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluate.config.challenge.types import Challenge, Kind
from evaluate.core.errors import ImageFault
from evaluate.core.model import Stage, StageResult, Verdict
from evaluate.images.recipe import load_recipe
from evaluate.run.runner import StageRunner
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.files.depot import Depot, Mirror, SharedFolder
from evaluate.store.files.stage_folders import Task, archive_of, perform
from tests.support.debs import small_image
from tests.support.fake_sandbox import FakeHypervisor
from tests.support.oci_images import docker_save, layer
from tests.support.queues import queue, upload
from tests.support.toys import Toys, answering, truth

pytestmark = pytest.mark.slow


@pytest.fixture
def challenge(tmp_path: Path) -> Challenge:
    return Toys(tmp_path).challenge(Kind.IMAGE)[0]


@pytest.fixture
def hypervisor(challenge: Challenge, monkeypatch: pytest.MonkeyPatch) -> FakeHypervisor:
    found = FakeHypervisor(answering(**truth(challenge)))
    monkeypatch.setattr("evaluate.host.wiring.open_hypervisor", lambda *_: found)
    return found


@pytest.fixture
def entry(challenge: Challenge, tmp_path: Path) -> Callable[[], QueuedEntry]:
    """A container image, uploaded to the folder `before`; each call opens the queue again, as a daemon does when it
    starts."""
    with queue(tmp_path / "state") as store:
        store.submit([upload("red", 0, str(challenge.folder))])

    def read() -> QueuedEntry:
        with queue(tmp_path / "state") as store:
            (one,) = store.entries()
            return one

    archive = archive_of(tmp_path / "before", read().sha256)
    archive.parent.mkdir(parents=True)
    docker_save(archive, [layer(("run.sh", b""))])
    return read


def built(shared: Path, content: str) -> str:
    """The digest of a new image of the challenge's recipe."""
    return small_image("bookworm", load_recipe("bookworm"), shared, content)


def ran(entry: QueuedEntry, stage: Stage, shared: Path, depot: Depot, shard: int | None = None) -> StageResult:
    runner = StageRunner(state=shared, shared=shared, depot=depot)
    result = perform(Task(entry=entry, stage=stage, shard=shard), shared, runner, "a:1", depot).outcome.result
    assert result.verdict is Verdict.OK, result.message
    return result


@pytest.mark.parametrize("mirrored", [False, True], ids=["restored elsewhere", "on another host, from the depot"])
def test_quiz_and_exam_find_what_prep_left(
    entry: Callable[[], QueuedEntry], hypervisor: FakeHypervisor, tmp_path: Path, mirrored: bool
) -> None:
    def depot(folder: Path) -> Depot:
        return Mirror((tmp_path / "depot").as_uri(), folder) if mirrored else SharedFolder(folder)

    before, after = tmp_path / "before", tmp_path / "after"
    built(before, "1")
    depot(before).publish(str(archive_of(before, entry().sha256).relative_to(before)))
    ran(entry(), Stage.PREP, before, depot(before))
    if mirrored:
        after.mkdir()
    else:
        before.rename(after)
    ran(entry(), Stage.QUIZ, after, depot(after))
    exam = ran(entry(), Stage.EXAM, after, depot(after), shard=0)
    assert [one.answer for one in exam.records] == [f"t0{n}.txt" for n in range(1, 7)]
    for machine in hypervisor.machines[1:]:
        (image_layer,) = machine.layers
        assert image_layer.parent == after / "layers" and image_layer.is_file()


def test_entry_keeps_its_image_when_another_is_built_or_the_recipe_is_renamed(
    entry: Callable[[], QueuedEntry], hypervisor: FakeHypervisor, tmp_path: Path
) -> None:
    shared = tmp_path / "before"
    digest = built(shared, "old")
    ran(entry(), Stage.PREP, shared, SharedFolder(shared))
    folder = shared / "images" / f"bookworm-2025-{digest[7:23]}"
    (shared / "images" / f"bookworm-{digest[7:23]}").rename(folder)
    assert built(shared, "new") != digest
    ran(entry(), Stage.QUIZ, shared, SharedFolder(shared))
    assert hypervisor.machines[-1].image.digest == digest
    shutil.rmtree(folder)
    with pytest.raises(ImageFault, match=f"the image {digest}, which the entry was prepared on, is not in .*rejudge"):
        ran(entry(), Stage.EXAM, shared, SharedFolder(shared), shard=0)
