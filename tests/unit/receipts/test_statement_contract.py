"""A receipt names the contract that an entry was written for."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from evaluate.authoring.contract_samples import write_challenge
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.contract import ContractName
from evaluate.receipts.statement import Committer, challenge_digests
from tests.conftest import CHECKOUT


def test_receipt_names_the_contract_and_where_it_is_written_down(tmp_path: Path) -> None:
    write_challenge(tmp_path, ContractName.PHYSIONET_2025)
    stated = challenge_digests(load_challenge(str(tmp_path)), Committer(bytes(32)))
    assert stated["contract"] == {"name": "physionet-2025", "version": "physionetchallenges.github.io@3d2f23d6"}
    without = challenge_digests(load_challenge("cinc2017"), Committer(bytes(32)))
    assert "contract" not in without


def test_schema_describes_all_that_is_said_of_a_challenge(tmp_path: Path) -> None:
    write_challenge(tmp_path, ContractName.PHYSIONET_2025)
    stated = challenge_digests(load_challenge(str(tmp_path)), Committer(bytes(32)))
    schema = json.loads((CHECKOUT / "docs" / "receipt.schema.json").read_text())
    described = schema["$defs"]["challenge"]["properties"]
    assert set(stated) <= set(described)
    for name, part in (("contract", {"name": "physionet-2025"}), ("libraries", {"numpy": 2}), ("code", {})):
        check = Draft202012Validator(described[name])
        assert check.is_valid(stated[name])
        assert not check.is_valid(part)
