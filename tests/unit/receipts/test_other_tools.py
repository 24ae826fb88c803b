"""Receipts, heads of the log and folders of entries, checked by the tools of others."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives import serialization
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

from evaluate.commands.main import main
from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import Entry
from evaluate.receipts.issue import Issued, Registry
from evaluate.untrusted.packing import pack
from evaluate.untrusted.selection import select
from tests.unit.receipts.test_key_validity import EVALUATION, HIDDEN, issue


@pytest.fixture
def issued(tmp_path: Path) -> Issued:
    return issue(Registry(tmp_path / "state"))


def evaluate(tmp_path: Path, *argv: str | Path) -> Result:
    return CliRunner().invoke(main, ["--state", str(tmp_path / "state"), *map(str, argv)])


def pem_of(tmp_path: Path) -> bytes:
    (key,) = json.loads(evaluate(tmp_path, "key", "list").stdout)["keys"]
    return str(key["pem"]).encode()


def test_securesystemslib_verifies_the_envelope(tmp_path: Path, issued: Issued) -> None:
    key = SSlibKey.from_crypto(serialization.load_pem_public_key(pem_of(tmp_path)))
    told = json.loads(issued.receipt.read_bytes())
    told["signatures"][0]["keyid"] = key.keyid
    Envelope.from_dict(json.loads(json.dumps(told))).verify([key], 1)
    payload = base64.b64decode(told["payload"]).replace(b'"verdict":"OK"', b'"verdict":"ok"', 1)
    told["payload"] = base64.b64encode(payload).decode()
    with pytest.raises(VerificationError):
        Envelope.from_dict(told).verify([key], 1)


def test_in_toto_takes_the_statement(issued: Issued) -> None:
    statement = pytest.importorskip("in_toto_attestation.v1.statement")
    json_format = pytest.importorskip("google.protobuf.json_format")
    message = statement.spb.Statement()
    payload = base64.b64decode(json.loads(issued.receipt.read_bytes())["payload"])
    json_format.Parse(payload, message)
    statement.Statement.copy_from_pb(message).validate()
    assert message.subject[0].digest["sha256"] == EVALUATION.entry.sha256


def test_sigstore_verifies_the_head_of_the_log_as_a_signed_note(tmp_path: Path, issued: Issued) -> None:
    checkpoints = pytest.importorskip("sigstore._internal.rekor.checkpoint")
    trust = pytest.importorskip("sigstore._internal.trust")
    common = pytest.importorskip("sigstore_models.common.v1")
    evaluate(tmp_path, "log", "export", tmp_path / "site")
    line = (tmp_path / "site" / "log.vkeys").read_text().split("\n")[0]
    origin, digits, _ = line.split("+", 2)
    der = serialization.load_pem_public_key(pem_of(tmp_path)).public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    details = common.PublicKeyDetails.PKIX_ED25519
    ring = trust.Keyring([common.PublicKey(raw_bytes=base64.b64encode(der), key_details=details)])
    note = (tmp_path / "site" / "checkpoint").read_text()
    found = checkpoints.SignedCheckpoint.from_text(note)
    assert (found.checkpoint.origin, found.checkpoint.log_size) == (origin, issued.number + 1)
    found.signed_note.verify(ring, bytes.fromhex(digits))
    changed = checkpoints.SignedCheckpoint.from_text(note.replace("\n1\n", "\n2\n"))
    with pytest.raises(Exception, match="invalid signature"):
        changed.signed_note.verify(ring, bytes.fromhex(digits))


def test_a_folder_is_compared_as_it_was_packed(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "answers.csv").write_text("A1,N\n")
    archive = pack(select(folder, all_files=False), tmp_path / "mine.tar.gz")
    digest = subprocess.run(["sha256sum", archive], capture_output=True, text=True, check=True).stdout.split()[0]
    evaluation = EVALUATION.__class__(
        entry=Entry(archive=archive, sha256=digest, size=1), challenge="cinc2017", outcomes=EVALUATION.outcomes
    )
    receipt = Registry(tmp_path / "state").issue(evaluation, load_challenge("cinc2017"), HIDDEN).receipt
    for entry in (archive, folder):
        assert evaluate(tmp_path, "verify", receipt, "--entry", entry).exit_code == 0
    (folder / "answers.csv").write_text("A1,O\n")
    assert evaluate(tmp_path, "verify", receipt, "--entry", folder).exit_code == 1


def test_the_page_says_what_is_proven_what_is_not_and_by_whom(tmp_path: Path, issued: Issued) -> None:
    file = tmp_path / "page.html"
    assert evaluate(tmp_path, "verify", issued.receipt, "--html", file).exit_code == 0
    text = file.read_text()
    for wanted in (
        "signed this statement",
        "the organiser, who holds the key",
        "Not checked",
        "What a receipt cannot prove",
    ):
        assert wanted in text
    mine = shutil.copytree(issued.folder, tmp_path / "mine") / "receipt.json"
    mine.write_bytes(mine.read_bytes().replace(b'"sig":"', b'"sig":"AAAA', 1))
    assert evaluate(tmp_path, "verify", mine, "--html", file).exit_code == 1
    text = file.read_text()
    assert "Failed checks" in text and "What is proven" not in text
    assert "<script" not in text and "http" not in text.replace("http://www.w3.org", "")
