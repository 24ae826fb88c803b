"""`evaluate challenge check`: every mistake of a challenge is named once; advice about what is no mistake."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import Result

from evaluate.authoring.check import check_challenge
from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind
from evaluate.core.files import data_folder
from evaluate.report.audience import Policy, outcome_for_team
from evaluate.stages.score import score_answers
from evaluate.stages.scorers.run import RANDOM
from tests.support.commands import run

Changes = Mapping[str, str | tuple[str, str] | None]
"""File -> its new content, a text in it and the one in its place, or None: it is removed."""
HIDDEN: Changes = {"challenge.yaml": ("  exam: {folder", "  exam: {hidden: true, folder")}
ANSWERED = "        names = list(records)"
"""A line of the metric of a new challenge."""
TEST = "sample_data/test"
REFERENCES = f"{TEST}/REFERENCE.csv"
HEADER = f"{TEST}/T00001.hea"


def change(folder: Path, changes: Changes) -> Path:
    for name, given in changes.items():
        path = folder / name
        if given is None:
            path.unlink()
        elif isinstance(given, str):
            path.write_text(given)
        else:
            assert given[0] in path.read_text()
            path.write_text(path.read_text().replace(*given, 1))
    return folder


def challenge(tmp_path: Path, of: str, changes: Changes | None = None) -> Path:
    """A copy of a challenge of the program, or a new one of a kind, with these changes."""
    folder = tmp_path / "hearts"
    if of in ("scorer", *Kind):
        write_skeleton(folder, Kind.ANSWERS if of == "scorer" else Kind(of), scorer=of == "scorer")
    else:
        shutil.copytree(data_folder("challenges") / of, folder)
    return change(folder, changes or {})


def checked(folder: Path, *words: str) -> Result:
    return run(None, "challenge", "check", folder, *words)


@pytest.mark.parametrize(
    ("of", "changes", "problem"),
    [
        ("scripts", {"accuracy.py": "METRIC = 5\n"}, "accuracy.py: METRIC: expected an object with a method score"),
        ("scripts", {"accuracy.py": "METRICS = 5\n"}, "accuracy.py defines no METRIC"),
        ("scripts", {"accuracy.py": "import os\nMETRIC = A()\n"}, "accuracy.py, line 2: NameError: name 'A' is not"),
        ("scripts", {"accuracy.py": "import sys\nsys.exit(0)\n"}, "accuracy.py, line 2: SystemExit: 0"),
        ("scripts", {"accuracy.py": "import os\nos._exit(0)\n"}, "accuracy.py ended without a reply that can be read"),
        ("scripts", {"accuracy.py": None}, "metric: {folder}/accuracy.py: no such file"),
        ("answers", {"accuracy.py": (ANSWERED, "        names = list(none)")}, "NameError: name 'none' is not"),
        (
            "answers",
            {"accuracy.py": ("sum(right.values()) / len(names)", "float('nan')")},
            "expected a number for its answers to the exam, found",
        ),
        (
            "scripts",  # does not count as slow
            {"accuracy.py": (ANSWERED, "        raise ValueError('a line did not end within the file')")},
            "ValueError: a line did not end within the file",
        ),
        ("scripts", {"README.md": None}, "{folder}/README.md: missing; expected task, source and licence"),
        ("python", {"challenge.yaml": (f"folder: {TEST}", "folder: sample_data/tset")}, "data.exam.folder: "),
        ("python", {"challenge.yaml": (f"references: {TEST}/", "references: tset/")}, "data.exam.references: "),
        ("python", {"challenge.yaml": ("metric: accuracy.py", "metric: acuracy.py")}, "metric: "),
        (
            "python",
            {"challenge.yaml": ("{record}", "{recrod}")},
            "inputs[1]: expected a file name with {{record}}, found '{{recrod}}.txt'",
        ),
        ("answers", {"sample_entry/t03.txt": None}, "sample_entry: no answer t03.txt"),
        ("answers", {"sample_entry/t03.txt": "X\n"}, "sample_entry: record t03: expected one of P N, found 'X'"),
        ("scripts", {f"{TEST}/t01.txt": "/annex/objects/MD5E-s9--0123\n"}, "a pointer of git-annex (DataLad)"),
        ("scripts", {REFERENCES: ("t02,", "t02,X")}, "REFERENCE.csv:2: expected one of the labels P N, found 'X"),
        (
            "scripts",  # the metric does not care
            {REFERENCES: ("t01,", "\n"), "accuracy.py": ("if record not in truth:", "if False:")},
            "REFERENCE.csv: no reference for record t01",
        ),
        ("scripts", {REFERENCES: ("t01,", "t01,P\nt01,N\nt99,")}, "REFERENCE.csv:2: t01 is 'N' here and 'P' in line 1"),
        ("kits19", {f"{TEST}_segmentations/case_90004.nii.gz": None}, "case_90004"),
        (
            "kits19",
            {"challenge.yaml": ("sample_score: 0.6190", "sample_score: 0.7190")},
            "data.exam.sample_score: expected 0.6190, which the metric computes, found 0.719",
        ),
        (
            "cinc2017",
            {"challenge.yaml": ("exam: {instructions", "exam: {memory_mib: 4096, instructions")},
            "limits.exam.memory_mib: expected at most the 2048 MiB that the machine has",
        ),
        ("cinc2017", {HEADER: "T00001 one 300 3600\n"}, "expected a header line with the number of signals"),
        ("cinc2017", {HEADER: "T00001 1 300 3600\n"}, f"{HEADER}: expected a line for each of 1 signals, found 0"),
        ("cinc2017", {HEADER: "T00001/2 1 300 9\n~ 9\n"}, f"{HEADER}: expected a line for each of 2 segments, found 1"),
        ("cinc2017", {HEADER: "T00001/2 1 300 9\n~ 4\nA 5\n"}, f"{HEADER}: names the file A.hea, which is not one"),
        (
            "cinc2017",
            {HEADER: ("T00001.mat", "T00001.dat")},
            f"{HEADER}: names the file T00001.dat, which is not one of the record's inputs (T00001.hea, T00001.mat)",
        ),
        ("cinc2017", {f"{TEST}/T00001.mat": None, f"{TEST}/T00001.mat.dvc": "outs:\n- path: T00001.mat\n"}, "dvc pull"),
    ],
)  # fmt: skip
def test_one_mistake_is_named_once(of: str, changes: Changes, problem: str, tmp_path: Path) -> None:
    folder = challenge(tmp_path, of, changes)
    problems = check_challenge(folder)
    assert len(problems) == 1 and problem.format(folder=folder) in problems[0], problems


def test_references_larger_than_a_table_are_for_the_metric_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be an array of more gigabytes than there is memory."""
    folder = challenge(tmp_path, "scripts", {REFERENCES: ("t01,", "t01,P\nt01,N\nt99,")})
    monkeypatch.setattr("evaluate.authoring.check.MAX_TEXT_BYTES", 3)
    assert check_challenge(folder) == []


def test_scores_of_sample_entries_are_told_on_standard_error(tmp_path: Path) -> None:
    done = checked(challenge(tmp_path, Kind.ANSWERS))
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("hearts: the sample entry's answers for the exam: accuracy 1.0000")
    assert "answers for the quiz: F1 0." in checked(data_folder("challenges") / "cinc2017").stderr


def test_headers_as_physionet_publishes_them_are_accepted(tmp_path: Path) -> None:
    """Also those that `wfdb` does not read: entries may have a reader of their own."""
    headers: Changes = {
        "challenge.yaml": ("\ninputs:", "\npublic_headers: {strip_comments: true}\ninputs:"),
        HEADER: ("T00001 1 300 3600", "T00001.mat 1 300 3600 05-May-2020 09:49:17"),
        f"{TEST}/T00002.hea": ("T00002 1 300 3600", "folder/T00002 1 300 3600"),
        f"{TEST}/T00003.hea": ("T00003 1 300 3600", "T00003 1 300.0/300(0) 3600 10:00:00.123456789 2006"),
    }
    assert check_challenge(challenge(tmp_path, "cinc2017", headers)) == []


def test_only_the_first_headers_are_named(tmp_path: Path) -> None:
    folder = challenge(tmp_path, "cinc2017")
    for header in folder.glob("sample_data/*/*.hea"):
        header.write_text("")
    problems = check_challenge(folder)
    assert len(problems) == 20
    assert all(": expected a header line" in problem for problem in problems)


def test_metric_that_does_not_end_is_named(tmp_path: Path) -> None:
    loop = f"        while True: pass\n{ANSWERED}"
    folder = challenge(tmp_path, Kind.SCRIPTS, {"accuracy.py": (ANSWERED, loop)})
    (problem,) = check_challenge(folder, seconds=2.0)
    assert problem.startswith(f"metric {folder / 'accuracy.py'} did not end within 2 s; --seconds allows more")


def test_what_a_metric_prints_is_said_and_reaches_the_organiser_alone(tmp_path: Path) -> None:
    folder = challenge(tmp_path, Kind.ANSWERS, {"accuracy.py": (ANSWERED, f"        print('seen 17')\n{ANSWERED}")})
    lines: list[str] = []
    assert check_challenge(folder, lines.append) == []
    assert any("the metric prints" in text and "seen 17" in text for text in lines)
    rules = load_challenge(str(folder))
    outcome = score_answers(rules, rules.exam, folder / "sample_entry")
    assert outcome.result.diagnostics == "seen 17\n"
    for hidden in (False, True):
        assert outcome_for_team(outcome, Policy(hidden_exam=hidden)).result.diagnostics == ""


# hidden exams


def test_advice_about_a_hidden_exam_counts_attempts_of_evaluate_yaml(tmp_path: Path) -> None:
    folder, state = challenge(tmp_path, "cinc2017", HIDDEN), tmp_path / "state"
    advice = checked(folder).stderr
    assert "a team has any number of attempts at the hidden records" in advice and "isolation: snapshot" in advice
    state.mkdir()
    (state / "evaluate.yaml").write_text(f"challenges: {{hearts: {{folder: {folder}, attempts: 2}}}}\n")
    done = run(state, "challenge", "check", "hearts")
    assert done.exit_code == 0 and "any number of attempts" not in done.stderr, done.output


def test_hidden_data_that_every_user_can_read_are_named() -> None:
    with tempfile.TemporaryDirectory() as top:
        folder = challenge(Path(top), "cinc2017", HIDDEN)
        for path in (Path(top), folder, folder / "sample_data", folder / TEST):
            path.chmod(0o755)
        (folder / REFERENCES).chmod(0o644)
        problem = f"{folder / REFERENCES}: every user of this machine can read it (mode 644)"
        assert any(problem in line for line in check_challenge(folder))
        (folder / TEST).chmod(0o700)
        assert check_challenge(folder) == []


def test_sample_entry_that_gives_the_hidden_truth_away_is_named(tmp_path: Path) -> None:
    folder = challenge(tmp_path, "kits19", HIDDEN)
    reference = next((folder / f"{TEST}_segmentations").rglob("*.nii.gz"))
    shutil.copy(reference, folder / "sample_entry/copy.nii.gz")
    assert any(f"the same bytes as {reference.name} of the hidden" in line for line in check_challenge(folder))


@pytest.mark.parametrize("way", ["same", "inside"])
def test_scorer_whose_quiz_has_the_hidden_references_is_refused(way: str, tmp_path: Path) -> None:
    folder = challenge(tmp_path, "scorer", HIDDEN)
    change(folder, {"challenge.yaml": (", sample_score: 1.0", "")})
    assert check_challenge(folder) == []
    name = {"same": REFERENCES, "inside": TEST}[way]
    public = "references: sample_data/validation/REFERENCE.csv"
    (problem,) = check_challenge(change(folder, {"challenge.yaml": (public, f"references: {name}")}))
    assert "data.quiz.references: the same as those of the hidden exam" in problem


@pytest.mark.parametrize("way", ["same folder", "copy"])
def test_quiz_records_within_a_hidden_exam_are_refused(way: str, tmp_path: Path) -> None:
    folder = challenge(tmp_path, "cinc2017", HIDDEN)
    quiz, exam = folder / "sample_data/validation", folder / TEST
    assert check_challenge(folder) == []
    if way == "copy":
        secret = (exam / "RECORDS").read_text().split()[0]
        for suffix in (".mat", ".hea"):
            shutil.copy(exam / f"{secret}{suffix}", quiz)
        with (quiz / "RECORDS").open("a") as records:
            records.write(f"{secret}\n")
    else:
        change(folder, {"challenge.yaml": ("quiz: {folder: sample_data/validation", f"quiz: {{folder: {TEST}")})
    (problem,) = [line for line in check_challenge(folder) if "data.quiz: " in line]
    assert "records of the hidden exam, such as" in problem


# scorers


@pytest.mark.parametrize(("name", "wish"), [("none.txt", "no such file or folder"), ("scorer", "expected a file")])
def test_requirements_of_a_scorer_that_are_not_there_are_named_beside_other_mistakes(
    name: str, wish: str, tmp_path: Path
) -> None:
    folder = challenge(tmp_path, "scorer", {"challenge.yaml": ("title:", "titel: b\ntitle:")})
    done = checked(change(folder, {"challenge.yaml": ("  primary:", f"  requirements: {name}\n  primary:")}))
    assert done.exit_code == 2 and "unknown key 'titel'" in done.stdout
    assert any(line.startswith(f"{folder}/challenge.yaml:") and wish in line for line in done.stdout.splitlines())


def test_scorer_with_random_results_is_named(tmp_path: Path) -> None:
    """It scores the sample entry twice; a scorer that is not random is not said to be."""
    folder = challenge(tmp_path, "scorer")
    assert RANDOM not in checked(folder, "--runner", "plain").stderr
    random = ("    accuracy = ", "    import os; accuracy = int.from_bytes(os.urandom(4)) / 2**32 + 0 * ")
    change(folder, {"scorer/score.py": random})
    assert RANDOM in checked(folder, "--runner", "plain").stderr
