"""A team gets its receipt, and the proof that it is in the log, from the site."""

from __future__ import annotations

from evaluate.config.types import Config
from evaluate.receipts.issue import Registry
from evaluate.receipts.note import read_proof
from evaluate.store.files.depot import SharedFolder
from tests.support.queues import sign
from tests.support.sites import ANN, BOB, Site_

V1 = "/api/v1"


def test_a_team_gets_its_receipt_and_the_newest_proof(site: Site_) -> None:
    entry, ann = site.scored("red", challenge="cinc2017"), site.client(ANN)
    for path in ("receipt", "receipt/proof"):
        assert "has no receipt" in ann.get(f"{V1}/entries/{entry}/{path}").json()["detail"]
    registry = Registry(site.state)
    row = site.store.entry(entry)
    sign(registry, site.store, site.state, SharedFolder(site.state), Config(), row, "green:1")
    receipt = ann.get(f"{V1}/entries/{entry}/receipt").content
    registry.rotate()
    proof = read_proof(ann.get(f"{V1}/entries/{entry}/receipt/proof").text, "it")
    assert proof.holds_for(receipt.rstrip(b"\n"))
    assert proof.checkpoint.signed_by(registry.keys.public()[-1:]), "the newest head"
    assert site.client(BOB).get(f"{V1}/entries/{entry}/receipt/proof").status_code in (403, 404)
