"""A board is calculated again from receipts, and what was changed in either is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from evaluate.commands.main import main
from evaluate.config.terms import Scores, Terms
from evaluate.config.types import Config
from evaluate.receipts.issue import Registry
from evaluate.store.db.tables import SCORES
from evaluate.store.entries.store import Store
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
    ranks = {place["team"]: (place["rank"], place["tied"], place["low"]) for place in told["places"]}
    assert ranks["red"][0] == ranks["blue"][0] == 1 and ranks["green"][0] == 3
    assert "are those of 4 receipts" in verify(state).stdout


def a_score(_state: Path, store: Store) -> str:
    with store.engine.begin() as connection:
        connection.execute(sa.update(SCORES).where(SCORES.c.value == 0.7).values(value=0.9))
    return "team green: the board says rank 1, the receipts say 3"


def an_interval(_state: Path, store: Store) -> str:
    with store.engine.begin() as connection:
        connection.execute(sa.update(SCORES).where(SCORES.c.value == 0.7).values(high=0.9))
    return "team green: the board says high 0.9, the receipts say 0.72"


def a_receipt(state: Path, _store: Store) -> str:
    file = state / "receipt-log" / "receipts" / "1" / "receipt.json"
    file.write_bytes(file.read_bytes().replace(b'"sig":"', b'"sig":"AAAA', 1))
    return "1: signature: made by none of the keys"


def an_opening(state: Path, _store: Store) -> str:
    file = state / "receipt-log" / "receipts" / "0" / "openings.json"
    file.write_text(file.read_text().replace('"0.8"', '"0.9"'))
    return "not what the receipt commits to"


def a_missing_receipt(state: Path, _store: Store) -> str:
    folder = state / "receipt-log" / "receipts" / "2"
    folder.rename(state / "elsewhere")
    return "it counts by attempt 1, which has no receipt"


@pytest.mark.parametrize("change", [a_score, an_interval, a_receipt, an_opening, a_missing_receipt])
def test_what_was_changed_is_named(state: Path, change: Callable[[Path, Store], str]) -> None:
    with queue(state) as store:
        expected = change(state, store)
    done = verify(state)
    assert done.exit_code == 1, done.output
    assert expected in done.stdout


def test_a_board_does_not_count_what_a_revoked_key_signed(state: Path) -> None:
    name = Registry(state).signer().public.id
    done = CliRunner().invoke(main, ["--state", str(state), "key", "revoke", name, "--since", "2026-01-01"])
    assert done.exit_code == 0, done.output
    found = verify(state)
    assert found.exit_code == 1
    assert "which was not valid at the time that is stated" in found.stdout
    assert "team red: no receipt gives it the place that the board shows" in found.stdout
