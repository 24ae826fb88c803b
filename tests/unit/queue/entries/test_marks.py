"""Baselines have no rank and change nobody's; a team chooses which of its entries counts while its phase lasts."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.config.terms import Phase, Terms
from evaluate.config.types import Config
from evaluate.core.errors import UsageError
from evaluate.queue.audit.verify import whole
from evaluate.queue.entries.marks import baselines, choose, is_chosen, mark_baseline, may_choose
from evaluate.queue.entries.store import Store
from evaluate.queue.entries.withdrawal import withdraw
from evaluate.queue.people.deadlines import Extension, allow_late
from evaluate.queue.people.teams import Team
from evaluate.queue.views.board import board_of
from tests.support.queues import CHALLENGE, keep_team, queue, run_stages, upload

DAY = 86400.0


@pytest.fixture
def store(tmp_path: Path, queue_url: str) -> Iterator[Store]:
    with queue(tmp_path, queue_url) as found:
        yield found


def scored(store: Store, state: Path, *scores: tuple[str, float]) -> list[str]:
    ids = [store.submit([upload(team, n)])[0][0] for n, (team, _) in enumerate(scores)]
    values = dict(zip(ids, (value for _, value in scores), strict=True))
    for entry in store.next_entries(len(ids)):
        run_stages(store, state, entry, values[entry.id])
    return ids


def terms(**values: object) -> Config:
    return Config(challenges={CHALLENGE: Terms(choice=True, **values)})  # type: ignore[arg-type]


def places(store: Store, config: Config | None = None) -> list[tuple[int | None, str, float | None]]:
    rules = (config or Config()).terms(CHALLENGE)
    found = board_of(store, CHALLENGE, rules.phases, 0, 3, choice=rules.choice)
    return [(place.rank, place.team, place.score) for place in found]


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
    assert [json.loads(one["value"])["team"] if one["value"] else "" for one in sets[::-1]] == ["ours", ""]


def test_marked_entry_counts_for_nobody_and_its_team_has_its_next_best(store: Store, tmp_path: Path) -> None:
    best, *_ = scored(store, tmp_path, ("red", 0.9), ("red", 0.6), ("blue", 0.7))
    assert places(store) == [(1, "red", 0.9), (2, "blue", 0.7)]
    assert mark_baseline(store, best) == best and baselines(store) == [best]
    assert places(store) == [(None, "red", 0.9), (1, "blue", 0.7), (2, "red", 0.6)]
    assert list(whole(store.database)) == []
    mark_baseline(store, best, on=False)
    assert places(store) == [(1, "red", 0.9), (2, "blue", 0.7)]


def test_chosen_entry_counts_until_another_is_chosen_or_none(store: Store, tmp_path: Path) -> None:
    best, second, third, other = scored(store, tmp_path, ("red", 0.9), ("red", 0.6), ("red", 0.5), ("blue", 0.7))
    config = terms()
    assert choose(store, config, second).team == "red" and is_chosen(store, second)
    assert places(store, config) == [(1, "blue", 0.7), (2, "red", 0.6)]
    assert places(store) == [(1, "red", 0.9), (2, "blue", 0.7)]  # where the rules allow no choice
    choose(store, config, third)
    choose(store, config, other)
    assert not is_chosen(store, second) and places(store, config) == [(1, "blue", 0.7), (2, "red", 0.5)]
    assert list(whole(store.database)) == []
    withdraw(store, third, "a bug")
    assert places(store, config) == [(1, "red", 0.9), (2, "blue", 0.7)]
    with pytest.raises(UsageError, match="is withdrawn, so it cannot count"):
        choose(store, config, third)
    choose(store, config, second)
    choose(store, config, second, on=False)
    assert places(store, config) == [(1, "red", 0.9), (2, "blue", 0.7)] and not is_chosen(store, second)
    mark_baseline(store, best)
    with pytest.raises(UsageError, match="is marked as a baseline, which has no rank"):
        choose(store, config, best)
    with pytest.raises(UsageError, match="its rules allow no choice; the best entry of a team counts"):
        choose(store, Config(), second)


def test_choice_ends_with_the_phase_but_for_a_team_with_a_later_deadline(store: Store, tmp_path: Path) -> None:
    scored(store, tmp_path, ("red", 0.9), ("red", 0.6), ("blue", 0.7), ("blue", 0.5))
    _, red, _, blue = (entry.id for entry in store.entries())
    over = time.time() + 1e-6
    config = terms(phases=(Phase(name="spring", ends=over), Phase(name="autumn", begins=over)))
    late = Extension(challenge=CHALLENGE, team="red", phase="spring", until=over + DAY, reason="a flood")
    allow_late(store.database, config, late)
    assert choose(store, config, red).id == red and may_choose(store, config, store.entry(red))
    assert not may_choose(store, config, store.entry(blue))
    with pytest.raises(UsageError, match="phase spring has ended, and with it the time to choose"):
        choose(store, config, blue)
    assert places(store, config) == [(1, "blue", 0.7), (2, "red", 0.6)]


def test_team_chooses_one_entry_in_each_phase(store: Store, tmp_path: Path) -> None:
    scored(store, tmp_path, ("red", 0.9), ("red", 0.6), ("red", 0.8), ("red", 0.4))
    entries = store.entries()
    between = (entries[1].submitted + entries[2].submitted) / 2
    config = terms(phases=(Phase(name="b", begins=between), Phase(name="a", ends=between)))
    whole_time = terms()
    choose(store, whole_time, entries[1].id)
    choose(store, config, entries[3].id)
    assert places(store, config) == [(1, "red", 0.6), (1, "red", 0.4)]


def test_organiser_marks_and_chooses_by_the_command_line(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        best, second, _ = scored(store, tmp_path, ("red", 0.9), ("red", 0.6), ("ours", 0.7))
    (tmp_path / "evaluate.yaml").write_text(f"challenges:\n  {CHALLENGE}:\n    choice: true\n")

    def said(*argv: str, code: int = 0) -> str:
        done = CliRunner().invoke(main, ["--state", str(tmp_path), *argv])
        assert done.exit_code == code, done.output
        return done.output

    assert said("baseline", "ours") == "ours is a baseline: it is listed on leaderboards without a rank\n"
    assert said("choose", second) == f"entry {second} counts for team red\n"
    shown = json.loads(said("board", CHALLENGE, "--json"))
    found = [(place["rank"], place["team"], place["baseline"], place["chosen"]) for place in shown]
    assert found == [(None, "ours", True, False), (1, "red", False, True)]
    assert "ours (baseline)" in said("board", CHALLENGE)
    assert said("baseline") == "ours\n"
    said("baseline", "ours", "--undo")
    assert said("choose", second, "--undo") == "the best entry of team red counts\n"
    assert [place["entry"] == best for place in json.loads(said("board", CHALLENGE, "--json"))] == [True, False]
    assert said("baseline") == ""
    said("baseline", "--undo", code=2)
