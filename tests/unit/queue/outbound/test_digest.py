"""The organiser gets the numbers of each day once, and none of a day on which nothing was."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from queue import Queue

import pytest

from evaluate.config.notify import MailRules, NotifyRules
from evaluate.config.types import Config, Heartbeat
from evaluate.queue.audit.verify import whole
from evaluate.queue.db.reasons import ended_with
from evaluate.queue.db.rows import State
from evaluate.queue.entries.store import Store
from evaluate.queue.execution.engine import VERSION
from evaluate.queue.outbound import announcements
from evaluate.queue.outbound.announcements import announcing, notices
from evaluate.queue.outbound.digest import DIGEST, note_digest
from evaluate.queue.outbound.notify import Mail, Notice
from evaluate.queue.schedule.hosts import Lease
from tests.support.queues import at_fault, upload

_LIMIT = 20.0
DAY = datetime(2027, 3, 4, tzinfo=UTC).timestamp()


def digests(store: Store, after: int) -> list[Notice]:
    note_digest(store, Config())
    note_digest(store, Config())
    return [one for one in notices(store, Config(), after) if one.state == "summed-up"]


def test_numbers_of_yesterday_are_told_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [DAY + 86399.0]
    for n, (team, challenge, at) in enumerate(
        (
            ("red", "kits19", DAY - 0.5),
            ("red", "kits19", DAY),
            ("blue", "kits19", DAY + 86399.0),
            ("red", "cinc2017", DAY + 5),
            ("red", "cinc2017", DAY + 86400.0),
        )
    ):
        store.submit([upload(team, n, challenge)], arrived=at)
    ids = [one.id for one in store.entries()]
    store.move(ids[1], State.DONE, ended_with("OK"))
    store.move(ids[3], State.PARKED, at_fault("no libvirt"))
    store.settings.keep(DIGEST, '{"day": "2027-03-03", "text": ""}')
    monkeypatch.setattr(time, "time", lambda: now[0])
    start = store.journal_length()
    assert digests(store, start) == []
    now[0] = DAY + 86400.0
    (found,) = digests(store, start)
    assert found.title == "[evaluate] entries of 2027-03-04" and found.to == ()
    assert found.reason == (
        "Entries submitted on 2027-03-04 (UTC): 3.\n  cinc2017: 1\n  kits19: 2\n"
        "Their states now: 1 done, 1 parked, 1 queued.\n"
        "In the queue now: 3 queued, 0 in their stages, 1 parked. Unresolved faults: 0."
    )
    assert digests(store, found.number) == []
    assert list(whole(store.database)) == []


def test_day_on_which_nothing_was_has_no_digest(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    start = store.journal_length()
    monkeypatch.setattr(time, "time", lambda: DAY)
    assert digests(store, start) == []
    ((identity, _),) = store.submit([upload("red", 1)], arrived=DAY - 86400.0)
    assert digests(store, start) == []  # that day was summed up
    monkeypatch.setattr(time, "time", lambda: DAY + 86400.0)
    (found,) = digests(store, start)
    assert found.reason.startswith("Entries submitted on 2027-03-04 (UTC): 0.\nIn the queue now: 1 queued")
    store.cancel(identity)
    monkeypatch.setattr(time, "time", lambda: DAY + 2 * 86400.0)
    assert digests(store, found.number) == []


@pytest.mark.parametrize("wanted", [True, False])
def test_daemon_sends_it_where_it_is_wanted(store: Store, monkeypatch: pytest.MonkeyPatch, wanted: bool) -> None:
    Lease(store, "green:1", "green:1", Heartbeat(seconds=3600, ttl_seconds=3600), lambda _: None).take(1, VERSION)
    sent: Queue[Notice] = Queue()
    monkeypatch.setattr(announcements, "_SECONDS", 0.02)
    monkeypatch.setattr(Mail, "send", lambda _self, found, _timeout: sent.put(found))
    store.submit([upload("red", 1)], arrived=time.time() - 86400.0)
    rules = MailRules(server="localhost", sender="site@example.org", organiser="me@example.org", digest=wanted)
    config = Config(notify=NotifyRules(mail=rules))
    with announcing(store, "green:1", lambda: config):
        store.submit([upload("red", 2)])
        store.cancel(store.entries()[-1].id)
        states = [sent.get(timeout=_LIMIT).state for _ in range(3 if wanted else 2)]
    assert ("summed-up" in states) is wanted
