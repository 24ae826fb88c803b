import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import sqlalchemy as sa

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.load import challenge_key
from evaluate.config.schema.keys import seconds_since_1970
from evaluate.config.terms import AttemptLimits, Phase, Terms
from evaluate.config.types import Config
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.files import sha256_file
from evaluate.operate.audit import verify
from evaluate.store import submission
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.quota import Quota, counted
from evaluate.store.entries.store import Store
from evaluate.store.files import archives
from evaluate.store.files.depot import open_depot
from evaluate.store.files.stage_folders import archive_of
from evaluate.store.people.site_settings import Extension, allow_late
from evaluate.store.people.teams import Team
from evaluate.store.submission import Submission, submit
from tests.support.packing import another_entry
from tests.support.queues import CHALLENGE, ONE_DATABASE, at_fault, by_hand, keep_team, queue, upload

NAME = "kits19"
"""Of answers alone, so that an entry is a folder with a file for each record."""
DAY = 86400.0


class Case:
    """A team that submits archives, each another."""

    def __init__(self, state: Path, store: Store) -> None:
        self.state, self.store = state, store
        self.config = Config()

    def rules(self, **values: Any) -> None:
        self.config = Config(challenges={NAME: Terms(**values)})

    def archive(self, number: int) -> Path:
        return another_entry(NAME, self.state.parent / f"entry{number}", number)

    def submit(self, number: int, team: str = "red", challenge: str = NAME) -> str:
        return self.submission(number, team, challenge).entry.id

    def submission(self, number: int, team: str = "red", challenge: str = NAME, **more: Any) -> Submission:
        return submit(self.archive(number), challenge, team, self.state, self.store, self.config, **more)

    def refused(self, number: int, team: str = "red", challenge: str = NAME) -> str:
        before = self.store.database.position().line
        with pytest.raises(EntryError) as caught:
            self.submit(number, team, challenge)
        assert self.store.database.position().line == before
        return str(caught.value)


def count(submission: Submission) -> tuple[str, int, int | None]:
    """The phase of a submission, its attempts and how many are left."""
    return submission.attempts.phase, submission.attempts.in_phase.most, submission.attempts.left


@pytest.fixture
def case(tmp_path: Path, queue_url: str) -> Iterator[Case]:
    (tmp_path / "state").mkdir()
    with queue(tmp_path / "state", queue_url) as store:
        yield Case(tmp_path / "state", store)


@ONE_DATABASE
def test_upload_is_kept_where_every_host_finds_it_and_what_a_killed_submission_left_is_swept(case: Case) -> None:
    odd = case.archive(1).rename(case.state.parent / ("x" * 200 + "\udcff.zip"))
    entry = submit(f"{odd}/", NAME, "red", case.state, case.store, case.config).entry
    name = "x" * 200 + "\N{REPLACEMENT CHARACTER}.zip"
    assert (entry.challenge, entry.name, entry.team) == (NAME, name, "red"), "a name may be no text"
    archive, uploads = archive_of(case.state, entry.sha256), case.state / "entries"
    assert archive.is_file() and archive.stat().st_mode & 0o777 == 0o444
    assert archive.stat().st_size == entry.bytes
    old, new = uploads / ".a.part", uploads / ".b.part"
    for path in (old, new):
        path.mkdir()
    os.utime(old, (0, 0))
    assert archives.sweep(case.store, case.state) == 1
    assert sorted(path.name for path in uploads.iterdir()) == [".b.part", entry.sha256]
    assert [path.name for path in uploads.glob("*/*")] == ["archive"]


@ONE_DATABASE
def test_upload_is_there_for_hosts_that_share_no_folder(case: Case, tmp_path: Path) -> None:
    case.config = Config(shared=f"memory://{tmp_path.name}")
    digest = case.submission(1).entry.sha256
    (tmp_path / "other").mkdir()
    mirror, depot = open_depot(tmp_path / "other", case.config.shared)
    depot.fetch(str(archive_of(mirror, digest).relative_to(mirror)))
    assert sha256_file(archive_of(mirror, digest)) == digest


def test_same_archive_is_the_same_entry_and_said_so_also_when_no_attempt_is_left(case: Case) -> None:
    case.rules(attempts=AttemptLimits(phase=1))
    first = case.submit(1)
    assert "has 1 attempts: 0 are used and 1 are in progress" in case.refused(2)
    again = case.submission(1)
    assert (again.entry.id, again.new) == (first, False)
    case.store.move(first, State.DONE, ended_with("OK"), charged=True)
    assert case.submit(1) == first
    assert "1 are used and 0 are in progress" in case.refused(2)
    case.submit(1, "blue")  # another team's is another entry


def test_phase_attempts_left_and_team_are_told(case: Case) -> None:
    first = case.submission(1).attempts
    assert (first.phase, first.left) == ("", None)
    case.rules(attempts=AttemptLimits(phase=0))
    assert case.submission(9, "blue").attempts.left is None
    official = Phase(name="official", begins=time.time() + DAY, attempts=AttemptLimits(phase=2))
    case.rules(phases=(Phase(name="early", ends=official.begins, attempts=AttemptLimits(phase=3)), official))
    second = case.submission(2, "Red")
    assert (second.entry.team, second.new, count(second)) == ("red", True, ("early", 3, 1))
    third = case.submission(3)
    assert (third.attempts.left, case.submission(2).attempts.left) == (0, 0)
    assert "2 attempts" not in case.refused(4, "RED") and "has 3 attempts in phase early" in case.refused(4, "RED")


def test_phase_is_that_of_the_arrival_however_long_the_checks_take(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    end = now + 100
    case.rules(
        phases=(
            Phase(name="first", ends=end, attempts=AttemptLimits(phase=1)),
            Phase(name="second", begins=end, attempts=AttemptLimits(phase=1)),
        )
    )
    check = submission.handler

    def slow(kind: Any) -> Any:
        monkeypatch.setattr("time.time", lambda: end + 5)
        return check(kind)

    monkeypatch.setattr(submission, "handler", slow)
    first = case.submission(1)
    assert (*count(first), first.entry.submitted < end) == ("first", 1, 0, True)
    assert case.submission(2).attempts.phase == "second"
    arrived = case.submission(3, "blue", arrived=end - 1)
    assert (arrived.attempts.phase, arrived.entry.submitted) == ("first", end - 1)
    with pytest.raises(EntryError, match="has 1 attempts in phase first"):
        case.submission(4, "blue", arrived=end - 2)
    assert list(verify.whole(case.store.database)) == []


def test_what_no_phase_or_quota_allows_is_refused_before_any_work(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    case.rules(phases=(Phase(name="first", attempts=AttemptLimits(phase=1)),))
    case.submit(1)
    monkeypatch.setattr(submission, "handler", lambda _kind: pytest.fail("it was read"))
    monkeypatch.setattr("evaluate.untrusted.archives.fetch_repository", lambda *_: pytest.fail("it was fetched"))
    assert "has 1 attempts" in case.refused(2)
    with pytest.raises(EntryError, match="has 1 attempts"):
        submit("https://example.org/x/y.git", NAME, "red", case.state, case.store, case.config)


def test_archive_whose_submission_failed_and_is_then_refused_goes_with_the_refusal(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails = Mock(side_effect=sa.exc.OperationalError("", {}, Exception("the server is restarting")))
    with monkeypatch.context() as failing, pytest.raises(sa.exc.OperationalError):
        failing.setattr(case.store, "submit", fails)
        case.submit(1)
    uploads = case.state / "entries"
    (kept,) = uploads.iterdir()  # it will be submitted again
    case.rules(attempts=AttemptLimits(phase=1))
    case.submit(2)
    case.refused(1)
    assert not kept.exists() and len(list(uploads.iterdir())) == 1
    case.submit(1, "blue")
    case.refused(1)
    assert (kept / "archive").is_file(), "another team's entry needs it"


MONDAY = seconds_since_1970("2026-11-30")


def arrives(case: Case, number: int, day: float) -> Submission:
    """Submit an entry that arrives so many days after a Monday."""
    return case.submission(number, arrived=MONDAY + day * DAY)


def test_pace_counts_in_days_and_weeks_and_names_when_the_next_attempt_is_free(case: Case) -> None:
    case.rules(attempts=AttemptLimits(phase=6, day=2, week=3))
    first = arrives(case, 1, 0.5).entry.id
    arrives(case, 2, 0.999)
    with pytest.raises(
        EntryError, match=r"red has 2 attempts a day \(UTC\): 0 are used and 2 are .* 2026-12-01 00:00:00"
    ):
        arrives(case, 3, 0.75)
    arrives(case, 3, 1.0)
    for day in (0.75, 1.5):  # of a day and a week without attempts, the week ends later
        with pytest.raises(EntryError, match=r"has 3 attempts a week .* next one is free at 2026-12-07 00:00:00 UTC"):
            arrives(case, 4, day)
    for charged in (False, True, False):  # what is charged or refunded for the phase is so for the day and the week
        by_hand(case.store, sa.update(ENTRIES).where(ENTRIES.c.id == first).values(charged=charged, state="done"))
        if charged:
            with pytest.raises(EntryError, match=r"has 3 attempts a week .*: 1 are used and 2 are in progress"):
                arrives(case, 4, 1.5)
    arrives(case, 4, 1.5)
    for number, day in ((5, 7), (6, 8)):
        arrives(case, number, day)
    with pytest.raises(EntryError, match=r"red has 6 attempts: .* none is left$"):
        for number, day in ((7, 14), (8, 15)):
            arrives(case, number, day)


@pytest.mark.parametrize("end", [1.5, 2], ids=["within a day", "at midnight"])
def test_pace_of_a_phase_is_its_own_and_days_are_counted_across_phases(case: Case, end: float) -> None:
    border = MONDAY + 0.5 * DAY
    second = Phase(name="second", begins=border, ends=MONDAY + end * DAY, attempts=AttemptLimits(day=1))
    case.rules(attempts=AttemptLimits(day=2), phases=(Phase(name="first", ends=border), second))
    arrives(case, 1, 0.25)
    with pytest.raises(EntryError, match=r"red has 1 attempts a day .* free at 2026-12-01 00:00:00 UTC"):
        arrives(case, 2, 0.75)
    arrives(case, 2, 0.25)
    arrives(case, 3, 1.25)
    with pytest.raises(EntryError, match="phase second ends before the next one is free"):
        arrives(case, 4, 1.25)


def test_entries_after_a_later_deadline_count_on_the_day_of_their_arrival(case: Case) -> None:
    keep_team(case.store.database, Team(name="red"))
    case.rules(attempts=AttemptLimits(day=1), phases=(Phase(name="first", ends=MONDAY),))
    late = Extension(challenge=NAME, team="red", phase="first", until=MONDAY + 9 * DAY, reason="a flood")
    allow_late(case.store.database, case.config, late)
    for number, day in ((1, 1.5), (2, 2.5)):
        assert arrives(case, number, day).entry.submitted < MONDAY
    with pytest.raises(EntryError, match="has 1 attempts a day"):
        arrives(case, 3, 2.75)
    assert list(verify.whole(case.store.database)) == []


@pytest.mark.parametrize(("begins", "ends"), [(-2 * DAY, -DAY), (DAY, 2 * DAY)])
def test_outside_of_all_phases_nothing_is_taken_but_what_is_there_already(
    case: Case, begins: float, ends: float
) -> None:
    first = case.submit(1)
    case.rules(phases=(Phase(name="official", begins=time.time() + begins, ends=time.time() + ends),))
    refusal, _, later = case.refused(2).partition("; ")
    assert refusal == f"{NAME}: no phase is open now"
    assert later.startswith("official opens at ") if begins > 0 else later == ""
    assert case.submit(1) == first


def test_quota_is_that_of_the_open_phase_alone_and_an_archive_of_an_earlier_one_is_new(case: Case) -> None:
    first = case.submit(1)
    by_hand(case.store, f"update entries set submitted = {time.time() - 5 * DAY}")
    phases = [
        Phase(name="first", ends=time.time() - DAY),
        Phase(name="second", begins=time.time() - DAY, attempts=AttemptLimits(phase=1)),
    ]
    case.rules(phases=tuple(phases), attempts=AttemptLimits(phase=5))
    later = case.submission(1)
    assert later.new and later.entry.id != first and later.attempts.phase == "second"
    assert case.submit(1) == later.entry.id
    assert "team red has 1 attempts in phase second: 0 are used and 1 are in progress" in case.refused(3)
    case.rules(phases=(phases[0], replace(phases[1], attempts=AttemptLimits())), attempts=AttemptLimits(phase=2))
    case.submit(3)
    assert "has 2 attempts in phase second" in case.refused(4)


@pytest.mark.slow
@ONE_DATABASE
def test_challenge_called_by_its_path_is_the_same_with_the_same_quota_and_a_bare_name_is_no_folder(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(load_challenge(NAME).folder, tmp_path / "mine")
    (tmp_path / "link").symlink_to("mine")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"no challenge 'mine': .*its folder in evaluate.yaml.* such as \./mine"):
        case.submit(1, challenge="mine")
    case.config = Config(challenges={"mine": Terms(folder=tmp_path / "mine", attempts=AttemptLimits(phase=1))})
    first = case.submit(1, challenge="mine")
    assert case.store.entry(first).challenge == str(tmp_path / "mine")
    for path in ("mine", "./mine", f"{tmp_path}/mine/", str(tmp_path / "link")):
        assert case.submit(1, challenge=path) == first
        assert "has 1 attempts" in case.refused(2, challenge=path)
    assert challenge_key(NAME, Config()) == challenge_key(str(load_challenge(NAME).folder), Config()) == NAME


def test_what_belongs_to_an_entry_is_in_its_transaction_whether_it_is_new_or_not(case: Case) -> None:
    noted: list[tuple[str, str]] = []

    def note(connection: sa.Connection, identity: str) -> None:
        noted.append((identity, connection.scalars(sa.select(ENTRIES.c.id)).one()))

    first = case.submission(1, within=note).entry.id
    assert case.submission(1, within=note).entry.id == first
    assert noted == [(first, first)] * 2
    before = case.store.database.position().line
    with pytest.raises(EntryError, match="not this one"):
        case.submission(2, within=Mock(side_effect=EntryError("not this one")))
    assert case.store.database.position().line == before and [entry.id for entry in case.store.entries()] == [first]
    assert len(list((case.state / "entries").iterdir())) == 1, "nothing is left of what was refused"


def test_charged_entries_and_those_in_progress_count_in_their_phase(store: Store) -> None:
    ids = [identity for n in range(6) for identity, _ in store.submit([upload("red", n)])]
    store.submit([upload("blue", 9), upload("red", 8, "other")])
    refused, passed, parked, cancelled, running, waiting = (store.entry(identity) for identity in ids)
    store.move(refused.id, State.DONE, ended_with("PREP_ERROR"))
    for entry in (passed, cancelled, running):
        store.move(entry.id, State.EXAM)
        store.charge(entry.id, 1)
    store.move(passed.id, State.DONE, ended_with("OK"))
    store.cancel(cancelled.id)
    store.move(parked.id, State.PARKED, at_fault("it is gone"))
    with store.engine.connect() as connection:
        spans = (
            Quota(),
            Quota(begins=passed.submitted, ends=parked.submitted),
            Quota(begins=waiting.submitted),
        )
        counts = [(quota.used, quota.waiting) for quota in counted(connection, CHALLENGE, "red", spans)]
        assert counts == [(3, 2), (1, 0), (0, 1)]
        assert counted(connection, CHALLENGE, "green", [Quota()]) == [Quota()]


def test_entry_that_another_host_charges_meanwhile_counts_once(tmp_path: Path, queue_url: str) -> None:
    with queue(tmp_path, queue_url) as store, queue(tmp_path, queue_url) as other:
        ((identity, _),) = store.submit([upload("red", 0)])
        store.move(identity, State.EXAM)
        sa.event.listen(store.engine, "after_cursor_execute", lambda *_: other.charge(identity, 1), once=True)
        with store.engine.connect() as connection:
            (quota,) = counted(connection, CHALLENGE, "red", [Quota()])
        assert quota.used + quota.waiting == 1
