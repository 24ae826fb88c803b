"""A change of phases in evaluate.yaml that concerns entries waits for the organiser; others are taken at once."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.config.terms import Phase, Terms
from evaluate.config.types import Config
from evaluate.store.entries.phases import InForce, in_force
from evaluate.store.entries.store import Store
from evaluate.store.people.deadlines import Extension, allow_late, deadlines
from evaluate.store.people.teams import Team
from tests.support.queues import command, keep_team, queue, upload

NAME = "kits19"
DAY = 86400.0
NOW = time.time()
LONG_OVER, OVER, SOON, LATER = NOW - 3 * DAY, NOW - DAY, NOW + DAY, NOW + 2 * DAY


def config(*phases: tuple[str, float, float]) -> Config:
    of_challenge = tuple(Phase(name=name, begins=begins, ends=ends) for name, begins, ends in phases)
    return Config(challenges={NAME: Terms(phases=of_challenge)})


BEFORE = config(("first", LONG_OVER, OVER), ("second", OVER, SOON))


@pytest.fixture
def season(store: Store) -> Iterator[Store]:
    """An entry in each of two phases, of which one is over."""
    in_force(store, BEFORE)
    for number, at in ((1, OVER - 10), (2, NOW - 10)):
        store.submit([upload("red", number, NAME)], arrived=at)
    yield store


def effects(phases: InForce) -> str:
    return "; ".join(phases.waiting.get(NAME, ()))


@pytest.mark.parametrize(
    ("after", "effect"),
    [
        (config(("first", LONG_OVER, OVER), ("second", OVER, NOW - 1)), "second ended at .* kept back is shown"),
        (
            config(("first", LONG_OVER, LATER)),
            "first is open again.*; entries that get from phase second into phase first: 1",
        ),
        (config(("first", LONG_OVER, OVER - 20), ("second", OVER - 20, SOON)), "from phase first into phase second: 1"),
        (config(("second", OVER, SOON)), "from phase first into no phase: 1"),
        (config(("second", LONG_OVER, OVER), ("first", OVER, SOON)), "from phase first into phase second: 1"),
        (config(("renamed", LONG_OVER, OVER), ("second", OVER, SOON)), ""),
        (config(("first", LONG_OVER - DAY, OVER - 5), ("second", OVER, LATER)), ""),
        (config(("first", LONG_OVER, OVER), ("second", OVER, LATER), ("third", LATER, LATER + DAY)), ""),
    ],
)
def test_change_with_an_effect_on_entries_waits(season: Store, after: Config, effect: str) -> None:
    length = season.journal_length()
    phases = in_force(season, after)
    if effect:
        assert re.search(effect, effects(phases))
        assert phases.config == BEFORE and season.journal_length() == length
        assert in_force(season, after, accept=NAME) == InForce(config=after, waiting={})
    else:
        assert phases == InForce(config=after, waiting={})
    assert season.journal_length() == length + 1
    assert in_force(season, after) == InForce(config=after, waiting={})


def test_phases_without_entries_are_the_organisers_own(store: Store) -> None:
    in_force(store, BEFORE)
    store.submit([upload("red", 1, "another")])
    for after in (config(("second", LONG_OVER, NOW - 5)), config(), BEFORE):
        assert in_force(store, after) == InForce(config=after, waiting={})


def test_later_deadlines_follow_a_phase_that_is_renamed(season: Store) -> None:
    keep_team(season.database, Team(name="red"))
    late = Extension(challenge=NAME, team="red", phase="first", until=LATER, reason="a flood")
    allow_late(season.database, BEFORE, late)
    after = config(("renamed", LONG_OVER, OVER), ("second", OVER, SOON))
    in_force(season, after)
    assert [deadline.phase for deadline in deadlines(season.settings, after, NAME)] == ["renamed"]


def test_command_shows_the_effects_and_accepts_them(tmp_path: Path) -> None:
    def run(ends: str, *argv: str) -> tuple[int, str]:
        rules = f"{{phases: [{{name: only, begins: 2020-01-01, ends: {ends}}}]}}"
        (tmp_path / "evaluate.yaml").write_text(f"challenges: {{{NAME}: {rules}}}\n")
        return command(tmp_path, *argv)

    with queue(tmp_path) as store:
        store.submit([upload("red", 1, NAME)], arrived=1.6e9)
    phases = ("challenge", "phases", NAME)
    assert run("2999-01-01", *phases) == (0, "only: 2020-01-01 00:00 UTC to 2999-01-01 00:00 UTC\n")
    code, text = run("2021-01-01", *phases)
    assert code == 1 and "to 2999-01-01 00:00 UTC" in text and "not in force: phase only ended at 2021-01-01" in text
    assert f"evaluate challenge phases {NAME} --yes" in run("2021-01-01", "board", NAME)[1]
    assert run("2021-01-01", *phases, "--yes") == (0, "only: 2020-01-01 00:00 UTC to 2021-01-01 00:00 UTC\n")
    code, text = run("2999-01-01", *phases)
    assert code == 1 and "phase only is open again" in text
