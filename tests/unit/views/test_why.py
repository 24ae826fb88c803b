"""What is said of an entry in every state."""

import json
import re
import time

import pytest
import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.store.db.reasons import Cause, Reason, ended_with
from evaluate.store.db.rows import State
from evaluate.store.db.tables import HOSTS, TASKS
from evaluate.store.entries.store import Store, keep_plan
from evaluate.store.schedule import tasks
from evaluate.store.schedule.hosts import drain
from evaluate.views.why import why, why_for_team
from evaluate.views.words import detail, span
from tests.support.queues import at_fault, by_hand, end_task, enqueue, keep_result, lease, retried, run_task, submitted


@pytest.fixture
def queue_url() -> str:
    """SQLite: the kind of database makes no difference."""
    return ""


@pytest.fixture
def green(store: Store) -> str:
    """A host of two slots that is alive."""
    lease(store, "green:1")
    return "green:1"


OF_ORGANISERS = re.compile(r"green|grey|host|slot|daemon|evaluate |`")


def said(store: Store, identity: str) -> str:
    """The organiser's sentence; that for the team names no host and no command."""
    assert OF_ORGANISERS.findall(why_for_team(store.entry(identity), store)) == []
    return re.sub(r"(for|waited) \d+ s\b", r"\1 T", why(store.entry(identity), store)).replace(identity, "ID")


def ended(store: Store, identity: str, stage: Stage, seconds: float) -> None:
    usage = {"instructions": 1, "wall_seconds": seconds}
    keep_result(store, identity, 1, stage.value, {"verdict": "OK", "usage": usage})
    store.move(identity, State.DONE, ended_with("OK"))


def test_queued_while_nobody_runs(store: Store) -> None:
    first, _, last = submitted(store, "a", "a", "b")
    assert said(store, first) == (
        "ID is next in line (2 teams take turns), but no daemon is running (evaluate daemon); prep starts when a host "
        "accepts new work."
    )
    assert "behind 1 entry (2 teams take turns)" in said(store, last)
    assert why_for_team(store.entry(first), store) == (
        f"{first} is next in line (2 teams take turns), but no machine is evaluating at the moment; prep starts by "
        "itself as soon as one does."
    )


@pytest.mark.usefixtures("green")
def test_queued_with_an_estimate_from_history_until_the_host_is_drained(store: Store) -> None:
    earlier, *waiting = submitted(store, "a", "a", "a", "a", "b")
    ended(store, earlier, Stage.EXAM, 600.0)
    assert said(store, waiting[2]) == (
        "ID is behind 3 entries for host green (2 teams take turns); prep starts in about 15 minutes, if entries ahead "
        "take as long as the last 1 entry (10 minutes each, 2 slots)."
    )
    assert said(store, waiting[0]) == (
        "ID is next in line for host green (2 teams take turns); prep starts immediately."
    )
    drain(store, "green")
    assert "take turns), but host green is drained (evaluate host list); prep" in said(store, waiting[0])


@pytest.mark.parametrize(
    ("plan", "stage", "name", "coming"),
    [
        ("prep quiz exam score", Stage.PREP, "prep", "the quiz"),
        ("prep quiz exam score", Stage.QUIZ, "the quiz", "the exam"),
        ("prep quiz exam score", Stage.EXAM, "the exam", "the score"),
        ("prep quiz exam score", Stage.SCORE, "the score", "the end"),
        ("prep train quiz", Stage.PREP, "prep", "training"),
        ("prep train quiz", Stage.TRAIN, "training", "the quiz"),
        ("prep train quiz", Stage.QUIZ, "the quiz", "the end"),
    ],
)
def test_in_a_stage_on_a_host_what_comes_next_is_by_the_plan_of_the_attempt(
    store: Store, green: str, plan: str, stage: Stage, name: str, coming: str
) -> None:
    (identity,) = submitted(store, "a")
    store.next_entries(1)
    with store.database.step() as connection:
        keep_plan(connection, store.entry(identity), json.dumps({"stages": plan.split()}))
    store.move(identity, State(stage.value))
    enqueue(store, identity, 1, stage.value, stage)
    assert said(store, identity) == (
        f"ID has waited T for a slot for {name}, next in line for host green; next comes {name}."
    )
    run_task(store, identity, stage.value, green, 1200)
    assert said(store, identity) == (
        f"ID has been in {name} for T, held by host green; its limits end it within 20 minutes; next comes {coming}."
    )


def test_shards_that_run_and_wait_are_counted(store: Store, green: str) -> None:
    (second,) = submitted(store, "a")
    store.next_entries(1)
    store.move(second, State.EXAM)
    for part in range(3):
        enqueue(store, second, 1, f"exam-{part}", Stage.EXAM, 1 / 3)
    run_task(store, second, "exam-0", green, 7200)
    sentence = said(store, second)
    assert "held by host green (1 part runs, 2 wait for a slot)" in sentence


def test_waiting_for_another_try_or_a_gpu(store: Store, green: str) -> None:
    (identity,) = submitted(store, "a")
    store.next_entries(1)
    store.move(
        identity, State.EXAM, retried("SandboxFault: the guest closed its channel", until=time.time() + 3 * 3600)
    )
    assert said(store, identity) == (
        "ID has been between tries or steps of the exam for T (try 2 in 3 hours: SandboxFault: the guest closed its "
        "channel), and host green continues it automatically."
    )
    enqueue(store, identity, 1, "exam-0", Stage.EXAM)
    by_hand(store, sa.update(TASKS).values(needs_gpu=True))
    assert said(store, identity) == "ID has waited T for a host with a GPU for the exam; next comes the exam."
    assert " for a machine with a GPU for the exam;" in why_for_team(store.entry(identity), store)
    by_hand(store, sa.update(HOSTS).values(gpus=1))
    assert " for a slot for the exam, next in line for host green;" in said(store, identity)
    store.move(identity, State.EXAM, Reason(cause=Cause.GPU, stage="exam", gpus=1, host="green"))
    assert said(store, identity) == (
        "ID has waited T for a GPU of host green for the exam, in use by another evaluation; next comes the exam."
    )
    store.move(identity, State.EXAM, Reason(cause=Cause.GPU, stage="exam", gpus=2))
    assert " for a host with 2 GPUs for the exam;" in said(store, identity)
    assert detail(store.entry(identity).reason) == "waits for a host with 2 GPUs"


def test_parked_with_a_message_that_a_team_does_not_see_and_ended(store: Store) -> None:
    first, second, third = submitted(store, "a", "b", "c")
    store.move(first, State.PARKED, at_fault("no libvirt"))
    assert said(store, first) == (
        "ID has been parked for T until the organiser runs `evaluate resolve ID`, at no cost to the team: exam: the "
        "infrastructure is at fault: no libvirt (every try: evaluate status ID --evidence)."
    )
    store.move(second, State.DONE, ended_with("OK"))
    assert said(store, second) == "ID ended just now with OK; see `evaluate report ID`."
    trace = "metric own.py ended with 1 and no result: Traceback (most recent call last):\n  line 3\nValueError: rec7"
    store.move(third, State.PARKED, Reason(cause=Cause.CHALLENGE, stage="score", message=trace))
    assert said(store, third) == (
        "ID has been parked for T until the organiser runs `evaluate resolve ID`, at no cost to the team: score: the "
        "challenge is at fault: metric own.py ended with 1 and no result: Traceback (most recent call last): … "
        "ValueError: rec7 (the whole message: evaluate status ID --evidence)."
    )
    assert why_for_team(store.entry(third), store) == (
        f"{third} has waited for the organiser for 0 s; the entry is not at fault, and this costs no attempt."
    )


def test_machine_of_a_cancelled_entry_is_named_until_it_is_gone(store: Store, green: str) -> None:
    (identity,) = submitted(store, "a")
    store.next_entries(1)
    enqueue(store, identity, 1, "prep", Stage.PREP)
    run_task(store, identity, "prep", green, 9000)
    store.cancel(identity)
    sentence = "ID was cancelled just now (by the organiser); prep is still running, and its result will be discarded."
    assert said(store, identity) == sentence
    assert [task.entry for task in tasks.tasks(store, TASKS.c.executor != "")] == [identity]
    end_task(store, identity, "prep")
    assert said(store, identity) == "ID was cancelled just now (by the organiser); none of it is running."


def test_spans() -> None:
    spans = {-3: "0 s", 119: "119 s", 121: "2 minutes", 7300: "2 hours", 200_000: "2 days"}
    assert [span(seconds) for seconds in spans] == [*spans.values()]


@pytest.mark.usefixtures("green")
def test_estimate_rests_on_the_newest_that_ended(store: Store) -> None:
    for n, identity in enumerate(submitted(store, *(f"t{n}" for n in range(25)))):
        ended(store, identity, Stage.QUIZ, 60.0 * n)
    _, waiting = submitted(store, "a", "b")
    # minutes 5 to 24
    assert "as long as the last 20 entries (14 minutes each" in said(store, waiting)
