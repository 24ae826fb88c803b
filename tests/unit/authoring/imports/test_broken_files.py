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
            if not any(path.parent.iterdir()):
                path.parent.rmdir()
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


ONE = "expected one evaluation program, evaluate_12ECG_score.py or evaluate_model.py, found "


@pytest.mark.parametrize(
    ("files", "wishes"),
    [
        ({"evaluate_model.py": None, "team_code.py": ""}, [f"{ONE}none: import the repository evaluation-YEAR"]),
        ({"old/evaluate_model.py": ""}, [f"{ONE}evaluate_model.py, old/evaluate_model.py"]),
        ({"evaluate_model.py": "print 'a'\n"}, ["evaluate_model.py:1: expected Python 3: Missing parentheses in call"]),
        ({"evaluate_model.py": PROGRAM.encode("utf-16")}, ["evaluate_model.py: expected Python 3: "]),
        (
            {"evaluate_model.py": "x = 1\n"},
            ["evaluate_model.py: expected the evaluation program of a year from 2021 to"],
        ),
        (
            {"helper_code.py": None},
            ["evaluate_model.py:2: imports helper_code; expected helper_code.py beside it, from "],
        ),
        ({"requirements.txt": b"numpy # \xe4\n"}, ["requirements.txt:1: expected text in UTF-8 or UTF-16"]),
        (
            {"outputs/r1.txt": None, "outputs/r2.txt": ANSWER},
            ["outputs: expected an answer for each record of labels; 1 are missing, such as r1.txt"],
        ),
        (
            {"labels/r1.hea": None, "labels/r1.txt": LABEL},
            ["labels: expected files RECORD.hea, as 2025 has them, found"],
        ),
        ({"labels/r1.hea": None}, ["outputs: expected a folder labels beside it, found none"]),
        ({"outputs/r1.txt": None}, ["labels: expected a folder outputs beside it, found none"]),
        (
            {"evaluate_model.py": "# 2021 Challenge\ndef load_weights(): ...\n"},
            ["expected weights.csv beside", "outputs"],
        ),
        (
            {"helper_code.py": None, "labels/r2.hea": LABEL, "requirements.txt": b"\xff"},
            ["evaluate_model.py:2: ", "requirements.txt:1: ", "outputs: "],
        ),
    ],
    ids=lambda value: value[0][:40] if isinstance(value, list) else None,
)
def test_files_of_a_year_that_are_wrong_are_named_at_once(tmp_path: Path, files: Files, wishes: list[str]) -> None:
    lines = refused("physionet", placed(evaluation(tmp_path / "evaluation"), files), tmp_path)
    assert len(lines) == len(wishes) and all(wish in line for wish, line in zip(wishes, lines, strict=True)), lines
    assert all(line.startswith(str(tmp_path / "evaluation")) for line in lines)


def test_data_of_a_year_that_are_there_are_carried_over_and_said_to_be(tmp_path: Path) -> None:
    made = import_challenge("physionet", evaluation(tmp_path / "evaluation"), tmp_path / "to")
    assert (made.folder / "labels/r1.hea").read_text() == LABEL
    assert (made.folder / "sample_entry/r1.txt").read_text() == ANSWER
    assert "labels and outputs beside the program: labels/ and sample_entry/" in made.carried
    assert not [item.what for item in made.left_out if "data of the year" in item.what]


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
