"""Every attempt that comes to its end has one receipt, with what its team may know."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import challenge_folder
from evaluate.config.terms import Scores, Terms
from evaluate.config.types import Config
from evaluate.operate.signing import anchored
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import PUBLIC_FILES, Registry
from evaluate.store.db import journal
from evaluate.store.db.database import LINE
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.db.tables import JOURNAL
from evaluate.store.entries.bases import as_text, begin_exam, keep_rules, rules_of
from tests.support.commands import run
from tests.support.queues import CHALLENGE, judged, queue, sign, submitted
from tests.support.receipts import logged


@pytest.fixture
def ended(tmp_path: Path) -> QueuedEntry:
    with queue(tmp_path) as store:
        (identity,) = judged(store, tmp_path, {"red": 0.5})
        return store.entry(identity)


def signed(tmp_path: Path, entry: QueuedEntry, config: Config | None = None) -> Path:
    with queue(tmp_path) as store:
        receipt = sign(store, tmp_path, entry, config)
    assert receipt is not None
    return receipt


def test_an_attempt_is_signed_once_after_its_first_stage_and_the_team_gets_it_with_its_report(
    tmp_path: Path, ended: QueuedEntry
) -> None:
    with queue(tmp_path) as store:
        submitted(store, "blue")
        (waiting,) = store.next_entries(1)
        assert sign(store, tmp_path, waiting) is None
    assert "has no receipt" in run(tmp_path, "report", ended.id, "--receipt", tmp_path / "mine").output
    first = signed(tmp_path, ended).read_bytes()
    assert signed(tmp_path, ended).read_bytes() == first
    assert run(tmp_path, "log", "verify").stdout == "1 receipt in the log, none lost or changed\n"
    assert run(tmp_path, "report", ended.id, "--receipt", tmp_path / "mine").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == sorted(PUBLIC_FILES)


def test_process_that_signs_an_attempt_meanwhile_is_no_fault(
    tmp_path: Path, ended: QueuedEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    issue, others = Registry.issue, list[Path]()

    def slowly(*given: object, **named: object) -> object:
        issued = issue(*given, **named)  # type: ignore[arg-type]
        if not others:
            others.append(tmp_path)
            others.append(signed(tmp_path, ended))
        return issued

    monkeypatch.setattr(Registry, "issue", slowly)
    assert signed(tmp_path, ended) == others[-1]
    assert run(tmp_path, "log", "verify").exit_code == 0


@pytest.mark.parametrize("kept", [slice(0, None), slice(0, 3)], ids=["changed", "shortened"])
def test_a_journal_that_was_rewritten_is_seen_by_the_receipts(tmp_path: Path, ended: QueuedEntry, kept: slice) -> None:
    signed(tmp_path, ended)
    with queue(tmp_path) as store:
        assert list(anchored(Registry(tmp_path), store.database)) == []
    with queue(tmp_path) as store:
        with store.database.change() as connection:
            lines = list(connection.execute(sa.select(JOURNAL).order_by(JOURNAL.c.number)).all())[kept]
            changed = SimpleNamespace(**{**lines[0]._mapping, "at": lines[0].at - 1})
            connection.execute(sa.delete(JOURNAL))
            connection.info.pop(LINE, None)
            for line in (changed, *lines[1:]):  # chained as if they had always been there
                journal.write(connection, line.entry, line.event, json.loads(line.data), line.at)
        findings = anchored(Registry(tmp_path), store.database)
        (message,) = (finding.message for finding in findings if finding.where == "receipt 0")
    assert ("is not the one" in message, "found its end at line 3" in message) == (not kept.stop, kept.stop == 3)


def test_a_receipt_has_a_withheld_score_as_a_commitment_only_and_is_named_without_log_and_keys(
    tmp_path: Path, ended: QueuedEntry
) -> None:
    receipt = signed(tmp_path, ended, Config(challenges={CHALLENGE: Terms(scores=Scores.WITHHELD)}))
    predicate = read_envelope(receipt.read_bytes(), "it").statement["predicate"]
    assert predicate["score"] is None and "numbers" in predicate["withheld"]
    for folder in (tmp_path / "keys", tmp_path / "receipt-log"):
        shutil.rmtree(folder)
    shutil.copytree(receipt.parent, tmp_path / "elsewhere")
    shutil.rmtree(receipt.parent)
    assert f"work/{ended.id}/1/receipt: receipt 0 of the log" in run(tmp_path, "verify-state", code=3).output
    shutil.copytree(tmp_path / "elsewhere", receipt.parent)  # as where another host signed it
    assert "receipt 0" not in run(tmp_path, "verify-state").output


def shortened(state: Path, size: int) -> None:
    """The log as if it had never had more receipts, signed again by whoever has the key."""
    registry = Registry(state)
    lines = list(registry.log.leaves())[:size]
    for name in ("leaves", "ends", "hashes", "checkpoint"):
        (state / "receipt-log" / name).unlink()
    for line in lines:
        logged(registry.log, line, registry.keys.signer())
    for folder in (state / "receipt-log" / "receipts").iterdir():
        if int(folder.name) >= size:
            shutil.rmtree(folder)
    for folder in state.glob("entries/*/*/receipt"):
        shutil.rmtree(folder)


def test_a_log_that_was_shortened_and_signed_again_is_not_what_the_journal_says(tmp_path: Path, queue_url: str) -> None:
    if queue_url:
        (tmp_path / "evaluate.yaml").write_text(f"database: {queue_url}\nshared: {tmp_path}\n")
    with queue(tmp_path, queue_url) as store:
        ids = judged(store, tmp_path, dict.fromkeys(("red", "green", "blue"), 0.5))
        for identity in ids:
            sign(store, tmp_path, store.entry(identity))
    assert run(tmp_path, "log", "verify").exit_code == 0
    shortened(tmp_path, 1)
    done = run(tmp_path, "log", "verify", code=1)
    for number in (1, 2):
        assert f"receipt {number} of entry {ids[number]}, attempt 1: it was lost: the log has 1\n" in done.stdout
    findings = json.loads(run(tmp_path, "verify-state", "--json").stdout)["findings"]
    lost = [finding["message"] for finding in findings if finding["kind"] == "receipts"]
    assert len(lost) == 2 and "it was lost" in lost[0]


def test_a_log_that_was_emptied_replaced_or_removed_is_missed(tmp_path: Path, ended: QueuedEntry) -> None:
    signed(tmp_path, ended)
    leaves = tmp_path / "receipt-log" / "leaves"
    kept = leaves.read_bytes()
    leaves.write_bytes(b"")
    done = run(tmp_path, "verify-state", "--json")
    findings = json.loads(done.stdout)["findings"]
    lost = [finding["message"] for finding in findings if finding["kind"] == "receipts"]
    assert (done.exit_code, "the last ones were lost" in lost[0]) == (3, True)
    leaves.write_bytes(kept)
    shortened(tmp_path, 0)
    registry = Registry(tmp_path)
    logged(registry.log, b"{}", registry.keys.signer())
    assert "another one has its number in the log" in run(tmp_path, "log", "verify").stdout
    shutil.rmtree(tmp_path / "receipt-log")
    assert "is not here" in run(tmp_path, "log", "verify", code=1).stdout


def test_receipt_states_what_the_exam_began_with(tmp_path: Path) -> None:
    folder = tmp_path / "hearts"
    shutil.copytree(challenge_folder(CHALLENGE), folder)
    with queue(tmp_path) as store:
        entries = []
        for team in ("red", "green"):
            (identity,) = judged(store, tmp_path, {team: 0.5}, str(folder))
            entry = store.entry(identity)
            begun = store.details.keep(as_text(rules_of(load_challenge(str(folder)))))
            with store.change() as connection:
                keep_rules(connection, entry, begun)
            begin_exam(store, entry, Registry(tmp_path).exam_data(load_challenge(str(folder))))
            entries.append(store.entry(entry.id))
    stated = [signed(tmp_path, entries[0])]
    (folder / "sample_data" / "test" / "REFERENCE.csv").write_text("T00001,N\n")
    rules = folder / "challenge.yaml"
    rules.write_text(rules.read_text() + "gpus: 0\n")
    stated.append(signed(tmp_path, entries[1]))
    first, second = (read_envelope(file.read_bytes(), "").statement["predicate"]["challenge"] for file in stated)
    assert [first[name] == second[name] for name in ("rules", "records", "references", "metric")] == [True] * 4


# A log of receipts that was restored says so, contradicts no earlier head, and takes lost receipts back.


def evaluated(state: Path, team: str, mine: Path) -> Path:
    """The receipt of an entry of a team, as the team gets it."""
    with queue(state) as store:
        (identity,) = judged(store, state, {team: 0.5})
        receipt = sign(store, state, store.entry(identity))
    assert receipt is not None
    return Path(shutil.copytree(receipt.parent, mine)) / "receipt.json"


class Disaster:
    """Two receipts, a backup, one more receipt, and the backup restored elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.old, self.new = folder, folder / "old", folder / "new"
        self.first = evaluated(self.old, "red", folder / "red")
        evaluated(self.old, "green", folder / "green")
        with queue(self.old):
            done = run(self.old, "backup", folder / "backup")
            assert (done.exit_code, "the upload" in done.output) == (3, True), "this test never made the uploads"
        self.lost = evaluated(self.old, "blue", folder / "blue")
        self.restore = run(self.new, "restore", folder / "backup")
        assert self.restore.exit_code == 0, self.restore.output


@pytest.fixture
def disaster(tmp_path: Path) -> Disaster:
    return Disaster(tmp_path)


def holds_elsewhere(disaster: Disaster, receipt: Path) -> bool:
    """True if a receipt verifies with the published keys alone."""
    keys = disaster.folder / "public.json"
    keys.write_text(run(disaster.new, "key", "list").stdout)
    return run(disaster.folder / "empty", "verify", receipt, "--key", keys).exit_code == 0


def proof_of(receipt: Path) -> Path:
    return receipt.with_name("receipt.json.tlog-proof")


def test_a_lost_receipt_is_named_its_head_convicts_nobody_and_what_is_not_lost_is_not_adopted(
    disaster: Disaster,
) -> None:
    assert "the log of receipts continues at number 2 as evaluate.log/" in disaster.restore.output
    assert holds_elsewhere(disaster, disaster.first) and not holds_elsewhere(disaster, disaster.lost)
    done = run(disaster.new, "verify", disaster.lost, code=1)
    assert "the log was restored from a backup of size 2, and lost this receipt, number 2" in done.stdout
    assert "states OK" in done.stdout and "evaluate log adopt" in done.stdout
    seen = run(disaster.new, "log", "verify", "--since", proof_of(disaster.lost), code=0)
    assert "was restored at size 2: its numbers 2 to 2 were lost" in seen.stdout
    other = evaluated(disaster.folder / "other", "pink", disaster.folder / "pink")
    envelope = json.loads(disaster.lost.read_bytes())
    disaster.lost.write_text(json.dumps({**envelope, "payload": envelope["payload"][:-8] + "fQ=="}))
    for receipt, words in (
        (disaster.first, "is not of a part that was lost"),
        (other, "expected a receipt and a proof by a key of this log"),
        (disaster.lost, ""),
    ):
        assert words in run(disaster.new, "log", "adopt", receipt, code=2).output
    proof_of(disaster.first).unlink()
    assert "expected the proof" in run(disaster.new, "log", "adopt", disaster.first).output


def test_a_team_hands_its_receipt_back_once(disaster: Disaster) -> None:
    assert run(disaster.new, "key", "rotate").exit_code == 0
    assert "is number 3 of the log" in run(disaster.new, "log", "adopt", disaster.lost, code=0).stdout
    size = Registry(disaster.new).log.size
    assert run(disaster.new, "log", "adopt", disaster.lost).exit_code == 0
    assert Registry(disaster.new).log.size == size, "once"
    assert run(disaster.new, "verify", disaster.lost).exit_code == 0, "its old proof is good again"
    back = disaster.new / "receipt-log" / "receipts" / "3" / "receipt.json"
    assert holds_elsewhere(disaster, back)
    assert run(disaster.new, "log", "verify").exit_code == 0


def test_two_heads_of_one_log_and_size_are_a_fork(disaster: Disaster) -> None:
    fork = disaster.folder / "fork"
    shutil.copytree(disaster.old, fork)
    first = evaluated(disaster.old, "first", disaster.folder / "first")
    second = evaluated(fork, "second", disaster.folder / "second")
    done = run(disaster.old, "log", "verify", "--since", proof_of(first), "--since", proof_of(second), code=1)
    assert "have size 4 and different roots" in done.stdout
