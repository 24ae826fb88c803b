"""Teams hear once that a phase has begun or ended, and again if its dates were changed."""

from __future__ import annotations

import time
from dataclasses import replace
from queue import Queue

import pytest

from evaluate.config.notify import MailRules, NotifyRules
from evaluate.config.terms import Phase, Terms
from evaluate.config.types import Config, Heartbeat, WebRules
from evaluate.operate import announcements
from evaluate.operate.announcements import announcing, notices
from evaluate.operate.audit.verify import whole
from evaluate.operate.notify import Mail, Notice
from evaluate.operate.phase_turns import note_turns
from evaluate.store.entries.store import Store
from evaluate.store.people.teams import Member, Team
from evaluate.store.schedule.engine import VERSION
from evaluate.store.schedule.hosts import Lease
from evaluate.store.threads import Threads
from tests.support.queues import keep_team

_LIMIT = 20.0
BEGUN, ENDED = 1_800_000_000.0, 1_800_100_000.0
PHASES = (Phase(name="first", ends=BEGUN), Phase(name="second", begins=BEGUN, ends=ENDED))
CONFIG = Config(challenges={"kits19": Terms(phases=PHASES)}, web=WebRules(address="https://hearts.example"))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [BEGUN - 1]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


def told(store: Store, config: Config, after: int) -> list[Notice]:
    note_turns(store, config)
    note_turns(store, config)
    return notices(store, config, after)


def test_turn_of_a_phase_is_told_to_all_teams_once(store: Store, clock: list[float]) -> None:
    for name in ("red", "blue"):
        quiet = Member(address=f"quiet-{name}@example.org", mail=False)
        keep_team(store.database, Team(name=name, members=(Member(address=f"{name}@example.org"), quiet)))
    start = store.journal_length()
    assert told(store, CONFIG, start) == []
    clock[0] = BEGUN
    ended, begun = told(store, CONFIG, start)
    assert (ended.title, begun.title) == ("[kits19] phase first has ended", "[kits19] phase second has begun")
    assert ended.to == begun.to == ("blue@example.org", "red@example.org")
    assert begun.reason == (
        "Of kits19, phase second has begun, at 2027-01-15 08:00 UTC. It ends at 2027-01-16 11:46 UTC."
    )
    assert ended.reason == "Of kits19, phase first has ended, at 2027-01-15 08:00 UTC."
    assert begun.link == "https://hearts.example/challenges/kits19"
    assert told(store, CONFIG, begun.number) == []
    assert list(whole(store.database)) == []


def test_phase_whose_dates_were_changed_turns_again(store: Store, clock: list[float]) -> None:
    start, clock[0] = store.journal_length(), ENDED
    (ended,) = told(store, CONFIG, start)[-1:]
    assert ended.title == "[kits19] phase second has ended"
    later = Config(challenges={"kits19": Terms(phases=(PHASES[0], replace(PHASES[1], ends=ENDED + 50)))})
    assert told(store, later, ended.number) == []
    clock[0] += 50
    (again,) = told(store, later, ended.number)
    assert again.title == ended.title and again.to == ()


def test_turn_of_long_ago_and_an_open_end_are_no_news(store: Store, clock: list[float]) -> None:
    start, clock[0] = store.journal_length(), BEGUN + 86400.0
    assert told(store, CONFIG, start) == []
    clock[0] -= 0.5
    last = told(store, CONFIG, start)[1].number
    phases = (Phase(name="always"), Phase(name="last", begins=clock[0] - 5))
    (begun,) = told(store, Config(challenges={"kits19": Terms(phases=phases)}), last)
    assert begun.reason.endswith(" UTC.") and "It ends" not in begun.reason


def test_daemon_notes_turns_and_mails_them(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    lease = Lease(store, "green:1", "green:1", Heartbeat(seconds=3600, ttl_seconds=3600), lambda _: None)
    lease.take(1, VERSION)
    sent: Queue[Notice] = Queue()
    monkeypatch.setattr(announcements, "_SECONDS", 0.02)
    monkeypatch.setattr(Mail, "send", lambda _self, notice, _timeout: sent.put(notice))
    mail = MailRules(server="localhost", sender="site@example.org")
    phases = (Phase(name="last", begins=time.time() - 5),)
    config = Config(challenges={"kits19": Terms(phases=phases)}, notify=NotifyRules(mail=mail))
    with announcing(store, "green:1", lambda: config, Threads()):
        assert sent.get(timeout=_LIMIT).title == "[kits19] phase last has begun"
    assert sent.empty()
