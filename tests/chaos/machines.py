"""Kills the daemon, QEMU and libvirtd while real virtual machines run: ``python -m tests.chaos.machines``.

The entries are the sample of the challenge ``cinc2017`` by different teams, so the report of each must be that of an
undisturbed run, which is done first.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from evaluate.config.challenge.cache import load_challenge
from evaluate.host.accelerators import open_hypervisor
from evaluate.host.doctor import start_libvirt
from evaluate.host.state import default_state, open_state
from evaluate.images.image import load_image
from evaluate.sandbox.connection import connect, default_uri
from evaluate.sandbox.domain import PREFIX
from evaluate.store.db.rows import State
from tests.chaos.audit import audit, wait_until
from tests.support.commands import process, program
from tests.support.queues import queue

CHALLENGE = "cinc2017"
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
        self.done: Counter[str] = Counter()

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
            what = "daemon"
            self._daemon.kill()
            self._daemon.wait()
        self.done[f"{what} killed"] += 1

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


def state_in(folder: Path, images: Path) -> Path:
    """A new state directory that has the images and layers of another."""
    state = folder / "state"
    state.mkdir(mode=0o755)
    for name in ("images", "cache", "layers"):
        (images / name).mkdir(exist_ok=True)
        (state / name).symlink_to(images / name)
    return state


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=20)
    options.add_argument("--entries", type=int, default=2)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--log", type=Path, default=Path("/dev/null"), help="where the log of the daemons is kept")
    asked = options.parse_args()
    images = open_state(default_state())
    hypervisor = open_hypervisor(images, load_image("bookworm", images), "tcg")
    with hypervisor.runs.new("chaos") as folder:
        state = state_in(folder, images)
        run = Machines(state, asked.seed)
        try:
            findings = disturb(run, asked.kills, asked.entries)
        finally:
            run.end()
            asked.log.write_bytes((state.parent / "daemon.log").read_bytes())
    done = ", ".join(f"{n} {what}" for what, n in sorted(run.done.items()))
    print("\n".join([*findings, f"{done}; {asked.entries} entries; {len(findings)} findings"]))
    return 1 if findings else 0


def disturb(run: Machines, kills: int, entries: int) -> list[str]:
    """Run entries with so many kills, and audit."""
    wanted = run.submit("undisturbed")
    run.evaluate(*OPTIONS, "--once")
    entries_ = [run.submit(f"team{i}") for i in range(entries)]
    for number in range(kills):
        if not in_state(run.state, lambda state: not state.ended and state is not State.PARKED):
            entries_.append(run.submit(f"late{number}"))
        run.harm()
        print(f"{number + 1} of {kills}: {dict(run.done)}", file=sys.stderr)
    run.end()
    run.evaluate(*OPTIONS, "--once")
    for entry in in_state(run.state, lambda state: state is State.PARKED):  # its tries were all killed
        run.evaluate("resolve", entry)
        run.done["retried by hand"] += 1
    run.evaluate(*OPTIONS, "--once")
    findings = audit(run.state, scripted=False) + left_behind(run.state)
    undisturbed = run.report(wanted)
    for entry in entries_:
        if (report := run.report(entry)) != undisturbed:
            findings.append(f"differs: the report of {entry}: {report} instead of {undisturbed}")
    return findings


def in_state(state: Path, which: Callable[[State], bool]) -> list[str]:
    """The ids of the entries in a given state."""
    with queue(state) as store:
        return [entry.id for entry in store.entries() if which(entry.state)]


if __name__ == "__main__":
    sys.exit(main())
