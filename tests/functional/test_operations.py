"""A daemon as an organiser runs it: rules of a challenge, notices, numbers, reload, drain, the end."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.config.challenge.cache import load_challenge
from evaluate.store.db.reasons import Cause, Reason
from evaluate.store.db.rows import State
from evaluate.store.entries.store import Store, open_store
from evaluate.store.schedule.hosts import hosts
from tests.chaos.audit import wait_until
from tests.chaos.cluster import Host
from tests.support.forked import Forked
from tests.support.loopback import Post, free_port, serving
from tests.support.queues import at_fault

SAMPLE = load_challenge("kits19").folder / "sample_entry"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


@pytest.fixture
def store(state: Path) -> Iterator[Store]:
    opened = open_store(state)
    yield opened
    opened.engine.dispose()


Run = Callable[..., subprocess.CompletedProcess[str]]
"""Runs a command of `evaluate` on the state directory ``tmp_path / "state"``."""


@pytest.fixture
def evaluate(state: Path) -> Iterator[Run]:
    with Forked() as forked:
        yield partial(forked.run, "--state", str(state))


def upload(n: int, team: str, name: str = "good") -> dict[str, object]:
    return {"challenge": "cinc2017", "team": team, "name": name, "sha256": f"{n:064x}", "bytes": 1, "commit": ""}


def drain(state: Path, *options: str) -> None:
    """Let a daemon with scripted stages do all that there is."""
    Host(state).drain(*options)


def test_a_failed_quiz_and_a_dry_run_cost_if_the_organiser_says_so(state: Path, store: Store) -> None:
    (state / "evaluate.yaml").write_text(yaml.safe_dump({"challenges": {"cinc2017": {"charge_dry_runs": True}}}))
    store.submit([upload(1, "red"), upload(9, "blue", "fails-quiz")])
    drain(state)
    assert [(entry.state, entry.charged) for entry in store.entries()] == [(State.DONE, True)] * 2


def test_faults_are_tried_again_and_parked_at_no_cost(state: Path, store: Store, evaluate: Run) -> None:
    names = ("fault-quiz", "recovers-exam", "broken-exam", "fails-quiz")
    store.submit([upload(i, "red", name) for i, name in enumerate(names)])
    drain(state)
    entries = {entry.name: entry for entry in store.entries()}
    assert entries["fault-quiz"].state is State.PARKED
    assert entries["fault-quiz"].reason == at_fault("SandboxFault: the guest closed its channel", "quiz")
    assert not entries["fault-quiz"].charged
    assert (entries["recovers-exam"].state, entries["recovers-exam"].reason.verdict) == (State.DONE, "OK")
    broken = Reason(cause=Cause.CHALLENGE, stage="exam", message="REFERENCE.csv is gone")
    assert entries["broken-exam"].reason == broken
    assert (entries["fails-quiz"].reason.verdict, entries["fails-quiz"].charged) == ("RUNTIME_ERROR", False)
    assert not entries["broken-exam"].charged
    runs = (state / "ran.txt").read_text().split("\n")
    assert sum(line.startswith(f"{entries['fault-quiz'].id} quiz") for line in runs) == 3
    printed = evaluate("status", entries["fault-quiz"].id, "--evidence").stdout
    assert [f"quiz, try {i} on host" in printed for i in (1, 2, 3)] == [True] * 3
    assert f"evaluate status {entries['fault-quiz'].id} --evidence" in printed
    assert "SandboxFault: the guest closed its channel" in printed
    printed = evaluate("status", entries["fails-quiz"].id, "--evidence").stdout
    assert printed.endswith("no fault is known of attempt 1\n")


@pytest.fixture
def post() -> Iterator[Post]:
    with serving(Post()) as server:
        yield server


def submitted(evaluate: Run, team: str) -> str:
    done = evaluate("submit", str(SAMPLE), "--challenge", "kits19", "--team", team)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_organiser_sees_reloads_drains_and_stops_a_daemon(state: Path, store: Store, post: Post, evaluate: Run) -> None:
    rules: dict[str, Any] = {
        "host": "green",
        "log": "json",
        "prometheus": f"127.0.0.1:{free_port()}",
        "heartbeat": {"seconds": 0.5, "ttl_seconds": 5},
        "notify": {"mail": post.rules},
        "challenges": {"kits19": {"scores": "withheld"}},
    }

    def configured(**more: Any) -> None:
        (state / "evaluate.yaml").write_text(yaml.safe_dump({**rules, **more}))

    configured()
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(state), "daemon"]
    with (state / "log").open("w") as log:
        daemon = subprocess.Popen(argv, stderr=log)

    def said(pattern: str) -> re.Match[str] | None:
        return re.search(pattern, (state / "log").read_text())

    try:
        assert wait_until(lambda: said('"daemon started"'), 60)
        second_daemon = evaluate("daemon", "--once")
        assert f"a daemon runs here already, process {daemon.pid}" in second_daemon.stderr
        for team in ("red", "blue"):
            evaluate("team", "add", team, "--member", f"{team}@example.org")
        first = submitted(evaluate, "red")
        assert wait_until(lambda: len(post.kept) == 1, 120)
        (letter,) = post.kept
        assert (letter["To"], letter["Message-ID"].split(".")[1]) == ("red@example.org", first)
        assert "ended with OK" in letter.get_content() and "Score" not in letter.get_content()
        address = said(r"(http://127\.0\.0\.1:\d+/metrics)")
        assert address is not None
        with urllib.request.urlopen(address[1]) as reply:
            text = reply.read().decode()
        assert 'evaluate_stages_total{challenge="kits19",stage="exam",verdict="OK"} 1.0' in text
        assert 'evaluate_queue_entries{state="done"} 1.0' in text

        configured(slots=0)
        daemon.send_signal(signal.SIGHUP)
        assert wait_until(
            lambda: said("the configuration is not changed: .*slots: expected auto or a whole number from 1, found 0"),
            60,
        )
        configured(slots=3, challenges={"kits19": {"scores": "released"}})
        daemon.send_signal(signal.SIGHUP)
        assert wait_until(lambda: [notice.slots for notice in hosts(store)] == [3], 60)

        assert evaluate("host", "drain", "green").stdout == "green is drained; 0 stages still running\n"
        assert wait_until(lambda: said('"drained'), 60)
        second = submitted(evaluate, "blue")
        assert "but host green is drained" in evaluate("status", second).stdout
        evaluate("host", "drain", "green", "--off")
        assert wait_until(lambda: store.entry(second).state is State.DONE, 120)
        assert wait_until(lambda: len(post.kept) == 2, 60)
        assert post.kept[1]["To"] == "blue@example.org"
        assert "Score: composite 0.6190" in post.kept[1].get_content()

        daemon.send_signal(signal.SIGTERM)
        assert daemon.wait(60) == 0
        assert said('"stopped"')
        assert hosts(store) == []
    finally:
        daemon.kill()
        daemon.wait()
    for line in (state / "log").read_text().splitlines():
        assert {"at", "level", "message"} <= set(json.loads(line))
