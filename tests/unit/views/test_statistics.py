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
    found = statistics(store, "cinc2017")
    assert (len(found.days), sum(found.days.values()), found.most) == (DAYS, 3, 3)
    assert found.outcomes == {"OK": 1, "MISMATCH": 1, "queued": 1}
    # half a second for each stage that ran
    assert list(found.hours) == ["red", "blue"]
    assert found.hours["red"] == pytest.approx(2 / 3600) and found.hours["blue"] == pytest.approx(1 / 3600)
    assert len(found.waits) == 2 and found.wait(0.5) == found.waits[1]
    assert sum(statistics(store).days.values()) == 4


def test_of_an_empty_queue_nothing_is_known(store: Store) -> None:
    found = statistics(store)
    assert (found.most, found.wait(0.5), found.hours) == (0, None, {})


def test_statistics_cost_three_statements(store: Store) -> None:
    submitted(store, *"abcdefgh")
    asked: list[str] = []
    sa.event.listen(store.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    statistics(store)
    assert len([one for one in asked if one.lstrip().upper().startswith("SELECT")]) == 3
