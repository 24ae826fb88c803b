"""A log of receipts that was restored says so, contradicts no earlier head, and takes lost receipts back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluate.commands.main import main
from evaluate.config.types import Config
from evaluate.operate.signing import receipt_of
from evaluate.receipts.issue import Registry
from evaluate.receipts.note import read_proof
from evaluate.store.files.depot import SharedFolder
from tests.support.queues import queue, run_stages, sign, submitted


def evaluate(state: Path, *argv: str | Path) -> Result:
    return CliRunner().invoke(main, ["--state", str(state), *map(str, argv)])


def evaluated(state: Path, team: str, mine: Path) -> Path:
    """The receipt of an entry of a team, as the team gets it."""
    with queue(state) as store:
        submitted(store, team)
        (entry,) = store.next_entries(1)
        run_stages(store, state, entry)
        sign(Registry(state), store, state, SharedFolder(state), Config(), store.entry(entry.id), "green:1")
        receipt = receipt_of(state, SharedFolder(state), entry)
    assert receipt is not None
    return Path(shutil.copytree(receipt.parent, mine)) / "receipt.json"


class Disaster:
    """Two receipts, a backup, one more receipt, and the backup restored elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.old, self.new = folder, folder / "old", folder / "new"
        self.first = evaluated(self.old, "red", folder / "red")
        evaluated(self.old, "green", folder / "green")
        with queue(self.old):
            done = evaluate(self.old, "backup", folder / "backup")
            assert (done.exit_code, "the upload" in done.output) == (3, True), "this test never made the uploads"
        self.lost = evaluated(self.old, "blue", folder / "blue")
        self.restore = evaluate(self.new, "restore", folder / "backup")
        assert self.restore.exit_code == 0, self.restore.output


@pytest.fixture
def disaster(tmp_path: Path) -> Disaster:
    return Disaster(tmp_path)


def holds_elsewhere(disaster: Disaster, receipt: Path) -> bool:
    """True if a receipt verifies with the published keys alone."""
    keys = disaster.folder / "public.json"
    keys.write_text(evaluate(disaster.new, "key", "list").stdout)
    return evaluate(disaster.folder / "empty", "verify", receipt, "--key", keys).exit_code == 0


def kinds(disaster: Disaster) -> set[str]:
    """Kinds of findings: an upload is one always, since this test never made the uploads."""
    findings = json.loads(evaluate(disaster.new, "verify-state", "--json").stdout)["findings"]
    return {finding["kind"] for finding in findings}


def proof_of(receipt: Path) -> Path:
    return receipt.with_name("receipt.json.tlog-proof")


def test_a_restored_log_continues_under_another_origin_and_says_so(disaster: Disaster) -> None:
    assert "the log of receipts continues at number 2 as evaluate.log/" in disaster.restore.output
    registry, former = Registry(disaster.new), Registry(disaster.old)
    assert registry.log.origin != former.log.origin
    evaluated(disaster.new, "grey", disaster.folder / "grey")
    head, other = registry.log.checkpoint(), former.log.checkpoint()
    assert head is not None and other is not None and head.origin != other.origin
    assert evaluate(disaster.new, "verify", registry.folder(2).receipt).exit_code == 0
    event = [statement["predicate"] for _, statement in registry.receipts()][2]
    assert (event["event"], event["former"], event["before"]["size"]) == ("restored", former.log.origin, 2)
    done = evaluate(disaster.new, "log", "verify")
    assert (done.exit_code, done.stdout) == (0, "4 receipts in the log, none lost or changed\n")
    assert kinds(disaster) == {"upload"}


def test_receipts_from_before_the_backup_hold_here_and_elsewhere(disaster: Disaster) -> None:
    assert evaluate(disaster.new, "verify", disaster.first).exit_code == 0
    assert holds_elsewhere(disaster, disaster.first)
    assert evaluate(disaster.new, "log", "verify", "--since", proof_of(disaster.first)).exit_code == 0


def test_a_lost_receipt_is_named_and_its_head_convicts_nobody(disaster: Disaster) -> None:
    done = evaluate(disaster.new, "verify", disaster.lost)
    assert done.exit_code == 1
    assert "the log was restored from a backup of size 2, and lost this receipt, number 2" in done.stdout
    assert "states OK" in done.stdout and "evaluate log adopt" in done.stdout
    seen = evaluate(disaster.new, "log", "verify", "--since", proof_of(disaster.lost))
    assert seen.exit_code == 0, seen.output
    assert "was restored at size 2: its numbers 2 to 2 were lost" in seen.stdout
    assert not holds_elsewhere(disaster, disaster.lost)


@pytest.mark.parametrize("rotated", [False, True])
def test_a_team_hands_its_receipt_back(disaster: Disaster, *, rotated: bool) -> None:
    if rotated:
        assert evaluate(disaster.new, "key", "rotate").exit_code == 0
    done = evaluate(disaster.new, "log", "adopt", disaster.lost)
    assert (done.exit_code, "is number 3 of the log" in done.stdout) == (0, True), done.output
    size = Registry(disaster.new).log.size
    assert evaluate(disaster.new, "log", "adopt", disaster.lost).exit_code == 0
    assert Registry(disaster.new).log.size == size, "once"
    assert evaluate(disaster.new, "verify", disaster.lost).exit_code == 0, "its old proof is good again"
    back = disaster.new / "receipt-log" / "receipts" / "3" / "receipt.json"
    assert holds_elsewhere(disaster, back)
    assert evaluate(disaster.new, "log", "verify").exit_code == 0


def test_a_receipt_that_was_handed_back_is_no_damage(disaster: Disaster) -> None:
    evaluated(disaster.new, "grey", disaster.folder / "grey")  # so that the journal has other lines than it had
    assert evaluate(disaster.new, "log", "adopt", disaster.lost).exit_code == 0
    assert kinds(disaster) == {"upload"}
    done = evaluate(disaster.new, "board", "verify", "cinc2017")
    assert done.exit_code == 0, done.output
    assert "handed back after a restore; the queue has lost its entry\n3 places: " in done.stdout
    again = evaluated(disaster.new, "blue", disaster.folder / "again")
    assert evaluate(disaster.new, "verify", again).exit_code == 0
    done = evaluate(disaster.new, "board", "verify", "cinc2017")
    assert (done.exit_code, "handed back" in done.stdout) == (0, False), done.output
    assert evaluate(disaster.new, "backup", disaster.folder / "next").exit_code == 3, "for the uploads alone"


def test_what_is_not_lost_or_not_ours_is_not_adopted(disaster: Disaster) -> None:
    done = evaluate(disaster.new, "log", "adopt", disaster.first)
    assert done.exit_code == 2 and "is not of a part that was lost" in done.output
    other = evaluated(disaster.folder / "other", "pink", disaster.folder / "pink")
    done = evaluate(disaster.new, "log", "adopt", other)
    assert done.exit_code == 2 and "expected a receipt and a proof by a key of this log" in done.output
    envelope = json.loads(disaster.lost.read_bytes())
    disaster.lost.write_text(json.dumps({**envelope, "payload": envelope["payload"][:-8] + "fQ=="}))
    assert evaluate(disaster.new, "log", "adopt", disaster.lost).exit_code == 2
    proof_of(disaster.first).unlink()
    assert "expected the proof" in evaluate(disaster.new, "log", "adopt", disaster.first).output


def test_a_log_that_was_changed_before_the_backup_is_still_convicted(disaster: Disaster) -> None:
    early = read_proof(proof_of(disaster.first).read_text(), "it").checkpoint
    assert early.size == 1
    file = disaster.new / "receipt-log" / "leaves"
    lines = file.read_bytes().split(b"\n")
    (disaster.new / "receipt-log" / "ends").unlink()
    (disaster.new / "receipt-log" / "hashes").unlink()
    file.write_bytes(b"\n".join([lines[1], lines[0], *lines[2:]]))
    evaluated(disaster.new, "grey", disaster.folder / "grey")
    done = evaluate(disaster.new, "log", "verify", "--since", proof_of(disaster.first))
    assert done.exit_code == 1
    assert "the first 1 receipts are not those of the checkpoint that was given" in done.stdout


def test_two_heads_of_one_log_and_size_are_a_fork(disaster: Disaster) -> None:
    fork = disaster.folder / "fork"
    shutil.copytree(disaster.old, fork)
    first = evaluated(disaster.old, "first", disaster.folder / "first")
    second = evaluated(fork, "second", disaster.folder / "second")
    done = evaluate(disaster.old, "log", "verify", "--since", proof_of(first), "--since", proof_of(second))
    assert done.exit_code == 1
    assert "have size 4 and different roots" in done.stdout
