"""Receipts name what a scorer is; its digest is that of everything that a score depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.load import read_challenge
from evaluate.config.challenge.types import Challenge, Kind
from evaluate.core.errors import UsageError
from evaluate.home.public_folder import public_files
from evaluate.receipts.exam_data import exam_data, judge_digest
from evaluate.receipts.statement import Committer, challenge_digests


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_skeleton(tmp_path / "own", Kind.ANSWERS, "scorer")
    return tmp_path / "own"


def loaded(folder: Path) -> Challenge:
    challenge, problems = read_challenge(folder)
    assert challenge is not None and problems == []
    return challenge


def test_receipt_names_form_contract_and_image(folder: Path) -> None:
    found = challenge_digests(loaded(folder), Committer(secret=b"0" * 32))
    assert found["scorer"] == {"form": "command", "contract": "1", "image": "bookworm"}
    assert found["metric"] == {"name": "scorer:command", "sha256": judge_digest(loaded(folder))}


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
