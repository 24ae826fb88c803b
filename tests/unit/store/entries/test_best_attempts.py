"""The board of one query is that of all attempts, also where some are of baselines."""

import random

import pytest

from evaluate.config.terms import AttemptLimits, Phase
from evaluate.core.model import Stage
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.best_attempts import attempts_of, with_resampled
from evaluate.store.entries.rejudge_attempts import adopt_rejudging, begin_rejudging
from evaluate.store.entries.store import Store
from evaluate.store.people.site_settings import baseline_teams, mark_baseline
from evaluate.store.people.teams import Team
from evaluate.views.board import board, board_of
from tests.support.queues import CHALLENGE, keep_result, keep_score, keep_team, result, score, upload

VALUES = (0.5, 0.7004, 0.7, None, 0.1, 0.9)
TEAMS = ("a", "b", "c", "d", "e", "f")


def ended(store: Store, identity: str, attempt: int, value: float | None, *, scored: bool = True) -> None:
    keep_result(store, identity, attempt, "exam", result(Stage.EXAM))
    if scored:
        draws = [(value or 0.0) + draw / 100 for draw in range(20)]
        keep_score(store, identity, attempt, {**score(value), "resampled": draws, "clusters": 5})
    store.move(identity, State.DONE, ended_with("OK"), attempt=attempt)


@pytest.mark.slow
def test_board_of_one_query_is_that_of_all_attempts(store: Store) -> None:
    chance = random.Random(7)
    early = Phase(name="early", ends=0.0, attempts=AttemptLimits(phase=1))

    def submit(number: int) -> str:
        ((identity, _),) = store.submit([upload(chance.choice(TEAMS), number)])
        return identity

    def compare() -> None:
        everything = with_resampled(store, attempts_of(store, CHALLENGE))
        apart = baseline_teams(store.database)
        late = Phase(name="late", begins=store.entries()[len(store.entries()) // 2].submitted)
        for phases, most, decimals in (((), 0, 12), ((), 2, 12), ((), 0, 1), ((late, early), 0, 3)):
            rows = board_of(store, CHALLENGE, phases, most, decimals)
            assert rows == board(everything, phases, most, decimals, baselines=apart)

    for number in range(16):
        identity = submit(number)
        store.move(identity, State.EXAM, charged=True)
        ended(store, identity, 1, chance.choice(VALUES), scored=chance.random() < 0.8)
    store.cancel(submit(16))
    compare()
    begin_rejudging(store, store.entries(ENTRIES.c.state == "done"), "r1", Stage.SCORE)
    for attempt in store.rejudging_attempts("r1"):
        ended(store, attempt.id, attempt.attempt, chance.choice(VALUES))
    compare()
    adopt_rejudging(store, "r1")
    compare()
    mark_baseline(store.database, store.entries()[0].team)
    compare()
    keep_team(store.database, Team(name=TEAMS[0], aliases=TEAMS[1:3]))
    compare()
    for name in baseline_teams(store.database):
        mark_baseline(store.database, name, on=False)
    compare()
