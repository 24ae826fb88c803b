"""Several daemons on one PostgreSQL database, with real virtual machines and no folder in common."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.store.entries.store import open_store
from tests.chaos.audit import audit
from tests.functional.test_daemon import evaluate
from tests.support.postgres import Server

SAMPLE = load_challenge("cinc2017").folder / "sample_entry"


@pytest.fixture
def two_hosts(hypervisor: LibvirtHypervisor, state: Path, postgres: Server) -> Iterator[tuple[Path, Path, str]]:
    """Two state directories; the first has the image, the other must fetch it."""
    url = postgres.database("hosts")
    with hypervisor.runs.new("hosts") as folder:
        places = []
        for name in ("green", "blue"):
            own = folder / name
            own.mkdir(mode=0o755)
            (own / "cache").symlink_to(state / "cache")
            (own / "evaluate.yaml").write_text(
                f"database: {url}\nshared: file://{folder}/store\nhost: {name}\nshards: 2\n"
                "heartbeat: {seconds: 2, ttl_seconds: 30}\n"
            )
            places.append(own)
        (places[0] / "mirror").mkdir(mode=0o711)
        (places[0] / "mirror" / "images").symlink_to(state / "images")
        yield places[0], places[1], url


def submitted(state: Path, team: str) -> str:
    done = evaluate(state, "submit", str(SAMPLE), "--challenge", "cinc2017", "--team", team)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.vm
@pytest.mark.long
def test_two_hosts_share_the_stages_of_entries_and_agree(two_hosts: tuple[Path, Path, str]) -> None:
    green, blue, url = two_hosts
    entries = [submitted(green, "red"), submitted(green, "yellow")]
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate"]
    daemons = [
        subprocess.Popen([*argv, "--state", str(host), "daemon", "--once", "--accelerator", "tcg"])
        for host in (green, blue)
    ]
    try:
        for daemon in daemons:
            assert daemon.wait(timeout=900) == 0
    finally:
        for daemon in daemons:
            daemon.kill()
            daemon.wait()
    store = open_store(green, url)
    hosts = {result["executor"].partition(":")[0] for entry in entries for result in store.results(entry, 1)}
    store.engine.dispose()
    assert hosts == {"green", "blue"}
    exams = []
    for entry, host in zip(entries, (blue, green), strict=True):
        report = json.loads(evaluate(host, "report", entry, "--json", "--organiser").stdout)
        assert (report["verdict"], report["score"]["values"]["F1"]) == ("OK", pytest.approx(0.885714, abs=1e-6))
        exam = next(stage for stage in report["stages"] if stage["stage"] == "exam")
        exams.append([(record["record"], record["answer"], record["instructions"]) for record in exam["records"]])
    assert [one[:2] for one in exams[0]] == [one[:2] for one in exams[1]]
    for one, other in zip(*exams, strict=True):
        assert one[2] == pytest.approx(other[2], rel=0.02)
    assert audit(green, green.parent, scripted=False) == []
