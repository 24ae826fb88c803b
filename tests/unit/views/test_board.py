"""Boards: places, ranks and letters; scores of different data, which are not compared."""

import csv
import io
import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.terms import AttemptLimits, Phase, Terms
from evaluate.config.types import Config
from evaluate.core.model import Stage
from evaluate.core.sanitize import for_spreadsheet
from evaluate.operate.audit.verify import whole
from evaluate.receipts.issue import Registry
from evaluate.store.db.rows import State
from evaluate.store.entries.best_attempts import Attempt, attempts_of, with_resampled
from evaluate.store.entries.rejudge_attempts import adopt_rejudging, begin_rejudging
from evaluate.store.entries.store import Store
from evaluate.views import rejudging
from evaluate.views.board import BoardRow, as_csv, as_json, as_text, board, board_of, data_in_words, mixed_boards
from evaluate.views.board_page import standing, to_html
from tests.support.commands import command
from tests.support.html import problems_of_page
from tests.support.queues import (
    CHALLENGE,
    at_fault,
    judged,
    keep_result,
    keep_score,
    queue,
    result,
    run_stages,
    score,
    sign,
    submitted,
)


def attempt(team: str, score: float | None, number: int = 1, **other: Any) -> Attempt:
    values = {"submitted": float(number), "instructions": 10**9, "wall_seconds": 1.0, **other}
    return Attempt(entry=f"e{number}", team=team, number=number, score=score, **values)


def rows(places: list[BoardRow]) -> list[tuple[int, str, str, int]]:
    return [(row.rank, row.team, row.entry, row.attempts) for row in places]


@given(
    scores=st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4]), min_size=2, max_size=7),
    apart=st.sets(st.integers(0, 6), max_size=4),
)
def test_ranks_and_letters_of_others_are_as_if_a_baseline_were_not_there(scores: list[float], apart: set[int]) -> None:
    drawn = {n: tuple(score + step / 50 for step in range(20)) for n, score in enumerate(scores)}
    every = [attempt(f"t{n}", score, n, resampled=drawn[n], clusters=20) for n, score in enumerate(scores)]
    alone = [each for each in every if each.number not in apart]
    teams = {f"t{n}" for n in apart}
    marked = board(every, baselines=teams)
    assert [row for row in marked if not row.baseline] == board(alone)
    assert [row.score for row in marked] == sorted(scores, reverse=True)
    assert {row.team: (row.rank, row.tied) for row in marked if row.baseline} == dict.fromkeys(
        teams & {each.team for each in every}, (None, "")
    )
    assert as_text(marked).count(" (baseline)") == len(teams & {each.team for each in every})


def test_baseline_that_alone_was_judged_by_newer_data_takes_nobodys_rank() -> None:
    old, new = {"judged": "a" * 64, "judged_at": 1.0}, {"judged": "b" * 64, "judged_at": 2.0}
    attempts = [attempt("a", 0.9, 1, **old), attempt("b", 0.8, 2, **old), attempt("c", 0.85, 3, **new)]
    places = board(attempts, baselines=["c"])
    assert [(row.rank, row.team, row.data) for row in places] == [
        (1, "a", "1"),
        (2, "b", "1"),
        (None, "c", "2"),
    ]
    assert data_in_words(places) == ""


def test_best_of_the_allowed_attempts_counts_of_equal_ones_the_earlier_and_of_those_without_a_score_none() -> None:
    attempts = [attempt("a", value, n) for n, value in ((1, 0.5), (2, 0.6), (4, 0.9), (3, 0.9))]
    attempts.append(attempt("b", 0.55, 5))
    assert rows(board(attempts, most=2)) == [(1, "a", "e2", 2), (2, "b", "e5", 1)]
    assert rows(board(attempts)) == [(1, "a", "e3", 4), (2, "b", "e5", 1)]
    attempts = [attempt("a", None, 1), attempt("a", 0.9, 2), attempt("a", 0.95, 3)]
    assert rows(board(attempts, most=2)) == [(1, "a", "e2", 1)]
    assert board(attempts[:1], most=2) == []


def test_every_phase_has_a_board_and_a_quota_of_its_own() -> None:
    phases = [
        Phase(name="official", begins=10, ends=20, attempts=AttemptLimits(phase=1)),
        Phase(name="unofficial", ends=10),
    ]
    scores = {1: ("a", 0.9), 9: ("b", 0.5), 10: ("a", 0.4), 11: ("a", 0.8), 19: ("b", 0.6), 20: ("c", 1.0)}
    places = board([attempt(team, score, number) for number, (team, score) in scores.items()], phases)
    assert [(row.phase, row.rank, row.team, row.score) for row in places] == [
        ("unofficial", 1, "a", 0.9),
        ("unofficial", 2, "b", 0.5),
        ("official", 1, "b", 0.6),
        ("official", 2, "a", 0.4),
    ]


def resampled(mean: float, noise: float, seed: int) -> dict[str, Any]:
    return {"resampled": tuple(np.random.default_rng(seed).normal(mean, noise, 500))}


def test_teams_that_chance_could_part_share_a_letter() -> None:
    attempts = [
        attempt("a", 0.80, 1, **resampled(0.80, 0.02, 1)),
        attempt("b", 0.79, 2, **resampled(0.79, 0.02, 2)),
        attempt("c", 0.40, 3, **resampled(0.40, 0.02, 3)),
    ]
    assert [row.tied for row in board(attempts)] == ["a", "a", "b"]
    assert "tied" in as_text(board(attempts))
    attempts[1] = replace(attempts[1], resampled=())  # then nothing is said of chance
    assert [row.tied for row in board(attempts)] == ["", "", ""]
    assert "tied" not in as_text(board(attempts))


def test_board_is_written_as_csv() -> None:
    places = board([attempt("a, b", 0.5, 1, low=0.25, high=1.0)])
    assert as_csv(places) == (
        "phase,rank,team,score,low,high,tied,instructions,wall_seconds,attempts,entry,data,baseline\n"
        ',1,"a, b",0.5,0.25,1.0,,1000000000,1.0,1,e1,,\n'
    )
    assert next(csv.DictReader(io.StringIO(as_csv(places))))["team"] == "a, b"


@pytest.mark.parametrize(
    "name", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "-3", "+1.5e-3", "a=b", "t 1"]
)
def test_cell_that_a_spreadsheet_would_calculate_is_quoted_and_no_other(name: str) -> None:
    plain = name in ("-3", "+1.5e-3", "a=b", "t 1")
    (row,) = csv.DictReader(io.StringIO(as_csv(board([attempt(name, -0.5, 1)])), newline=""))
    assert (row["team"], row["score"]) == (name if plain else f"'{name}", "-0.5")
    assert (for_spreadsheet("\rx"), for_spreadsheet("\uff1dx")) == ("'\rx", "'\uff1dx")  # the wide form


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        ((0.5, 1 / 3), ["0.5000", "0.3333"]),
        ((0.5, 0.25), ["0.50", "0.25"]),
        ((1.0, 1.0), ["1", "1"]),
        ((7489.25, -3.0), ["7489.25", "-3.00"]),
        ((0.5, math.nan), ["0.5", "none"]),
        ((0.83334, 0.83333), ["0.8333", "0.8333"]),
    ],
)
def test_scores_of_one_board_have_as_many_decimals_as_one_of_them_needs(
    scores: tuple[float, float], shown: list[str]
) -> None:
    places = board([attempt(team, score, n) for n, (team, score) in enumerate(zip("ab", scores, strict=True))])
    assert [line.split()[2] for line in as_text(places).splitlines()[1:]] == shown
    assert [row.rank for row in places] == ([1, 1] if scores == (1.0, 1.0) else [1, 2])
    page = to_html(
        "toy", [standing("toy", places, {row.entry: attempt(row.team, 0, 0) for row in places})], released=True
    )
    assert all(f'<td class="n">{text.replace("none", "–")}</td>' in page for text in shown)
    assert (problems_of_page(page), "nan" in page.lower()) == ([], False)


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(-1, 1) | st.just(math.nan)), max_size=30),
    st.integers(0, 4),
    st.integers(0, 3),
)
def test_ranks_are_consistent_with_scores_in_any_order_of_reading(
    attempts: list[tuple[str, float]], decimals: int, most: int
) -> None:
    every = [attempt(team, score, i) for i, (team, score) in enumerate(attempts)]
    assert board(every, most=most) == board(every[::-1], most=most)
    places = board(every, decimals=decimals)
    assert len(places) == len({team for team, _ in attempts})
    shown = [-math.inf if row.score is None else round(row.score, decimals) for row in places]
    assert shown == sorted(shown, reverse=True)
    json.dumps(as_json(places), allow_nan=False)
    order = [(row.rank, int(row.entry[1:])) for row in places]
    assert order == sorted(order), "of one rank, the earlier entry is first"
    for row, value in zip(places, shown, strict=True):
        assert row.rank == 1 + sum(other > value for other in shown)
        best = max((-math.inf if math.isnan(s) else s for t, s in attempts if t == row.team), default=-math.inf)
        assert value == (best if best == -math.inf else round(best, decimals))


def test_attempts_of_a_challenge_are_those_that_reached_the_exam_and_ended(store: Store, tmp_path: Path) -> None:
    submitted(store, "scored", "unscored", "parked", "dry", challenge="toy")
    scored, unscored, parked, dry = store.next_entries(4)
    run_stages(store, tmp_path, scored, 0.5, intervals={"F1": [0.4, 0.6]}, resampled=[0.5, None])
    run_stages(store, tmp_path, unscored, last=Stage.EXAM, verdict="BAD_ANSWER")
    store.move(parked.id, State.EXAM, charged=True)
    keep_result(store, parked.id, 1, "exam", result(Stage.EXAM))
    store.move(parked.id, State.PARKED, at_fault("no references", "score"))
    run_stages(store, tmp_path, dry, last=Stage.QUIZ, verdict="DRY_RUN")
    first, second = sorted(attempts_of(store, "toy"), key=lambda each: each.number)
    assert (first.team, first.score, first.low, first.high) == ("scored", 0.5, 0.4, 0.6)
    (whole,) = with_resampled(store, [first])
    assert whole.resampled[0] == 0.5 and math.isnan(whole.resampled[1])
    assert (first.instructions, first.wall_seconds) == (5, 0.5)
    assert (second.team, second.score) == ("unscored", None)
    assert attempts_of(store, "other") == []


SIX, SIXTY = "6" * 64, "60" * 32


def around(value: float | None) -> dict[str, Any]:
    """Resampled values of a score, and its interval."""
    interval = {} if value is None else {"F1": [value - 0.02, value + 0.02]}
    drawn = [None if value is None else value + i / 1000 for i in range(-20, 21)]
    return {"intervals": interval, "resampled": drawn, "clusters": 41}


def scored(store: Store, shared: Path, data: str, **scores: float) -> list[str]:
    """An entry of each team with a score that was given by these data; returns their ids."""
    ended = [judged(store, shared, {team: value}, judged=data, **around(value)) for team, value in scores.items()]
    return [identity for (identity,) in ended]


def shown(store: Store, phases: tuple[Phase, ...] = ()) -> list[tuple[int | None, str, str, str]]:
    places = board_of(store, CHALLENGE, phases, 0, 3)
    everything = with_resampled(store, attempts_of(store, CHALLENGE))
    assert places == board(everything, phases, 0, 3)
    return [(place.rank, place.team, place.tied, place.data) for place in places]


def test_scores_of_one_data_have_ranks_and_those_of_other_data_stand_below(store: Store, tmp_path: Path) -> None:
    scored(store, tmp_path, SIX, a=0.9, b=0.8)
    assert [(rank, team, data) for rank, team, _, data in shown(store)] == [(1, "a", ""), (2, "b", "")]
    scored(store, tmp_path, SIXTY, c=0.5, d=0.7)
    places = [(rank, team, bool(tied), data) for rank, team, tied, data in shown(store)]
    assert places[:2] == [(1, "d", True, "2"), (2, "c", True, "2")]
    assert places[2:] == [(None, "a", False, "1"), (None, "b", False, "1")]
    assert list(whole(store.database)) == []
    of_both = board_of(store, CHALLENGE, (), 0, 3)
    section = standing("toy", of_both, {}, 3)
    assert section.head == data_in_words(of_both)
    assert "2 of 4 places have no rank" in section.head and not section.stable, "ranks of both are drawn nowhere"
    lines = as_text(of_both).splitlines()
    assert lines[0].split()[-1] == "data" and lines[3].split()[:2] == ["–", "a"]


def test_newer_entry_of_a_team_counts_though_its_score_on_other_data_was_higher(store: Store, tmp_path: Path) -> None:
    scored(store, tmp_path, SIX, a=0.9)
    judged(store, tmp_path, {"b": 0.5, "a": 0.4}, judged=SIXTY)
    places = board_of(store, CHALLENGE, (), 0, 3)
    assert [(place.rank, place.team, place.score, place.attempts) for place in places] == [
        (1, "b", 0.5, 1),
        (2, "a", 0.4, 1),
    ]
    assert data_in_words(places) == ""  # all that is shown was judged by the same


def test_phases_may_have_data_of_their_own(store: Store, tmp_path: Path) -> None:
    (first,) = scored(store, tmp_path, SIX, a=0.9)
    scored(store, tmp_path, SIXTY, b=0.4)
    border = (store.entry(first).submitted + store.entries()[1].submitted) / 2
    phases = (Phase(name="one", ends=border), Phase(name="two", begins=border))
    assert shown(store, phases) == [(1, "a", "", ""), (1, "b", "", "")]
    assert mixed_boards(store, Config(challenges={CHALLENGE: Terms(phases=phases)})) == []
    (found,) = mixed_boards(store, Config(challenges={CHALLENGE: Terms()}))
    assert (found.others, found.scores) == (1, 2)
    assert f"evaluate rejudge start --challenge {CHALLENGE} --from exam" in str(found)


def test_applied_rejudging_makes_one_board_again(store: Store, tmp_path: Path) -> None:
    old = scored(store, tmp_path, SIX, a=0.9, b=0.8)
    scored(store, tmp_path, SIXTY, c=0.5)
    begin_rejudging(store, [store.entry(one) for one in old], "r1", Stage.SCORE, references="")
    for identity in old:
        keep_score(store, identity, 2, score(0.6), SIXTY)  # it does not count yet
        store.move(identity, State.SCORE, attempt=2)
        store.move(identity, State.DONE, attempt=2)
    assert [rank for rank, *_ in shown(store)] == [1, None, None]
    change = next(one for one in rejudging.changes(store, "r1", Terms()) if one.entry == old[0])
    assert (change.rank, change.new_rank) == (None, 1)
    adopt_rejudging(store, "r1")
    assert [(rank, data) for rank, _, _, data in shown(store)] == [(1, ""), (1, ""), (3, "")]
    assert mixed_boards(store, Config()) == []
    assert list(whole(store.database)) == []


def judge(state: Path, store: Store, team: str, folder: Path) -> None:
    """An entry that goes through its stages and gets a receipt, as the daemon does it."""
    digest = Registry(state).exam_data(load_challenge(str(folder))).digest
    (identity,) = judged(store, state, {team: 0.5}, str(folder), judged=digest)
    sign(store, state, store.entry(identity), Config(challenges={"hearts": Terms(folder=folder)}))


@pytest.mark.slow
def test_every_command_says_it_and_names_what_to_do(tmp_path: Path) -> None:
    state, challenge = tmp_path / "state", tmp_path / "hearts"
    shutil.copytree(load_challenge("kits19").folder, challenge)
    with queue(state) as store:
        (state / "evaluate.yaml").write_text(f"challenges: {{hearts: {{folder: {challenge}}}}}\n")
        judge(state, store, "old", challenge)
        references = load_challenge(str(challenge)).exam.references
        assert references is not None
        (references / "more.txt").write_text("x")

        def run(*argv: str) -> str:
            return command(state, *argv)[1]

        assert "rejudge" not in run("status") + run("board", "hearts")
        judge(state, store, "new", challenge)
        assert "hearts: 1 of 2 scores were given by other data" in run("status")
        assert json.loads(run("status", "--json"))["mixed_boards"][0]["others"] == 1
        text = run("board", "hearts")
        assert "evaluate rejudge start --challenge hearts --from exam" in text and "1 of 2 places have no rank" in text
        page = tmp_path / "board.html"
        run("board", "hearts", "--html", str(page))
        assert "1 of 2 places have no rank" in page.read_text()
        assert "1 of 2 places have no rank" in run("board", "verify", "hearts")
        assert json.loads(run("board", "verify", "hearts", "--json"))["ok"]
