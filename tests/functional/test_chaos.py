"""Daemons that are killed, frozen and starved, and the auditor of what they leave; see `tests.chaos`."""

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from evaluate.store.db import journal
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.files.stage_folders import RESULT
from tests.chaos.__main__ import TRIES, audit_cluster, chaos
from tests.chaos.audit import audit, wait_for
from tests.chaos.cluster import Cluster, full, small_disk, uploads
from tests.chaos.daemon import guest_name
from tests.support.postgres import Server
from tests.support.queues import by_hand, keep_score, queue

GOOD = ("good",)


def runs(daemons: Cluster, count: int) -> Callable[[], bool]:
    """True if at least so many stages were begun."""
    return lambda: len(daemons.stage_runs()) >= count


def test_nothing_is_lost_or_doubled_by_kills(tmp_path: Path) -> None:
    schedule, findings = chaos(tmp_path, kills=5, entries=10, seed=2, trains=True)
    assert findings == []
    assert schedule.kills >= 1
    assert schedule.done["clock jumped"] >= 1


def test_hosts_take_over_what_was_killed_frozen_or_cut_off(postgres: Server, tmp_path: Path) -> None:
    with Cluster(tmp_path, hosts=3, server=postgres) as daemons:
        daemons.store.submit(uploads(12))
        daemons.start(*TRIES)
        wait_for(runs(daemons, 8))
        killed, frozen, last = daemons.hosts
        killed.end()
        frozen.send(signal.SIGSTOP)
        wait_for(lambda: daemons.leases() == [last.state.name])
        postgres.stop("immediate")
        postgres.start()
        frozen.send(signal.SIGCONT)
        assert frozen.wait() == 3, frozen.said
        daemons.hosts = [last]
        daemons.drain(*TRIES)
    assert audit_cluster(daemons) == []


@pytest.mark.parametrize("moment", ["kept-before:2", "journalled-after:20"], ids=["working", "writing"])
def test_frozen_host_delays_nobody_and_changes_nothing_when_it_goes_on(
    postgres: Server, tmp_path: Path, moment: str
) -> None:
    """After ``journalled`` it holds the lock of all writers."""
    with Cluster(tmp_path, hosts=2, server=postgres) as daemons:
        frozen, other = daemons.hosts
        daemons.store.submit(uploads(4, GOOD))
        frozen.start(*TRIES, act=f"{moment}:STOP")
        wait_for(lambda: frozen.stopped)
        other.start("--once", *TRIES)
        wait_for(lambda: not other.alive)
        assert daemons.left() == 0, other.said
        before = list(journal.read(daemons.store.database))
        frozen.send(signal.SIGCONT)
        assert frozen.wait() == 3, frozen.said
        assert list(journal.read(daemons.store.database)) == before
        daemons.hosts.remove(frozen)
        daemons.drain(*TRIES)  # a stage may have begun again for a moment, until it learned that its lease was lost
        # a daemon that starts finds out what data earlier scores were given by
        after = list(journal.read(daemons.store.database))
        later = [line for line in after[len(before) :] if "judged" not in f"{line.event} {line.data}"]
        assert after[: len(before)] == before and later == []
    assert audit_cluster(daemons) == []


def test_full_disk_is_survived_without_a_restart(tmp_path: Path) -> None:
    with ExitStack() as stack:
        state = tmp_path / "host0"
        state.mkdir()
        try:
            disk = stack.enter_context(small_disk(state, 48))
        except PermissionError as e:
            pytest.skip(f"no disk of its own: {e}")
        daemons = stack.enter_context(Cluster(tmp_path))
        daemons.start(*TRIES, "--free-mib", "2")
        daemons.store.submit(uploads(12, GOOD))
        wait_for(runs(daemons, 4))
        with full(disk):
            wait_for(lambda: re.search("database cannot be used|until there is room", daemons.hosts[0].said))
            time.sleep(2)  # so much happens in vain
        wait_for(lambda: daemons.left() == 0)
        assert daemons.hosts[0].alive
        daemons.drain()
        assert audit_cluster(daemons) == []


def test_versions_of_the_flow_go_on_side_by_side(postgres: Server, tmp_path: Path) -> None:
    with Cluster(tmp_path, hosts=2, server=postgres) as daemons:
        ours, other = daemons.hosts
        ours.start()
        other.start("--version", "flow0")
        assert ours.ready() and other.ready()
        entries = iter(uploads(30, GOOD))
        while len({run.split()[2] for run in daemons.stage_runs()}) < 2:  # neither starves
            daemons.store.submit([next(entries)])  # one after the other, since a host takes what it finds
            wait_for(lambda: State.QUEUED not in daemons.store.counts())
        wait_for(lambda: daemons.left() == 0)
        by_entry: dict[str, set[str]] = {}
        for run in daemons.stage_runs():
            by_entry.setdefault(run.split()[0], set()).add(run.split()[2])
        assert {len(by) for by in by_entry.values()} == {1}, "each goes on with its own"
        other.end(signal.SIGTERM)
        daemons.hosts.remove(other)
        daemons.drain()
    assert audit_cluster(daemons) == []


@pytest.fixture(scope="module")
def drained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A queue with nothing to be found in it."""
    root = tmp_path_factory.mktemp("drained")
    with Cluster(root) as daemons:
        daemons.store.submit(uploads(3, ("good", "fails-quiz", "fault-prep")))
        daemons.drain()
    assert audit_cluster(daemons) == []
    return root


def set_reason(verdict: str) -> str:
    return f"update entries set reason = '{ended_with(verdict).as_text()}'"


def work(root: Path, name: str) -> Path:
    """The folder of the first entry that has such a stage."""
    return next((root / "host0" / "work").glob(f"*/1/{name}"))


def with_another_score(root: Path) -> None:
    """Change the score in a stage's result."""
    result = work(root, "score") / RESULT
    values = json.loads(result.read_text())
    values["score"]["values"]["F1"] = 0.99
    result.write_text(json.dumps(values))


def ended_twice(root: Path) -> None:
    """Keep a score again, and let its entry end again."""
    with queue(root / "host0") as store:
        (good,) = (entry for entry in store.entries() if entry.name == "good")
        score = store.score(good.id, 1)
        assert score is not None
        by_hand(store, "delete from scores")
        by_hand(store, "update entries set state = 'score' where name = 'good'")
        keep_score(store, good.id, 1, score)
        store.move(good.id, State.DONE, ended_with("OK"))


@pytest.mark.parametrize(
    ("harm", "finding"),
    [
        ("update entries set state = 'exam' where name = 'good'", "lost: .*neither ended nor waits with a reason"),
        (set_reason("OK") + " where name = 'fails-quiz'", "lost: .*has 0 scores"),
        (set_reason("TIMEOUT") + " where name = 'good'", "double: .*has 1 scores"),
        ("update scores set value = 0.9", "differs: scores .*: value is 0.9, the journal says"),
        ("delete from journal where number = 2", "differs: the journal is damaged at line 2"),
        (
            "insert into tasks (entry, attempt, task, flow, number, stage, tag, executor, since, needs_gpu, turn, "
            "place, delay, seconds, shards, avoid) "
            "select id, 1, 'exam', 'e:1', 0, 'exam', 0, '', 0, false, 0, 1, 0, 0, 1, '[]' from entries "
            "where number = 1",
            "left: a task exam of",
        ),
        (
            "insert into hosts (executor, name, place, slots, version, flow, started, expires) "
            "values ('old:1', 'old', 'p', 1, '0', 'flow1', 0, 0)",
            "left: the host old:1",
        ),
        (
            "insert into workflow_status (workflow_uuid, status, name, created_at, updated_at) "
            "values ('e1:1:0', 'PENDING', 'entry', 0, 0)",
            "left: workflow e1:1:0 is PENDING",
        ),
        (ended_twice, "double: .* counts 2 times"),
        (ended_twice, "double: .* ended 2 times in 1 attempts"),
        (with_another_score, "differs: the score in"),
        (lambda root: (work(root, "exam-1") / "half").write_text("first"), "half-written: .*/exam-1/half"),
        (lambda root: next((root / "host0" / "evidence").rglob("*.json")).with_suffix(".part").touch(), "half-written"),
    ],
)
def test_auditor_sees_it(drained: Path, tmp_path: Path, harm: str | Callable[[Path], object], finding: str) -> None:
    root = tmp_path / "root"
    shutil.copytree(drained, root)
    if isinstance(harm, str):
        with closing(sqlite3.connect(root / "host0" / "queue.sqlite", isolation_level=None)) as connection:
            connection.execute(harm)
    else:
        harm(root)
    assert_found(root, finding)


@pytest.mark.parametrize("shown", ["by its words", "by its log"])
def test_auditor_sees_a_process(drained: Path, monkeypatch: pytest.MonkeyPatch, shown: str) -> None:
    monkeypatch.setattr("tests.chaos.audit._PATIENCE", 0.0)
    name = guest_name(drained / "host0") if shown == "by its words" else "cat"
    with (drained / "said.log").open("w") as log:
        output = log if shown == "by its log" else subprocess.DEVNULL
        with subprocess.Popen([name], executable="/bin/cat", stdin=subprocess.PIPE, stdout=output) as guest:
            assert_found(drained, f"left: process {guest.pid}")


def assert_found(root: Path, finding: str) -> None:
    findings = audit(root / "host0", root)
    assert any(re.match(finding, line) for line in findings), findings
