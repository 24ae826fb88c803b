"""The board of one query is that of all attempts, whatever changes them."""

from __future__ import annotations

import random

import pytest

from evaluate.config.terms import AttemptLimits, Phase
from evaluate.core.model import Stage
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.baselines import baselines, mark_baseline
from evaluate.store.entries.best_attempts import attempts_of, with_resampled
from evaluate.store.entries.rejudge_attempts import adopt_rejudging, begin_rejudging
from evaluate.store.entries.store import Store
from evaluate.store.people.teams import Team
from evaluate.views.board import BoardRow, board, board_of
from tests.support.queues import CHALLENGE, keep_team, result, score, submitted, upload

VALUES = (0.5, 0.7004, 0.7, None, 0.1, 0.9)
TEAMS = ("a", "b", "c", "d", "e", "f")


def ended(store: Store, identity: str, attempt: int, value: float | None, *, scored: bool = True) -> None:
    store.keep_result(identity, attempt, "exam", result(Stage.EXAM))
    if scored:
        draws = [(value or 0.0) + one / 100 for one in range(20)]
        store.keep_score(identity, attempt, {**score(value), "resampled": draws, "clusters": 5})
    store.move(identity, State.DONE, ended_with("OK"), attempt=attempt)


def scored(store: Store, *teams: str) -> list[str]:
    """An entry of each team that ended, each better than the one before."""
    found = submitted(store, *teams)
    for n, identity in enumerate(found):
        store.move(identity, State.EXAM, charged=True)
        ended(store, identity, 1, 0.1 * n)
    return found


@pytest.mark.slow
def test_board_of_one_query_is_that_of_all_attempts_after_every_change(store: Store) -> None:
    chance = random.Random(7)
    numbers = iter(range(10**6))

    def submit() -> None:
        ((identity, _),) = store.submit([upload(chance.choice(TEAMS), next(numbers))])
        store.move(identity, State.EXAM, charged=True)
        ended(store, identity, 1, chance.choice(VALUES), scored=chance.random() < 0.8)

    def cancel() -> None:
        ((identity, _),) = store.submit([upload(chance.choice(TEAMS), next(numbers))])
        store.cancel(identity)

    def rejudge() -> None:
        purpose = f"r{next(numbers)}"
        begin_rejudging(store, store.entries(ENTRIES.c.state == "done"), purpose, Stage.SCORE)
        for one in store.rejudging_attempts(purpose):
            ended(store, one.id, one.attempt, chance.choice(VALUES))
        adopt_rejudging(store, purpose)

    def merge() -> None:
        name, alias = chance.sample(TEAMS, 2)
        keep_team(store.database, Team(name=name, aliases=(alias,)))

    def edit() -> None:
        with store.change() as connection:
            connection.exec_driver_sql("update scores set value = 0.8 where value = 0.7")
            connection.exec_driver_sql("update results set instructions = instructions + 1")

    def remove() -> None:
        with store.change() as connection:
            connection.exec_driver_sql("delete from scores where value = 0.1")

    def mark_an_entry() -> None:
        mark_baseline(store, chance.choice(store.entries(ENTRIES.c.state == "done")).id)

    def mark_a_team() -> None:
        mark_baseline(store, chance.choice(store.entries()).team)

    def remove_marks() -> None:
        for one in baselines(store)[::2]:
            mark_baseline(store, one, on=False)

    marks = [mark_an_entry, mark_a_team, remove_marks]
    changes = [*[submit] * 8, cancel, rejudge, merge, edit, remove, *marks]
    chance.shuffle(changes)
    early = Phase(name="early", ends=0.0, attempts=AttemptLimits(phase=1))
    for change in [submit, submit, submit, *changes]:
        change()
        everything = with_resampled(store, attempts_of(store, CHALLENGE))
        apart = store.reader.baseline_teams()
        late = Phase(name="late", begins=store.entries()[len(store.entries()) // 2].submitted)
        for phases, most, decimals in (((), 0, 12), ((), 2, 12), ((), 0, 1), ((late, early), 0, 3)):
            found = board_of(store, CHALLENGE, phases, most, decimals)
            assert found == board(everything, phases, most, decimals, baselines=apart)


@pytest.mark.parametrize(
    "statement",
    [
        "update entries set team = 'b' where team = 'a'",
        "update entries set challenge = 'other' where team = 'b'",
        "update entries set charged = false where team = 'c'",
        "update entries set attempt = 2 where team = 'c'",
        "update entries set state = 'parked' where team = 'c'",
        "update entries set number = 50 where number = 3",
        "update entries set submitted = 1.0 where team = 'c'",
        "update scores set value = 0.95 where value = 0.0",
        "delete from scores where value = 0.2",
        "update results set instructions = 99",
        "delete from results",
    ],
)
def test_change_of_any_column_that_a_board_needs_is_seen(store: Store, statement: str) -> None:
    scored(store, "a", "b", "c", "c")
    phases = (Phase(name="p", begins=2.0),)

    def places(challenge: str) -> list[BoardRow]:
        return board_of(store, challenge, phases, 1, 0)  # to no decimals all are equal, so that the first counts

    before = places(CHALLENGE)
    assert places("other") == []
    with store.change() as connection:
        connection.exec_driver_sql(statement)
    for challenge in (CHALLENGE, "other"):
        assert places(challenge) == board(with_resampled(store, attempts_of(store, challenge)), phases, 1, 0)
    assert places(CHALLENGE) != before
