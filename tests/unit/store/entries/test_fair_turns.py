"""Whose turn it is: properties that hold whatever the teams put in."""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluate.core.model import Stage
from evaluate.store.db.rows import State
from evaluate.store.db.tables import SHARES, TABLES, TASKS
from evaluate.store.entries import fair_turns
from evaluate.store.entries.store import Store
from evaluate.store.schedule import tasks
from evaluate.views.why import why
from tests.support.queues import NoEngine, by_hand, end_task, enqueue, queue, run_stages, run_task, submitted, upload

TEAMS = "ABCD"
FEW = settings(max_examples=12, deadline=None)
"""Of those that need a whole store; a store takes a tenth of a second."""


@contextmanager
def shares() -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            TABLES.create_all(connection, [SHARES])
            yield connection
    finally:
        engine.dispose()


def served(connection: sa.Connection, waiting: list[tuple[float, int, str]]) -> str:
    """Begin the one whose turn it is; its team."""
    turn = min(waiting)
    waiting.remove(turn)
    fair_turns.begin(connection, "q", turn[0])
    return turn[2]


STEPS = st.lists(st.one_of(st.sampled_from(TEAMS), st.none()), max_size=60)
"""A team puts one in, or the next is begun."""


@given(STEPS, st.sampled_from([1.0, 0.5, 1 / 3, 0.25]))
@settings(max_examples=40, deadline=None)
def test_who_waits_with_k_entries_waits_at_most_for_k_of_every_other_team(steps: list[str | None], cost: float) -> None:
    with shares() as connection:
        waiting: list[tuple[float, int, str]] = []
        passed: dict[int, Counter[str]] = {}
        """Of each that waits: how many of each other team began since it was put in."""
        ahead: dict[int, int] = {}
        """How many of its own team were before it, itself included."""
        for number, step in enumerate([*steps, *[None] * len(steps)]):
            if step is not None:
                ahead[number] = 1 + sum(team == step for *_, team in waiting)
                waiting.append((fair_turns.enter(connection, "q", step, cost), number, step))
                passed[number] = Counter()
            elif waiting:
                team = served(connection, waiting)
                for _, waiter, its_team in waiting:
                    if its_team != team:
                        passed[waiter][team] += 1
        assert waiting == []
        for number, others in passed.items():
            # one more: what is begun now was perhaps put in before at the same virtual time
            assert all(count <= ahead[number] + 1 for count in others.values()), (number, others)


@given(st.integers(1, 30), st.integers(0, 10))
@settings(max_examples=40, deadline=None)
def test_team_that_was_away_neither_waits_nor_catches_up(before: int, more: int) -> None:
    with shares() as connection:
        waiting = [(fair_turns.enter(connection, "q", "A"), number, "A") for number in range(before + 10)]
        for _ in range(before):
            served(connection, waiting)
        waiting += [(fair_turns.enter(connection, "q", "B"), 100 + number, "B") for number in range(5 + more)]
        order = "".join(served(connection, waiting) for _ in range(10))
        assert "B" in order[:2]
        assert abs(order.count("A") - order.count("B")) <= 1


@given(st.lists(st.sampled_from(TEAMS), min_size=1, max_size=16), st.lists(st.integers(0, 3), max_size=8))
@FEW
def test_entries_of_a_team_come_in_their_order_and_teams_in_turns_as_many_as_there_is_room_for(
    queue_urls: Callable[[], str], order: list[str], room: list[int]
) -> None:
    with tempfile.TemporaryDirectory() as folder, queue(Path(folder), queue_urls()) as store:
        store.submit([upload(team, number) for number, team in enumerate(order)])
        taken = []
        for most in (*room, 100):
            batch = store.next_entries(most)
            assert len(batch) == min(most, len(order) - len(taken))
            taken += batch
        assert len({entry.id for entry in taken}) == len(order)
        for team in set(order):
            numbers = [entry.number for entry in taken if entry.team == team]
            assert numbers == sorted(numbers)
        first = [entry.team for entry in taken[: len(set(order))]]
        assert first == list(dict.fromkeys(order))  # of equal ones who came first


def test_team_whose_entries_all_wait_is_served_beside_the_long_exams_of_others(store: Store) -> None:
    submitted(store, "A", "A", "A")
    store.next_entries(2)
    assert store.next_entries(1, teams_in_stages=False) == []
    submitted(store, "B", "B")
    assert [entry.team for entry in store.next_entries(5, teams_in_stages=False)] == ["B"]


def test_earlier_stages_come_first_and_rejudgings_last_whatever_their_turn() -> None:
    order = [Stage.PREP, Stage.QUIZ, Stage.SCORE, Stage.EXAM]
    priorities = [tasks.priority(stage, tag) for stage in order for tag in (0.0, 0.5, 5.0, 1e9)]
    assert priorities == sorted(set(priorities))
    assert max(priorities) < tasks.priority(Stage.PREP, 0.0, rejudging=True)
    assert tasks.priority(Stage.TRAIN, 5.0) == tasks.priority(Stage.EXAM, 5.0)  # both are long, and take turns
    assert min(priorities) >= 1 and tasks.priority(Stage.SCORE, 1e12, rejudging=True) < 2**31


def placed(store: Store, identity: str, task: str, cost: float = 1.0) -> int:
    return enqueue(store, identity, 1, task, Stage(task.partition("-")[0]), cost)


def test_parts_of_two_exams_take_turns(store: Store) -> None:
    first, second = submitted(store, "A", "B")
    ranks = {(name, i): placed(store, name, f"exam-{i}", cost=1 / 4) for name in (first, second) for i in range(4)}
    order = sorted(ranks, key=lambda shard: ranks[shard])
    assert [{name for name, _ in order[i : i + 2]} for i in range(0, 8, 2)] == [{first, second}] * 4


def test_exams_of_a_team_that_comes_later_are_next_whatever_was_joined_before(store: Store) -> None:
    """What joined shards advanced the virtual time of exams: those who came later waited behind all that waited."""
    many, few = submitted(store, *["many"] * 6), submitted(store, "few")[0]
    places = {name: placed(store, name, "exam-0") for name in many}
    for name in many[:2]:
        run_task(store, name, "exam-0", "green:1", 60)
        end_task(store, name, "exam-0")
        assert placed(store, name, "exam") < min(places.values()), "it is short"
        run_task(store, name, "exam", "green:1", 60)
    assert placed(store, few, "exam-0") <= places[many[2]]


def test_task_that_runs_is_said_to_run_with_its_deadline(store: Store) -> None:
    (identity,) = submitted(store, "A")
    placed(store, identity, "prep")
    assert tasks.begin(store, "another", "green:1") is None, "it has no task"
    (row,) = tasks.tasks(store)
    assert (row.running, row.deadline) == (False, None)
    flow = run_task(store, identity, "prep", "green:1", 60)
    (row,) = tasks.tasks(store)
    assert (row.running, row.executor, row.flow) == (True, "green:1", flow)
    assert row.deadline == pytest.approx(row.since + 60) and row.since == pytest.approx(time.time(), abs=60)
    assert tasks.overdue(store) == 0
    by_hand(store, sa.update(TASKS).values(deadline=1.0))
    assert tasks.overdue(store) == 1
    with store.change() as connection:
        assert tasks.end(connection, flow, "prep") and not tasks.end(connection, flow, "prep")
    assert tasks.tasks(store) == []


def test_task_that_is_given_to_another_workflow_keeps_its_place(store: Store) -> None:
    (identity,) = submitted(store, "A")
    before = placed(store, identity, "exam-0")
    flow = run_task(store, identity, "exam-0", "green:1", 60)
    for held in (False, True):
        with store.change() as connection:
            assert tasks.again(connection, NoEngine(), flow, held=held)  # type: ignore[arg-type]
            assert not tasks.again(connection, NoEngine(), flow)  # type: ignore[arg-type]
        (row,) = tasks.tasks(store)
        assert (row.running, row.deadline, row.held, row.number) == (False, None, held, 0)
        flow = row.flow
    with store.change() as connection:
        tasks.release(connection, NoEngine(), identity, 1)  # type: ignore[arg-type]
        assert connection.scalar(sa.select(TASKS.c.place)) == before


MANY = 10


def test_path_of_an_entry_takes_as_many_steps_however_much_is_over(tmp_path: Path) -> None:
    taken: list[dict[str, int]] = []
    counted: list[int] = []

    def watch(connection: Any, *_: object) -> None:
        connection.set_progress_handler(lambda: counted.append(1), 1)

    def steps(work: Callable[[], object]) -> int:
        """Number of steps of SQLite's virtual machine that it takes."""
        before = len(counted)
        work()
        return len(counted) - before

    with queue(tmp_path) as store:
        sa.event.listen(store.engine, "checkout", watch)
        submitted(store, "red", "blue")
        numbers = iter(range(10, 100))
        for start, end in ((0, 2 * MANY), (2 * MANY, 10 * MANY)):
            for identity, _ in store.submit([upload(f"t{n % MANY}", n) for n in range(start, end)]):
                run_stages(store, tmp_path, store.entry(identity))
            store.database.count_rows()
            waiting = next(entry for entry in store.entries() if entry.state is State.QUEUED)
            asked: dict[str, Callable[[], object]] = {
                "why": partial(why, waiting, store),
                "next entries": partial(store.next_entries, 0),
                "submit": lambda: store.submit([upload("green", next(numbers))]),
            }
            taken.append({what: steps(work) for what, work in asked.items()})
            store.cancel(store.entries()[-1].id)  # as much waits as before
    before, after = taken
    assert min(before.values()) > 0
    assert {what: n for what, n in after.items() if n > 1.1 * before[what]} == {}, before
