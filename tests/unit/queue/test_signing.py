"""Every attempt that comes to its end has one receipt, with what its team may know."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from evaluate.commands.main import main
from evaluate.host.config import Config, Scores, Terms
from evaluate.queue.depot import SharedFolder
from evaluate.queue.signing import anchored, receipt_of, sign
from evaluate.queue.store import journal
from evaluate.queue.store.database import LINE
from evaluate.queue.store.rows import QueuedEntry
from evaluate.queue.store.tables import JOURNAL
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


def rewritten(connection: sa.Connection, lines: list[Any]) -> None:
    """The journal with these lines, chained as if they had always been there."""
    connection.execute(sa.delete(JOURNAL))
    connection.info.pop(LINE, None)
    for line in lines:
        journal.write(connection, line.entry, line.event, json.loads(line.data), line.at)


@pytest.mark.parametrize("kept", [slice(0, None), slice(0, 3)], ids=["changed", "shortened"])
def test_a_journal_that_was_rewritten_is_seen_by_the_receipts(tmp_path: Path, ended: QueuedEntry, kept: slice) -> None:
    signed(tmp_path, ended)
    with queue(tmp_path) as store:
        assert list(anchored(Registry(tmp_path), store.database)) == []
    with queue(tmp_path) as store:
        with store.database.change() as connection:
            lines = list(connection.execute(sa.select(JOURNAL).order_by(JOURNAL.c.number)).all())[kept]
            changed = SimpleNamespace(**{**lines[0]._mapping, "at": lines[0].at - 1})
            rewritten(connection, [changed, *lines[1:]])
        found = [one for one in anchored(Registry(tmp_path), store.database) if one.where == "receipt 0"]
    assert len(found) == 1 and ("is not the one" in found[0].message) == (kept.stop is None)
    assert ("found its end at line 3" in found[0].message) == (kept.stop == 3)


def test_a_lost_receipt_is_found_by_verify_state(tmp_path: Path, ended: QueuedEntry) -> None:
    signed(tmp_path, ended)
    (tmp_path / "receipt-log" / "leaves").write_bytes(b"")
    done = evaluate(tmp_path, "verify-state", "--json")
    assert done.exit_code == 3
    lost = [one["message"] for one in json.loads(done.stdout)["findings"] if one["kind"] == "receipts"]
    assert "the last ones were lost" in lost[0]
