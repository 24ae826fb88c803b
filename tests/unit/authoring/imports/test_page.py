"""What docs/scorers.md shows is run, and its YAML and JSON are what the program reads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.config.challenge.scorer import SCORER, Form
from evaluate.config.schema.document import Document
from evaluate.config.schema.keys import read
from evaluate.core.model import Verdict
from evaluate.sandbox import plain
from evaluate.stages.scorers.adapter import of_json
from tests.conftest import CHECKOUT
from tests.support import bundles
from tests.support.documents import blocks
from tests.support.scorers import scored

PAGE = CHECKOUT / "docs/scorers.md"
IN_A_MACHINE = {"evaluate challenge check words", "evaluate try words/sample_entry --challenge words"}


def shown(language: str) -> list[str]:
    return [block.text for block in blocks(PAGE) if block.language == language]


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
    for text, form in zip(shown("yaml"), (Form.CODABENCH, Form.COMMAND), strict=True):
        document = Document(path=tmp_path / "challenge.yaml", value=yaml.safe_load(text)["metric"])
        for key in {"program", "reference"} & document.value.keys():
            (tmp_path / document.value[key]).mkdir()
        value = read(document, SCORER)
        assert document.problems == [] and value is not None and value.form is form
    (numbers,) = (of_json(json.loads(text)) for text in shown("json"))
    assert numbers.values == {"F1": 0.83} and set(numbers.records) == {"A1", "A2"}


EVALAI = """
def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
    truth, given = (open(path).read().split() for path in (test_annotation_file, user_submission_file))
    return {"result": [{"split1": {"score": sum(line in truth for line in given) / len(truth)}}]}
"""
KAGGLE = """
class ParticipantVisibleError(Exception):
    pass


def score(solution, submission, row_id_column_name):
    assert "Usage" not in solution and list(solution["id"]) == list(submission["id"])
    if (submission["value"] < 0).any():
        raise ParticipantVisibleError("values must be positive")
    return (solution["value"] - submission["value"]).abs().mean()
"""
SYNAPSE = """
import argparse, json, pathlib
parser = argparse.ArgumentParser()
for short, name in (("-p", "prediction"), ("-g", "truth"), ("-o", "output")):
    parser.add_argument(short, "--" + name, type=pathlib.Path)
args = parser.parse_args()
given, (truth,) = args.prediction.read_text(), args.truth.iterdir()
"""
VALIDATE = """
bad = given if float(given) > 1 else ""
found = {"validation_status": "INVALID" if bad else "VALIDATED", "validation_errors": bad}
args.output.write_text(json.dumps(found))
"""
SCORE = """
found = json.loads(args.output.read_text())
found.update(score_status="SCORED", score_errors="", score=float(truth.read_text()) - float(given))
args.output.write_text(json.dumps(found))
"""
MEDPERF = """
import argparse, pathlib
parser = argparse.ArgumentParser()
parser.add_argument("task", choices=["evaluate"])
for name in ("predictions", "labels", "output"):
    parser.add_argument("--" + name, type=pathlib.Path)
args = parser.parse_args()
(truth,) = args.labels.iterdir()
args.output.write_text(f"score: {float(truth.read_text()) - float(args.predictions.read_text())}")
"""
SOLUTION = "id,value,Usage\n1,1,Public\n2,2,Private\n4,4,Private\n"


@pytest.mark.parametrize(
    ("recipe", "program", "truth", "answer", "expected"),
    [
        (0, {"evaluation_script/__init__.py": EVALAI}, "a b c d", "a b c x", 0.75),
        (1, {"metric.py": KAGGLE}, SOLUTION, "id,value\n4,4.5\n1,7\n2,2\n", 0.25),
        (1, {"metric.py": KAGGLE}, SOLUTION, "id,value\n4,-1\n1,7\n2,2\n", "values must be positive"),
        (1, {"metric.py": KAGGLE}, SOLUTION, "id,value\n1,1\n", "expected each row of the solution once"),
        (2, {"synapse/validate.py": SYNAPSE + VALIDATE, "synapse/score.py": SYNAPSE + SCORE}, "0.75", "0.5", 0.25),
        (2, {"synapse/validate.py": SYNAPSE + VALIDATE}, "0.75", "7", "7"),
        (3, {"project/metrics.py": MEDPERF}, "0.75", "0.5", 0.25),
    ],
)
def test_recipe_of_the_page_calls_the_program_of_another_platform(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    recipe: int,
    program: dict[str, str],
    truth: str,
    answer: str,
    expected: float | str,
) -> None:
    site, before = str(Path(yaml.__file__).parent.parent), plain._walls
    monkeypatch.setattr(plain, "_walls", lambda *a: [*before(*a), "--ro-bind", site, site])
    monkeypatch.setitem(plain._ENVIRONMENT, "PYTHONPATH", site)
    metric = yaml.safe_load(shown("yaml")[1])["metric"]
    outcome = scored(
        tmp_path,
        Form.COMMAND,
        {**program, "score.py": shown("python")[recipe]},
        {"truth": truth},
        {"answer": answer},
        command=metric["command"],
        primary=metric["primary"],
    )
    if isinstance(expected, str):
        assert (outcome.result.verdict, outcome.result.message) == (Verdict.BAD_ANSWER, expected)
    else:
        assert outcome.score is not None and outcome.score.values == {"score": expected}
