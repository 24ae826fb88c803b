"""Baselines have no rank and change nobody's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluate.core.errors import UsageError
from evaluate.operate.audit.verify import whole
from evaluate.store.entries.baselines import baselines, mark_baseline
from evaluate.store.entries.store import Store
from evaluate.store.people.teams import Team
from evaluate.views.board import board_of
from tests.support.queues import CHALLENGE, keep_team, run_stages, upload

DAY = 86400.0


def scored(store: Store, state: Path, *scores: tuple[str, float]) -> list[str]:
    ids = [store.submit([upload(team, n)])[0][0] for n, (team, _) in enumerate(scores)]
    values = dict(zip(ids, (value for _, value in scores), strict=True))
    for entry in store.next_entries(len(ids)):
        run_stages(store, state, entry, values[entry.id])
    return ids


def places(store: Store) -> list[tuple[int | None, str, float | None]]:
    return [(row.rank, row.team, row.score) for row in board_of(store, CHALLENGE, (), 0, 3)]


def test_marked_team_stands_in_its_place_and_the_others_move_up(store: Store, tmp_path: Path) -> None:
    scored(store, tmp_path, ("ours", 0.9), ("red", 0.8), ("blue", 0.7))
    assert mark_baseline(store, "OURS") == "ours" and baselines(store) == ["ours"]
    assert places(store) == [(None, "ours", 0.9), (1, "red", 0.8), (2, "blue", 0.7)]
    keep_team(store.database, Team(name="organisers", aliases=("ours",)))
    assert baselines(store) == ["organisers"] and places(store)[0] == (None, "organisers", 0.9)
    assert list(whole(store.database)) == []
    mark_baseline(store, "organisers", on=False)
    assert [rank for rank, _, _ in places(store)] == [1, 2, 3]
    with pytest.raises(UsageError, match="organisers: not marked as a baseline"):
        mark_baseline(store, "organisers", on=False)
    with pytest.raises(UsageError, match="expected the id of an entry or the name of a team, found neither"):
        mark_baseline(store, "nobody")
    sets = [line.data for line in store.lines() if line.event == "set"]
    assert [json.loads(line["value"])["team"] if line["value"] else "" for line in sets[::-1]] == ["ours", ""]


def test_marked_entry_counts_for_nobody_and_its_team_has_its_next_best(store: Store, tmp_path: Path) -> None:
    best, *_ = scored(store, tmp_path, ("red", 0.9), ("red", 0.6), ("blue", 0.7))
    assert places(store) == [(1, "red", 0.9), (2, "blue", 0.7)]
    assert mark_baseline(store, best) == best and baselines(store) == [best]
    assert places(store) == [(None, "red", 0.9), (1, "blue", 0.7), (2, "red", 0.6)]
    assert list(whole(store.database)) == []
    mark_baseline(store, best, on=False)
    assert places(store) == [(1, "red", 0.9), (2, "blue", 0.7)]
