"""Entries that were judged by different data are not compared, and everybody who looks is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.terms import Phase, Terms
from evaluate.config.types import Config
from evaluate.core.model import Stage
from evaluate.operate.audit.verify import whole
from evaluate.receipts.issue import Registry
from evaluate.store.db.rows import State
from evaluate.store.entries.best_attempts import attempts_of, with_resampled
from evaluate.store.entries.rejudge_attempts import adopt_rejudging, begin_rejudging
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import SharedFolder
from evaluate.views import rejudging
from evaluate.views.board import BoardRow, as_text, board, board_of, data_in_words, mixed_boards
from evaluate.views.board_page import standing
from tests.support.queues import CHALLENGE, STAGES, queue, result, run_stages, score, sign, upload

SIX, SIXTY = "6" * 64, "60" * 32


def scored(store: Store, team: str, value: float, judged: str, n: int = 0, challenge: str = CHALLENGE) -> str:
    ((identity, _),) = store.submit([upload(team, n, challenge)])
    store.next_entries(100)
    for stage in STAGES:
        store.move(identity, State(stage.value))
        store.keep_result(identity, 1, stage.value, result(stage))
    store.charge(identity, 1)
    more = {"resampled": [value + i / 1000 for i in range(-20, 21)], "clusters": 41}
    store.keep_score(identity, 1, {**score(value), **more}, judged)
    store.move(identity, State.DONE)
    return identity


def shown(store: Store, phases: tuple[Phase, ...] = ()) -> list[tuple[int | None, str, str, str]]:
    places = board_of(store, CHALLENGE, phases, 0, 3)
    everything = with_resampled(store, attempts_of(store, CHALLENGE))
    assert places == board(everything, phases, 0, 3)
    return [(place.rank, place.team, place.tied, place.data) for place in places]


def test_scores_of_one_data_have_ranks_and_those_of_other_data_stand_below(store: Store) -> None:
    for team, value in (("a", 0.9), ("b", 0.8)):
        scored(store, team, value, SIX)
    assert [(rank, team, data) for rank, team, _, data in shown(store)] == [(1, "a", ""), (2, "b", "")]
    scored(store, "c", 0.5, SIXTY)
    scored(store, "d", 0.7, SIXTY)
    found = shown(store)
    assert [(rank, team, data) for rank, team, _, data in found] == [
        (1, "d", "2"),
        (2, "c", "2"),
        (None, "a", "1"),
        (None, "b", "1"),
    ]
    assert [bool(tied) for _, _, tied, _ in found] == [True, True, False, False]
    assert list(whole(store.database)) == []


def test_newer_entry_of_a_team_counts_though_its_score_on_other_data_was_higher(store: Store) -> None:
    scored(store, "a", 0.9, SIX, 1)
    scored(store, "a", 0.4, SIXTY, 2)
    scored(store, "b", 0.5, SIXTY)
    places = board_of(store, CHALLENGE, (), 0, 3)
    assert [(place.rank, place.team, place.score, place.attempts) for place in places] == [
        (1, "b", 0.5, 1),
        (2, "a", 0.4, 1),
    ]
    assert data_in_words(places) == ""  # all that is shown was judged by the same


def test_phases_may_have_data_of_their_own(store: Store) -> None:
    first = scored(store, "a", 0.9, SIX)
    scored(store, "b", 0.4, SIXTY)
    border = (store.entry(first).submitted + store.entries()[1].submitted) / 2
    phases = (Phase(name="one", ends=border), Phase(name="two", begins=border))
    assert shown(store, phases) == [(1, "a", "", ""), (1, "b", "", "")]
    assert mixed_boards(store, Config(challenges={CHALLENGE: Terms(phases=phases)})) == []
    (found,) = mixed_boards(store, Config(challenges={CHALLENGE: Terms()}))
    assert (found.others, found.scores) == (1, 2)
    assert f"evaluate rejudge start --challenge {CHALLENGE} --from exam" in str(found)


def test_applied_rejudging_makes_one_board_again(store: Store) -> None:
    old = [scored(store, team, value, SIX) for team, value in (("a", 0.9), ("b", 0.8))]
    scored(store, "c", 0.5, SIXTY)
    begin_rejudging(store, [store.entry(one) for one in old], "r1", Stage.SCORE, references="")
    for identity in old:
        store.keep_score(identity, 2, score(0.6), SIXTY)  # it does not count yet
        store.move(identity, State.SCORE, attempt=2)
        store.move(identity, State.DONE, attempt=2)
    assert [rank for rank, *_ in shown(store)] == [1, None, None]
    terms = Terms()
    change = next(one for one in rejudging.changes(store, "r1", terms) if one.entry == old[0])
    assert (change.rank, change.new_rank) == (None, 1)
    adopt_rejudging(store, "r1")
    assert [(rank, data) for rank, _, _, data in shown(store)] == [(1, ""), (1, ""), (3, "")]
    assert mixed_boards(store, Config()) == []
    assert list(whole(store.database)) == []


def test_ranks_of_different_data_are_drawn_nowhere(store: Store) -> None:
    scored(store, "a", 0.9, SIX)
    scored(store, "b", 0.4, SIXTY)
    places = board_of(store, CHALLENGE, (), 0, 3)
    section = standing("toy", places, {}, 3)
    assert section.head == data_in_words(places)
    assert "1 of 2 places have no rank" in section.head and not section.stable
    lines = as_text(places).splitlines()
    assert lines[0].split()[-1] == "data" and lines[2].split()[:2] == ["–", "a"]


@pytest.fixture
def challenge(tmp_path: Path) -> Path:
    folder = tmp_path / "hearts"
    shutil.copytree(load_challenge("kits19").folder, folder)
    return folder


def judge(state: Path, store: Store, team: str, folder: Path) -> str:
    """An entry that goes through its stages and gets a receipt, as the daemon does it."""
    ((identity, _),) = store.submit([upload(team, 0, str(folder))])
    store.next_entries(100)
    entry = store.entry(identity)
    digest = Registry(state).exam_data(load_challenge(str(folder))).digest
    run_stages(store, state, entry, 0.5, judged=digest)
    config = Config(challenges={"hearts": Terms(folder=folder)})
    sign(Registry(state), store, state, SharedFolder(state), config, store.entry(identity), "green:1")
    return identity


@pytest.mark.slow
def test_every_command_says_it_and_names_what_to_do(challenge: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    with queue(state) as store:
        (state / "evaluate.yaml").write_text(f"challenges: {{hearts: {{folder: {challenge}}}}}\n")
        judge(state, store, "old", challenge)
        references = load_challenge(str(challenge)).exam.references
        assert references is not None
        (references / "more.txt").write_text("x")

        def run(*argv: str) -> str:
            done = CliRunner().invoke(main, ["--state", str(state), *argv])
            return done.output

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
        found: list[BoardRow] = json.loads(run("board", "verify", "hearts", "--json"))
        assert found["ok"], found  # type: ignore[call-overload]
