"""What a team used of its attempts is counted by the database, from what counts alone."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.queue.db.reasons import ended_with
from evaluate.queue.db.rows import State
from evaluate.queue.entries.quota import Used, teams_of, used
from evaluate.queue.entries.store import Store
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
        assert used(connection, CHALLENGE, "red", -math.inf, math.inf) == Used(charged=3, waiting=2)
        assert used(connection, CHALLENGE, "red", passed.submitted, parked.submitted) == Used(charged=1, waiting=0)
        assert used(connection, CHALLENGE, "red", waiting.submitted, math.inf) == Used(charged=0, waiting=1)
        assert used(connection, CHALLENGE, "green", -math.inf, math.inf) == Used(charged=0, waiting=0)


def test_entry_that_another_host_charges_meanwhile_counts_once(tmp_path: Path, queue_url: str) -> None:
    with queue(tmp_path, queue_url) as one, queue(tmp_path, queue_url) as other:
        ((identity, _),) = one.submit([upload("red", 0)])
        sa.event.listen(one.engine, "after_cursor_execute", lambda *_: other.charge(identity, 1), once=True)
        with one.engine.connect() as connection:
            found = used(connection, CHALLENGE, "red", -math.inf, math.inf)
        assert found.charged + found.waiting == 1


def test_teams_come_in_parts(store: Store) -> None:
    store.submit([upload(team, n) for team in ("red", "blue", "green") for n in range(3)])
    with store.engine.connect() as connection:
        assert teams_of(connection, CHALLENGE) == ["blue", "green", "red"]
        assert teams_of(connection, CHALLENGE, most=2) == ["blue", "green"]
        assert teams_of(connection, CHALLENGE, after="green", most=2) == ["red"]
        assert teams_of(connection, "other") == []


@pytest.mark.parametrize("queue_url", ["sqlite"], indirect=True)
def test_what_was_refused_is_not_even_read(store: Store) -> None:
    asked: list[tuple[str, object]] = []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *arguments: asked.append(arguments[2:4]))
    with store.engine.connect() as connection:
        used(connection, CHALLENGE, "red", -math.inf, math.inf)
        plans = [
            connection.exec_driver_sql(f"explain query plan {statement}", given).all()
            for statement, given in asked[:]
            if statement.startswith("SELECT")
        ]
    (plan,) = plans
    looks = [step.replace("COVERING ", "") for *_, step in plan if "SCALAR" not in step and "CONSTANT" not in step]
    wanted = "SEARCH entries USING INDEX entries_by_challenge (challenge=? AND team=? AND state=? AND charged=?)"
    assert len(looks) == 2 and all(wanted in one for one in looks)
