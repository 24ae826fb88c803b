"""Baselines have no rank and change nobody's."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.core.errors import UsageError
from evaluate.operate.audit.verify import whole
from evaluate.store.entries.store import Store
from evaluate.store.people.site_settings import baseline_teams, mark_baseline
from evaluate.store.people.teams import Team
from evaluate.views.board import board_of
from tests.support.queues import CHALLENGE, keep_team, run_stages, submitted


def test_marked_team_stands_in_its_place_and_the_others_move_up(store: Store, tmp_path: Path) -> None:
    submitted(store, "ours", "red", "blue")
    for entry, value in zip(store.next_entries(3), (0.9, 0.8, 0.7), strict=True):
        run_stages(store, tmp_path, entry, value)
    database = store.database

    def places() -> list[tuple[int | None, str, float | None]]:
        return [(row.rank, row.team, row.score) for row in board_of(store, CHALLENGE, (), 0, 3)]

    assert [mark_baseline(database, name) for name in ("OURS", "ours")] == ["ours", "ours"]
    assert baseline_teams(database) == {"ours"}
    assert places() == [(None, "ours", 0.9), (1, "red", 0.8), (2, "blue", 0.7)]
    keep_team(database, Team(name="organisers", aliases=("ours",)))
    assert baseline_teams(database) == {"organisers"} and places()[0] == (None, "organisers", 0.9)
    assert list(whole(database)) == []
    mark_baseline(database, "organisers", on=False)
    assert [rank for rank, _, _ in places()] == [1, 2, 3]
    with pytest.raises(UsageError, match="organisers: not marked as a baseline"):
        mark_baseline(database, "organisers", on=False)
    with pytest.raises(UsageError, match="no team 'nobody'"):
        mark_baseline(database, "nobody")
    assert [line.data["value"] for line in store.lines() if line.event == "set"][::-1] == ["ours", ""]
