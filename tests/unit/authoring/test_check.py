"""`evaluate challenge check`: metrics, references, sample entries and WFDB headers that are wrong."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.authoring.check import check_challenge
from evaluate.authoring.skeleton import write_skeleton
from evaluate.commands.main import main
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind
from evaluate.core.files import data_folder
from evaluate.report.audience import Policy, outcome_for_team
from evaluate.stages.score import score_answers
from evaluate.stages.scorers.run import RANDOM
from evaluate.store.steadiness import unsteady
from tests.support.scorers import means

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
        ("import os\nimport +\n", ", line 2: SyntaxError: invalid syntax"),
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


def test_record_whose_content_is_elsewhere_is_named_with_the_command(tmp_path: Path) -> None:
    folder = new(tmp_path)
    record = sorted((folder / "sample_data" / "test").glob("t01*"))[0]
    record.write_text("/annex/objects/MD5E-s9--0123\n")
    assert check_challenge(folder)[0].startswith(f"{record}: a pointer of git-annex (DataLad)")


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
    assert done.stderr.startswith("hearts: the sample entry's answers for the exam: accuracy 1.0000")
    (folder / "sample_entry" / "t03.txt").write_text("X\n")
    (problem,) = check_challenge(folder)
    assert problem == f"{folder / 'sample_entry'}: record t03: expected one of P N, found 'X'"


def test_answers_that_a_sample_entry_has_itself_are_scored() -> None:
    said: list[str] = []
    assert check_challenge(CINC2017, said.append) == []
    (text,) = said
    assert text.startswith("the sample entry's answers for the quiz: F1 0.")


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


@pytest.mark.parametrize(
    "line",
    [
        "T00001.mat 1 300 3600 05-May-2020 09:49:17",
        "folder/T00001 1 300 3600",
        "T00001 1 300.0/300(0) 3600 10:00:00.123456789 2006",
    ],
)
@pytest.mark.parametrize("strip", [False, True])
def test_headers_as_physionet_publishes_them_are_a_recommendation(ecg: Path, line: str, strip: bool) -> None:
    header = ecg / "sample_data" / "test" / "T00001.hea"
    header.write_text("\n".join([line, *header.read_text().splitlines()[1:], ""]))
    if strip:
        change(ecg / "challenge.yaml", "\ninputs:", "\npublic_headers: {strip_comments: true}\ninputs:")
    said: list[str] = []
    assert check_challenge(ecg, said.append) == []
    assert any("1 headers cannot be read by wfdb, and so by entries that use it" in text for text in said)


@pytest.mark.parametrize("line", ["Dx: AF", "T00001.mat 16 1000/mV 16 0 0 0 0 ECG # Dx: AF"])
def test_a_line_that_may_give_the_answer_away_is_refused_where_comments_are_taken_out(ecg: Path, line: str) -> None:
    header = ecg / "sample_data" / "test" / "T00001.hea"
    top, *rest = header.read_text().splitlines()
    header.write_text("\n".join([top, "  # Dx: AF", *([line] if line.startswith("T") else [*rest, line]), ""]))
    change(ecg / "challenge.yaml", "\ninputs:", "\npublic_headers: {strip_comments: true}\ninputs:")
    assert any(f"found {line!r}, which entries would get" in problem for problem in check_challenge(ecg))


def test_data_that_dvc_has_not_brought_are_named_with_the_command(ecg: Path) -> None:
    signal = ecg / "sample_data" / "test" / "T00001.mat"
    signal.unlink()
    signal.with_suffix(".mat.dvc").write_text("outs:\n- path: T00001.mat\n")
    (problem,) = check_challenge(ecg)
    assert "T00001.mat: missing" in problem and "dvc pull" in problem


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


def answers_challenge(folder: Path) -> Path:
    return new(folder, Kind.ANSWERS)


@pytest.mark.parametrize("loop", ["while True: pass", "import time; time.sleep(1e6)"])
def test_metric_that_does_not_end_is_named(loop: str, tmp_path: Path) -> None:
    folder = new(tmp_path)
    change(folder / "accuracy.py", "        names = list(records)", f"        {loop}\n        names = list(records)")
    (problem,) = check_challenge(folder, seconds=3.0)
    assert problem.startswith(f"metric {folder / 'accuracy.py'} did not end within 3 s; --seconds allows more")


def test_metric_that_fails_in_time_is_not_taken_for_slow(tmp_path: Path) -> None:
    folder = new(tmp_path)
    failing = "        raise ValueError('a line did not end within the file')\n        names = list(records)"
    change(folder / "accuracy.py", "        names = list(records)", failing)
    (problem,) = check_challenge(folder)
    assert "a line did not end within the file" in problem and "--seconds" not in problem


def test_what_a_metric_prints_is_said_and_reaches_the_organiser_alone(tmp_path: Path) -> None:
    folder = answers_challenge(tmp_path)
    change(
        folder / "accuracy.py",
        "        names = list(records)",
        "        print('seen 17')\n        names = list(records)",
    )
    said: list[str] = []
    assert check_challenge(folder, said.append) == []
    assert any("the metric prints" in text and "seen 17" in text for text in said)
    challenge = load_challenge(str(folder))
    outcome = score_answers(challenge, challenge.exam, folder / "sample_entry")
    assert outcome.result.diagnostics == "seen 17\n"
    for hidden in (False, True):
        assert outcome_for_team(outcome, Policy(hidden_exam=hidden)).result.diagnostics == ""


def test_reference_that_is_listed_twice_with_another_label_is_named(tmp_path: Path) -> None:
    folder = new(tmp_path)
    references = folder / "sample_data" / "test" / "REFERENCE.csv"
    lines = references.read_text().splitlines()
    record, label = lines[0].split(",")
    other = next(line.split(",")[1] for line in lines if line.split(",")[1] != label)
    references.write_text("\n".join([*lines, f"{record},{other}"]) + "\n")
    problems = check_challenge(folder)
    assert f"{references}:{len(lines) + 1}: {record} is {other!r} here and {label!r} in line 1" in problems


def test_sample_entry_that_scores_nan_is_named(tmp_path: Path) -> None:
    folder = answers_challenge(tmp_path)
    text = (folder / "accuracy.py").read_text()
    (folder / "accuracy.py").write_text(
        text + "\n\nclass _Nan(type(METRIC)):\n    def score(self, *a, **k):\n        found = super().score(*a, **k)\n"
        "        found.values[found.primary] = float('nan')\n        return found\n\n\nMETRIC = _Nan()\n"
    )
    (problem,) = check_challenge(folder)
    assert problem.startswith(f"{folder / 'sample_entry'}: expected a number for its answers to the exam")
    assert problem.endswith(" nan")


def test_sample_score_that_is_not_the_computed_one_is_named(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(data_folder("challenges") / "kits19", tmp_path / "kidneys"))
    change(folder / "challenge.yaml", "sample_score: 0.6190", "sample_score: 0.7190")
    (problem,) = check_challenge(folder)
    assert problem.endswith("data.exam.sample_score: expected 0.6190, which the metric computes, found 0.719")


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("memory_mib: 1000000000", "limits.exam.memory_mib: expected at most 1.05e+06 MiB, found 1e+09"),
        ("memory_mib: 4096", "limits.exam.memory_mib: expected at most the 2048 MiB that the machine has"),
        ("wall_seconds_per_record: 1.0e+12", "limits.exam.wall_seconds_per_record: expected at most 2.59e+06 s"),
    ],
)
def test_limits_that_no_machine_has_are_named(key: str, problem: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(CINC2017, tmp_path / "hearts"))
    before = "exam: {instructions_per_record: 6.0e10, wall_seconds_per_record: 600}"
    kept = "" if key.startswith("wall") else "wall_seconds_per_record: 600, "
    change(folder / "challenge.yaml", before, f"exam: {{instructions_per_record: 6.0e10, {kept}{key}}}")
    assert any(problem in one for one in check_challenge(folder)), check_challenge(folder)


@pytest.mark.parametrize(
    ("phases", "problem"),
    [
        ("{name: a, begins: 2026-02-01, ends: 2026-01-01}", "expected a time after begins"),
        (
            "{name: a, begins: 2026-01-01, ends: 2026-03-01}, {name: b, begins: 2026-02-01, ends: 2026-04-01}",
            "'b' begins before 'a' ends",
        ),
    ],
)
def test_phases_that_overlap_or_end_before_they_begin_are_named(phases: str, problem: str, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "evaluate.yaml").write_text(f"challenges: {{kits19: {{phases: [{phases}]}}}}\n")
    done = CliRunner().invoke(main, ["--state", str(state), "challenge", "check", "kits19"])
    assert done.exit_code == 2 and problem in done.output


# hidden exams


def hidden(folder: Path, name: str = "cinc2017") -> Path:
    copy = Path(shutil.copytree(data_folder("challenges") / name, folder / "hidden"))
    change(copy / "challenge.yaml", "  exam: {folder", "  exam: {hidden: true, folder")
    return copy


def test_of_a_hidden_exam_it_says_what_feedback_reveals_and_what_records_share(tmp_path: Path) -> None:
    said: list[str] = []
    assert check_challenge(hidden(tmp_path), said.append) == []
    text = "\n".join(said)
    assert "a team has any number of attempts at the hidden records" in text
    assert "isolation: snapshot" in text


def test_attempts_in_evaluate_yaml_count_and_the_seal_says_the_same(tmp_path: Path) -> None:
    folder, state = hidden(tmp_path), tmp_path / "state"
    state.mkdir()
    (state / "evaluate.yaml").write_text(f"challenges: {{hidden: {{folder: {folder}, attempts: 2}}}}\n")
    for command in ("check", "seal"):
        done = CliRunner().invoke(main, ["--state", str(state), "challenge", command, "hidden"])
        assert done.exit_code == 0 and "any number of attempts" not in done.stderr, done.output


def test_hidden_data_that_every_user_can_read_are_named() -> None:
    with tempfile.TemporaryDirectory() as top:
        folder = hidden(Path(top))
        test = folder / "sample_data" / "test"
        for path in (Path(top), folder, folder / "sample_data", test):
            path.chmod(0o755)
        (test / "REFERENCE.csv").chmod(0o644)
        problems = check_challenge(folder)
        assert any(
            f"{test / 'REFERENCE.csv'}: every user of this machine can read it (mode 644)" in one for one in problems
        )
        test.chmod(0o700)
        assert check_challenge(folder) == []


def test_sample_entry_that_gives_the_hidden_truth_away_is_named(tmp_path: Path) -> None:
    folder = hidden(tmp_path)
    own = folder / "sample_entry" / "answers.txt"
    truth = (folder / "sample_data" / "test" / "REFERENCE.csv").read_text().splitlines()
    own.write_text(own.read_text() + truth[0] + "\n")
    (problem,) = check_challenge(folder)
    assert problem.startswith(f"{own}: it answers 1 records of the hidden exam, such as {truth[0].split(',')[0]}")
    shutil.rmtree(folder)
    folder = hidden(tmp_path, "kits19")
    reference = next((folder / "sample_data" / "test_segmentations").rglob("*.nii.gz"))
    (folder / "sample_entry" / "copy.nii.gz").write_bytes(reference.read_bytes())
    assert any(f"the same bytes as {reference.name} of the hidden references" in one for one in check_challenge(folder))


@pytest.mark.parametrize(("name", "wish"), [("none.txt", "no such file or folder"), ("scorer", "expected a file")])
def test_requirements_of_a_scorer_that_are_not_there_are_named_beside_other_mistakes(
    name: str, wish: str, tmp_path: Path
) -> None:
    write_skeleton(tmp_path / "own", Kind.ANSWERS, "scorer")
    rules = tmp_path / "own" / "challenge.yaml"
    change(rules, "  primary:", f"  requirements: {name}\n  primary:")
    change(rules, "title:", "titel: b\ntitle:")
    done = CliRunner().invoke(main, ["challenge", "check", str(tmp_path / "own")])
    assert done.exit_code == 2 and "unknown key 'titel'" in done.stdout
    assert any(text.startswith(f"{rules}:") and wish in text for text in done.stdout.splitlines()), done.output


@pytest.mark.parametrize("way", ["same", "copy", "inside"])
def test_scorer_whose_quiz_has_the_hidden_references_is_refused(way: str, tmp_path: Path) -> None:
    write_skeleton(tmp_path / "own", Kind.ANSWERS, "scorer")
    folder = tmp_path / "own"
    change(folder / "challenge.yaml", "  exam: {folder", "  exam: {hidden: true, folder")
    change(folder / "challenge.yaml", ", sample_score: 1.0", "")
    assert check_challenge(folder) == []
    hidden_file, name = folder / "sample_data/test/REFERENCE.csv", "test/REFERENCE.csv"
    if way == "copy":
        shutil.copy(hidden_file, folder / "sample_data/validation/labels.csv")
        name = "validation/labels.csv"
    elif way == "inside":
        name = "test"
    change(
        folder / "challenge.yaml", "references: sample_data/validation/REFERENCE.csv", f"references: sample_data/{name}"
    )
    (problem,) = check_challenge(folder)
    assert "data.quiz.references: the same as those of the hidden exam" in problem


@pytest.mark.parametrize("way", ["same folder", "copy"])
def test_quiz_records_within_a_hidden_exam_are_refused(way: str, tmp_path: Path) -> None:
    folder = hidden(tmp_path)
    quiz, exam = folder / "sample_data" / "validation", folder / "sample_data" / "test"
    public, secret = ((place / "RECORDS").read_text().split()[0] for place in (quiz, exam))
    assert check_challenge(folder) == []
    if way == "copy":
        shutil.copy(exam / f"{secret}.mat", quiz / f"{public}.mat")
        header = (exam / f"{secret}.hea").read_text()
        (quiz / f"{public}.hea").write_text(header.replace(secret, public))
    else:
        change(folder / "challenge.yaml", "quiz: {folder: sample_data/validation", "quiz: {folder: sample_data/test")
    problems = [one for one in check_challenge(folder) if "data.quiz: " in one]
    assert len(problems) == 1 and "records of the hidden exam, such as" in problems[0]


def test_all_numbers_of_a_scorer_are_shown_to_be_compared_with_those_of_its_platform(tmp_path: Path) -> None:
    write_skeleton(tmp_path / "own", Kind.ANSWERS, "scorer")
    change(tmp_path / "own/scorer/score.py", '"missing": missing', '"missing": missing + 1 / 3')
    said: list[str] = []
    assert check_challenge(tmp_path / "own", said.append, means=lambda _: nullcontext(means(tmp_path / "means"))) == []
    assert said[0].startswith("the sample entry's answers for the exam: accuracy 1.0000")
    assert said[1] == "further numbers of the scorer: missing 0.333333"


def test_scorer_with_random_results_is_named_and_rejudging_says_so(tmp_path: Path) -> None:
    """It scores the sample entry twice; a scorer that is not random is not said to be."""
    folder, state = tmp_path / "own", tmp_path / "state"
    write_skeleton(folder, Kind.ANSWERS, "scorer")

    def noticed() -> bool:
        argv = ["--state", str(state), "challenge", "check", str(folder), "--runner", "plain"]
        done = CliRunner().invoke(main, argv)
        assert (f"challenge check found: {RANDOM}" in unsteady(state, str(folder))) == (RANDOM in done.stderr)
        return RANDOM in done.stderr

    assert not noticed()
    before = (folder / "scorer" / "score.py").read_text()
    change(folder / "scorer/score.py", "    accuracy = ", "    accuracy = int.from_bytes(os.urandom(4)) / 2**32 + 0 * ")
    change(folder / "scorer/score.py", "import json", "import json, os")
    assert noticed()
    (folder / "scorer" / "score.py").write_text(before)
    assert not noticed()
