"""Every attempt that comes to its end has one receipt, with what its team may know."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluate.commands.main import main
from evaluate.host.config import Config, Scores, Terms
from evaluate.queue.depot import SharedFolder
from evaluate.queue.signing import receipt_of, sign
from evaluate.queue.store.rows import QueuedEntry
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import Registry
from tests.support.queues import CHALLENGE, queue, run_stages, submitted


@pytest.fixture
def ended(tmp_path: Path) -> QueuedEntry:
    with queue(tmp_path) as store:
        submitted(store, "red")
        (entry,) = store.next_entries(1)
        run_stages(store, tmp_path, entry)
    return entry


def signed(tmp_path: Path, entry: QueuedEntry, config: Config | None = None) -> Path:
    depot = SharedFolder(tmp_path)
    with queue(tmp_path) as store:
        sign(Registry(tmp_path), store, tmp_path, depot, config or Config(), entry, "green:1")
    found = receipt_of(tmp_path, depot, entry)
    assert found is not None
    return found


def evaluate(tmp_path: Path, *argv: str | Path) -> Result:
    return CliRunner().invoke(main, ["--state", str(tmp_path), *map(str, argv)])


def test_an_attempt_is_signed_once(tmp_path: Path, ended: QueuedEntry) -> None:
    assert receipt_of(tmp_path, SharedFolder(tmp_path), ended) is None
    first = signed(tmp_path, ended).read_bytes()
    assert signed(tmp_path, ended).read_bytes() == first
    assert evaluate(tmp_path, "log", "verify").stdout == "1 receipt in the log, none lost or changed\n"


def test_the_team_gets_it_with_its_report(tmp_path: Path, ended: QueuedEntry) -> None:
    assert "has no receipt" in evaluate(tmp_path, "report", ended.id, "--receipt", tmp_path / "mine").output
    signed(tmp_path, ended)
    assert evaluate(tmp_path, "report", ended.id, "--receipt", tmp_path / "mine").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == [
        "receipt.json",
        "receipt.json.sig",
        "receipt.json.tlog-proof",
    ]
    done = evaluate(tmp_path, "verify", tmp_path / "mine" / "receipt.json")
    assert (done.exit_code, "states OK" in done.stdout) == (0, True)


def test_a_withheld_score_is_in_it_as_a_commitment_only(tmp_path: Path, ended: QueuedEntry) -> None:
    withheld = Config(challenges={CHALLENGE: Terms(scores=Scores.WITHHELD)})
    told = read_envelope(signed(tmp_path, ended, withheld).read_bytes(), "it").statement["predicate"]
    assert told["score"] is None and "numbers" in told["withheld"]


def test_nothing_is_signed_before_a_stage_has_ended(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        submitted(store, "red")
        (entry,) = store.next_entries(1)
        sign(Registry(tmp_path), store, tmp_path, SharedFolder(tmp_path), Config(), entry, "green:1")
    assert receipt_of(tmp_path, SharedFolder(tmp_path), entry) is None
