"""What is revealed of a hidden exam is decided once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from evaluate.config.terms import Phase, Terms
from evaluate.config.types import Config
from evaluate.core.codec import to_json
from evaluate.core.model import Score
from evaluate.queue.audit.verify import whole
from evaluate.queue.db.journal import read
from evaluate.queue.db.outcomes import to_row
from evaluate.queue.db.reasons import ended_with
from evaluate.queue.db.rows import QueuedEntry, State
from evaluate.queue.entries.store import Store
from evaluate.queue.feedback import charge, policy_of
from evaluate.queue.signing import evaluation_of, receipt_of
from evaluate.queue.storage.depot import SharedFolder
from evaluate.queue.storage.stage_folders import work_folder
from evaluate.queue.views.board import board_of
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import Registry
from evaluate.report.audience import for_team
from evaluate.report.json import to_json as report_json
from evaluate.report.leaks import Level
from tests.support.queues import queue, sign, upload
from tests.support.secrets import hidden_challenge, outcomes

BUDGET, TEAM = 500, "red"


@pytest.fixture
def hearts(tmp_path: Path) -> Path:
    return hidden_challenge(tmp_path / "hearts")


@pytest.fixture
def config(hearts: Path) -> Config:
    return Config(challenges={str(hearts): Terms()})


@pytest.fixture
def store(tmp_path: Path, queue_url: str) -> Iterator[Store]:
    (tmp_path / "state").mkdir()
    with queue(tmp_path / "state", queue_url) as found:
        yield found


def in_exam(store: Store, hearts: Path, many: int) -> list[QueuedEntry]:
    store.submit([upload(TEAM, n, str(hearts)) for n in range(many)])
    return store.next_entries(many, "a:1")


def at_once(entries: list[QueuedEntry], work: Callable[[QueuedEntry], object]) -> None:
    """Do the same for every entry, each in a thread of its own, all at the same moment."""
    together = Barrier(len(entries))

    def one(entry: QueuedEntry) -> None:
        together.wait(60)
        work(entry)

    with ThreadPoolExecutor(len(entries)) as pool:
        list(pool.map(one, entries))


def end(store: Store, entry: QueuedEntry, value: float) -> None:
    for stage, outcome in outcomes(entry.number, value).items():
        store.move(entry.id, State(stage.value), attempt=entry.attempt)
        store.keep_result(entry.id, entry.attempt, stage.value, to_row(outcome))
        if outcome.score is not None:
            store.keep_score(entry.id, entry.attempt, to_json(outcome.score))
    store.move(entry.id, State.DONE, ended_with("OK"), attempt=entry.attempt)


def report(store: Store, config: Config, state: Path, entry: QueuedEntry) -> dict[str, object]:
    evaluation = evaluation_of(store, state, store.entry(entry.id), config)
    assert evaluation is not None
    return report_json(for_team(evaluation, {}, policy_of(config, store, store.entry(entry.id))))


def test_attempts_at_once_share_one_budget_and_no_report_changes(
    store: Store, config: Config, hearts: Path, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    entries = in_exam(store, hearts, 8)
    at_once(entries, lambda entry: charge(config, store, entry))
    decided = [policy_of(config, store, entry).feedback for entry in entries]
    assert sorted(one.number for one in decided if one) == list(range(1, 9))
    by_number = sorted((one for one in decided if one), key=lambda one: one.number)
    levels = [one.level for one in by_number]
    assert levels == sorted(levels, key=list(Level).index) and levels[0] is Level.FULL and levels[-1] is Level.VERDICT
    used = 0.0
    for one in by_number:
        assert one.used == pytest.approx(used)
        used += one.bits
        assert used <= BUDGET or one.level is Level.VERDICT
    read_then = {}
    for entry, value in zip(reversed(entries), (0.9, 0.3, 0.95, 0.2, 0.5, 0.99, 0.1, 0.6), strict=True):
        end(store, entry, value)  # the last one first
        work_folder(state, entry).mkdir(parents=True)
        sign(Registry(state), store, state, SharedFolder(state), config, store.entry(entry.id), "a:1")
        read_then[entry.id] = report(store, config, state, entry)
    for entry in entries:
        assert report(store, config, state, entry) == read_then[entry.id]
        receipt = receipt_of(state, SharedFolder(state), store.entry(entry.id))
        assert receipt is not None
        signed = read_envelope(receipt.read_bytes(), "it").statement["predicate"]
        shown = read_then[entry.id]["score"]
        assert (signed["score"] is None) == (shown is None)
        if isinstance(shown, dict):
            assert {key: float(value) for key, value in signed["score"]["values"].items()} == shown["values"]
    assert list(whole(store.database)) == []


def test_scores_at_once_climb_the_ladder_one_after_the_other(store: Store, config: Config, hearts: Path) -> None:
    (hearts / "challenge.yaml").write_text((hearts / "challenge.yaml").read_text().replace("bits: 500", "bits: 220"))
    entries = in_exam(store, hearts, 8)
    for entry in entries:
        charge(config, store, entry)
    ladder = [entry for entry in entries if (policy_of(config, store, entry).feedback or 0).level is Level.LADDER]
    assert len(ladder) > 2
    at_once(ladder, lambda entry: end(store, entry, 0.5 + entry.number / 1000))
    shown = []
    for entry in ladder:
        feedback = policy_of(config, store, entry).feedback
        assert feedback is not None
        score = feedback.score_shown(0.5 + entry.number / 1000)
        shown += [] if score is None else [score]
    assert shown == [0.5], "they are within a step of each other, so the first one alone is shown"


def test_charging_twice_and_after_a_fault_decides_once(store: Store, config: Config, hearts: Path) -> None:
    first, second = in_exam(store, hearts, 2)
    for _ in range(2):
        charge(config, store, first)
    before = policy_of(config, store, first).feedback
    store.move(first.id, State.PARKED, charged=False)
    charge(config, store, second)
    again = store.retry(first.id)
    (again,) = store.next_entries(1, "a:1")
    charge(config, store, again)
    assert policy_of(config, store, again).feedback == before
    after = policy_of(config, store, second).feedback
    assert before and after and after.used == before.bits and (before.number, after.number) == (1, 2)
    events = [line.event for line in read(store.database) if line.event == "account"]
    assert len(events) == 2
    assert list(whole(store.database)) == []


def test_before_it_is_charged_nothing_is_revealed_of_an_attempt(store: Store, config: Config, hearts: Path) -> None:
    (entry,) = in_exam(store, hearts, 1)
    feedback = policy_of(config, store, entry).feedback
    assert feedback is not None and feedback.level is Level.VERDICT and feedback.bits == 0
    assert "has not reached the exam" in feedback.sentence


def test_what_is_over_the_budget_is_on_no_board_until_its_phase_ends(
    store: Store, hearts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    phase = Phase(name="open", begins=now - 10, ends=now + 1000)
    config = Config(challenges={str(hearts): Terms(phases=(phase,))})
    entries = in_exam(store, hearts, 8)
    for n, entry in enumerate(entries):
        charge(config, store, entry)
        end(store, entry, 0.2 + n / 10)
    last = policy_of(config, store, store.entry(entries[-1].id)).feedback
    assert last is not None and last.level is Level.VERDICT
    asked = (store, str(hearts), (phase,), 0, 12)
    (place,) = board_of(*asked, hidden=True)
    assert place.entry != entries[-1].id
    monkeypatch.setattr(time, "time", lambda: now + 2000)
    (place,) = board_of(*asked, hidden=True)
    assert place.entry == entries[-1].id
    over = policy_of(config, store, store.entry(entries[-1].id)).feedback
    assert over == replace(last, over=True)
    score = Score(primary="F1", values={"F1": 0.901}, official={})
    assert over.score_shown(score.values["F1"]) == 0.9
