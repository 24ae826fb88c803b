"""What organisers of PhysioNet challenges get wrong is named at once: file, line, what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.authoring.check import check_challenge
from evaluate.authoring.imports import import_challenge
from evaluate.config.challenge.cache import load_challenge
from evaluate.core.errors import ChallengeError
from tests.support.scorers import written

pytestmark = pytest.mark.slow

Files = dict[str, str | bytes | None]


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
    ids=lambda value: None if isinstance(value, dict) else value[:40],
)
def test_files_of_a_year_that_are_wrong_are_named(tmp_path: Path, files: Files, wish: str) -> None:
    lines = refused("physionet", placed(evaluation(tmp_path / "evaluation"), files), tmp_path)
    assert any(wish in line for line in lines), lines
    assert all(line.startswith(str(tmp_path / "evaluation")) for line in lines)


def test_data_of_a_year_that_are_there_are_carried_over_and_said_to_be(tmp_path: Path) -> None:
    made = import_challenge("physionet", evaluation(tmp_path / "evaluation"), tmp_path / "to")
    assert (made.folder / "labels/r1.hea").read_text() == LABEL
    assert (made.folder / "sample_entry/r1.txt").read_text() == ANSWER
    assert "labels and outputs beside the program: labels/ and sample_entry/" in made.carried
    assert not [item.what for item in made.left_out if "data of the year" in item.what]


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
    made = import_challenge("physionet", placed(evaluation(tmp_path / "evaluation"), files), tmp_path / "to")
    assert check_challenge(made.folder) == []
    assert (made.folder / "requirements.txt").read_text().split() == ["numpy==2.0.2"]
    assert [path.name for path in (made.folder / "sample_entry").iterdir()] == ["r1.txt"]
    assert load_challenge(str(made.folder)).exam.records == ("r1",)


def test_own_tables_of_2026_are_taken(tmp_path: Path) -> None:
    files: Files = {
        "evaluate_model.py": "def compute_reward(): ...  # prevalence\n",
        "labels/labels.csv": "SiteID\nS1\n",
    }
    source = placed(tmp_path / "evaluation", {**files, "outputs/demographics.csv": "SiteID\nS1\n"})
    made = import_challenge("physionet", source, tmp_path / "year")
    assert (made.folder / "labels/labels.csv").read_text() == "SiteID\nS1\n"
    assert (made.folder / "sample_entry/demographics.csv").read_text() == "SiteID\nS1\n"
    (source / "labels/labels.csv").rename(source / "labels/other.csv")
    (line,) = refused("physionet", source, tmp_path)
    assert "labels: expected labels.csv in it, found none" in line
