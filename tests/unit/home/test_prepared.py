"""Setup runs once for an archive at home, and again where anything that it depends on is different."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import Limits, Run, Verdict
from evaluate.home.prepared import NOTE, PreparedEntries, _key
from evaluate.sandbox.base import Command
from evaluate.stages.job import Job, NullMonitor
from evaluate.stages.kinds.detection import kind_of
from evaluate.stages.prep import load_prepared, prep
from evaluate.untrusted.archives import open_entry
from tests.support.fake_sandbox import FakeHypervisor, ended_well
from tests.support.scripted import IMAGE
from tests.support.toys import Layers

CHALLENGE = load_challenge("cinc2017")
DISKS = "root.qcow2", "home.qcow2"
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


@pytest.mark.parametrize("what", ["archive", "limit", "image", "damaged", "short", "missing", "failed"])
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
    elif what in ("short", "missing"):
        (disk,) = (tmp_path / "state").rglob("home.qcow2")
        disk.unlink()
        if what == "short":
            disk.write_bytes(b"of another length")
    assert cache.prep(again).result.verdict is Verdict.OK
    assert commands(again) == 2


def test_only_the_newest_are_kept(job: Callable[..., Job], tmp_path: Path) -> None:
    cache = PreparedEntries(tmp_path / "state")
    for n in range(5):
        one = job()
        cache.prep(replace(one, entry=replace(one.entry, sha256=f"{n}" * 64)))
    assert len(list((tmp_path / "state" / "cache" / "prepared").iterdir())) == 3


def test_try_that_takes_what_others_replace_gets_all_of_one(job: Callable[..., Job], tmp_path: Path) -> None:
    """Two preparations of one archive, whose disks have marks, so that a mixture would show."""
    cache = PreparedEntries(tmp_path / "state")
    folders = []
    for mark in ("1", "2"):
        one = job()
        outcome = prep(one)
        for name in DISKS:
            (one.folder / name).unlink()
            (one.folder / name).write_text(mark * 1_000_000)
        folders.append(one.folder)
    key = _key(one)
    assert key is not None
    place = tmp_path / "state" / "cache" / "prepared" / key

    def keep(n: int) -> None:
        with cache._alone():
            cache._keep(place, folders[n % 2], outcome)

    keep(0)
    takers = [job() for _ in range(20)]
    with ThreadPoolExecutor(4) as pool:
        keeping = [pool.submit(keep, n) for n in range(40)]
        taken = [pool.submit(cache.prep, one) for one in takers]
        for each in (*keeping, *taken):
            each.result()
    assert sum(map(commands, takers)) == 0
    assert all(len({(one.folder / name).read_text() for name in DISKS}) == 1 for one in takers)


def test_try_that_is_killed_while_it_keeps_what_it_prepared_leaves_nothing(
    job: Callable[..., Job], tmp_path: Path
) -> None:
    cache = PreparedEntries(tmp_path / "state")
    program = """
import os, shutil, signal, sys
from pathlib import Path
from evaluate.home.prepared import PreparedEntries
shutil.copyfile = lambda source, target: (Path(target).write_bytes(b"half"), os.kill(os.getpid(), signal.SIGKILL))
cache, folder = PreparedEntries(Path(sys.argv[1])), Path(sys.argv[2])
with cache._alone():
    cache._keep(Path(sys.argv[1]) / "cache" / "prepared" / sys.argv[3], folder, None)
"""
    one = job()
    outcome, key, kept = prep(one), _key(one), tmp_path / "state" / "cache" / "prepared"
    assert key is not None and outcome.result.verdict is Verdict.OK
    argv = [sys.executable, "-c", program, str(tmp_path / "state"), str(one.folder), key]
    assert subprocess.run(argv, check=False).returncode == -signal.SIGKILL
    assert [path.name[:6] for path in kept.iterdir()] == [".part-"]
    again = job()
    assert cache.prep(again).result.verdict is Verdict.OK
    assert commands(again) == 2
    assert [path.name for path in kept.iterdir()] == [key]
