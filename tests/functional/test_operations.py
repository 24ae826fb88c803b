"""A daemon as an organiser runs it: rules of a challenge, notices, numbers, reload, drain, the end."""

import json
import re
import signal
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import yaml

from evaluate.config.challenge.cache import load_challenge
from evaluate.store.db.rows import State
from evaluate.store.schedule.hosts import hosts
from tests.chaos.audit import wait_for
from tests.support.commands import command, printed, program
from tests.support.loopback import Post, free_port, serving
from tests.support.queues import queue


def test_organiser_sees_reloads_drains_and_stops_a_daemon(tmp_path: Path) -> None:
    sample = load_challenge("kits19").folder / "sample_entry"
    rules: dict[str, Any] = {
        "host": "green",
        "log": "json",
        "prometheus": f"127.0.0.1:{free_port()}",
        "heartbeat": {"seconds": 0.5, "ttl_seconds": 5},
    }

    def configured(post: Post, **more: Any) -> None:
        text = yaml.safe_dump({**rules, "notify": {"mail": post.rules}, **more})
        (tmp_path / "evaluate.yaml").write_text(text)

    def said(pattern: str) -> re.Match[str] | None:
        return re.search(pattern, (tmp_path / "log").read_text())

    def submitted(team: str) -> str:
        printed(tmp_path, "team", "add", team, "--member", f"{team}@example.org")
        return printed(tmp_path, "submit", sample, "--challenge", "kits19", "--team", team).strip()

    with queue(tmp_path) as store, serving(Post()) as post, (tmp_path / "log").open("w") as log:
        configured(post, challenges={"kits19": {"scores": "withheld"}})
        with subprocess.Popen(program(tmp_path, "daemon"), stderr=log) as daemon:
            try:
                wait_for(lambda: said('"daemon started"'))
                _, second_daemon = command(tmp_path, "daemon", "--once")
                assert f"a daemon runs here already, process {daemon.pid}" in second_daemon
                first = submitted("red")
                wait_for(lambda: len(post.kept) == 1)
                (letter,) = post.kept
                assert (letter["To"], letter["Message-ID"].split(".")[1]) == ("red@example.org", first)
                assert "ended with OK" in letter.get_content() and "Score" not in letter.get_content()
                address = said(r"(http://127\.0\.0\.1:\d+/metrics)")
                assert address is not None
                with urllib.request.urlopen(address[1]) as reply:
                    text = reply.read().decode()
                assert 'evaluate_stages_total{challenge="kits19",stage="exam",verdict="OK"} 1.0' in text
                assert 'evaluate_queue_entries{state="done"} 1.0' in text

                configured(post, slots=0)
                daemon.send_signal(signal.SIGHUP)
                refusal = "the configuration is not changed: .*slots: expected auto or a whole number from 1, found 0"
                wait_for(lambda: said(refusal))
                configured(post, slots=3, challenges={"kits19": {"scores": "released"}})
                daemon.send_signal(signal.SIGHUP)
                wait_for(lambda: [host.slots for host in hosts(store)] == [3])

                assert printed(tmp_path, "host", "drain", "green") == "green is drained; 0 stages still running\n"
                wait_for(lambda: said('"drained'))
                second = submitted("blue")
                assert "but host green is drained" in printed(tmp_path, "status", second)
                printed(tmp_path, "host", "drain", "green", "--off")
                wait_for(lambda: store.entry(second).state is State.DONE)
                wait_for(lambda: len(post.kept) == 2)
                assert post.kept[1]["To"] == "blue@example.org"
                assert "Score: composite 0.6190" in post.kept[1].get_content()

                daemon.send_signal(signal.SIGTERM)
                assert daemon.wait(600) == 0
                assert said('"stopped"')
                assert hosts(store) == []
            finally:
                daemon.kill()
    for line in (tmp_path / "log").read_text().splitlines():
        assert {"at", "level", "message"} <= set(json.loads(line))
