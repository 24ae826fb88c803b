"""The board of one query is that of all attempts, and baselines have no rank there."""

import random
from pathlib import Path

import pytest

from evaluate.config.terms import AttemptLimits, Phase
from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.operate.audit.verify import whole
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.best_attempts import attempts_of, with_resampled
from evaluate.store.entries.rejudge_attempts import adopt_rejudging, begin_rejudging
from evaluate.store.entries.store import Store
from evaluate.store.people.site_settings import baseline_teams, mark_baseline
from evaluate.store.people.teams import Team
from evaluate.views.board import board, board_of
from tests.support.queues import CHALLENGE, judged, keep_result, keep_score, keep_team, result, score, upload

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


def test_marked_team_stands_in_its_place_and_the_others_move_up(store: Store, tmp_path: Path) -> None:
    judged(store, tmp_path, {"ours": 0.9, "red": 0.8, "blue": 0.7})
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
    values = [line.data["value"] for line in store.lines() if line.event == "set"][::-1]
    assert values == ['{"team": "ours"}', '{"team": "organisers"}', ""]
