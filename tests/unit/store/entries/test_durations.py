"""The newest durations, added one at a time and several at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.store.db.tables import USUAL
from evaluate.store.entries import durations
from evaluate.store.entries.durations import NEWEST
from evaluate.store.entries.store import Store
from tests.support.queues import queue


@pytest.fixture
def store(tmp_path: Path, database_url: str) -> Iterator[Store]:
    with queue(tmp_path, database_url) as found:
        yield found


@pytest.mark.parametrize("at_once", [1, 2, NEWEST + 3])
def test_the_newest_stay_in_their_order(store: Store, at_once: int) -> None:
    seconds = [0.1 + n / 7 for n in range(2 * NEWEST + 5)]
    for start in range(0, len(seconds), at_once):
        with store.database.step() as connection:
            for one in seconds[start : start + at_once]:
                durations.ended_stage(connection, "e1", "prep", one, "cinc2017")
            durations.ended_stage(connection, "e1", "quiz", 1e-07, "cinc2017")
    with store.engine.connect() as connection:
        found = {row.stage: row.seconds for row in connection.execute(sa.select(USUAL))}
    assert found["prep"] == json.dumps(seconds[-NEWEST:])
    assert set(json.loads(found["quiz"])) == {1e-07} and len(json.loads(found["quiz"])) <= NEWEST
