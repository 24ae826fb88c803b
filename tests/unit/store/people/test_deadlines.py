"""A later deadline is one team's alone, ends when it says, and its entries belong to the phase that it is for."""

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.terms import AttemptLimits, Phase, Terms
from evaluate.config.types import Config
from evaluate.core.errors import EntryError, UsageError
from evaluate.operate.audit.verify import whole
from evaluate.store.people import site_settings as module
from evaluate.store.people.site_settings import Extension, allow_late, deadlines, withdraw_deadline
from evaluate.store.people.teams import Team, change_team
from evaluate.store.submission import attempts_in, submission_rules
from tests.support.commands import command
from tests.support.queues import ONE_DATABASE, keep_team, queue
from tests.unit.store.test_submission import DAY, NAME, Case, count


@pytest.fixture
def case(tmp_path: Path, queue_url: str) -> Iterator[Case]:
    (tmp_path / "state").mkdir()
    with queue(tmp_path / "state", queue_url) as store:
        case = Case(tmp_path / "state", store)
        keep_team(store.database, Team(name="red"))
        ended = time.time() - DAY
        phases = (
            Phase(name="first", ends=ended, attempts=AttemptLimits(phase=2)),
            Phase(name="second", begins=ended, attempts=AttemptLimits(phase=1)),
        )
        case.rules(phases=phases)
        yield case


def wanted(**other: Any) -> Extension:
    usual = {"challenge": NAME, "team": "RED", "phase": "first", "until": time.time() + DAY, "reason": "a flood"}
    return Extension(**{**usual, **other})


def first_of(case: Case) -> Phase:
    return case.config.terms(NAME).phases[0]


def test_late_entry_belongs_to_the_phase_that_is_over_for_others(case: Case) -> None:
    assert allow_late(case.store.database, case.config, wanted()).team == "red"
    late, other = case.submission(1), case.submission(1, "blue")
    assert (count(late), count(other)) == (("first", 2, 1), ("second", 1, 0))
    assert first_of(case).begins <= late.entry.submitted < first_of(case).ends
    again = case.submission(1)
    assert (again.entry.id, again.new) == (late.entry.id, False)
    case.submission(2)
    assert "team red has 2 attempts in phase first" in case.refused(3)
    rows = attempts_in(case.store, NAME, case.config)
    assert [(row.team, row.phase, row.left) for row in rows] == [("blue", "second", 0), ("red", "first", 0)]
    assert list(whole(case.store.database)) == []


def test_deadline_is_judged_by_the_arrival_to_the_moment(case: Case) -> None:
    case.rules(phases=(first_of(case),))
    until = time.time() - 1000
    allow_late(case.store.database, case.config, wanted(until=until))
    assert case.submission(1, arrived=until - 1).attempts.phase == "first"
    with pytest.raises(EntryError, match="no phase was open at"):
        case.submission(2, arrived=until)
    submission_rules(case.config, NAME, NAME, "red").check_now(case.store, until - 1)
    with pytest.raises(EntryError, match="no phase was open at"):
        submission_rules(case.config, NAME, NAME, "red").check_now(case.store, until)
    assert "no phase is open now" in case.refused(3)
    at = first_of(case).ends - 5
    early = case.submission(4, arrived=at).entry
    assert (early.submitted, early.arrived) == (at, at), "as for others"


def test_deadline_that_is_taken_back_or_replaced_holds_no_more(case: Case) -> None:
    case.rules(phases=(first_of(case),))
    with pytest.raises(UsageError, match="team red has no later deadline for phase first"):
        withdraw_deadline(case.store.database, case.config, NAME, "red", "first")
    allow_late(case.store.database, case.config, wanted())
    later = allow_late(case.store.database, case.config, wanted(reason=" two\x1b[31m floods ", team="Red"))
    assert deadlines(case.store.settings, case.config, NAME) == [later]
    assert later.reason.startswith("two") and "\x1b" not in later.reason
    withdraw_deadline(case.store.database, case.config, NAME, "RED", "first")
    assert deadlines(case.store.settings, case.config, NAME) == []
    withdrawn, granted = (line.data["value"] for line in case.store.lines(most=2))
    assert withdrawn == "" and "floods" in granted, "the journal has both"
    assert "no phase is open now" in case.refused(1)
    allow_late(case.store.database, case.config, wanted())
    case.rules(phases=(replace(first_of(case), name="early"),))
    assert "no phase is open now" in case.refused(2), "it was for a phase that is gone"


def test_deadline_holds_by_either_name_of_one_folder_or_team(case: Case) -> None:
    folder, phases = load_challenge(NAME).folder, (first_of(case),)
    rules = {name: Terms(folder=folder, phases=phases) for name in ("first", "second")}
    case.config = Config(challenges={**rules, "cinc2017": Terms(phases=phases)})
    allow_late(case.store.database, case.config, wanted(challenge="cinc2017"))
    assert "no phase is open now" in case.refused(1, challenge="first"), "another challenge's has no effect"
    allow_late(case.store.database, case.config, wanted(challenge="second"))
    change_team(case.store.database, "red", lambda team: replace(team, name="crimson", aliases=("red",)))
    assert [name.challenge for name in deadlines(case.store.settings, case.config, "second")] == ["first"]
    for n, name, team in ((1, "first", "red"), (2, "second", "crimson")):
        assert case.submission(n, team, name).attempts.phase == "first"
    entries = case.store.entries()
    withdraw_deadline(case.store.database, case.config, "second", "crimson", "first")
    assert case.store.entries() == entries, "what was submitted stays"
    assert "no phase is open now" in case.refused(3, challenge="second")


@ONE_DATABASE
def test_deadline_that_makes_no_sense_is_refused_and_nothing_is_kept(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = case.store.database.position().line

    def refused(problem: str, **other: Any) -> None:
        with pytest.raises(UsageError, match=problem):
            allow_late(case.store.database, case.config, wanted(**other))
        assert case.store.database.position().line == before

    refused(r"cinc2017: expected a challenge that evaluate\.yaml names", challenge="cinc2017")
    refused("kits19 has no phase 'third'; its phases are first, second", phase="third")
    refused("no team 'nobody'", team="nobody")
    refused("expected a deadline after the end of phase first", until=5.0)
    refused("expected a deadline after the end of phase first", until=math.nan)
    refused("expected a deadline after the end of phase second", phase="second")
    refused("and before the year 9999", until=1e18)  # which no page could show
    refused("expected a reason of 1 to 1000 characters, found 0", reason=" ")
    refused("found 1001", reason="x" * 1001)
    challenge = load_challenge(NAME)
    hidden = challenge.with_records(exam=replace(challenge.exam, hidden=True))
    monkeypatch.setattr(module, "load_challenge", lambda _name: hidden)
    refused("kits19: its exam is hidden")  # the end of a phase shows what was kept back in it


def test_command_sets_lists_and_withdraws_a_deadline(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        keep_team(store.database, Team(name="red"))
    rules = "{phases: [{name: only, ends: 2020-01-01}]}"
    (tmp_path / "evaluate.yaml").write_text(f"challenges: {{{NAME}: {rules}}}\n")

    run = partial(command, tmp_path)
    sample = str(load_challenge(NAME).folder / "sample_entry")
    enter = ("submit", sample, "--challenge", NAME, "--team", "red")
    extend = ("team", "extend", "Red", "--challenge", NAME, "--phase", "only")
    assert run(*enter)[0] == 1
    assert run(*extend)[0] == 2
    assert run(*extend, "--until", "soon", "--reason", "a flood")[0] == 2
    assert run(*extend, "--until", "2999-01-01") == (
        2,
        "evaluate: expected a reason of 1 to 1000 characters, found 0\n",
    )
    granted = "team red may submit to phase only until 2999-01-01 00:00 UTC\n"
    assert run(*extend, "--until", "2999-01-01", "--reason", "a flood") == (0, granted)
    assert run("team", "extend", "--challenge", NAME) == (0, "red: phase only until 2999-01-01 00:00 UTC (a flood)\n")
    assert run(*enter)[0] == 0
    assert run(*extend, "--undo") == (0, "")
    assert run("team", "extend", "--challenge", NAME) == (0, "")
