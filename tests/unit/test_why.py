"""What is said of an entry in every state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.queue.store import State, Store, open_store
from evaluate.queue.why import why

NOBODY = "nobody: no daemon runs (evaluate daemon)"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = open_store(tmp_path)
    yield found
    found.engine.dispose()


def submitted(store: Store, *teams: str) -> list[str]:
    rows = [
        {"challenge": "toy", "team": team, "name": "a.zip", "sha256": f"{i:064x}", "bytes": 1, "commit": ""}
        for i, team in enumerate(teams)
    ]
    return [identity for identity, _ in store.submit(rows)]


def said(store: Store, identity: str, daemon: int | None = 42) -> str:
    return re.sub(r"since \d+ s", "since T", why(store.entry(identity), store, daemon)).replace(identity, "ID")


def test_queued(store: Store) -> None:
    first, _, last = submitted(store, "a", "a", "b")
    assert said(store, first, None) == (
        f"ID waits for its turn: it is the first in the queue, and 2 teams take turns; it is held by {NOBODY}; "
        "next comes prep."
    )
    assert "2 entries were submitted before it" in said(store, last)


@pytest.mark.parametrize(
    ("state", "coming"),
    [(State.PREP, "the quiz"), (State.QUIZ, "the exam"), (State.EXAM, "the score"), (State.SCORE, "the end")],
)
def test_in_a_stage(store: Store, state: State, coming: str) -> None:
    (identity,) = submitted(store, "a")
    store.move(identity, state)
    assert said(store, identity) == f"ID is in {state} since T, held by the daemon (process 42); next comes {coming}."


def test_waiting_for_another_try_and_for_what_is_usual(store: Store) -> None:
    first, second = submitted(store, "a", "b")
    usage = {"instructions": 1, "wall_seconds": 300.0}
    store.keep_result(first, 1, "exam", {"verdict": "OK", "usage": usage})
    store.move(second, State.EXAM, "try 2 in 30 s: SandboxFault: the guest closed its channel")
    sentence = said(store, second)
    assert "(try 2 in 30 s: SandboxFault: the guest closed its channel)" in sentence
    assert "usually it takes 5 minutes" in sentence


def test_parked_and_ended(store: Store) -> None:
    first, second = submitted(store, "a", "b")
    store.move(first, State.PARKED, "exam: the infrastructure is at fault: no libvirt")
    assert said(store, first).endswith(
        "waits for the organiser (evaluate retry ID): exam: the infrastructure is at fault: no libvirt"
    )
    store.move(second, State.DONE, "OK")
    assert said(store, second) == "ID ended 0 s ago with OK; `evaluate report ID` says more."
