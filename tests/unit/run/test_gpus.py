"""GPUs in the queue, with scripted stages: plain folders stand in for the kernel's list of devices."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.types import Config
from evaluate.core.model import Stage
from evaluate.host.capacity import leased_gpus
from evaluate.run import flow
from evaluate.store.db.reasons import Cause
from evaluate.store.db.rows import State
from evaluate.store.entries.store import Store
from evaluate.store.files.stage_folders import Task
from evaluate.store.submission import submit
from evaluate.views.why import why
from tests.chaos.audit import wait_until
from tests.chaos.cluster import Host
from tests.chaos.daemon import flow_context
from tests.support.queues import queue, upload

GPU = "0000:65:00.0"
_PATIENCE = 600.0

pytestmark = pytest.mark.slow


def deep(folder: Path, name: str) -> Path:
    """This challenge, whose entries need a GPU."""
    challenge = shutil.copytree(load_challenge(name).folder, folder / "deep")
    with (challenge / "challenge.yaml").open("a") as f:
        f.write("\ngpus: 1\n")
    return challenge


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state directory whose host has one GPU, beside a challenge that needs one."""
    challenge = deep(tmp_path, "cinc2017")
    (tmp_path / "devices" / GPU).mkdir(parents=True)
    found = tmp_path / "host"
    found.mkdir()
    (found / "evaluate.yaml").write_text(
        f"host: green\ngpus: ['{GPU}']\nheartbeat: {{seconds: 0.2, ttl_seconds: 5}}\n"
        f"challenges: {{deep: {challenge}}}\n"
    )
    return found


@pytest.fixture
def store(state: Path) -> Iterator[Store]:
    with queue(state) as opened:
        yield opened


def with_gpu(state: Path, team: str, n: int) -> dict[str, Any]:
    return {**upload(team, n, str(state.parent / "deep")), "name": "good"}


@contextmanager
def daemon(state: Path, *more: str) -> Iterator[Host]:
    with Host(state) as host:
        host.start("--devices", str(state.parent / "devices"), *more)
        yield host


def test_two_slots_never_have_the_same_gpu_and_every_entry_gets_its_turn(store: Store, state: Path) -> None:
    store.submit([with_gpu(state, team, 1) for team in ("red", "green", "blue")])
    with daemon(state, "--once", "--slots", "2") as host:
        assert host.wait(_PATIENCE) == 0, host.said
    assert {entry.reason.verdict for entry in store.entries()} == {"OK"}
    uses = (state / "held.txt").read_text().splitlines()
    stages_in_guests = 2 + 3  # prep, quiz and the shards of the exam
    assert uses == [f"takes {GPU}", f"frees {GPU}"] * 3 * stages_in_guests


def test_entry_that_waits_for_a_gpu_leaves_its_slot_to_others(store: Store, state: Path) -> None:
    with ExitStack() as other, daemon(state, "--slots", "1"):
        other.enter_context(leased_gpus("toy", 1, [GPU], state.parent / "devices"))
        ((waiting, _),) = store.submit([with_gpu(state, "red", 1)])
        assert wait_until(lambda: store.entry(waiting).reason.cause is Cause.GPU, _PATIENCE)
        ((plain, _),) = store.submit([{**upload("blue", 2), "name": "good"}])
        assert wait_until(lambda: store.entry(plain).state is State.DONE, _PATIENCE)
        entry = store.entry(waiting)
        assert (entry.state, entry.charged) == (State.PREP, False)
        # its stage looks again now and then, and is in prep for that moment
        words = ("for a GPU of host green for prep", "in use by another evaluation")
        assert wait_until(lambda: all(word in why(store.entry(waiting), store) for word in words), _PATIENCE)
        other.close()
        assert wait_until(lambda: store.entry(waiting).state is State.DONE, _PATIENCE)
    assert store.entry(waiting).reason.verdict == "OK"


def test_uploaded_answers_lease_no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    challenge, state = deep(tmp_path, "kits19"), tmp_path / "host"
    with queue(state) as store, ExitStack() as held:
        sent = submit(challenge / "sample_entry", str(challenge), "red", state, store, Config())
        own = flow_context(store, state, "green:1")
        monkeypatch.setattr(flow, "_context", own)
        assert flow._lease_gpus(Task(entry=sent.entry, stage=Stage.PREP), own, held) == ()
