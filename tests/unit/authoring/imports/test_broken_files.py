"""What hosts of Kaggle competitions and of PhysioNet challenges get wrong is named at once: file, line, what to do."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluate.authoring.check import check_challenge
from evaluate.authoring.imports.forms import import_challenge
from evaluate.challenge.cache import load_challenge
from evaluate.core.errors import ChallengeError
from tests.support import bundles
from tests.support.scorers import written

pytestmark = pytest.mark.slow

Files = dict[str, str | bytes | None]
SOLUTION, SAMPLE = "row_id,label,Usage\n1,a,Public\n2,b,Private\n", "row_id,label\n1,a\n2,a\n"
CELL = "def score(solution, submission, row_id_column_name):\n    return 1.0\n"


def notebook(*cells: str, **more: object) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": [cell]} for cell in cells], "nbformat": 4, **more})


def placed(folder: Path, files: Files) -> Path:
    """The folder with these files changed; None takes one away."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink()
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def refused(form: str, source: Path, tmp: Path) -> list[str]:
    """The lines that it is refused with; nothing is left."""
    with pytest.raises(ChallengeError) as error:
        import_challenge(form, source, tmp / "to" / "challenge")
    assert not list((tmp / "to").glob("*")) and not list((tmp / "to").glob(".*"))
    return str(error.value).splitlines()


@pytest.mark.parametrize(
    ("files", "wish"),
    [
        ({"metric.py": None}, "host: expected a module or notebook with a function score(solution, submission, row_"),
        ({"metric.py": "def evaluate(): ...\n"}, "outside of classes, found metric.py without one; the pages for"),
        ({"metric.py": "class A:\n    def score(self): ...\n"}, "outside of classes, found metric.py without one"),
        ({"metric.py": "x = 1\ndef score(a, b):\n    return 1\n"}, "metric.py:2: score: expected the arguments solut"),
        ({"metric.py": "def score(submission, solution, row): ...\n"}, "metric.py:1: score: expected the arguments"),
        ({"metric.py": "async def score(a, b, c): ...\n"}, "metric.py:1: score: expected a plain function, found asyn"),
        ({"metric.py": "def score(a, b, c):\n  print 1\n"}, "metric.py:2: expected Python: Missing parentheses"),
        ({"metric.py": CELL.encode("utf-16")}, "metric.py: "),
        ({"other.ipynb": notebook(CELL)}, "expected one metric, found a function score in metric.py, other.ipynb"),
        ({"metric.py": None, "m.ipynb": "{"}, "m.ipynb: expected a notebook of Jupyter, found"),
        ({"metric.py": None, "m.ipynb": json.dumps({"worksheets": []})}, "m.ipynb: expected a notebook of Jupyter, fo"),
        ({"metric.py": None, "m.ipynb": notebook("x = 1")}, "outside of classes, found m.ipynb without one"),
        (
            {"solution.csv": None},
            "expected one file *solution*.csv, found sample_submission.csv; the pages for partici",
        ),
        ({"solution.csv": None, "test.csv": "id\n", "train.csv": "id\n"}, "found sample_submission.csv, test.csv, tra"),
        ({"solution.csv": None, "data/solution.csv": SOLUTION}, "data/solution.csv: expected one file *solution*.csv "),
        ({"solution.csv": None, "solution.csv.zip": b"PK"}, "solution.csv.zip: expected one file *solution*.csv in h"),
        ({"solution2.csv": SOLUTION}, "expected one file *solution*.csv, found solution.csv, solution2.csv: leave one"),
        ({"sample_submission.csv": None}, "expected one file *submission*.csv, found solution.csv"),
        ({"solution.csv": SOLUTION.encode("utf-16")}, "solution.csv:1: expected a CSV in UTF-8"),
        ({"solution.csv": ""}, "solution.csv:1: expected names of columns, each once, found none"),
        ({"solution.csv": "row_id,a,a\n1,2,3\n"}, "solution.csv:1: expected names of columns, each once, found a twic"),
        ({"solution.csv": "row_id,label,Usage\n"}, "solution.csv:1: expected rows below the names of columns, found n"),
        ({"solution.csv": "row_id;label\n1;a\n"}, "solution.csv:1: expected commas between columns, found 'row_id;la"),
        ({"solution.csv": SOLUTION + "3,c\n"}, "solution.csv:4: expected 3 cells as in line 1, found 2"),
        (
            {"solution.csv": "key,label\n1,a\n", "sample_submission.csv": "id\n1\n"},
            "sample_submission.csv:1: expected a",
        ),
        (
            {"solution.csv": SOLUTION + "1,c,Public\n"},
            "solution.csv:4: row_id: expected each row id once, found '1' of l",
        ),
        (
            {"sample_submission.csv": SAMPLE + ",x\n"},
            "sample_submission.csv:4: row_id: expected a row id, found an emp",
        ),
        (
            {"sample_submission.csv": "row_id,label\n1,a\n"},
            "sample_submission.csv: row_id: expected the rows of soluti",
        ),
        (
            {"sample_submission.csv": SAMPLE + "9,x\n"},
            "solution.csv: row_id: expected the rows of sample_submission.cs",
        ),
        (
            {"solution.csv": SOLUTION.replace("Private", "private?")},
            "solution.csv:3: Usage: expected Public, Private or",
        ),
        (
            {"solution.csv": SOLUTION.replace("Private", "")},
            "solution.csv:3: Usage: expected Public, Private or Ignore",
        ),
        (
            {"solution.csv": SOLUTION.replace("Private", "Public")},
            "solution.csv:1: Usage: expected rows of both parts, ",
        ),
        (
            {"solution.csv": SOLUTION.replace("Usage", "usage")},
            "solution.csv:1: expected the column Usage, found 'usage",
        ),
    ],
    ids=lambda one: None if isinstance(one, dict) else one[:40],
)
def test_files_of_a_competition_that_are_wrong_are_named(tmp_path: Path, files: Files, wish: str) -> None:
    lines = refused("kaggle", placed(bundles.kaggle(tmp_path / "host"), files), tmp_path)
    assert any(wish in line for line in lines), lines
    assert all(line.startswith(str(tmp_path / "host")) for line in lines)


def test_all_that_is_wrong_in_a_competition_is_named_at_once(tmp_path: Path) -> None:
    wrong: Files = {
        "metric.py": "def score(a):\n    return 1\n",
        "solution.csv": SOLUTION.replace("Public", "Train") + "2,x,Private\n",
        "sample_submission.csv": "row_id,label\n1,a\n1,b\n",
    }
    lines = refused("kaggle", placed(bundles.kaggle(tmp_path / "host"), wrong), tmp_path)
    places = [line.split(": ")[0].removeprefix(f"{tmp_path}/host/") for line in lines]
    assert places == ["metric.py:1", "solution.csv:4", "solution.csv:2"]


def test_page_that_participants_download_is_no_competition(tmp_path: Path) -> None:
    """It has the data, and neither the metric nor the solution."""
    with zipfile.ZipFile(tmp_path / "titanic.zip", "w") as archive:
        for name in ("train.csv", "test.csv", "gender_submission.csv"):
            archive.writestr(name, "PassengerId\n1\n")
    lines = refused("kaggle", tmp_path / "titanic.zip", tmp_path)
    assert [line.split(": ")[0] for line in lines] == [str(tmp_path / "titanic.zip")] * 2
    assert "as its host" in lines[0] and "as its host" in lines[1]


@pytest.mark.parametrize("name", ["solution.csv", "metric.py"])
@pytest.mark.parametrize(
    ("make", "wish"),
    [
        (lambda path: path.symlink_to("/etc/hostname"), "is a link that leads out of host"),
        (lambda path: path.symlink_to("gone"), "is a link that leads nowhere"),
        (os.mkfifo, "expected a file or a folder, found a pipe"),
    ],
    ids=["out", "nowhere", "pipe"],
)
def test_links_of_a_competition_are_not_followed_out(
    tmp_path: Path, name: str, make: Callable[[Path], None], wish: str
) -> None:
    source = bundles.kaggle(tmp_path / "host")
    (source / name).unlink()
    make(source / name)
    lines = refused("kaggle", source, tmp_path)
    assert any(f"{name}: {wish}" in line for line in lines), lines


def test_files_of_windows_and_long_cells_are_read(tmp_path: Path) -> None:
    """With marks of byte order, its line ends, rows that do not count, masks in cells, arguments without default."""
    bom, mask = "\N{ZERO WIDTH NO-BREAK SPACE}", "1 2 " * 50_000
    solution = f"{bom}row_id,label,Usage\r\n1,a,Public\r\n2,b,Private\r\n3,{mask},Ignored\r\n"
    code = "import pandas as pd\r\n!pip install x\r\n" + CELL.replace("_name", "_name, beta, gamma=1").replace(
        "\n", "\r\n"
    )
    files: Files = {
        "metric.py": None,
        "metric.ipynb": bom + notebook(code),
        "solution.csv": solution,
        "sample_submission.csv": f"{bom}row_id,label\r\n3,x\r\n1,a\r\n2,b\r\n",
    }
    found = import_challenge("kaggle", placed(bundles.kaggle(tmp_path / "host"), files), tmp_path / "to")
    challenge = load_challenge(str(found.folder))
    assert challenge.scorer is not None and challenge.scorer.row_id == "row_id" and challenge.quiz.part == "Public"
    why = {one.what: one.why for one in found.left_out}
    assert why["the value of beta"] == "set metric.arguments.beta: no default"
    assert why["the value of gamma"].startswith("its default counts")


def test_archive_of_a_competition_names_the_challenge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = bundles.kaggle(tmp_path / "host")
    with zipfile.ZipFile(tmp_path / "My Cup.zip", "w") as archive:
        for path in source.iterdir():
            archive.write(path, path.name)
    monkeypatch.chdir(tmp_path)
    assert import_challenge("kaggle", Path("My Cup.zip")).folder == Path("my-cup")


# PhysioNet

PROGRAM = "import numpy as np\nfrom helper_code import *\n# evaluates models for the 2025 Challenge: Chagas\n"
LABEL, ANSWER = "r1 12 400 4000\n# Chagas label: True\n", "r1\n# Chagas label: True\n# Chagas probability: 0.9\n"


def evaluation(folder: Path) -> Path:
    """The program of 2025 with an organiser's own data."""
    files = {
        "evaluate_model.py": PROGRAM,
        "helper_code.py": "",
        "labels/r1.hea": LABEL,
        "outputs/r1.txt": ANSWER,
    }
    return written(folder, files)


@pytest.mark.parametrize(
    ("files", "wish"),
    [
        (
            {"evaluate_model.py": None},
            "evaluation: expected evaluate_12ECG_score.py or evaluate_model.py, found neither",
        ),
        ({"evaluate_model.py": None, "evaluate_model.m": ""}, "evaluate_model.m: expected evaluate_12ECG_score.py or "),
        (
            {"evaluate_model.py": None, "team_code.py": ""},
            "team_code.py: expected evaluate_12ECG_score.py or evaluate_m",
        ),
        (
            {"old/evaluate_model.py": ""},
            "expected one evaluation program, found evaluate_model.py, old/evaluate_model.",
        ),
        (
            {"evaluate_12ECG_score.py": ""},
            "expected one evaluation program, found evaluate_12ECG_score.py, evaluate_mo",
        ),
        ({"evaluate_model.py": "print 'a'\n"}, "evaluate_model.py:1: expected Python 3: Missing parentheses in call"),
        ({"evaluate_model.py": PROGRAM.encode("utf-16")}, "evaluate_model.py: expected Python 3: "),
        (
            {"evaluate_model.py": "x = 1\n"},
            "evaluate_model.py: expected the evaluation program of a year from 2021 to 2",
        ),
        (
            {"evaluate_model.py": PROGRAM.replace("2025", "2023")},
            "evaluate_model.py:3: says 2023, but evaluate_model.py",
        ),
        (
            {"evaluate_model.py": "def snr(): ...\n", "README.md": "\n# Code for the Challenge 2022\n"},
            "README.md:2: says 2022, but evaluate_model.py has the words of 2024 and none of 2022: put",
        ),
        (
            {"helper_code.py": None},
            "evaluate_model.py:2: imports helper_code; expected helper_code.py beside it, from ",
        ),
        (
            {"requirements.txt": "numpy # \xe4\n".encode("latin-1")},
            "requirements.txt:1: expected text in UTF-8 or UTF-16",
        ),
        (
            {"outputs/r1.txt": None},
            "outputs: expected an answer for each record of labels; 1 are missing, such as r1.txt",
        ),
        (
            {"labels/r2.hea": LABEL},
            "outputs: expected an answer for each record of labels; 1 are missing, such as r2.tx",
        ),
        (
            {"labels/r1.hea": None, "labels/r1.txt": LABEL},
            "labels: expected files RECORD.hea, as 2025 has them, found no",
        ),
        ({"labels/r1.hea": "r1 12 400\n# Age: 3\n"}, "labels/r1.hea: expected a line `Chagas label: …`, found none"),
        (
            {"evaluate_model.py": "import numpy\n# 2021 Challenge\ndef load_weights(): ...\n"},
            "expected weights.csv beside",
        ),
    ],
    ids=lambda one: None if isinstance(one, dict) else one[:40],
)
def test_files_of_a_year_that_are_wrong_are_named(tmp_path: Path, files: Files, wish: str) -> None:
    lines = refused("physionet", placed(evaluation(tmp_path / "evaluation"), files), tmp_path)
    assert any(wish in line for line in lines), lines
    assert all(line.startswith(str(tmp_path / "evaluation")) for line in lines)


def test_data_of_a_year_that_are_there_are_carried_over_and_said_to_be(tmp_path: Path) -> None:
    found = import_challenge("physionet", evaluation(tmp_path / "evaluation"), tmp_path / "to")
    assert (found.folder / "labels/r1.hea").read_text() == LABEL
    assert (found.folder / "sample_entry/r1.txt").read_text() == ANSWER
    assert "labels and outputs beside the program: labels/ and sample_entry/" in found.carried
    assert not [one.what for one in found.left_out if "data of the year" in one.what]


@pytest.mark.parametrize(("gone", "there"), [("labels", "outputs"), ("outputs", "labels")])
def test_of_data_of_a_year_that_are_half_there_nothing_is_invented(tmp_path: Path, gone: str, there: str) -> None:
    source = evaluation(tmp_path / "evaluation")
    (source / gone).rename(tmp_path / gone)
    (line,) = refused("physionet", source, tmp_path)
    assert f"{there}: expected a folder {gone} beside it, found none" in line
    (source / there).rename(tmp_path / there)
    (source / f"{gone}.zip").write_bytes(b"PK")
    (line,) = refused("physionet", source, tmp_path)
    assert f"{gone}.zip: expected a folder {gone}: unpack it there" in line


def test_all_that_is_wrong_in_a_year_is_named_at_once(tmp_path: Path) -> None:
    wrong: Files = {
        "helper_code.py": None,
        "labels/r1.hea": "r1\n",
        "labels/r2.hea": LABEL,
        "requirements.txt": b"\xff",
    }
    lines = refused("physionet", placed(evaluation(tmp_path / "evaluation"), wrong), tmp_path)
    places = [line.split(": ")[0].removeprefix(f"{tmp_path}/evaluation/") for line in lines]
    assert places == ["evaluate_model.py:2", "requirements.txt:1", "labels/r1.hea", "outputs"]


def test_file_alone_is_no_year(tmp_path: Path) -> None:
    source = evaluation(tmp_path / "evaluation") / "evaluate_model.py"
    (line,) = refused("physionet", source, tmp_path)
    assert "evaluate_model.py: expected the folder of an evaluation program" in line


@pytest.mark.parametrize("name", ["evaluate_model.py", "labels/r1.hea"])
def test_links_of_a_year_are_not_followed_out(tmp_path: Path, name: str) -> None:
    source = evaluation(tmp_path / "evaluation")
    (source / name).unlink()
    (source / name).symlink_to("/etc/hostname")
    (line,) = refused("physionet", source, tmp_path)
    assert f"{name}: is a link that leads out of evaluation" in line


def test_own_data_of_a_year_are_taken_with_files_of_windows(tmp_path: Path) -> None:
    bom = "\N{ZERO WIDTH NO-BREAK SPACE}"
    files: Files = {
        "evaluate_model.py": bom + PROGRAM.replace("\n", "\r\n"),
        "requirements.txt": f"{bom}numpy==2.0.2\r\n",
        "labels/r1.hea": LABEL.replace("\n", "\r\n"),
    }
    found = import_challenge("physionet", placed(evaluation(tmp_path / "evaluation"), files), tmp_path / "to")
    assert check_challenge(found.folder) == []
    assert (found.folder / "requirements.txt").read_text().split() == ["numpy==2.0.2"]
    assert [path.name for path in (found.folder / "sample_entry").iterdir()] == ["r1.txt"]
    assert load_challenge(str(found.folder)).exam.records == ("r1",)


def test_own_tables_of_2026_are_taken(tmp_path: Path) -> None:
    files: Files = {
        "evaluate_model.py": "def compute_reward(): ...  # prevalence\n",
        "labels/labels.csv": "SiteID\nS1\n",
    }
    source = placed(tmp_path / "evaluation", {**files, "outputs/demographics.csv": "SiteID\nS1\n"})
    found = import_challenge("physionet", source, tmp_path / "year")
    assert (found.folder / "labels/labels.csv").read_text() == "SiteID\nS1\n"
    assert (found.folder / "sample_entry/demographics.csv").read_text() == "SiteID\nS1\n"
    (source / "labels/labels.csv").rename(source / "labels/other.csv")
    (line,) = refused("physionet", source, tmp_path)
    assert "labels: expected labels.csv in it, found none" in line
