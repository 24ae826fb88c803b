"""What is revealed of a hidden exam is decided once; phases may have exams of their own."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest
import sqlalchemy as sa

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.terms import AttemptLimits, Phase, Scores, Terms
from evaluate.config.types import Config
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.model import Stage
from evaluate.operate.audit.verify import whole
from evaluate.operate.signing import evaluation_of
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.exam_data import exam_data
from evaluate.report.audience import for_team
from evaluate.report.json import to_json as report_json
from evaluate.store.db.journal import read
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import challenge_of, work_folder
from evaluate.store.people.site_settings import release_scores
from evaluate.store.submission import submission_rules, submit
from evaluate.views import rejudging
from evaluate.views.board import board_of, mixed_boards
from evaluate.views.feedback import charge, places_for_teams, policies_of, policy_of
from tests.support.challenges import FINAL, PUBLIC, hidden, two_exams
from tests.support.packing import another_entry
from tests.support.queues import sign, upload
from tests.support.secrets import end, outcomes

DATA, TEAM = "d" * 64, "red"


@pytest.fixture
def hearts(tmp_path: Path) -> Path:
    return hidden(tmp_path / "hearts", feedback={"digits": 2})


@pytest.fixture
def config(hearts: Path) -> Config:
    return Config(challenges={str(hearts): Terms()})


def in_exam(store: Store, hearts: Path, many: int) -> list[QueuedEntry]:
    store.submit([upload(TEAM, n, str(hearts)) for n in range(many)])
    return store.next_entries(many)


def report(store: Store, config: Config, state: Path, entry: QueuedEntry) -> dict[str, object]:
    evaluation = evaluation_of(store, state, store.entry(entry.id), config)
    assert evaluation is not None
    return report_json(for_team(evaluation, {}, policy_of(config, store, store.entry(entry.id))))


def test_attempts_at_once_have_numbers_and_no_report_changes(
    store: Store, config: Config, hearts: Path, tmp_path: Path
) -> None:
    entries, together = in_exam(store, hearts, 4), Barrier(4, timeout=600)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda entry: (together.wait(), charge(config, store, entry, DATA)), entries))
    decided = [policy_of(config, store, entry).feedback for entry in entries]
    assert sorted(feedback.number for feedback in decided if feedback) == list(range(1, 5))
    read_then, receipts = {}, {}
    for entry, value in zip(reversed(entries), (0.9, 0.3, 0.95, 0.2), strict=True):
        end(store, config, entry, outcomes(entry.number, value))  # the last one first
        work_folder(tmp_path, entry).mkdir(parents=True)
        receipts[entry.id] = sign(store, tmp_path, store.entry(entry.id), config)
        read_then[entry.id] = report(store, config, tmp_path, entry)
    for entry in entries:
        assert report(store, config, tmp_path, entry) == read_then[entry.id]
        receipt = receipts[entry.id]
        assert receipt is not None
        signed = read_envelope(receipt.read_bytes(), "it").statement["predicate"]
        shown = read_then[entry.id]["score"]
        assert isinstance(shown, dict)
        assert {key: float(value) for key, value in signed["score"]["values"].items()} == shown["values"]
    assert list(whole(store.database)) == []


def test_charging_twice_and_after_a_fault_decides_once(store: Store, config: Config, hearts: Path) -> None:
    first, second = in_exam(store, hearts, 2)
    undecided = policy_of(config, store, first).feedback
    assert undecided is not None and not undecided.scored and "has not reached the exam" in undecided.sentence
    for _ in range(2):
        charge(config, store, first, DATA)
    before = policy_of(config, store, first).feedback
    store.move(first.id, State.PARKED, charged=False)
    charge(config, store, first, DATA)  # another shard of its exam, which begins only now
    assert not store.entry(first.id).charged
    charge(config, store, second, DATA)
    store.retry(first.id)
    (again,) = store.next_entries(1)
    charge(config, store, again, DATA)
    assert policy_of(config, store, again).feedback == before
    after = policy_of(config, store, second).feedback
    assert before and after and (before.number, after.number) == (1, 2)
    assert len([line for line in read(store.database) if line.event == "account"]) == 2
    assert list(whole(store.database)) == []


def test_attempts_are_counted_for_the_hidden_records_and_not_for_the_phase(store: Store, hearts: Path) -> None:
    border = time.time() + 1000
    phases = (Phase(name="one", ends=border), Phase(name="two", begins=border))
    config = Config(challenges={str(hearts): Terms(phases=phases)})
    entries = in_exam(store, hearts, 4)
    with store.change() as connection:
        late = [entry.id for entry in entries[2:]]
        connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id.in_(late)).values(submitted=border + 1))
    for entry, data in zip(entries, (DATA, DATA, DATA, "e" * 64), strict=True):
        charge(config, store, store.entry(entry.id), data)
    decided = [policy_of(config, store, store.entry(entry.id)).feedback for entry in entries]
    assert [feedback.number for feedback in decided if feedback] == [1, 2, 3, 1]


def test_of_verdicts_alone_the_best_score_is_shown_when_the_phase_ends(
    store: Store, hearts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = hearts / "challenge.yaml"
    file.write_text(file.read_text().replace("digits: 2", "digits: 2\n  show: verdict"))
    now = time.time()
    phase = Phase(name="open", begins=now - 10, ends=now + 1000)
    config = Config(challenges={str(hearts): Terms(phases=(phase,))})
    entries = in_exam(store, hearts, 3)
    for entry, value in zip(entries, (0.5, 0.9, 0.7), strict=True):
        end(store, config, entry, outcomes(entry.number, value))

    def shown() -> list[bool]:
        decided = [policy_of(config, store, store.entry(entry.id)).feedback for entry in entries]
        return [feedback.scored for feedback in decided if feedback]

    asked = (store, str(hearts), (phase,), 0, 12)
    assert shown() == [False] * 3 and board_of(*asked, hides=lambda _exam: True) == []
    monkeypatch.setattr(time, "time", lambda: now + 2000)
    (row,) = board_of(*asked, hides=lambda _exam: True)
    assert shown() == [False, True, False] and row.entry == entries[1].id
    config = Config(challenges={str(hearts): Terms(phases=(replace(phase, name="renamed"),))})
    assert shown() == [False, True, False]


def test_scores_of_a_board_are_shown_to_the_fewest_digits_of_its_attempts(
    store: Store, config: Config, hearts: Path
) -> None:
    (first,) = in_exam(store, hearts, 1)
    end(store, config, first, outcomes(first.number, 0.9244))
    file = hearts / "challenge.yaml"
    file.write_text(file.read_text().replace("digits: 2", "digits: 3"))
    store.submit([upload("blue", 7, str(hearts))])
    (second,) = store.next_entries(1)
    end(store, config, second, outcomes(second.number, 0.9232))
    places = board_of(store, str(hearts), (), 0, 12, hides=lambda _exam: True)
    policies = policies_of(config, store, str(hearts), [first.id, second.id])
    shown = places_for_teams(places, policies)
    assert [(row.rank, row.entry, row.score) for row in shown] == [(1, first.id, 0.92), (2, second.id, 0.92)]


def test_of_withheld_scores_the_best_one_is_shown_when_they_are_released(store: Store, hearts: Path) -> None:
    config = Config(challenges={str(hearts): Terms(scores=Scores.WITHHELD)})
    entries = in_exam(store, hearts, 3)
    for entry, value in zip(entries, (0.5, 0.9, 0.7), strict=True):
        end(store, config, entry, outcomes(entry.number, value))
    release_scores(store.settings, str(hearts))
    policies = [policy_of(config, store, store.entry(entry.id)) for entry in entries]
    assert all(policy.scores_released for policy in policies)
    assert [policy.feedback.scored for policy in policies if policy.feedback] == [False, True, False]


BORDER = 1_790_000_000.0
PHASES = (Phase(name="validation", ends=BORDER), Phase(name="test", begins=BORDER, ends=BORDER * 2, data=FINAL))


def scored(store: Store, config: Config, hearts: Path, n: int, at: float, value: float) -> str:
    """An entry that was submitted at a time and has this score; returns its id."""
    ((identity, _),) = store.submit([upload("red", n, str(hearts))], submission_rules(config, str(hearts)), arrived=at)
    (entry,) = store.next_entries(1)
    data = exam_data(challenge_of(entry), hearts.parent / "digests.json").digest
    end(store, config, entry, outcomes(entry.number, value), data)
    return identity


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Config]:
    """A challenge with an exam for each phase."""
    folder = two_exams(tmp_path / "two")
    return folder, Config(challenges={"hearts": Terms(folder=folder, phases=PHASES)})


def test_entries_have_the_exam_of_their_phase_its_feedback_its_numbers_and_its_board(
    store: Store, two: tuple[Path, Config]
) -> None:
    hearts, config = two
    ends = ((1, -9.0, 0.5), (2, 9.0, 0.9), (3, -8.0, 0.7), (4, 10.0, 0.2))
    ids = [scored(store, config, hearts, n, BORDER + at, value) for n, at, value in ends]
    entries = [store.entry(identity) for identity in ids]
    assert [entry.data for entry in entries] == [PUBLIC, FINAL, PUBLIC, FINAL]
    assert [len(challenge_of(entry).exam.records) for entry in entries] == [12, 4, 12, 4]
    policies = policies_of(config, store, str(hearts), ids)
    assert [policies[identity].hidden_exam for identity in ids] == [False, True, False, True]
    assert policies == {entry.id: policy_of(config, store, entry) for entry in entries}
    numbers = [policies[identity].feedback for identity in (ids[1], ids[3])]
    assert [one.number for one in numbers if one] == [1, 2]
    challenge = load_challenge(str(hearts))
    places = board_of(store, str(hearts), PHASES, 0, 3, hides=challenge.hides)
    assert [(one.phase, one.entry, one.data) for one in places] == [("validation", ids[2], ""), ("test", ids[1], "")]
    assert mixed_boards(store, config) == [], "each board has one exam"
    whole_board = board_of(store, str(hearts), (), 0, 3, hides=challenge.hides)
    assert [(one.rank, one.data) for one in whole_board] == [(1, "")], "without phases the newest exam counts alone"
    assert len(mixed_boards(store, Config(challenges={"hearts": Terms(folder=hearts)}))) == 1
    assert list(whole(store.database)) == []


def test_attempts_of_a_day_are_counted_for_each_exam(tmp_path: Path, store: Store, two: tuple[Path, Config]) -> None:
    hearts, _ = two
    day = BORDER - BORDER % 86400
    phases = (Phase(name="validation", ends=day + 9), Phase(name="test", begins=day + 9, data=FINAL))
    config = Config(challenges={"hearts": Terms(folder=hearts, attempts=AttemptLimits(day=1), phases=phases)})

    def enter(n: int, at: float) -> str:
        entry = another_entry(str(hearts), tmp_path / f"entry{n}", n)
        return submit(entry, "hearts", "red", tmp_path, store, config, arrived=day + at).entry.data

    assert [enter(1, 1), enter(2, 10)] == [PUBLIC, FINAL]
    for n, at in ((3, 2), (4, 11)):
        with pytest.raises(EntryError, match="red has 1 attempts a day"):
            enter(n, at)


def test_new_references_for_entries_to_several_exams_are_refused(
    tmp_path: Path, store: Store, two: tuple[Path, Config]
) -> None:
    hearts, config = two
    scored(store, config, hearts, 1, BORDER + 9, 0.5)
    new = hearts / "sample_data" / FINAL / "REFERENCE.csv"
    with pytest.raises(UsageError, match=r"has several exams \(exam, final\)"):
        rejudging.start(store, SharedFolder(tmp_path), str(hearts), Stage.SCORE, new)
