"""Setup runs once for an archive at home, and again where anything that it depends on is different."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.challenge.cache import load_challenge
from evaluate.core.model import Limits, Run, Verdict
from evaluate.home.prepared import NOTE, PreparedEntries
from evaluate.sandbox.base import Command
from evaluate.stages.job import Job
from evaluate.stages.kinds.detection import kind_of
from evaluate.stages.monitor import NullMonitor
from evaluate.stages.prep import load_prepared
from evaluate.untrusted.archives import open_entry
from tests.support.fake_sandbox import FakeHypervisor, ended_well
from tests.unit.stages.test_kinds import Layers
from tests.unit.stages.test_stages import IMAGE

CHALLENGE = load_challenge("cinc2017")
pytestmark = pytest.mark.slow


@pytest.fixture
def job(tmp_path: Path) -> Callable[..., Job]:
    count = iter(range(100))

    def make(script: Callable[[Command, Limits], Run] = ended_well) -> Job:
        folder = tmp_path / f"job{next(count)}"
        folder.mkdir()
        entry = open_entry(CHALLENGE.folder / "sample_entry", folder)
        layers = Layers()
        layers.debian = lambda dependencies: None  # type: ignore[method-assign]
        return Job(
            entry=entry,
            challenge=CHALLENGE,
            kind=kind_of(entry.archive, CHALLENGE),
            quiz=CHALLENGE.quiz,
            exam=CHALLENGE.exam,
            image=IMAGE,
            hypervisor=FakeHypervisor(script),
            layers=layers,
            monitor=NullMonitor(),
            folder=folder,
        )

    return make


def commands(job: Job) -> int:
    assert isinstance(job.hypervisor, FakeHypervisor)
    return sum(len(sandbox.commands) for sandbox in job.hypervisor.sandboxes)


def test_second_try_of_an_archive_runs_no_setup_and_says_so(job: Callable[..., Job], tmp_path: Path) -> None:
    cache = PreparedEntries(tmp_path / "state")
    first, second = job(), job()
    one, two = cache.prep(first), cache.prep(second)
    assert (commands(first), commands(second)) == (2, 0)
    assert NOTE not in one.result.message and two.result.message.endswith(NOTE)
    assert replace(two, result=replace(two.result, message=one.result.message)) == one
    assert load_prepared(second.folder) == replace(load_prepared(first.folder), folder=second.folder)
    assert {path.name for path in second.folder.iterdir()} >= {"root.qcow2", "home.qcow2"}


@pytest.mark.parametrize("what", ["archive", "limit", "image", "damaged", "failed"])
def test_setup_runs_again_where_anything_is_different(job: Callable[..., Job], tmp_path: Path, what: str) -> None:
    cache = PreparedEntries(tmp_path / "state")

    def fails(command: Command, limits: Limits) -> Run:
        return replace(ended_well(command, limits), verdict=Verdict.RUNTIME_ERROR)

    cache.prep(job(fails) if what == "failed" else job())
    again = job()
    if what == "archive":
        again = replace(again, entry=replace(again.entry, sha256="0" * 64))
    elif what == "limit":
        limits = {**CHALLENGE.limits, "setup": replace(CHALLENGE.limits["setup"], instructions=7)}
        again = replace(again, challenge=replace(CHALLENGE, limits=limits))
    elif what == "image":
        again = replace(again, image=replace(IMAGE, digest="sha256:other"))
    elif what == "damaged":
        for path in (tmp_path / "state").rglob("outcome.json"):
            path.write_text("{")
    assert cache.prep(again).result.verdict is Verdict.OK
    assert commands(again) == 2


def test_only_the_newest_are_kept(job: Callable[..., Job], tmp_path: Path) -> None:
    cache = PreparedEntries(tmp_path / "state")
    for n in range(5):
        one = job()
        cache.prep(replace(one, entry=replace(one.entry, sha256=f"{n}" * 64)))
    assert len(list((tmp_path / "state" / "cache" / "prepared").iterdir())) == 3
