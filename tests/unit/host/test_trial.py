"""`evaluate try` before a machine is needed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from evaluate.challenge import load_challenge
from evaluate.core.model import Verdict
from evaluate.host import trial
from evaluate.host.trial import try_entry, with_records
from evaluate.stages.monitor import Lines


def test_annotations_beside_the_records_are_the_references_where_those_of_the_challenge_are_beside_them_too(
    tmp_path: Path,
) -> None:
    challenge = load_challenge("cpsc2021")
    own = Path(shutil.copytree(challenge.quiz.folder, tmp_path / "mine"))
    assert with_records(challenge, own, None).exam.references == own
    for path in own.glob("*.atr"):
        path.unlink()
    assert with_records(challenge, own, None).exam.references is None
    ecg = load_challenge("cinc2017")
    listed = Path(shutil.copytree(ecg.quiz.folder, tmp_path / "ecg"))
    assert with_records(ecg, listed, None).exam.references == listed / "REFERENCE.csv"


def test_entry_that_lacks_a_file_is_refused_before_a_machine_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_machine(*_: Any, **__: Any) -> None:
        raise AssertionError("a machine was asked for")

    monkeypatch.setattr(trial, "make_job", no_machine)
    challenge = load_challenge("cinc2017")
    entry = Path(shutil.copytree(challenge.folder / "sample_entry", tmp_path / "entry"))
    (entry / "next.sh").unlink()
    said: list[str] = []
    found = try_entry(entry, challenge, tmp_path, Lines(said.append))
    assert found.verdict is Verdict.INVALID_ENTRY
    assert "next.sh" in found.stages[0].message
