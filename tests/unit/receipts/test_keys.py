"""A receipt counts only if the log saw it while its key was valid."""

import base64
import itertools
import json
import shutil
import stat
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evaluate.core.errors import Fault, UsageError
from evaluate.receipts.envelope import sign
from evaluate.receipts.issue import Registry
from evaluate.receipts.keys import KeyRing, Signer, public_keys, published
from evaluate.receipts.statement import PAYLOAD_TYPE, events
from tests.support.receipts import Clock, Evaluate, issue, logged
from tests.support.scorers import written


def published_keys(tmp_path: Path, evaluate: Evaluate) -> Path:
    file = tmp_path / "public.json"
    file.write_text(evaluate("key", "list").stdout)
    return file


def forged(state: Path, receipt: Path, signer: Signer) -> Path:
    """A receipt like another, signed again with a key and appended to a copy of the log that the key alone signs."""
    payload = json.loads(receipt.read_bytes())["payload"]
    statement = json.loads(base64.b64decode(payload))
    statement["predicate"]["verdict"] = "ACCEPTED_BY_A_THIEF"
    data = sign(json.dumps(statement).encode(), PAYLOAD_TYPE, signer)
    proof = logged(Registry(state).log, data, signer)
    files = {"receipt.json": data + b"\n", "receipt.json.tlog-proof": proof.text}
    return written(state.parent / "forged", files) / "receipt.json"


def test_without_a_key_nothing_is_ok(tmp_path: Path, registry: Registry, evaluate: Evaluate) -> None:
    receipt, honest = tmp_path / "receipt.json", issue(registry).receipt
    receipt.write_bytes(honest.read_bytes().replace(b'"sig":"', b'"sig":"AAAA', 1))
    assert "not checked log: number 0 of 1" in evaluate("verify", honest, state="empty", code=3).stdout
    done = evaluate("verify", receipt, state="empty")
    values = json.loads(evaluate("verify", receipt, "--json", state="empty").stdout)
    assert (done.exit_code, values["ok"]) == (3, False)
    assert "not checked signature: no key was given" in done.stdout
    assert "This receipt proves nothing yet: its signature was not checked." in done.stdout
    assert evaluate("verify", receipt).exit_code == 1


def test_what_a_retired_key_signs_does_not_count(tmp_path: Path, registry: Registry, evaluate: Evaluate) -> None:
    honest = issue(registry)
    bare = shutil.copy(honest.receipt, tmp_path / "bare.json")
    assert evaluate("verify", bare).exit_code == 0
    old = registry.signer()
    new = registry.rotate()
    assert [path.stem for path in (tmp_path / "state" / "keys").glob("*.pem")] == [new.public.id]
    assert evaluate("verify", honest.receipt).exit_code == 0
    assert "only a proof shows it was signed then" in evaluate("verify", bare, code=3).stdout
    assert evaluate("log", "verify").exit_code == 0
    thief = forged(tmp_path / "state", honest.receipt, old)
    done = evaluate("verify", thief, "--key", published_keys(tmp_path, evaluate), code=1)
    assert f"the key {old.public.id} was not in use at size 2 of the log" in done.stdout
    assert "only a proof shows it was signed then" in done.stdout, "one that does not hold shows nothing"
    seen = evaluate("log", "verify", code=1)
    assert f"receipt 1 is signed by the key {old.public.id}, which was in use from number 0 to 1" in seen.stdout
    logged(registry.log, b"more", new)  # a head by the key in use
    thief.with_name("receipt.json.tlog-proof").write_text(registry.log.proof(1).text)
    assert "which was not valid at number 1 of the log" in evaluate("verify", thief, code=1).stdout


def test_a_key_made_in_the_minute_after_the_evaluation_signs_a_valid_statement(
    registry: Registry, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = itertools.count(time.time(), 60)
    with monkeypatch.context() as patched:
        patched.setattr(time, "time", lambda: next(minutes))
        receipt = issue(registry).receipt
    assert "signature: by the key" in evaluate("verify", receipt, code=0).stdout


def test_a_revoked_key_counts_for_what_the_log_saw_before(
    tmp_path: Path, registry: Registry, evaluate: Evaluate, clock: Clock
) -> None:
    clock("09:00:00")
    before = issue(registry)
    clock("10:00:30")
    after = issue(registry)
    old = registry.signer()
    clock("11:00:00")
    given = shutil.copytree(before.folder, tmp_path / "given")
    done = evaluate("key", "revoke", old.public.id, "--since", "2026-11-22T10:00:00Z")
    assert (done.exit_code, "receipt 1 no longer counts\n" in done.stdout) == (0, True), done.output
    keys = published_keys(tmp_path, evaluate)
    assert registry.signer().public.id != old.public.id
    assert evaluate("verify", before.receipt).exit_code == 0, "the log is here"
    assert "revoked since 2026-11-22T10:00:00Z" in evaluate("verify", after.receipt, code=1).stdout
    assert "`evaluate log proof 0`" in evaluate("verify", given / "receipt.json", "--key", keys, code=1).stdout
    (given / "receipt.json.tlog-proof").write_text(evaluate("log", "proof", "0").stdout)
    assert evaluate("verify", given / "receipt.json", "--key", keys).exit_code == 0
    seen = evaluate("log", "verify", code=0)
    assert "1 of the receipts from 1 to 1 do not count" in seen.stdout
    (number, content) = next(events(registry.log, "revoked"))
    assert (number, content["key"], content["first"]) == (2, old.public.id, 1)
    assert "entry:" not in evaluate("verify", registry.folder(number).receipt, code=0).stdout


def test_a_revocation_is_not_taken_back_and_needs_a_known_key(
    registry: Registry, evaluate: Evaluate, clock: Clock
) -> None:
    clock("09:00:00")
    issue(registry)
    clock("11:00:00")
    name = registry.signer().public.id
    for key, since, code, wish in (
        ("0" * 16, "2026-11-22", 2, "expected the id of a key"),
        (name, "2027-01-01", 2, "expected a time that is over"),
        (name, "noon", 2, ""),
        (name, "2026-11-22T10:00:00Z", 0, ""),
        (name, "2026-11-22T10:00:00Z", 0, ""),
        (name, "2026-11-22T10:30:00Z", 2, "a revocation is final"),
        (name, "2026-11-22T08:00:00Z", 0, "receipt 0 no longer counts"),
    ):
        assert wish in evaluate("key", "revoke", key, "--since", since, code=code).output
    assert registry.log.size == 3, "each revocation is stated once"


def test_a_checkpoint_of_an_unknown_key_fails(tmp_path: Path, registry: Registry, evaluate: Evaluate) -> None:
    receipt = issue(registry).receipt
    other = KeyRing(tmp_path / "other").signer()
    with registry.log.changed() as held:
        held.sign(other)
    receipt.with_name("receipt.json.tlog-proof").write_text(registry.log.proof(0).text)
    assert "the head of the log is signed by none of the keys" in evaluate("verify", receipt, code=1).stdout
    assert "is signed by none of the 1 known keys" in evaluate("log", "verify").stdout


def test_openssh_takes_a_key_only_for_its_time(
    tmp_path: Path, registry: Registry, evaluate: Evaluate, clock: Clock
) -> None:
    clock("09:00:00")
    receipt = issue(registry).receipt
    clock("10:00:00")
    registry.rotate()
    signers = tmp_path / "allowed_signers"
    signers.write_text(evaluate("key", "list", "--ssh").stdout)
    assert 'valid-after="20261122090000Z",valid-before="20261122100000Z"' in signers.read_text()

    def holds(at: str) -> bool:
        argv = ["env", "TZ=UTC", "ssh-keygen", "-Y", "verify", "-f", signers, "-I", "evaluate"]
        argv += ["-n", "evaluate-receipt", "-s", receipt.with_name("receipt.json.sig"), f"-Overify-time={at}"]
        return subprocess.run(argv, input=receipt.read_bytes(), capture_output=True, check=False).returncode == 0

    assert [holds(at) for at in ("20261122085900Z", "20261122090000Z", "20261122100100Z")] == [False, True, False]
    assert datetime.fromtimestamp(registry.keys.public()[0].since, UTC).hour == 9


def test_keys_that_are_replaced_while_others_sign_leave_no_receipt_of_a_wrong_key(
    registry: Registry, evaluate: Evaluate
) -> None:
    issue(registry)

    def work(n: int) -> None:
        process = Registry(registry.receipts_folder.parent.parent)
        for _ in range(4):
            if n:
                issue(process)
            else:
                process.rotate()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert evaluate("log", "verify", code=0).stdout == "13 receipts in the log, none lost or changed\n"
    spans = [key.logs[0] for key in registry.keys.public()]
    assert [span.end for span in spans[:-1]] == [span.first for span in spans[1:]]


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    signer = ring.signer()
    assert ring.signer().public == signer.public == ring.public()[0]
    file = tmp_path / "keys" / f"{signer.public.id}.pem"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o640)
    with pytest.raises(Fault, match=r"may be read by others \(mode 640\)"):
        ring.signer()


def test_what_is_no_key_or_has_the_id_of_another_is_refused(tmp_path: Path) -> None:
    for data in (b"", b"{}", b'{"keys": [1]}', b"-----BEGIN PUBLIC KEY-----\n", b'{"keys": [{"id": "a"}]}'):
        with pytest.raises(UsageError, match=r"^it: expected"):
            public_keys(data, "it")
    KeyRing(tmp_path).signer()
    text = published(KeyRing(tmp_path).public())
    with pytest.raises(UsageError, match="does not have that id"):
        public_keys(text.replace(KeyRing(tmp_path).public()[0].id, 16 * "0").encode(), "it")
