"""Receipts name scorers and contracts; the digest of a scorer is that of everything that a score depends on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from evaluate.authoring.contract_samples import write_challenge
from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.contract import ContractName
from evaluate.config.challenge.load import read_challenge
from evaluate.config.challenge.types import Challenge, Kind
from evaluate.core.errors import UsageError
from evaluate.home.public_folder import public_files
from evaluate.receipts.exam_data import exam_data, judge_digest
from evaluate.receipts.statement import Committer, challenge_digests
from tests.conftest import CHECKOUT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_skeleton(tmp_path / "own", Kind.ANSWERS, scorer=True)
    return tmp_path / "own"


def loaded(folder: Path) -> Challenge:
    challenge, problems = read_challenge(folder)
    assert challenge is not None and problems == []
    return challenge


def test_receipt_names_form_contract_and_image(folder: Path) -> None:
    digests = challenge_digests(loaded(folder), Committer(secret=b"0" * 32))
    assert digests["scorer"] == {"form": "command", "contract": "1", "image": "bookworm"}
    assert digests["metric"] == {"name": "scorer:command", "sha256": judge_digest(loaded(folder))}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("scorer/score.py", "LABELS = ", "LABELS  = "),
        ("challenge.yaml", "direction: larger", "direction: smaller"),
        ("challenge.yaml", "wall_seconds: 300", "wall_seconds: 301"),
    ],
)
def test_whatever_changes_a_score_changes_the_digests(
    folder: Path, tmp_path: Path, file: str, old: str, new: str
) -> None:
    before = loaded(folder)
    digests = judge_digest(before), exam_data(before, tmp_path / "kept").digest
    path = folder / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    after = loaded(folder)
    assert judge_digest(after) != digests[0] and exam_data(after, tmp_path / "kept").digest != digests[1]


def test_public_folder_has_the_scorer_and_never_that_of_a_hidden_exam(folder: Path) -> None:
    assert "scorer/score.py" in dict(public_files(loaded(folder)))
    path = folder / "challenge.yaml"
    path.write_text(path.read_text().replace("exam: {", "exam: {hidden: true, "))
    with pytest.raises(UsageError, match="may say what is hidden"):
        list(public_files(loaded(folder)))


def test_receipt_names_the_contract_as_the_schema_has_it(tmp_path: Path) -> None:
    write_challenge(tmp_path, ContractName.PHYSIONET_2025)
    stated = challenge_digests(load_challenge(str(tmp_path)), Committer(bytes(32)))
    assert stated["contract"] == {"name": "physionet-2025", "version": "physionetchallenges.github.io@3d2f23d6"}
    assert "contract" not in challenge_digests(load_challenge("cinc2017"), Committer(bytes(32)))
    schema = json.loads((CHECKOUT / "docs" / "receipt.schema.json").read_text())
    described = schema["$defs"]["challenge"]["properties"]
    assert set(stated) <= set(described)
    for name, wrong in (("contract", {"name": "physionet-2025"}), ("libraries", {"numpy": 2}), ("code", {})):
        check = Draft202012Validator(described[name])
        assert check.is_valid(stated[name]) and not check.is_valid(wrong)
