import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.config.terms import Terms
from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.operate.audit import verify
from evaluate.store.db import journal
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ENTRIES, REJUDGING_ATTEMPTS, RESULTS, SCORES
from evaluate.store.entries.rejudge_attempts import (
    adopt_rejudging,
    begin_rejudging,
    discard_rejudging,
    exclude_attempt,
    retry_rejudging,
)
from evaluate.store.entries.store import Store
from evaluate.store.entries.withdrawal import withdraw
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import RESULT, share_products, work_folder
from evaluate.views.board import board_of
from evaluate.views.rejudging import as_json, as_text, changes, rejudging, rejudgings, start
from tests.support.challenges import with_training
from tests.support.queues import CHALLENGE, ONE_DATABASE, STAGES, at_fault, by_hand, run_stages, submitted
from tests.support.queues import judged as take_through


@pytest.fixture
def judged(store: Store, tmp_path: Path) -> list[str]:
    """Three teams' entries, scored 0.5, 0.6 and 0.7."""
    return take_through(store, tmp_path, {"a": 0.5, "b": 0.6, "c": 0.7})


def run_rejudging(store: Store, shared: Path, values: dict[str, float | None], verdict: str = "OK") -> None:
    for one in store.next_rejudging_attempts(100):
        if one.id in values:
            run_stages(store, shared, one, values[one.id], first=one.first, verdict=verdict)


def rejudge(store: Store, shared: Path, values: dict[str, float | None], verdict: str = "OK") -> str:
    """Start a rejudging of the scores, and end its attempts at these entries; returns its name."""
    identity, *_ = start(store, SharedFolder(shared), CHALLENGE, Stage.SCORE)
    run_rejudging(store, shared, values, verdict)
    return identity


def everything(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """What counts."""
    with store.engine.connect() as connection:
        return {
            table.name: sorted(connection.execute(sa.select(table)).all(), key=str)
            for table in (ENTRIES, REJUDGING_ATTEMPTS, RESULTS, SCORES)
        }


def counting(store: Store) -> list[tuple[Any, ...]]:
    return [(entry.state, entry.reason.verdict, entry.attempt, entry.charged) for entry in store.entries()]


@ONE_DATABASE
@pytest.mark.parametrize(
    ("stages", "first"),
    [*((STAGES, stage) for stage in STAGES), (tuple(Stage), Stage.TRAIN), (tuple(Stage), Stage.QUIZ)],
)
def test_rejudging_from_a_stage_runs_it_and_all_after_it(
    store: Store, tmp_path: Path, stages: tuple[Stage, ...], first: Stage
) -> None:
    depot, before = SharedFolder(tmp_path), stages[: stages.index(first)]
    challenge = str(with_training(tmp_path / "toy").folder) if Stage.TRAIN in stages else CHALLENGE
    submitted(store, "a", challenge=challenge)
    (entry,) = store.next_entries(1)
    run_stages(store, tmp_path, entry, stages=stages)
    assert start(store, depot, challenge, first)[1:] == (1, [])
    (beside,) = store.next_rejudging_attempts(5)
    assert (beside.state, beside.attempt) == (State(first.value), 2)
    assert [result["stage"] for result in store.results(entry.id, 2)] == [*before]
    for _ in range(2):  # the step may run again
        share_products(tmp_path, beside, beside.base, before, depot)
    assert all((work_folder(tmp_path, beside) / stage / RESULT).is_file() for stage in before)
    if Stage.TRAIN in stages:
        discard_rejudging(store, "r1")
        shutil.rmtree(work_folder(tmp_path, entry) / before[-1])
        with pytest.raises(UsageError, match=f"products of the stages before {first} are missing"):
            start(store, depot, challenge, first)


@ONE_DATABASE
def test_new_references_are_those_of_the_rejudging_alone(store: Store, tmp_path: Path, judged: list[str]) -> None:
    (tmp_path / "true.csv").touch()
    start(store, SharedFolder(tmp_path), CHALLENGE, Stage.SCORE, tmp_path / "true.csv")
    assert store.attempt(judged[0], 2).references == str(tmp_path / "true.csv")
    assert store.attempt(judged[0], 1).references == ""
    with pytest.raises(UsageError, match=r"--new-references .*none.csv: no such file"):
        start(store, SharedFolder(tmp_path), CHALLENGE, Stage.SCORE, tmp_path / "none.csv")


@ONE_DATABASE
def test_only_entries_that_reached_the_exam_and_that_a_stage_may_change_are_rejudged(
    store: Store, tmp_path: Path
) -> None:
    depot = SharedFolder(tmp_path)
    with pytest.raises(UsageError, match="no entry has reached the exam and ended"):
        start(store, depot, CHALLENGE, Stage.SCORE)
    submitted(store, *"abcde")
    failed, done, dry, parked, _ = store.next_entries(5)
    run_stages(store, tmp_path, failed, last=Stage.EXAM, verdict="WALL_LIMIT")
    with pytest.raises(UsageError, match="every entry ended before score"):
        start(store, depot, CHALLENGE, Stage.SCORE)
    with pytest.raises(UsageError, match="its entries have no stage train; it has prep, quiz, exam, score"):
        start(store, depot, CHALLENGE, Stage.TRAIN)
    run_stages(store, tmp_path, done)
    run_stages(store, tmp_path, dry, last=Stage.QUIZ, verdict="RUNTIME_ERROR")
    store.move(parked.id, State.PARKED, at_fault("no libvirt"))
    for first, rejudged in ((Stage.SCORE, {done.id}), (Stage.EXAM, {failed.id, done.id})):
        identity, count, _ = start(store, depot, CHALLENGE, first)
        assert (count, {one.id for one in store.rejudging_attempts(identity)}) == (len(rejudged), rejudged)


@ONE_DATABASE
@pytest.mark.parametrize(("first", "needed"), [(Stage.QUIZ, "prep"), (Stage.EXAM, "prep"), (Stage.SCORE, "exam")])
def test_entries_whose_products_are_gone_are_left_out(
    store: Store, tmp_path: Path, judged: list[str], first: Stage, needed: str
) -> None:
    def lose(identity: str) -> None:
        (work_folder(tmp_path, store.entry(identity)) / needed).rename(tmp_path / identity)

    lose(judged[0])
    assert start(store, SharedFolder(tmp_path), CHALLENGE, first) == ("r1", 2, [judged[0]])
    lose(judged[1])
    lose(judged[2])
    with pytest.raises(UsageError, match=f"products of the stages before {first} are missing for every entry"):
        start(store, SharedFolder(tmp_path), CHALLENGE, first)


@pytest.mark.parametrize("ended", [False, True])
def test_entry_that_is_withdrawn_while_a_rejudging_begins_or_when_it_has_ended_stays_withdrawn(
    store: Store, tmp_path: Path, judged: list[str], monkeypatch: pytest.MonkeyPatch, *, ended: bool
) -> None:
    def begin_later(store: Store, entries: list[QueuedEntry], *words: Any, **named: Any) -> int:
        if not ended:
            withdraw(store, judged[0], "a bug")
        return begin_rejudging(store, entries, *words, **named)

    monkeypatch.setattr("evaluate.views.rejudging.begin_rejudging", begin_later)
    assert start(store, SharedFolder(tmp_path), CHALLENGE, Stage.SCORE) == ("r1", 2 + ended, [])
    run_rejudging(store, tmp_path, dict.fromkeys(judged, 0.9))
    if ended:
        withdraw(store, judged[0], "a bug")
    assert adopt_rejudging(store, "r1") == (2, True)
    assert store.entry(judged[0]).state is State.WITHDRAWN
    assert [place.team for place in board_of(store, CHALLENGE, (), 0, 3)] == ["b", "c"]
    assert list(verify.whole(store.database)) == []


def test_changes_name_verdict_score_and_rank(store: Store, tmp_path: Path, judged: list[str]) -> None:
    start(store, SharedFolder(tmp_path), CHALLENGE, Stage.SCORE)
    assert rejudging(store, "r1").state == "running"
    run_rejudging(store, tmp_path, {judged[0]: 0.9, judged[1]: 0.6, judged[2]: 0.7})
    one = rejudging(store, "r1")
    assert (one.state, one.entries, one.ended) == ("ready", 3, 3)
    found = {change.entry: change for change in changes(store, "r1", Terms())}
    first = found[judged[0]]
    assert (first.score, first.new_score, first.rank, first.new_rank) == (0.5, 0.9, 3, 1)
    assert (first.verdict, first.new_verdict, first.differs) == ("OK", "OK", True)
    assert (found[judged[1]].rank, found[judged[1]].new_rank, found[judged[1]].differs) == (2, 3, True)
    text = as_text(one, list(found.values()))
    assert "3 of 3 rejudged; 3 differ" in text and "0.5000 → 0.9000" in text and "3 → 1" in text


@ONE_DATABASE
def test_score_that_is_no_number_is_none_before_and_after(store: Store, tmp_path: Path) -> None:
    (identity,) = submitted(store, "a")
    (entry,) = store.next_entries(1)
    run_stages(store, tmp_path, entry, None)
    rejudge(store, tmp_path, {identity: None})
    found = changes(store, "r1", Terms())
    assert [(one.score, one.new_score, one.differs) for one in found] == [(None, None, False)]
    json.dumps(as_json(rejudging(store, "r1"), found), allow_nan=False)


def test_apply_makes_the_new_results_count_and_keeps_the_old(store: Store, tmp_path: Path, judged: list[str]) -> None:
    rejudge(store, tmp_path, dict.fromkeys(judged, 0.1), "BAD_ANSWER")
    before = changes(store, "r1", Terms())
    assert [(one.verdict, one.new_verdict) for one in before] == [("OK", "BAD_ANSWER")] * 3
    assert counting(store) == [(State.DONE, "OK", 1, True)] * 3
    assert adopt_rejudging(store, "r1") == (3, True)
    assert counting(store) == [(State.DONE, "BAD_ANSWER", 2, True)] * 3
    assert [store.score(identity, 1)["values"]["F1"] for identity in judged] == [0.5, 0.6, 0.7]  # type: ignore[index]
    assert rejudging(store, "r1").state == "applied"
    assert changes(store, "r1", Terms()) == before


@pytest.mark.parametrize("state", [State.PARKED, State.SCORE])
def test_apply_with_one_that_has_not_ended_changes_nothing(
    store: Store, tmp_path: Path, judged: list[str], state: State
) -> None:
    rejudge(store, tmp_path, dict.fromkeys(judged[:2], 0.1))
    store.move(judged[2], state, at_fault("no metric"), attempt=2)
    before, length = everything(store), store.database.position().line
    with pytest.raises(UsageError, match=rf"1 of 3 attempts of 'r1' have not ended, such as the one at {judged[2]}"):
        adopt_rejudging(store, "r1")
    assert (everything(store), store.database.position().line) == (before, length)
    assert rejudging(store, "r1").state == ("stuck" if state is State.PARKED else "running")
    assert discard_rejudging(store, "r1") == 3
    assert counting(store) == [(State.DONE, "OK", 1, True)] * 3


def test_apply_is_refused_when_another_attempt_counts_meanwhile(
    store: Store, tmp_path: Path, judged: list[str]
) -> None:
    for identity in ("r1", "r2"):
        assert rejudge(store, tmp_path, dict.fromkeys(judged, 0.1)) == identity
    adopt_rejudging(store, "r2")
    before = everything(store)
    with pytest.raises(
        UsageError, match=r"next to attempt 1 at .*, and since then attempt 3 \(of r2, applied\) counts"
    ):
        adopt_rejudging(store, "r1")
    assert everything(store) == before
    assert discard_rejudging(store, "r1") == 3


def test_of_many_who_apply_at_once_one_does_and_none_discards(store: Store, tmp_path: Path, judged: list[str]) -> None:
    rejudge(store, tmp_path, dict.fromkeys(judged, 0.1))
    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(lambda _: adopt_rejudging(store, "r1"), range(4)))
    assert sorted(said) == [(3, False), (3, False), (3, False), (3, True)]
    assert [line.event for line in journal.read(store.database)].count("adopted") == 3
    before, length = everything(store), store.database.position().line
    with pytest.raises(UsageError, match="'r1' was applied; nothing was changed"):
        discard_rejudging(store, "r1")
    assert (everything(store), store.database.position().line) == (before, length)


def test_set_that_is_started_while_another_is_applied_and_again_after_a_kill_builds_on_what_counts(
    store: Store, tmp_path: Path, judged: list[str]
) -> None:
    rejudge(store, tmp_path, dict.fromkeys(judged, 0.1))
    earlier = store.entries()
    adopt_rejudging(store, "r1")
    begin_rejudging(store, earlier[:1], "r2", Stage.SCORE)  # it read the entries before
    begin_rejudging(store, earlier, "r2", Stage.SCORE)
    begun = [(one.id, one.attempt, one.base) for one in store.rejudging_attempts("r2")]
    assert sorted(begun) == sorted((name, 3, 2) for name in judged)


def parked_one(store: Store, shared: Path, judged: list[str]) -> str:
    """A set of which two attempts ended and one is parked."""
    rejudge(store, shared, dict.fromkeys(judged[1:], 0.9))
    assert store.move(judged[0], State.PARKED, at_fault("no references", "score"), attempt=2)
    assert rejudging(store, "r1").state == "stuck"
    return judged[0]


def test_parked_attempt_is_retried_alone_under_a_new_number(store: Store, tmp_path: Path, judged: list[str]) -> None:
    parked = parked_one(store, tmp_path, judged)
    with pytest.raises(UsageError, match="is done; expected a parked one"):
        retry_rejudging(store, "r1", [judged[1]])
    assert retry_rejudging(store, "r1", []) == 1
    assert rejudging(store, "r1").state == "running"
    assert [result["stage"] for result in store.results(parked, 3)] == ["prep", "quiz", "exam"]
    run_rejudging(store, tmp_path, {parked: 0.8})
    assert adopt_rejudging(store, "r1") == (3, True)
    assert [entry.attempt for entry in store.entries()] == [3, 2, 2]
    assert list(verify.whole(store.database)) == []


def test_parked_attempt_is_excluded_with_a_reason_and_the_others_count(
    store: Store, tmp_path: Path, judged: list[str]
) -> None:
    parked = parked_one(store, tmp_path, judged)
    with pytest.raises(UsageError, match="have not ended"):
        adopt_rejudging(store, "r1")
    exclude_attempt(store, "r1", parked, "its record is withdrawn")
    found = rejudging(store, "r1")
    assert (found.state, found.excluded) == ("ready", 1)
    shown = {change.entry: change for change in changes(store, "r1", Terms())}
    assert shown[parked].reason == "excluded: its record is withdrawn" and not shown[parked].differs
    assert "is excluded: its record is withdrawn" in as_text(found, list(shown.values()))
    assert adopt_rejudging(store, "r1") == (2, True)
    assert [entry.attempt for entry in store.entries()] == [1, 2, 2]
    assert sorted(place.score or 0 for place in board_of(store, CHALLENGE, (), 0, 12)) == [0.5, 0.9, 0.9]
    assert rejudging(store, "r1").state == "applied"
    assert adopt_rejudging(store, "r1") == (2, False)


@ONE_DATABASE
def test_discarded_it_counts_for_nothing_but_its_number(store: Store, tmp_path: Path, judged: list[str]) -> None:
    rejudge(store, tmp_path, dict.fromkeys(judged[:2], 0.9))
    assert discard_rejudging(store, "r1") == 3
    assert not store.move(judged[2], State.DONE, ended_with("OK"), attempt=2)  # one that still ran
    assert rejudging(store, "r1").state == "discarded"
    assert store.score(judged[0], 2) is not None
    assert counting(store) == [(State.DONE, "OK", 1, True)] * 3
    with pytest.raises(UsageError, match="have not ended"):
        adopt_rejudging(store, "r1")
    assert start(store, SharedFolder(tmp_path), CHALLENGE, Stage.SCORE)[0] == "r2"
    assert {one.attempt for one in store.rejudging_attempts("r2")} == {3}
    by_hand(store, sa.update(ENTRIES).where(ENTRIES.c.id == judged[0]).values(state="parked"))
    assert store.retry(judged[0]).attempt == 4


@ONE_DATABASE
def test_unknown_rejudging_is_named_with_those_there_are(store: Store, tmp_path: Path, judged: list[str]) -> None:
    assert judged and rejudgings(store) == []
    with pytest.raises(UsageError, match="no rejudging 'r1'; there are: none"):
        rejudging(store, "r1")
    start(store, SharedFolder(tmp_path), CHALLENGE, Stage.SCORE)
    for refuse in (adopt_rejudging, discard_rejudging):
        with pytest.raises(UsageError, match="no rejudging 'r9'; there are: r1"):
            refuse(store, "r9")


def test_those_that_are_started_at_once_have_a_number_each(store: Store, tmp_path: Path, judged: list[str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        begun = list(pool.map(lambda _: start(store, SharedFolder(tmp_path), CHALLENGE, Stage.SCORE)[0], range(11)))
    numbers = [f"r{i}" for i in range(1, 12)]
    assert sorted(begun) == sorted(numbers) and [one.id for one in rejudgings(store)] == numbers
    assert {one.entries for one in rejudgings(store)} == {len(judged)}
