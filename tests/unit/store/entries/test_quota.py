"""What a team used of its attempts is counted by the database, from what counts alone."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.config.schema.keys import seconds_since_1970
from evaluate.config.terms import AttemptLimits, Phase
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.entries.quota import Quota, counted, quotas
from evaluate.store.entries.store import Store
from tests.support.queues import CHALLENGE, at_fault, queue, upload


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
        sa.event.listen(store.engine, "after_cursor_execute", lambda *_: other.charge(identity, 1), once=True)
        with store.engine.connect() as connection:
            (quota,) = counted(connection, CHALLENGE, "red", [Quota()])
        assert quota.used + quota.waiting == 1


@pytest.mark.parametrize(
    ("at", "day", "week"),
    [
        ("2026-11-28T12:30", "2026-11-28", "2026-11-23"),  # a Saturday
        ("2026-11-30T00:00", "2026-11-30", "2026-11-30"),
        ("2026-11-29T23:59:59.999", "2026-11-29", "2026-11-23"),
    ],
)
def test_days_and_weeks_begin_at_midnight_utc_and_on_monday(at: str, day: str, week: str) -> None:
    _, of_day, of_week = quotas(AttemptLimits(day=1, week=1), Phase(name=""), seconds_since_1970(at))
    assert (of_day.begins, of_week.begins) == (seconds_since_1970(day), seconds_since_1970(week))
    assert of_day.ends - of_day.begins == 86400 == (of_week.ends - of_week.begins) / 7
