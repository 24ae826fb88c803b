"""What papers and archives want to know of a challenge and of a run: BIAS, Croissant, Workflow Run RO-Crate."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.authoring.describe.bias import GAP, bias, gaps
from evaluate.authoring.describe.croissant import croissant
from evaluate.authoring.skeleton import write_skeleton
from evaluate.challenge.cache import load_challenge
from evaluate.challenge.types import Kind
from evaluate.commands.main import main
from evaluate.config.terms import Phase, Terms

KITS = load_challenge("kits19")


def test_design_document_fills_what_is_known_and_marks_the_rest() -> None:
    terms = Terms(attempts=3, phases=(Phase(name="final", begins=0.0, ends=86400.0),))
    text = bias(KITS, terms)
    assert "### Evaluation metrics\n\n`kits19` by corrected rules" in text
    assert "* final: 1970-01-01T00:00Z to 1970-01-02T00:00Z" in text
    assert "3 entries of a team reach the exam" in text
    assert f"### Ethics approval\n\n{GAP}" in text
    found = gaps(text)
    assert found["fields"] == 69 and found["fields"] / 5 < found["fields"] - found["gaps"]


def test_design_document_of_a_scorer_names_its_form(tmp_path: Path) -> None:
    write_skeleton(tmp_path / "own", Kind.ANSWERS, "scorer")
    text = bias(load_challenge(str(tmp_path / "own")), Terms())
    assert "form command, contract 1" in text and "`accuracy`" in text


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
def test_croissant_is_valid_and_has_the_public_records(tmp_path: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="no mlcroissant here (dependency group test)")
    write_skeleton(tmp_path / "own", Kind.ANSWERS)
    challenge = load_challenge(str(tmp_path / "own"))
    path = tmp_path / "croissant.json"
    path.write_text(json.dumps(croissant(challenge, "2026-01-31")))
    dataset = mlcroissant.Dataset(jsonld=str(path))
    assert not dataset.metadata.ctx.issues.errors
    rows = list(dataset.records("records"))
    assert len(rows) == 10
    first = {key.rpartition("/")[2]: value for key, value in rows[0].items()}
    assert first == {"name": "v01", "split": "validation"}


def test_croissant_says_nothing_of_hidden_records() -> None:
    hidden = replace(KITS, exam=replace(KITS.exam, hidden=True))
    text = json.dumps(croissant(hidden))
    assert f"{len(KITS.exam.records)} further records (test) are secret." in text
    assert not any(record in text for record in KITS.exam.records if record not in KITS.quiz.records)


@pytest.mark.slow
def test_command_describes(tmp_path: Path) -> None:
    for form, wish in (("bias", "challenge design document"), ("croissant", "mlcommons.org/croissant/1.1")):
        words = ["--state", str(tmp_path), "challenge", "describe", "kits19", "--format", form]
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0 and wish in done.output
