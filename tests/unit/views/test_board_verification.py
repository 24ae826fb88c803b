"""A board is calculated again from receipts, and what was changed in either is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from evaluate.commands.main import main
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.terms import Scores, Terms
from evaluate.config.types import Config
from evaluate.receipts.issue import Registry
from evaluate.store.db.tables import SCORES
from evaluate.store.files.depot import SharedFolder
from tests.support import queues
from tests.support.queues import CHALLENGE, queue, run_stages, sign, submitted

pytestmark = pytest.mark.slow

PLAIN = queues.score
TEAMS = {"red": 0.8, "green": 0.7, "blue": 0.8, "grey": None}


def score(value: float | None) -> dict[str, Any]:
    around = [None if value is None else value + i / 1000 for i in range(-20, 21)]
    interval = {} if value is None else {"F1": [value - 0.02, value + 0.02]}
    return {**PLAIN(value), "intervals": interval, "resampled": around, "clusters": 41}


@pytest.fixture(params=[Scores.RELEASED, Scores.WITHHELD])
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    monkeypatch.setattr(queues, "score", score)
    config = Config(challenges={CHALLENGE: Terms(scores=request.param)})
    with queue(tmp_path) as store:
        submitted(store, *TEAMS)
        for entry in store.next_entries(len(TEAMS)):
            run_stages(store, tmp_path, entry, TEAMS[entry.team])
            done = store.entry(entry.id)
            sign(Registry(tmp_path), store, tmp_path, SharedFolder(tmp_path), config, done, "green:1")
    return tmp_path


def verify(state: Path, *argv: str) -> Result:
    return CliRunner().invoke(main, ["--state", str(state), "board", "verify", CHALLENGE, *argv])


def test_a_board_follows_from_its_receipts(state: Path) -> None:
    done = verify(state, "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["ok"], told["problems"], told["receipts"]) == (0, True, [], 4)
    ranks = {row["team"]: (row["rank"], row["tied"], row["low"]) for row in told["places"]}
    assert ranks["red"][0] == ranks["blue"][0] == 1 and ranks["green"][0] == 3
    assert "are those of 4 receipts" in verify(state).stdout


@pytest.mark.parametrize(("column", "receipts"), [("value", "3"), ("high", "0.72")])
def test_changed_score_or_interval_is_named(state: Path, column: str, receipts: str) -> None:
    with queue(state) as store, store.engine.begin() as connection:
        connection.execute(sa.update(SCORES).where(SCORES.c.value == 0.7).values({column: 0.9}))
    shown = {"value": "rank 1", "high": "high 0.9"}[column]
    done = verify(state)
    assert (done.exit_code, f"team green: the board says {shown}, the receipts say {receipts}" in done.stdout) == (
        1,
        True,
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("1/receipt.json", '"sig":"', '"sig":"AAAA', "1: signature: made by none of the keys"),
        ("0/openings.json", '"0.8"', '"0.9"', "not what the receipt commits to"),
        ("2", "", "", "it counts by attempt 1, which has no receipt"),
    ],
)
def test_changed_or_missing_receipt_is_named(state: Path, file: str, old: str, new: str, expected: str) -> None:
    path = state / "receipt-log" / "receipts" / file
    if path.is_dir():
        path.rename(state / "elsewhere")
    else:
        path.write_text(path.read_text().replace(old, new, 1))
    done = verify(state)
    assert (done.exit_code, expected in done.stdout) == (1, True), done.output


def test_a_board_does_not_count_what_a_revoked_key_signed(state: Path) -> None:
    name = Registry(state).signer().public.id
    done = CliRunner().invoke(main, ["--state", str(state), "key", "revoke", name, "--since", "2026-01-01"])
    assert done.exit_code == 0, done.output
    done_again = verify(state)
    assert done_again.exit_code == 1
    assert "which was not valid at the time that is stated" in done_again.stdout
    assert "team red: no receipt gives it the place that the board shows" in done_again.stdout


def test_receipts_under_an_earlier_name_of_the_challenge_count(state: Path) -> None:
    folder = shutil.copytree(load_challenge(CHALLENGE).folder, state / "cardio")
    (state / "evaluate.yaml").write_text(f"challenges: {{cardio: {{folder: {folder}}}}}\n")
    words = ["--state", str(state), "challenge", "rename", CHALLENGE, "cardio"]
    assert CliRunner().invoke(main, words).exit_code == 0
    done = CliRunner().invoke(main, ["--state", str(state), "board", "verify", "cardio"])
    assert (done.exit_code, "are those of 4 receipts" in done.stdout) == (0, True), done.output
