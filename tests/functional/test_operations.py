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
from evaluate.store.db.rows import State
from evaluate.store.entries.store import Store
from evaluate.store.schedule.hosts import hosts
from tests.chaos.audit import wait_until
from tests.support.forked import Forked
from tests.support.loopback import Post, free_port, serving
from tests.support.queues import queue

SAMPLE = load_challenge("kits19").folder / "sample_entry"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with queue(tmp_path) as opened:
        yield opened


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def evaluate(tmp_path: Path) -> Iterator[Run]:
    """Runs a command of `evaluate` on that queue."""
    with Forked() as forked:
        yield partial(forked.run, "--state", str(tmp_path))


@pytest.fixture
def post() -> Iterator[Post]:
    with serving(Post()) as server:
        yield server


def submitted(evaluate: Run, team: str) -> str:
    done = evaluate("submit", str(SAMPLE), "--challenge", "kits19", "--team", team)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_organiser_sees_reloads_drains_and_stops_a_daemon(
    tmp_path: Path, store: Store, post: Post, evaluate: Run
) -> None:
    rules: dict[str, Any] = {
        "host": "green",
        "log": "json",
        "prometheus": f"127.0.0.1:{free_port()}",
        "heartbeat": {"seconds": 0.5, "ttl_seconds": 5},
        "notify": {"mail": post.rules},
        "challenges": {"kits19": {"scores": "withheld"}},
    }

    def configured(**more: Any) -> None:
        (tmp_path / "evaluate.yaml").write_text(yaml.safe_dump({**rules, **more}))

    configured()
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(tmp_path), "daemon"]
    with (tmp_path / "log").open("w") as log:
        daemon = subprocess.Popen(argv, stderr=log)

    def said(pattern: str) -> re.Match[str] | None:
        return re.search(pattern, (tmp_path / "log").read_text())

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
    for line in (tmp_path / "log").read_text().splitlines():
        assert {"at", "level", "message"} <= set(json.loads(line))
