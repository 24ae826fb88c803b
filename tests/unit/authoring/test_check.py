"""`evaluate challenge check`: metrics, references, sample entries and WFDB headers that are wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.authoring.check import check_challenge
from evaluate.authoring.skeleton import write_skeleton
from evaluate.challenge import Kind
from evaluate.commands.main import main
from evaluate.core.resources import data_folder

CINC2017 = data_folder("challenges") / "cinc2017"


def new(folder: Path, kind: Kind = Kind.SCRIPTS) -> Path:
    write_skeleton(folder / "hearts", kind)
    return folder / "hearts"


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("METRIC = 5\n", ": METRIC: expected an object with a method score, found 5"),
        ("METRICS = 5\n", " defines no METRIC"),
        ("import os\nMETRIC = Accuracy()\n", ", line 2: NameError: name 'Accuracy' is not defined"),
        ("import os\nimport\n", ", line 2: SyntaxError: invalid syntax"),
        ("METRIC = {}['a']\n", ", line 1: KeyError: 'a'"),
        ("import no_such_module\n", ", line 1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("import sys\nsys.exit(0)\n", ", line 2: SystemExit: 0"),
    ],
)
def test_metric_that_cannot_be_used_is_named_with_its_line(code: str, problem: str, tmp_path: Path) -> None:
    folder = new(tmp_path)
    (folder / "accuracy.py").write_text(code)
    done = CliRunner().invoke(main, ["challenge", "check", str(folder)])
    assert done.exit_code == 2
    assert done.stdout.splitlines() == [f"{folder / 'accuracy.py'}{problem}"]


def test_metric_that_ends_the_process_does_not_end_the_check(tmp_path: Path) -> None:
    folder = new(tmp_path)
    (folder / "accuracy.py").write_text("import os\nos._exit(0)\n")
    (folder / "README.md").unlink()
    first = check_challenge(folder)
    assert first == [f"{folder / 'README.md'}: missing; expected task, source and licence"]
    (folder / "README.md").touch()
    (problem,) = check_challenge(folder)
    assert problem.startswith(f"metric {folder / 'accuracy.py'} ended without a reply that can be read")


def test_error_in_the_code_of_a_metric_is_named_with_its_line(tmp_path: Path) -> None:
    folder = new(tmp_path, Kind.ANSWERS)
    change(folder / "accuracy.py", "        names = list(records)", "        names = list(no_records)")
    lines = (folder / "accuracy.py").read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "names = list(no_records)" in text)
    file = folder / "accuracy.py"
    assert check_challenge(folder) == [f"{file}, line {line}: NameError: name 'no_records' is not defined"]


def test_record_without_a_reference_is_named_even_if_the_metric_does_not_care(tmp_path: Path) -> None:
    folder = new(tmp_path)
    change(folder / "accuracy.py", "if record not in truth:", "if False:")
    references = folder / "sample_data" / "test" / "REFERENCE.csv"
    references.write_text("".join(references.read_text().splitlines(keepends=True)[1:]))
    assert check_challenge(folder) == [f"{references}: no reference for record t01"]


def test_record_without_a_reference_in_a_folder_is_named_by_the_metric(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(data_folder("challenges") / "kits19", tmp_path / "kidneys"))
    case = next((folder / "sample_data" / "test_segmentations").iterdir())
    case.unlink()
    (problem,) = check_challenge(folder)
    assert case.name.partition(".")[0] in problem and "test_segmentations" in problem


def test_label_outside_the_set_is_named_with_its_line(tmp_path: Path) -> None:
    folder = new(tmp_path)
    references = folder / "sample_data" / "test" / "REFERENCE.csv"
    label = references.read_text().splitlines()[1].partition(",")[2]
    change(references, f"t02,{label}", "t02,X")
    assert check_challenge(folder) == [f"{references}:2: expected one of the labels P N, found 'X'"]


def test_sample_entry_of_answers_is_scored(tmp_path: Path) -> None:
    folder = new(tmp_path, Kind.ANSWERS)
    done = CliRunner().invoke(main, ["challenge", "check", str(folder)])
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("hearts: the sample entry's answers for the exam score accuracy 1.0000")
    (folder / "sample_entry" / "t03.txt").write_text("X\n")
    (problem,) = check_challenge(folder)
    assert problem == f"{folder / 'sample_entry'}: t03.txt, record t03: expected one of P N, found 'X'"


def test_answers_that_a_sample_entry_has_itself_are_scored() -> None:
    said: list[str] = []
    assert check_challenge(CINC2017, said.append) == []
    (text,) = said
    assert text.startswith("the sample entry's answers for the quiz score F1 0.")


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("kind: ", "kind: x", "kind: expected one of scripts, python, image, answers, or a list of them, found 'x"),
        ("folder: sample_data/test", "folder: sample_data/tset", "data.exam.folder: "),
        ("references: sample_data/test/", "references: sample_data/tset/", "data.exam.references: "),
        ("metric: accuracy.py", "metric: acuracy.py", "metric: "),
        ("{record}", "{recrod}", "inputs[1]: expected a file name with {record}, found '{recrod}.txt'"),
        ("title", "titel", "unknown key 'titel'; did you mean 'title'?"),
    ],
)
def test_one_typo_gives_one_problem(kind: Kind, before: str, after: str, problem: str, tmp_path: Path) -> None:
    folder = new(tmp_path, kind)
    change(folder / "challenge.yaml", before, after)
    (found,) = check_challenge(folder)
    assert problem in found


@pytest.fixture
def ecg(tmp_path: Path) -> Path:
    """A copy of cinc2017 to spoil."""
    return Path(shutil.copytree(CINC2017, tmp_path / "ecg"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "wfdb cannot read this header: "),
        ("T00001 one 300 3600\n", "wfdb cannot read this header: "),
        ("T00001 1 300 3600\n", "expected a line for each of 1 signals, found 0"),
    ],
)
def test_header_that_wfdb_cannot_read_is_named_with_the_reason(ecg: Path, text: str, reason: str) -> None:
    header = ecg / "sample_data" / "test" / "T00001.hea"
    header.write_text(text)
    (problem,) = check_challenge(ecg)
    assert problem.startswith(f"{header}: {reason}")


def test_signal_file_that_is_not_an_input_is_named(ecg: Path) -> None:
    header = ecg / "sample_data" / "test" / "T00001.hea"
    change(header, "T00001.mat", "T00001.dat")
    assert check_challenge(ecg) == [
        f"{header}: names the file T00001.dat, which is not one of the record's inputs (T00001.hea, T00001.mat)"
    ]


def test_only_the_first_headers_are_named(ecg: Path) -> None:
    for header in ecg.glob("sample_data/*/*.hea"):
        header.write_text("")
    found = check_challenge(ecg)
    assert len(found) == 20
    assert all("wfdb cannot read this header" in problem for problem in found)
