"""Organisers change every file of theirs while entries run: an attempt is judged by what it began with, or parked."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from evaluate.challenge.load import challenge_folder
from evaluate.commands.main import main
from evaluate.queue.db.reasons import Cause
from evaluate.queue.db.rows import QueuedEntry, State
from evaluate.queue.entries.store import Store, open_store
from evaluate.queue.schedule.faults import faults
from evaluate.queue.views.why import why_for_team
from tests.support.queues import upload


@dataclass
class Site:
    """A queue with a challenge of its organiser's own, and a daemon whose stages are scripted."""

    state: Path
    shared: Path
    store: Store

    @property
    def challenge(self) -> Path:
        return self.state.parent / "hearts"

    def during(self, task: str, script: str) -> None:
        """Run a shell script in the challenge's folder while a task runs, the first time."""
        file = self.shared / f"during-{task}"
        file.write_text(f"cd {self.challenge}\n{script}\nrm {file}\n")

    def submitted(self, team: str = "red", n: int = 0) -> str:
        ((identity, _),) = self.store.submit([{**upload(team, n, str(self.challenge)), "name": "good"}])
        return identity

    def drain(self) -> str:
        """Run everything that can run; the log."""
        argv = [sys.executable, "-W", "ignore", "-m", "tests.chaos.daemon", str(self.state), "--once"]
        options = ["--shards", "2", "--slots", "1", "--seconds", "0"]
        done = subprocess.run([*argv, *options], capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def judged(self) -> QueuedEntry:
        """An entry that came as far as it can."""
        identity = self.submitted()
        self.drain()
        return self.store.entry(identity)

    def evaluate(self, *argv: str) -> Result:
        return CliRunner().invoke(main, ["--state", str(self.state), *argv])


@pytest.fixture
def site(tmp_path: Path, database_url: str) -> Iterator[Site]:
    shutil.copytree(challenge_folder("cinc2017"), tmp_path / "hearts")
    state = tmp_path / "state"
    state.mkdir()
    rules = {"host": "green", "challenges": {"hearts": {"folder": str(tmp_path / "hearts")}}}
    shared = state
    if database_url:
        rules |= {"database": database_url, "shared": str(shared := tmp_path / "shared")}
        shared.mkdir()
    (state / "evaluate.yaml").write_text(yaml.safe_dump(rules))
    store = open_store(state, database_url)
    yield Site(state=state, shared=shared, store=store)
    store.engine.dispose()


ADDED = "for f in sample_data/test/T00001.*; do cp $f sample_data/test/T00999.${f##*.}; done; "
ADDED += "sed -i s/T00001/T00999/ sample_data/test/T00999.hea; "
ADDED += "echo T00999,N >> sample_data/test/REFERENCE.csv; echo T00999 >> sample_data/test/RECORDS"


@pytest.mark.parametrize(
    ("task", "script", "changed"),
    [
        ("exam-0", ADDED, "record added: T00999"),
        ("exam-1", "sed -i s/,N/,A/ sample_data/test/REFERENCE.csv", "references changed"),
        ("exam-1", "rm sample_data/test/T00001.mat", "T00001"),
        ("exam", "echo '# mended' >> sample_data/test/T00001.hea", "file changed: T00001.hea"),
        ("score", ADDED, "record added: T00999"),
        ("score", "sed -i 's/rules: corrected/rules: official/' challenge.yaml", "rules: corrected, now official"),
    ],
)
def test_exam_whose_data_change_is_parked_at_no_cost_and_evaluated_again(
    site: Site, task: str, script: str, changed: str
) -> None:
    site.during(task, script)
    entry = site.judged()
    assert (entry.state, entry.reason.cause, entry.charged) == (State.PARKED, Cause.CHALLENGE, False)
    assert changed in entry.reason.message
    assert site.store.score(entry.id, entry.attempt) is None
    (fault,) = faults(site.store.database)
    assert fault.part.value == "challenge"
    assert changed not in why_for_team(entry, site.store)
    if "rm " in script:
        shutil.copytree(challenge_folder("cinc2017"), site.challenge, dirs_exist_ok=True)
    site.store.retry(entry.id)
    later = site.submitted("blue")
    site.drain()
    again = site.store.entry(entry.id)
    assert (again.state, again.charged, site.store.entry(later).state) == (State.DONE, True, State.DONE)
    assert len(site.store.reader.data(str(site.challenge))) == 1, "they may be compared"


def test_data_that_change_before_the_exam_judge_it(site: Site) -> None:
    site.during("quiz", ADDED)
    assert site.judged().state is State.DONE
