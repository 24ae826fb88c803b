"""What docs/scorers.md shows is run, and its YAML and JSON are what the program reads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from evaluate.challenge.scorer import SCORER, Form
from evaluate.commands.main import main
from evaluate.schema.document import Document
from evaluate.schema.keys import read
from evaluate.stages.scorers.command import of_json
from tests.conftest import CHECKOUT
from tests.support import bundles
from tests.support.documents import blocks

PAGE = CHECKOUT / "docs/scorers.md"
IN_A_MACHINE = {"evaluate challenge check words", "evaluate try words/sample_entry --challenge words"}


def shown(language: str) -> str:
    return "\n".join(block.text for block in blocks(PAGE) if block.language == language)


@pytest.mark.slow
def test_commands_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundles.codabench(tmp_path / "bundle")
    shutil.make_archive(str(tmp_path / "bundle"), "zip", tmp_path / "bundle")
    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks(PAGE) if block.language == "sh" for line in block.commands]
    assert set(lines) >= IN_A_MACHINE
    functional = (CHECKOUT / "tests/functional/test_scorers.py").read_text()
    for line in lines:
        if line in IN_A_MACHINE:
            assert line.removeprefix("evaluate ") in functional
            continue
        done = CliRunner().invoke(main, ["--state", str(tmp_path / "state"), *line.split()[1:]])
        assert done.exit_code == 0, f"{line}: {done.output}"
        if line.startswith("evaluate try"):
            assert "accuracy 0.7500" in done.output and "public score: accuracy 1.0000" in done.output


def test_yaml_and_json_of_the_page(tmp_path: Path) -> None:
    document = Document(path=tmp_path / "challenge.yaml", value=yaml.safe_load(shown("yaml"))["metric"])
    found = read(document, SCORER)
    assert document.problems == [] and found is not None and found.form is Form.CODABENCH
    numbers = of_json(json.loads(shown("json")))
    assert numbers.values == {"F1": 0.83} and set(numbers.records) == {"A1", "A2"}
