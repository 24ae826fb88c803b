"""Numbers about a queue: days, outcomes, waiting, hours of machine."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.store.entries.store import Store
from evaluate.views.statistics import DAYS, statistics
from tests.support.queues import run_stages, submitted, upload


def test_entries_are_counted_by_day_outcome_and_team(store: Store, tmp_path: Path) -> None:
    first, second, _ = submitted(store, "red", "blue", "blue")
    store.submit([upload("red", 7, "kits19")])
    store.next_entries(2)
    run_stages(store, tmp_path, store.entry(first))
    run_stages(store, tmp_path, store.entry(second), last=Stage.QUIZ, verdict="MISMATCH")
    counted = statistics(store, "cinc2017")
    assert (len(counted.days), sum(counted.days.values()), counted.most) == (DAYS, 3, 3)
    assert counted.outcomes == {"OK": 1, "MISMATCH": 1, "queued": 1}
    # half a second for each stage that ran
    assert list(counted.hours) == ["red", "blue"]
    assert counted.hours["red"] == pytest.approx(2 / 3600) and counted.hours["blue"] == pytest.approx(1 / 3600)
    assert len(counted.waits) == 2 and counted.wait(0.5) == counted.waits[1]
    assert sum(statistics(store).days.values()) == 4


def test_of_an_empty_queue_nothing_is_known(store: Store) -> None:
    counted = statistics(store)
    assert (counted.most, counted.wait(0.5), counted.hours) == (0, None, {})


def test_statistics_cost_three_statements(store: Store) -> None:
    submitted(store, *"abcdefgh")
    asked: list[str] = []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    statistics(store)
    assert len([statement for statement in asked if statement.lstrip().upper().startswith("SELECT")]) == 3
