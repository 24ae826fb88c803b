"""Damages copies of a queue, and asks whether it is found: ``python -m tests.chaos.damage [--flips N] [--kills N]``.

The queue is real: entries were submitted, evaluated, and scored.  What is damaged must be found and named, and what is
not found must change nothing that anybody sees.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from evaluate.challenge.load import challenge_folder
from evaluate.core.errors import EvaluateError, Fault
from evaluate.queue.audit import verify
from evaluate.queue.db.reader import FILE
from evaluate.queue.views.board import as_json, board_of
from tests.support.queues import queue

CHALLENGE = "kits19"
"""Its sample entry consists of answers: no virtual machine is needed."""
_SECONDS = 300.0


def evaluate(state: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(_argv(state, *words), capture_output=True, text=True, check=False, timeout=_SECONDS)


def _argv(state: Path, *words: str) -> list[str]:
    return [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(state), *words]


def made(state: Path, entries: int) -> None:
    """A queue in which each of so many entries has ended, and one waits."""
    for number in range(entries + 1):
        sample = shutil.copytree(challenge_folder(CHALLENGE) / "sample_entry", state.parent / f"entry{number}")
        (sample / "note.txt").write_text(f"entry {number}\n")
        done = evaluate(state, "submit", str(sample), "--challenge", CHALLENGE, "--team", f"team{number}")
        assert done.returncode == 0, done.stderr
        if number == entries - 1:
            assert evaluate(state, "daemon", "--once", "--free-gib", "0").returncode == 0


def shown(state: Path) -> str:
    """What people see of a queue, as text.

    Raises
    ------
    Fault
        The queue does not match its journal.
    """
    with queue(state) as store:
        if found := list(verify.whole(store.database)):
            raise Fault("; ".join(map(str, found)))
        entries = [(one.id, one.state, one.team, one.charged, one.reason.as_text()) for one in store.entries()]
        results = [store.results(one[0], 1) for one in entries]
        return json.dumps([entries, results, as_json(board_of(store, CHALLENGE, (), 0, 12))], default=str)


class Damage:
    """Copies of one queue, each damaged in another way."""

    def __init__(self, root: Path, entries: int, seed: int) -> None:
        self.root, self.dice = root, random.Random(seed)
        self.sound = root / "sound"
        made(self.sound, entries)
        with sqlite3.connect(self.sound / FILE) as connection:  # what lies in the log alone cannot be damaged elsewhere
            connection.execute("pragma wal_checkpoint(truncate)")
        connection.close()
        self.seen = shown(self.sound)
        self._seconds: dict[str, float] = {}
        self.done: Counter[str] = Counter()
        self._copies = 0

    def copy(self) -> Path:
        """The sound state directory once more."""
        self._copies += 1
        return shutil.copytree(self.sound, self.root / f"copy{self._copies}", symlinks=True)

    def flip(self) -> Iterator[str]:
        """Change one byte of the database."""
        state = self.copy()
        file = state / FILE
        data = bytearray(file.read_bytes())
        place = self.dice.randrange(len(data))
        data[place] ^= 1 << self.dice.randrange(8)
        file.write_bytes(data)
        try:
            same = shown(state) == self.seen
        except EvaluateError:
            self.done[f"byte of {file.name}: found"] += 1
        except Exception as e:  # a crash is what this looks for
            yield f"byte {place} of {file.name}: {type(e).__name__}: {str(e)[:200]}"
        else:
            self.done[f"byte of {file.name}: changes nothing"] += same
            if not same:
                yield f"byte {place} of {file.name}: not found, and it changes what is shown"
        shutil.rmtree(state)

    def refused(self, what: str, harm: Callable[[Path], object]) -> Iterator[str]:
        """A queue of which something is missing is refused by every command, with the way back."""
        state = self.copy()
        harm(state)
        for words in (("status",), ("board", CHALLENGE), ("daemon", "--once", "--free-gib", "0")):
            done = evaluate(state, *words)
            if done.returncode != 3 or "evaluate restore" not in done.stderr or "Traceback" in done.stderr:
                yield f"{what}: {words[0]} ended with {done.returncode}: {done.stderr[-300:]}"
        self.done[f"{what}: refused"] += 1
        shutil.rmtree(state)

    def named(self, what: str, statement: str) -> Iterator[str]:
        """An edited table is named, and not backed up."""
        state = self.copy()
        with sqlite3.connect(state / FILE) as connection:
            connection.execute(statement)
        connection.close()
        codes = [evaluate(state, *words).returncode for words in (("verify-state",), ("backup", f"{state}.backup"))]
        if codes != [3, 3]:
            yield f"{what}: verify-state and backup ended with {codes}"
        self.done[f"{what}: named"] += 1

    def killed(self, command: str) -> Iterator[str]:
        """A backup or restore that is killed leaves something whole, or nothing that passes for it."""
        state, place, back = self.copy(), self.root / f"backup{self._copies}", self.root / f"back{self._copies}"
        if command == "restore":
            assert evaluate(state, "backup", str(place)).returncode == 0
        target, words = (state, ("backup", str(place))) if command == "backup" else (back, ("restore", str(place)))
        begin = time.monotonic()
        with subprocess.Popen(_argv(target, *words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            if command in self._seconds:
                time.sleep(self.dice.uniform(0.3, 1.1) * self._seconds[command])
                running.kill()
        self._seconds.setdefault(command, time.monotonic() - begin)  # the first one may end
        if command == "backup" and evaluate(back, "restore", str(place)).returncode != 0:
            self.done["backup killed: nothing that passes for whole"] += 1
            return
        if not (back / FILE).exists():
            self.done[f"{command} killed: no queue, continued"] += 1
            if command == "restore" and (back.exists() or evaluate(back, "restore", str(place)).returncode != 0):
                yield f"{command} killed: it left a part of a state directory, or cannot be continued"
            return
        try:
            same = shown(back) == self.seen
        except EvaluateError:
            self.done[f"{command} killed: refused"] += 1
            return
        self.done[f"{command} killed: whole"] += same
        if not same:
            yield f"{command} killed: another queue"

    def findings(self, flips: int, kills: int) -> Iterator[str]:
        """Everything once, and what depends on chance so often."""
        older = self.root / "older"
        older.mkdir()
        made(older / "state", 0)
        yield from self.refused("missing database", lambda state: (state / FILE).unlink())
        yield from self.refused("emptied database", lambda state: (state / FILE).write_bytes(b""))
        yield from self.refused("another database", lambda state: shutil.copy(older / "state" / FILE, state / FILE))
        yield from self.refused("last lines lost", _without_last_lines)
        yield from self.named("score edited", "update scores set value = 0.99")
        yield from self.named("state edited", "update entries set state = 'cancelled' where number = 1")
        yield from self.named("row removed", "delete from scores")
        for _ in range(kills):
            yield from self.killed("backup")
            yield from self.killed("restore")
        for _ in range(flips):
            yield from self.flip()


def _without_last_lines(state: Path) -> None:
    """As a disk leaves it that loses what was written last: every row of the newest entry is gone, and its lines."""
    with sqlite3.connect(state / FILE) as connection:
        (newest,) = connection.execute("select id from entries order by number desc limit 1").fetchone()
        connection.execute("delete from journal where entry = ?", (newest,))
        connection.execute("delete from entries where id = ?", (newest,))
    connection.close()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--flips", type=int, default=100, help="bytes changed in the database")
    options.add_argument("--kills", type=int, default=10, help="of backups and of restores")
    options.add_argument("--entries", type=int, default=3)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="evaluate-damage-") as folder:
        run = Damage(Path(folder), asked.entries, asked.seed)
        findings = []
        for finding in run.findings(asked.flips, asked.kills):
            findings.append(finding)
            print(f"FINDING {finding}", flush=True)
    print("\n".join(f"{n:5} {what}" for what, n in sorted(run.done.items())))
    print(f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
