"""Parts of the machine fail: nothing may be lost, and no entry may be blamed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import psutil

from evaluate.attack.cases import CHALLENGE_ERROR, FAULT, NOT_TRIED, Seen
from evaluate.attack.guests import LIMITS, Guests, qemu_of
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import challenge_folder
from evaluate.confine.walls import root_is_mounted
from evaluate.core.errors import ChallengeError, EntryError, Fault, SandboxFault
from evaluate.core.model import Verdict
from evaluate.core.waiting import Deadline
from evaluate.host.accelerators import open_hypervisor
from evaluate.images.image import Image
from evaluate.sandbox.base import Command, Hypervisor, Machine
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.running import LibvirtSandbox
from evaluate.sandbox.snapshots import STATE
from evaluate.stages.score import score
from evaluate.store.db.database import file_of
from tests.attacks import own_libvirt
from tests.attacks.attacks import Attack
from tests.attacks.own_libvirt import alone
from tests.conftest import CHECKOUT

_SECONDS = 120.0
_LATER = 2.0
_CHALLENGE = "kits19"
"""Its sample entry consists of answers, so that the queue needs no virtual machine for it."""


_BY_EXIT_CODE = {
    0: Verdict.OK.value,
    EntryError.exit_code: Verdict.INVALID_ENTRY.value,
    ChallengeError.exit_code: CHALLENGE_ERROR,
    Fault.exit_code: FAULT,
}


@dataclass(frozen=True, kw_only=True)
class FaultPlace:
    """Where a fault happens."""

    state: Path
    scratch: Path
    guests: Guests
    hypervisor: Hypervisor
    image: Image


def inject(case: Attack, place: FaultPlace) -> Seen:
    """Let the part of the machine fail that the case names, while it is used."""
    if case.root and os.geteuid() != 0:
        return Seen(NOT_TRIED, "only root can do this")
    return FAULTS[case.fault](place)


def _while_it_runs(place: FaultPlace, number: signal.Signals, wall_seconds: float) -> Seen:
    sandbox = cast(LibvirtSandbox, place.guests.used())
    process = qemu_of(sandbox)
    timer = threading.Timer(_LATER, process.send_signal, (number,))
    timer.start()
    try:
        run = sandbox.run(Command(argv=("/bin/sleep", "600")), replace(LIMITS, wall_seconds=wall_seconds))
        return Seen(run.verdict.value, run.detail)
    except SandboxFault as e:
        return Seen(FAULT, str(e))
    finally:
        timer.cancel()
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _qemu_killed(place: FaultPlace) -> Seen:
    return _while_it_runs(place, signal.SIGKILL, 60)


def _guest_hangs(place: FaultPlace) -> Seen:
    return _while_it_runs(place, signal.SIGSTOP, 2 * _LATER)


def _boots(place: FaultPlace, machine: Machine) -> Seen:
    try:
        with place.hypervisor.boot(machine):
            return Seen(Verdict.OK.value, "it booted")
    except SandboxFault as e:
        return Seen(FAULT, str(e))


def _garbage(place: FaultPlace, name: str) -> Path:
    path = place.scratch / name
    path.write_bytes(os.urandom(1 << 20))
    path.chmod(0o444)
    return path


def _guest_panics(place: FaultPlace) -> Seen:
    return _boots(place, Machine(image=replace(place.image, initrd=_garbage(place, "initrd.img"))))


def _layer_damaged(place: FaultPlace) -> Seen:
    return _boots(place, Machine(image=place.image, layers=[_garbage(place, "layer.squashfs")]))


def _snapshot_damaged(place: FaultPlace) -> Seen:
    place.guests.used()  # so that there is one, and it is the newest
    # one that has met no fault yet: after some of them saved guests are not used any more
    hypervisor = open_hypervisor(place.state, place.image, place.hypervisor.accelerator)
    saved = cast(LibvirtHypervisor, hypervisor)._snapshots.path
    found = max(saved.glob(f"*/{STATE}"), key=lambda path: path.parent.stat().st_mtime, default=None)
    if found is None:
        return Seen(NOT_TRIED, f"no guest is saved under {hypervisor.accelerator}")
    content = bytearray(found.read_bytes())
    middle = slice(len(content) // 2, len(content) // 2 + 4096)
    content[middle] = bytes(byte ^ 0xFF for byte in content[middle])
    found.chmod(0o644)
    found.write_bytes(content)
    found.chmod(0o444)
    seen = _boots(replace(place, hypervisor=hypervisor), Machine(image=place.image))
    if found.exists() and found.read_bytes() == content:
        return Seen("USED", "a guest was restored from a damaged snapshot")
    return seen


def _libvirtd_killed(place: FaultPlace) -> Seen:
    if not root_is_mounted():
        return Seen(NOT_TRIED, "in a plain chroot, a second libvirtd cannot have folders of its own")
    (place.scratch / "libvirt").mkdir()
    words = (str(place.state), place.image.name, place.hypervisor.accelerator, str(place.scratch / "libvirt"))
    program = [sys.executable, "-W", "ignore", "-m", own_libvirt.__name__, *words]
    argv = alone(place.scratch / "libvirt", program, kvm=place.hypervisor.accelerator == "kvm")
    done = subprocess.run(argv, cwd=CHECKOUT, capture_output=True, text=True, timeout=4 * _SECONDS, check=False)
    if done.returncode != 0:
        return Seen("CRASHED", done.stderr.strip()[-500:])
    return Seen(**json.loads(done.stdout.splitlines()[-1]))


def _scorer_killed(place: FaultPlace) -> Seen:
    challenge = load_challenge(_CHALLENGE)
    sample = challenge.folder / "sample_entry"
    references, records = challenge.exam.references, challenge.exam.records
    assert references is not None
    ended = threading.Event()
    killer = threading.Thread(target=_kill_child, args=(ended,))
    killer.start()
    try:
        outcome = score(challenge.metric, references, sample, records, challenge.rules)
        return Seen(outcome.result.verdict.value, "it scored although its process was killed")
    except Fault as e:
        return Seen(FAULT, str(e))
    finally:
        ended.set()
        killer.join()


def _kill_child(ended: threading.Event) -> None:
    """Kill the next process behind walls that this one starts."""
    own = psutil.Process()
    while not ended.wait(0.005):
        for child in own.children(recursive=True):
            with suppress(psutil.Error):
                if "bwrap" in child.name():
                    child.kill()
                    return


class ScratchQueue:
    """A queue of its own, driven by the command line."""

    def __init__(self, state: Path) -> None:
        self.state = state

    def argv(self, *words: str) -> list[str]:
        """The command line of a command."""
        return [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(self.state), *words]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(self.argv(*words), capture_output=True, text=True, timeout=_SECONDS, check=False)

    def submit(self) -> str:
        """Submit the sample entry; returns its id."""
        sample = challenge_folder(_CHALLENGE) / "sample_entry"
        done = self.run("submit", str(sample), "--challenge", _CHALLENGE, "--team", "red")
        if done.returncode != 0:
            raise SandboxFault(f"the sample entry cannot be submitted: {done.stderr}")
        return done.stdout.strip()

    def seen(self, done: subprocess.CompletedProcess[str]) -> Seen:
        """The outcome that an exit code says."""
        crashed = "Traceback" in done.stderr
        outcome = "CRASHED" if crashed else _BY_EXIT_CODE.get(done.returncode, f"exit code {done.returncode}")
        return Seen(outcome, (done.stderr or done.stdout).strip()[-500:])


def _daemon_killed(place: FaultPlace) -> Seen:
    queue = ScratchQueue(place.scratch / "queue")
    entry = queue.submit()
    drain = ("daemon", "--once", "--free-gib", "0")
    with subprocess.Popen(queue.argv(*drain), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as daemon:
        deadline = Deadline(_SECONDS)
        while daemon.poll() is None and not deadline.passed and not list((queue.state / "work").glob("*/*/*")):
            time.sleep(0.02)
        daemon.kill()
    state = json.loads(queue.run("status", entry, "--json").stdout)["state"]
    queue.run(*drain)
    done = queue.run("report", entry, "--json")
    return Seen(json.loads(done.stdout or "{}").get("verdict", "LOST"), f"killed in {state}, then evaluated")


def _database_damaged(place: FaultPlace) -> Seen:
    queue = ScratchQueue(place.scratch / "queue")
    queue.submit()
    file = file_of(queue.state)
    with sqlite3.connect(file) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    connection.close()
    data = bytearray(file.read_bytes())
    data[4096 : len(data) - 4096] = os.urandom(len(data) - 8192)
    file.write_bytes(data)
    return queue.seen(queue.run("status"))


def _disk_full(place: FaultPlace) -> Seen:
    small, sample = place.scratch / "small", place.scratch / "sample"
    small.mkdir()
    shutil.copytree(challenge_folder(_CHALLENGE) / "sample_entry", sample)
    (sample / "notes.txt").write_bytes(os.urandom(1 << 20))
    queue = ScratchQueue(small / "state")
    submit = queue.argv("submit", str(sample), "--challenge", _CHALLENGE, "--team", "red")
    # in a mount namespace of its own, so that the host never sees the small disk, however this ends
    mount = 'mount -t tmpfs -o size=256k,mode=711 small "$0" && exec "$@"'
    argv = ["unshare", "--mount", "--propagation", "private", "sh", "-c", mount, str(small), *submit]
    return queue.seen(subprocess.run(argv, capture_output=True, text=True, timeout=_SECONDS, check=False))


FAULTS: Mapping[str, Callable[[FaultPlace], Seen]] = {
    "qemu killed": _qemu_killed,
    "guest hangs": _guest_hangs,
    "guest panics": _guest_panics,
    "layer damaged": _layer_damaged,
    "snapshot damaged": _snapshot_damaged,
    "libvirtd killed": _libvirtd_killed,
    "scorer killed": _scorer_killed,
    "daemon killed": _daemon_killed,
    "database damaged": _database_damaged,
    "disk full": _disk_full,
}
