"""The daemon, QEMU and libvirtd are killed while real virtual machines run, and nothing of an entry changes.

The entries are the sample of the challenge ``cinc2017`` by different teams, so the report of each must be that of an
undisturbed run, which is done first.  By hand, since no other machine of this host survives it.
"""

import json
import random
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.host.doctor import start_libvirt
from evaluate.sandbox.connection import connect, default_uri
from evaluate.sandbox.domain import PREFIX
from evaluate.store.db.rows import State
from tests.chaos.audit import audit, wait_until
from tests.support.commands import process, program
from tests.support.queues import queue

pytestmark = pytest.mark.vm
CHALLENGE = "cinc2017"
KILLS = 20
OPTIONS = ("daemon", "--accelerator", "tcg", "--slots", "2", "--shards", "2", "--free-gib", "0")
VICTIMS = ("daemon", "qemu", "libvirtd")
_SAME = ("verdict", "score", "challenge", "image")
_SECONDS = 1800.0
"""Seconds for everything that is left after the last kill."""


class Machines:
    """A state directory with a real daemon."""

    def __init__(self, state: Path, seed: int) -> None:
        self.state, self._dice = state, random.Random(seed)
        self._deck: list[str] = []
        self._daemon: subprocess.Popen[bytes] | None = None

    def evaluate(self, *words: str) -> str:
        """Run a command; returns its output."""
        done = process(self.state, *words, seconds=_SECONDS)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def submit(self, team: str) -> str:
        """Put the sample entry into the queue; returns its id."""
        sample = load_challenge(CHALLENGE).folder / "sample_entry"
        return self.evaluate("submit", str(sample), "--challenge", CHALLENGE, "--team", team)

    def report(self, entry: str) -> dict[str, Any]:
        """Parts of a report that are the same however often the entry was disturbed."""
        report = json.loads(self.evaluate("report", entry, "--json"))
        stages = [
            {
                **{key: stage[key] for key in ("stage", "verdict", "message")},
                "records": [record["record"] for record in stage.get("records", [])],
            }
            for stage in report["stages"]
        ]
        return {**{key: report[key] for key in _SAME}, "stages": stages}

    def harm(self) -> None:
        """Let the daemon run for a while, and kill something."""
        if self._daemon is None or self._daemon.poll() is not None:
            with (self.state.parent / "daemon.log").open("ab") as log:
                self._daemon = subprocess.Popen(program(self.state, *OPTIONS), stdout=log, stderr=log)
        wait_until(guests, 90)  # now there is something to lose
        time.sleep(self._dice.uniform(0.5, 12))
        if not self._deck:  # each once before any is repeated
            self._deck = self._dice.sample(VICTIMS, len(VICTIMS))
        what = self._deck.pop()
        if what == "qemu" and (running := guests()):
            with suppress(psutil.NoSuchProcess):
                self._dice.choice(running).kill()
        elif what == "libvirtd" and (victim := libvirtd()) is not None:
            victim.kill()
            victim.wait(30)
            for command in start_libvirt():
                subprocess.run(command, check=True)
        else:
            self.end()

    def end(self) -> None:
        """Kill the daemon, if it is alive."""
        if self._daemon is not None:
            self._daemon.kill()
            self._daemon.wait()


def guests() -> list[psutil.Process]:
    """The QEMU processes of our domains."""
    processes = psutil.process_iter(["cmdline"])
    return [process for process in processes if f"guest={PREFIX}" in " ".join(process.info["cmdline"] or [])]


def libvirtd() -> psutil.Process | None:
    """The libvirt daemon, if it is one that would not be restarted after a kill."""
    if Path("/run/systemd/system").is_dir():
        return None
    processes = [process for process in psutil.process_iter(["name"]) if process.info["name"] == "libvirtd"]
    return processes[0] if len(processes) == 1 else None


def left_behind(state: Path) -> list[str]:
    """Domains, processes and folders that no daemon owns any more."""
    connection = connect(default_uri())

    def left() -> list[str]:
        names = [f"domain {item.name()}" for item in connection.listAllDomains() if item.name().startswith(PREFIX)]
        return [*names, *(f"process {item.pid}" for item in guests())]

    wait_until(lambda: not left(), 60)
    return [f"left: {what}" for what in (*left(), *(state / "runs").glob("*-*"))]


def in_state(state: Path, which: Callable[[State], bool]) -> list[str]:
    """The ids of the entries in a given state."""
    with queue(state) as store:
        return [entry.id for entry in store.entries() if which(entry.state)]


@pytest.mark.usefixtures("hypervisor")
def test_reports_after_kills_are_those_of_an_undisturbed_run(cold_state: Path) -> None:
    run = Machines(cold_state, seed=1)
    try:
        undisturbed = run.submit("undisturbed")
        run.evaluate(*OPTIONS, "--once")
        entries = [run.submit(f"team{i}") for i in range(2)]
        for number in range(KILLS):
            if not in_state(run.state, lambda state: not state.ended and state is not State.PARKED):
                entries.append(run.submit(f"late{number}"))
            run.harm()
    finally:
        run.end()
    run.evaluate(*OPTIONS, "--once")
    for entry in in_state(run.state, lambda state: state is State.PARKED):  # its tries were all killed
        run.evaluate("resolve", entry)
    run.evaluate(*OPTIONS, "--once")
    assert audit(run.state, scripted=False) + left_behind(run.state) == []
    wanted = run.report(undisturbed)
    assert [report for entry in entries if (report := run.report(entry)) != wanted] == []
