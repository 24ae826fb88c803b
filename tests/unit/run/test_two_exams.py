"""Phases with exams of their own: a validation set whose scores are public, and a hidden final test set."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.terms import AttemptLimits, Phase, Terms
from evaluate.config.types import Config
from evaluate.core.codec import to_json
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.model import Stage
from evaluate.operate.audit.verify import whole
from evaluate.receipts.exam_data import exam_data
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State, to_row
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import challenge_of
from evaluate.store.submission import submission_rules, submit
from evaluate.views import rejudging
from evaluate.views.board import board_of, mixed_boards
from evaluate.views.feedback import charge, policies_of, policy_of
from tests.support.queues import upload
from tests.support.secrets import outcomes
from tests.support.two_exams import FINAL, PUBLIC, two_exams

BORDER = 1_790_000_000.0
PHASES = (Phase(name="validation", ends=BORDER), Phase(name="test", begins=BORDER, ends=BORDER * 2, data=FINAL))


@pytest.fixture
def hearts(tmp_path: Path) -> Path:
    return two_exams(tmp_path / "hearts")


@pytest.fixture
def config(hearts: Path) -> Config:
    return Config(challenges={"hearts": Terms(folder=hearts, phases=PHASES)})


def scored(store: Store, config: Config, hearts: Path, n: int, at: float, value: float) -> str:
    """An entry that was submitted at a time and has this score; returns its id."""
    ((identity, _),) = store.submit([upload("red", n, str(hearts))], submission_rules(config, str(hearts)), arrived=at)
    (entry,) = store.next_entries(1)
    data = exam_data(challenge_of(entry), hearts.parent / "digests.json").digest
    for stage, outcome in outcomes(n, value).items():
        store.move(identity, State(stage.value))
        charge(config, store, entry, data)
        store.keep_result(identity, 1, stage.value, to_row(outcome))
        if outcome.score is not None:
            store.keep_score(identity, 1, to_json(outcome.score), data)
    store.move(identity, State.DONE, ended_with("OK"))
    return identity


def test_entries_have_the_exam_of_their_phase_its_feedback_its_numbers_and_its_board(
    store: Store, config: Config, hearts: Path
) -> None:
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


def test_attempts_of_a_day_are_counted_for_each_exam(tmp_path: Path, store: Store, hearts: Path) -> None:
    day = BORDER - BORDER % 86400
    phases = (Phase(name="validation", ends=day + 9), Phase(name="test", begins=day + 9, data=FINAL))
    config = Config(challenges={"hearts": Terms(folder=hearts, attempts=AttemptLimits(day=1), phases=phases)})
    (tmp_path / "state").mkdir()

    def enter(n: int, at: float) -> str:
        entry = tmp_path / f"entry{n}"
        entry.mkdir()
        for file in (hearts / "sample_entry").iterdir():
            (entry / file.name).write_bytes(file.read_bytes())
        (entry / "notes.txt").write_text(str(n))
        return submit(entry, "hearts", "red", tmp_path / "state", store, config, arrived=day + at).entry.data

    assert [enter(1, 1), enter(2, 10)] == [PUBLIC, FINAL]
    for n, at in ((3, 2), (4, 11)):
        with pytest.raises(EntryError, match="red has 1 attempts a day"):
            enter(n, at)


def test_new_references_for_entries_to_several_exams_are_refused(
    tmp_path: Path, store: Store, config: Config, hearts: Path
) -> None:
    scored(store, config, hearts, 1, BORDER + 9, 0.5)
    new = hearts / "sample_data" / FINAL / "REFERENCE.csv"
    with pytest.raises(UsageError, match=r"has several exams \(exam, final\)"):
        rejudging.start(store, SharedFolder(tmp_path), str(hearts), Stage.SCORE, new)
