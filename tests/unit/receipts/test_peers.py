"""The log, its tiles and its witnesses beside another implementation of the C2SP standards (the group `peers`)."""

from __future__ import annotations

import shutil
import threading
import urllib.request
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from evaluate.receipts.cosigning import Cosigners
from evaluate.receipts.issue import Registry
from evaluate.receipts.note import read_cosigner, read_log_key, read_proof, verifier_key
from evaluate.receipts.published_log import export
from evaluate.receipts.witness import Witness, server
from tests.unit.receipts.test_key_validity import issue

WHY = "aics-witness, of the group peers, is not installed (it needs Python 3.12)"
tlog: Any = pytest.importorskip("aics_tlog", reason=WHY)
service: Any = pytest.importorskip("aics_witness.service", reason=WHY)
store: Any = pytest.importorskip("aics_witness.store", reason=WHY)
config: Any = pytest.importorskip("aics_witness.config", reason=WHY)
feeder: Any = pytest.importorskip("aics_witness.feeder", reason=WHY)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    found = Registry(tmp_path / "state")
    issue(found)
    return found


@pytest.fixture
def vkey(registry: Registry) -> str:
    return verifier_key(registry.log.origin, registry.keys.public()[0])


@pytest.fixture
def other(tmp_path: Path, registry: Registry, vkey: str) -> Iterator[Any]:
    """Their witness, which listens."""
    logs = [config.LogConfig(registry.log.origin, (tlog.parse_vkey(vkey),))]
    kept = store.WitnessStore(tmp_path / "witness.db", create=True)
    found = service.Witness("example.org/theirs", Ed25519PrivateKey.generate(), kept, logs)
    listening = service.WitnessHTTPServer(("127.0.0.1", 0), found)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    yield listening
    listening.shutdown()
    listening.server_close()


def exported(registry: Registry, site: Path) -> Any:
    """The site as their reader of tiles sees it."""
    export(registry.log, registry.keys.public(), site, registry.published({}))
    return tlog.FileSystemTileReader(site)


def test_they_verify_head_tiles_and_inclusion(tmp_path: Path, registry: Registry, vkey: str) -> None:
    site = tmp_path / "site"
    for _ in range(6):
        receipt = issue(registry).receipt
        reader = exported(registry, site)
    note = tlog.parse_note((site / "checkpoint").read_text())
    assert tlog.verify_checkpoint(note, tlog.parse_vkey(vkey)).ok
    head = tlog.parse_checkpoint(note.text)
    tlog.audit_tiles(reader, head.size, head.root, entries=False)
    leaf = receipt.read_bytes().removesuffix(b"\n")
    proof = tlog.inclusion_proof_from_tiles(reader, 6, head.size)
    assert tlog.verify_leaf_inclusion(leaf, 6, head.size, proof, head.root)
    assert not tlog.verify_leaf_inclusion(leaf + b" ", 6, head.size, proof, head.root)


def test_their_witness_signs_our_heads_and_no_fork(tmp_path: Path, registry: Registry, vkey: str, other: Any) -> None:
    said: list[str] = []
    theirs = read_cosigner(other.witness.vkey_text)
    asking = Registry(tmp_path / "state", Cosigners({theirs: other.url}, said.append))
    for _ in range(4):
        proof = read_proof(issue(asking).folder.joinpath("receipt.json.tlog-proof").read_text(), "it")
        assert proof.checkpoint.cosigned(theirs) is not None
    note = tlog.parse_note(proof.checkpoint.note)
    assert tlog.verify_checkpoint(note, tlog.parse_vkey(vkey), [other.witness.vkey]).cosignature_count == 1
    assert said == []
    fork = Registry(tmp_path / "fork", Cosigners({theirs: other.url}, said.append))
    (tmp_path / "fork" / "receipt-log").mkdir(parents=True)
    shutil.copytree(tmp_path / "state" / "keys", tmp_path / "fork" / "keys")
    (tmp_path / "fork" / "keys" / "salt").unlink()  # so that its receipts are others
    (tmp_path / "fork" / "receipt-log" / "origin").write_text(f"{registry.log.origin}\n")
    for _ in range(registry.log.size + 1):
        issue(fork)
    assert len(said) == registry.log.size + 1 and all("does not sign the head of the log" in one for one in said)


def test_our_witness_answers_their_log(tmp_path: Path, registry: Registry, vkey: str) -> None:
    ours = Witness(tmp_path / "witness", lambda: [read_log_key(vkey, "it")], "example.org/ours")
    listening = server(ours, "127.0.0.1", 0)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    url, site = f"http://127.0.0.1:{listening.server_address[1]}", tmp_path / "site"
    client = feeder.WitnessClient(url, ours.cosigner.vkey)
    for _ in range(4):
        issue(registry)
        reader = exported(registry, site)
        client.submit(
            (site / "checkpoint").read_text(),
            lambda old, new, reader=reader: tlog.consistency_proof_from_tiles(reader, old, new),
        )
    digest = sha256(registry.log.origin.encode()).hexdigest()
    with urllib.request.urlopen(f"{url}/{digest}/checkpoint", timeout=10) as found:
        note = tlog.parse_note(found.read().decode())
    checked = tlog.verify_checkpoint(note, tlog.parse_vkey(vkey), [tlog.parse_vkey(ours.cosigner.vkey)])
    assert (checked.ok, checked.size, checked.cosignature_count) == (True, registry.log.size, 1)
    client.close()
    listening.shutdown()
    listening.server_close()
