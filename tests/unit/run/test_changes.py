"""Organisers change every file of theirs while entries run: an attempt is judged by what it began with, or parked."""

import hashlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from evaluate.config.challenge.load import challenge_folder
from evaluate.core.model import Stage
from evaluate.store.db.reasons import Cause
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.entries.best_attempts import data_of_scores
from evaluate.store.entries.store import Store
from evaluate.store.files.stage_folders import archive_of
from evaluate.store.schedule.faults import faults
from evaluate.views.why import why_for_team
from tests.chaos.cluster import Host
from tests.support.commands import printed, run
from tests.support.queues import keep_result, queue, result, upload


@dataclass
class Site:
    """A queue with a challenge of its organiser's own, and a daemon whose stages are scripted."""

    state: Path
    store: Store

    @property
    def challenge(self) -> Path:
        return self.state.parent / "hearts"

    def during(self, task: str, script: str) -> None:
        """Run a shell script in the challenge's folder while a task runs."""
        (self.state / f"during-{task}").write_text(script)

    def submitted(self, team: str = "red", challenge: Path | None = None) -> str:
        ((identity, _),) = self.store.submit([{**upload(team, 0, str(challenge or self.challenge)), "name": "good"}])
        return identity

    def drain(self) -> str:
        """Run everything that can run; the log."""
        return Host(self.state).drain("--shards", "2", "--slots", "1", "--seconds", "0")

    def judged(self) -> QueuedEntry:
        """An entry that came as far as it can."""
        identity = self.submitted()
        self.drain()
        return self.store.entry(identity)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    shutil.copytree(challenge_folder("cinc2017"), tmp_path / "hearts")
    state = tmp_path / "state"
    state.mkdir()
    rules = {"host": "green", "challenges": {"hearts": {"folder": str(tmp_path / "hearts")}}}
    (state / "evaluate.yaml").write_text(yaml.safe_dump(rules))
    with queue(state) as store:
        yield Site(state=state, store=store)


ADDED = "for f in sample_data/test/T00001.*; do cp $f sample_data/test/T00999.${f##*.}; done; "
ADDED += "sed -i s/T00001/T00999/ sample_data/test/T00999.hea; "
ADDED += "echo T00999,N >> sample_data/test/REFERENCE.csv; echo T00999 >> sample_data/test/RECORDS"


@pytest.mark.parametrize(
    ("task", "script", "changed"),
    [
        ("exam-0", ADDED, "record added: T00999.*; references changed"),
        ("exam-1", "rm sample_data/test/T00001.mat", "T00001"),
        ("exam", "echo '# mended' >> sample_data/test/T00001.hea", "file changed: T00001.hea"),
        ("score", "sed -i 's/rules: corrected/rules: official/' challenge.yaml", "rules: corrected, now official"),
    ],
)
def test_exam_whose_data_change_is_parked_at_no_cost_and_evaluated_again(
    site: Site, task: str, script: str, changed: str
) -> None:
    site.during(task, script)
    entry = site.judged()
    assert (entry.state, entry.reason.cause, entry.charged) == (State.PARKED, Cause.CHALLENGE, False)
    assert re.search(changed, entry.reason.message)
    assert site.store.score(entry.id, entry.attempt) is None
    (fault,) = faults(site.store.database)
    assert fault.part.value == "challenge"
    assert not re.search(changed, why_for_team(entry, site.store))
    if "rm " in script:
        shutil.copytree(challenge_folder("cinc2017"), site.challenge, dirs_exist_ok=True)
    site.store.retry(entry.id)
    (site.state / f"during-{task}").unlink()
    later = site.submitted("blue")
    site.drain()
    again = site.store.entry(entry.id)
    assert (again.state, again.charged, site.store.entry(later).state) == (State.DONE, True, State.DONE)
    assert len(data_of_scores(site.store, str(site.challenge))) == 1, "they may be compared"


def test_report_of_what_is_over_needs_no_challenge(site: Site) -> None:
    entry = site.judged()

    def reports() -> list[str]:
        forms = ([], ["--organiser"], ["--json"], ["--json", "--organiser"])
        return [run(site.state, "report", entry.id, *options).stdout for options in forms]

    before = reports()
    file = site.challenge / "challenge.yaml"
    file.write_text(file.read_text().replace("6.0e10", "9.0e12").replace("6.0e11", "9.0e12"))
    assert reports() == before and "F1" in before[0]
    settings = site.state / "evaluate.yaml"
    settings.write_text(settings.read_text().replace(str(site.challenge), str(challenge_folder("kits19"))))
    shutil.rmtree(site.challenge)
    assert reports() == before
    settings.write_text("host: green\n")
    assert all("F1" in one and "kits19" in one for one in reports())


def test_daemon_that_runs_once_ends_when_all_that_is_left_is_stopped(site: Site) -> None:
    teams = [f"team {n}" for n in range(60)]  # a daemon learns of a stop within a second
    entries = [site.store.submit([{**upload(team, 0, str(site.challenge)), "name": "broken-score"}]) for team in teams]
    assert "hearts: stopped for faults" in site.drain()
    left = [site.store.entry(identity).state for ((identity, _),) in entries]
    assert State.PARKED in left and State.DONE not in left


def test_attempt_whose_products_are_gone_after_a_restore_begins_again(site: Site) -> None:
    """Its receipt states the prep by which it was examined, and no other."""
    identity = site.submitted()
    (entry,) = site.store.next_entries(1)
    before = result(Stage.PREP, message="of before")
    keep_result(site.store, identity, 1, "prep", before)
    site.store.move(identity, State.QUIZ)
    site.during("quiz", ADDED)  # data that change before the exam judge it
    assert "it begins again" in site.drain()
    again = site.store.entry(identity)
    assert (again.state, again.attempt, entry.attempt) == (State.DONE, 2, 1)
    assert site.store.results(identity, 2)[0]["message"] != "of before"
    assert "Traceback" not in run(site.state, "verify-state").output


@pytest.mark.parametrize("task", ["prep", "score"])
def test_challenge_that_goes_away_parks_its_entries_and_hinders_no_other(site: Site, task: str) -> None:
    site.during(task, f"cd ..; mv {site.challenge} {site.challenge}-gone 2> /dev/null || true")
    entry, other = site.submitted(), site.submitted("blue", challenge_folder("cinc2017"))
    (site.state / "evaluate.yaml").write_text("host: green\n")
    site.drain()
    parked = site.store.entry(entry)
    assert (parked.state, parked.reason.cause, parked.charged) == (State.PARKED, Cause.CHALLENGE, False)
    assert str(site.challenge) in parked.reason.message
    assert site.store.entry(other).state is State.DONE
    for command in (["status", entry], ["report", entry], ["status"], ["status", "--faults"], ["verify-state"]):
        run(site.state, *command)


def test_short_life_of_an_entry_in_a_folder_of_any_name(tmp_path: Path) -> None:
    name = "%3Fmode=memory a#b%41? grün €"
    state = tmp_path / "hosts" / name
    state.mkdir(parents=True)
    with queue(state) as store:
        store.submit([{**upload("red", 0), "name": "good", "sha256": hashlib.sha256(b"an entry").hexdigest()}])
        archive = archive_of(state, store.entries()[0].sha256)
        archive.parent.mkdir(parents=True)
        archive.write_bytes(b"an entry")
        Host(state, tmp_path / "host.log").drain("--seconds", "0", "--shards", "1")
        (entry,) = store.entries()
        assert entry.state is State.DONE
    for command in (["verify-state"], ["report", entry.id], ["backup", str(tmp_path / "copies")]):
        printed(state, *command)
    assert [path.name for path in (tmp_path / "hosts").iterdir()] == [name]
    assert {path.name for path in tmp_path.iterdir()} == {"hosts", "copies", "host.log"}
