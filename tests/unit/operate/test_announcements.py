from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.notify import MailRules, NotifyRules, WebhookRules
from evaluate.config.terms import Scores, Terms
from evaluate.config.types import Config, Heartbeat, WebRules
from evaluate.core.model import Stage
from evaluate.operate import announcements
from evaluate.operate.announcements import announcing, notices
from evaluate.report.audience import WITHHELD_ERROR
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.entries.rejudge_attempts import adopt_shadows, attempt_of, begin_shadows, take_shadows
from evaluate.store.entries.store import Store
from evaluate.store.people.site_settings import release_scores
from evaluate.store.people.teams import Member, Team
from evaluate.store.schedule.engine import VERSION
from evaluate.store.schedule.hosts import Lease
from evaluate.store.threads import Threads
from evaluate.views.rejudging import changes
from tests.support.loopback import serving
from tests.support.queues import CHALLENGE, at_fault, keep_team, queue, retried, run_stages, submitted
from tests.support.secrets import hidden_challenge

LIMIT = 20.0
OPEN = "kits19"
"""A challenge whose exam is not hidden."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with queue(tmp_path) as found:
        yield found


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcements, "_SECONDS", 0.02)


def host(store: Store, executor: str) -> Lease:
    """One that is alive for a while, and silent."""
    lease = Lease(store, executor, executor, Heartbeat(seconds=3600, ttl_seconds=3600), lambda _: None)
    lease.take(1, VERSION)
    return lease


class _Hook(ThreadingHTTPServer):
    """Keeps what is posted to it."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Posted)
        self.kept: list[dict[str, Any]] = []
        self.changed = threading.Condition()

    @property
    def rules(self) -> NotifyRules:
        return NotifyRules(webhook=WebhookRules(url=f"http://127.0.0.1:{self.server_address[1]}/"))

    def told(self, many: int) -> list[tuple[str, str]]:
        """Team and state of the first so many, when they have come."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.kept) >= many, LIMIT), self.kept
            return [(one["team"], one["verdict"] or one["state"]) for one in self.kept]


class _Posted(BaseHTTPRequestHandler):
    server: _Hook

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        with self.server.changed:
            self.server.kept.append(body)
            self.server.changed.notify_all()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[_Hook]:
    with serving(_Hook()) as found:
        yield found


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "what was waited for did not come"
        time.sleep(0.01)


def said(store: Store, config: Config | None = None, after: int = 0) -> list[tuple[str, str, str, str]]:
    found = notices(store, config or Config(), after)
    return [(one.state, one.verdict, one.score, one.reason) for one in found]


def test_every_change_of_state_is_told_once_and_another_try_in_a_stage_is_not(store: Store) -> None:
    (identity,) = submitted(store, "red")
    store.next_entries(1)
    store.move(identity, State.EXAM)
    store.charge(identity, 1)
    for number in (2, 3):
        store.move(identity, State.EXAM, retried(f"try {number} in 30 s: SandboxFault: record A7"))
    store.move(identity, State.PARKED, at_fault("record A7 has no header"), charged=False)
    store.retry(identity)
    store.next_entries(1)
    store.cancel(identity)
    assert said(store) == [
        ("queued", "", "", ""),
        ("prep", "", "", ""),
        ("exam", "", "", ""),
        ("parked", "", "", "exam: the infrastructure is at fault: record A7 has no header"),
        ("queued", "", "", ""),
        ("prep", "", "", ""),
        ("cancelled", "", "", ""),
    ]


def test_end_is_told_with_verdict_and_score(store: Store, tmp_path: Path) -> None:
    submitted(store, "red")
    (entry,) = store.next_entries(1)
    run_stages(store, tmp_path, entry, 0.74)
    last = notices(store, Config(), 0)[-1]
    assert (last.state, last.verdict, last.score, last.challenge) == ("done", "OK", "F1 0.7400", CHALLENGE)
    assert (last.team, last.name, last.entry) == ("red", "red-0.zip", entry.id)


def test_withheld_score_is_not_told_and_no_record_of_the_exam_ever(store: Store, tmp_path: Path) -> None:
    submitted(store, "red", "blue")
    first, second = store.next_entries(2)
    run_stages(store, tmp_path, first, 0.74)
    store.move(second.id, State.PARKED, at_fault("record A1 of red"))
    withheld = Config(challenges={CHALLENGE: Terms(scores=Scores.WITHHELD)})
    told = json.dumps([dict(one.for_team()) for one in notices(store, withheld, 0)])
    assert "0.74" not in told and "A1" not in told and '"verdict": "OK"' in told
    assert "F1 0.7400" in json.dumps([dict(one.for_team()) for one in notices(store, Config(), 0)])


def test_mail_goes_to_members_and_to_addresses_of_the_configuration_under_any_name_of_the_team(
    store: Store, tmp_path: Path
) -> None:
    members = (Member(address="ann@example.org"), Member(address="bob@example.org", mail=False))
    keep_team(store.database, Team(name="Delta", aliases=("Lab 4",), members=members))
    rules = MailRules(server="localhost", sender="e@x", teams={"lab  4": ("Ann@example.org", "eve@example.org")})
    submitted(store, "delta")
    (entry,) = store.next_entries(1)
    run_stages(store, tmp_path, entry, 0.74)
    config = Config(notify=NotifyRules(mail=rules))
    found = {one.state: one.to for one in notices(store, config, 0)}
    assert found["done"] == ("ann@example.org", "eve@example.org")
    assert found["queued"] == found["exam"] == ()


def test_details_are_those_of_the_report_and_nothing_of_a_hidden_exam(store: Store, tmp_path: Path) -> None:
    submitted(store, "red", "blue", "green")
    first, second, third = store.next_entries(3)
    run_stages(store, tmp_path, first, last=Stage.QUIZ, verdict="RUNTIME_ERROR")
    run_stages(store, tmp_path, second, last=Stage.SCORE, verdict="BAD_ANSWER")
    run_stages(store, tmp_path, third, 0.5)
    found = {one.entry: one.details for one in notices(store, Config(), 0) if one.state == "done"}
    assert found == {first.id: "quiz: quiz text", second.id: f"score: {WITHHELD_ERROR}", third.id: ""}


def test_score_that_is_no_number_is_not_told(store: Store, tmp_path: Path) -> None:
    submitted(store, "red")
    (entry,) = store.next_entries(1)
    run_stages(store, tmp_path, entry, None)
    assert said(store)[-1] == ("done", "OK", "", "")


def test_adopted_attempt_is_told_as_a_new_end_and_shadows_are_not(store: Store, tmp_path: Path) -> None:
    submitted(store, "red")
    (entry,) = store.next_entries(1)
    run_stages(store, tmp_path, entry, 0.5)
    before = store.journal_length()
    begin_shadows(store, [store.entry(entry.id)], "r1", Stage.SCORE)
    take_shadows(store, 1)
    run_stages(store, tmp_path, attempt_of(store, entry.id, 2), 0.6, first=Stage.SCORE)
    assert said(store, after=before) == []
    adopt_shadows(store, "r1")
    assert said(store, after=before) == [("done", "OK", "F1 0.6000", "")]
    (told,) = notices(store, Config(web=WebRules(address="https://hearts.example")), before)
    assert (told.before, told.link) == ("OK, F1 0.5000", f"https://hearts.example/entries/{entry.id}")
    (silent,) = notices(store, Config(challenges={CHALLENGE: Terms(scores=Scores.WITHHELD)}), before)
    assert (silent.before, silent.score) == ("OK", "")


def test_judged_again_is_told_with_the_ranks_as_far_as_the_board_is_open(tmp_path: Path, queue_url: str) -> None:
    with queue(tmp_path, queue_url) as store:
        ids = submitted(store, "red", "blue", "red", challenge=OPEN)
        for entry, value in zip(store.next_entries(3), (0.5, 0.55, 0.4), strict=True):
            run_stages(store, tmp_path, entry, value)
        before = store.journal_length()
        values = dict(zip(ids, (0.6, 0.55, 0.7), strict=True))
        begin_shadows(store, [store.entry(one) for one in ids], "r1", Stage.SCORE)
        take_shadows(store, 3)
        for one in ids:
            run_stages(store, tmp_path, attempt_of(store, one, 2), values[one], first=Stage.SCORE)
        adopt_shadows(store, "r1")
        told = {one.entry: one for one in notices(store, Config(), before)}
        assert [told[one].rank for one in ids] == ["none, before 2", "2, before 1", "1, before none"]
        assert "rank" not in told[ids[0]].for_team()
        withheld = Config(challenges={OPEN: Terms(scores=Scores.WITHHELD)})
        assert {one.rank for one in notices(store, withheld, before)} == {""}


def test_ranks_of_a_hidden_exam_are_not_told(store: Store, tmp_path: Path) -> None:
    hearts = str(hidden_challenge(tmp_path / "hearts"))
    submitted(store, "red", challenge=hearts)
    (entry,) = store.next_entries(1)
    store.charge(entry.id, 1)
    run_stages(store, tmp_path, entry, 0.5)
    before = store.journal_length()
    begin_shadows(store, [store.entry(entry.id)], "r1", Stage.SCORE)
    take_shadows(store, 1)
    run_stages(store, tmp_path, attempt_of(store, entry.id, 2), 0.6, first=Stage.SCORE)
    adopt_shadows(store, "r1")
    found = Config(challenges={"hearts": Terms(folder=tmp_path / "hearts")})
    (change,) = changes(store, "r1", Terms())
    (told,) = notices(store, found, before)
    assert (change.rank, change.new_rank, told.before[:2], told.rank) == (1, 1, "OK", "")


def test_release_is_told_to_every_team_that_has_entries_and_its_end_to_nobody(store: Store) -> None:
    for name in ("red", "blue", "green"):
        members = (Member(address=f"{name}@example.org"), Member(address=f"quiet-{name}@example.org", mail=False))
        keep_team(store.database, Team(name=name, members=members))
    submitted(store, "red", "blue", "red")
    before = store.journal_length()
    release_scores(store.settings, CHALLENGE)
    release_scores(store.settings, CHALLENGE, on=False)
    (told,) = notices(store, Config(web=WebRules(address="https://hearts.example")), before)
    assert (told.state, told.challenge, told.to) == ("released", CHALLENGE, ("blue@example.org", "red@example.org"))
    assert told.link == f"https://hearts.example/challenges/{CHALLENGE}/board"


def test_more_tries_than_are_read_at_once_do_not_hide_what_comes_after(store: Store) -> None:
    (identity,) = submitted(store, "red")
    store.move(identity, State.EXAM)
    before = store.journal_length()
    for number in range(announcements._AT_ONCE + 5):
        store.move(identity, State.EXAM, retried(f"try {number}"))
    assert said(store, after=before) == []
    store.move(identity, State.DONE, ended_with("OK"))
    assert said(store, after=before) == [("done", "OK", "", "")]


def test_long_silence_is_told_in_parts_none_of_which_is_lost(store: Store) -> None:
    many = announcements._AT_ONCE + 3
    submitted(store, *(f"t{i}" for i in range(many)))
    first = notices(store, Config(), 0)
    rest = notices(store, Config(), first[-1].number)
    assert [one.number for one in [*first, *rest]] == list(range(1, many + 1))


def test_nothing_old_is_told_over_a_new_channel_and_a_restart_goes_on_where_it_was(store: Store, hook: _Hook) -> None:
    host(store, "green:1")
    submitted(store, "old")
    config = Config(notify=hook.rules)
    with announcing(store, "green:1", lambda: config, Threads()):
        wait_for(lambda: store.settings.get("told:webhook") == "1")
        submitted(store, "new")
        assert hook.told(1) == [("new", "queued")]
        wait_for(lambda: store.settings.get("told:webhook") == "2")
    submitted(store, "meanwhile")
    with announcing(store, "green:1", lambda: config, Threads()):
        assert hook.told(2) == [("new", "queued"), ("meanwhile", "queued")]
        wait_for(lambda: store.settings.get("told:webhook") == "3")


def test_only_the_oldest_host_tells_and_the_next_takes_over(store: Store, hook: _Hook) -> None:
    first = host(store, "green:1")
    host(store, "blue:1")
    store.settings.keep("told:webhook", "0")
    submitted(store, "red")
    asked = threading.Event()

    def config() -> Config:
        asked.set()
        return Config(notify=hook.rules)

    with announcing(store, "blue:1", config, Threads()):
        assert asked.wait(LIMIT)
        with announcing(store, "green:1", config, Threads()):
            assert hook.told(1) == [("red", "queued")]
            wait_for(lambda: store.settings.get("told:webhook") == "1")
        first.leave()
        submitted(store, "late")
        assert hook.told(2) == [("red", "queued"), ("late", "queued")]


def test_change_of_the_configuration_counts_at_once(store: Store, hook: _Hook) -> None:
    host(store, "green:1")
    configs: dict[str, Config] = {"now": Config()}
    with serving(_Hook()) as other, announcing(store, "green:1", lambda: configs["now"], Threads()):
        configs["now"] = Config(notify=hook.rules)
        wait_for(lambda: store.settings.get("told:webhook") == "0")
        submitted(store, "a")
        assert hook.told(1) == [("a", "queued")]
        wait_for(lambda: store.settings.get("told:webhook") == "1")
        configs["now"] = Config(notify=other.rules)
        more = (f"b{i}" for i in count())
        wait_for(lambda: bool(submitted(store, next(more)) and other.kept))  # the first may go the old way
    told = sorted({one["number"] for one in [*hook.kept, *other.kept]})
    assert hook.told(1)[0] == ("a", "queued")
    assert told == list(range(1, len(told) + 1))


def test_database_that_is_away_for_a_while_ends_nothing(
    store: Store, hook: _Hook, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    host(store, "green:1")
    store.settings.keep("told:webhook", "0")
    submitted(store, "red")
    with store.engine.begin() as connection:
        connection.exec_driver_sql("alter table journal rename to away")
    with announcing(store, "green:1", lambda: Config(notify=hook.rules), Threads()):
        wait_for(lambda: "the database cannot be used" in caplog.text)
        with store.engine.begin() as connection:
            connection.exec_driver_sql("alter table away rename to journal")
        assert hook.told(1) == [("red", "queued")]
