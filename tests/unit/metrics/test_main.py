import json
import math
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import metrics
from metrics.__main__ import main
from metrics.base import AnswerError, ReferenceDataError, ScoreReport
from metrics.ranking import rank
from metrics.scoring import ScoredPair, as_json, as_text, both
from metrics.uncertainty import compare
from tests.conftest import CHECKOUT
from tests.support.challenge_files import Frames
from tests.unit.stages.test_confined import OWN


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Arguments that score x right, y missing; the class A does not occur."""
    (tmp_path / "REFERENCE.csv").write_text("x,N\ny,~\nz,O\n")
    (tmp_path / "answers.txt").write_text("x,N\nz,O\n")
    return [
        "--metric", "cinc2017",
        "--references", str(tmp_path / "REFERENCE.csv"),
        "--answers", str(tmp_path / "answers.txt"),
    ]  # fmt: skip


def test_both_rules_stand_side_by_side(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(files) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["cinc2017", "corrected", "official"]
    assert lines[1].split() == ["F1", "1.0000", "nan"]
    assert lines[5].split() == ["F1p", "0.0000", "1.0000"]
    assert "note: 1 of 3 records have no answer and count as missed" in lines
    assert any(line.startswith("note: official: F1, F1a") for line in lines)


@pytest.mark.parametrize(
    ("answers", "code"), [('{"x": "N", "\\ud800\\u001b[2J": "O"}', 0), ('{"\\ud800\\u001b[2J": "O"}', 1)]
)
def test_what_a_terminal_cannot_show_is_replaced(
    files: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str], answers: str, code: int
) -> None:
    (tmp_path / "answers.json").write_text(answers)
    (tmp_path / "REFERENCE.csv").write_text("x,N\ny,O\n")
    assert main(["--metric", "classification.f1", *files[2:5], str(tmp_path / "answers.json")]) == code
    assert "\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}[2J" in "".join(capfd.readouterr())


def test_json_has_null_for_nan(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    head = (
        "metric primary rules values official intervals resampling notes note_records per_record verdict message score"
    )
    assert list(printed) == head.split()
    assert (printed["metric"], printed["primary"], printed["rules"]) == ("cinc2017", "F1", "corrected")
    assert (printed["values"]["F1"], printed["values"]["F1a"], printed["official"]["F1"]) == (1.0, None, None)
    assert printed["per_record"]["y"] == {"reference": "~", "answer": "", "correct": 0.0}


def test_official_rules_may_judge_the_records_of_a_list(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "RECORDS").write_text("x\n")
    assert main([*files, "--rules", "official", "--records", str(tmp_path / "RECORDS"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["rules"], printed["values"]) == ("official", printed["official"])
    assert set(printed["per_record"]) == {"x"}


def test_others_are_ranked_beside_it(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "worse.txt").write_text("x,O\nz,O\n")
    assert main([*files, "--against", str(tmp_path / "worse.txt")]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("rank"))
    assert lines[at + 1].split()[:3] == ["1", "answers", "1.0000"]
    assert lines[at + 2].split()[:2] == ["2", "worse"]
    assert main([*files, "--against", str(tmp_path / "worse.txt"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    board, difference = printed["board"], printed["against"]["worse"]
    assert difference["difference"] == pytest.approx(board[0]["score"] - board[1]["score"])
    assert {"low", "high", "p_value", "notes"} < set(difference)
    assert [(row["rank"], row["entry"]) for row in board] == [(1, "answers"), (2, "worse")]
    with pytest.raises(SystemExit):
        main([*files, "--against", files[-1]])
    assert "names of files or folders must differ" in capsys.readouterr().err


def test_reader_that_leaves_early_is_no_error(files: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as output:
        argv = [sys.executable, "-m", "metrics", *files]
        done = subprocess.run(argv, stdout=output, stderr=subprocess.PIPE, text=True, check=False, cwd=CHECKOUT)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")


@pytest.mark.parametrize("name", [*metrics.names(), '{"measure": "classification.f1"}'])
def test_every_metric_takes_plain_strings_and_refuses_other_rules(name: str, tmp_path: Path) -> None:
    with pytest.raises((AnswerError, ReferenceDataError)):
        metrics.get(name).score(str(tmp_path / "none"), str(tmp_path / "none"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected rules to be one of official, corrected, found 'strict'"):
        metrics.get(name).score(tmp_path, tmp_path, rules="strict")


def test_entries_that_official_rules_count_differently_are_not_ranked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A frame without an answer costs nothing there."""
    bench = Frames(tmp_path)
    for frame in ("p/v/1", "p/v/2", "p/v/3"):
        bench.add_labels(frame, [(1, 2)])
        bench.add_answer(frame, [(1, 2)])
    (shutil.copytree(bench.answers, tmp_path / "theirs") / "p/v/3.json").unlink()
    words = ["--metric", "adaptor2021", "--references", str(bench.references)]
    words += ["--answers", str(bench.answers), "--against", str(tmp_path / "theirs")]
    assert main([*words, "--rules", "official"]) == 2
    assert "--against: expected reports of the same 3 records" in capsys.readouterr().err
    assert main(words) == 0


@pytest.mark.parametrize(
    ("rules", "file", "code", "message"),
    [
        ("corrected", "answers.txt", 1, "record x: line 1: expected one of N A O ~, found 'AF'"),
        ("official", "answers.txt", 1, "expected one of N A O ~, found 'AF'"),
        ("corrected", "REFERENCE.csv", 2, "references: "),
    ],
)
def test_bad_answers_end_with_1_and_bad_references_with_2(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: str, file: str, code: int, message: str
) -> None:
    (tmp_path / file).write_text("x,AF\n")
    assert main([*files, "--rules", rules]) == code
    streams = capsys.readouterr()
    assert streams.out == ""
    assert message in streams.err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--metric", "cinc2071"], "no metric is called 'cinc2071'; there are adaptor2021, "),
        (["--answers", "/does/not/exist"], "no such file or folder"),
        (["--records", "/does/not/exist"], "no such file or folder"),
        (["--rules", "strict"], "'strict' is not one of"),
        (["--plots", "/dev/null"], "--plots"),
        (None, "--references is missing"),
    ],
)
def test_wrong_usage_ends_with_2(
    files: list[str], change: list[str] | None, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(files[:2] if change is None else [*files, *change])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_list_names_every_metric_and_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(metrics.names())
    assert all(len(line.split()) > 3 for line in lines)


# ------------------------------------------------------------------------------------------------------- scoring


def test_where_the_official_program_stops_the_pair_says_why(files: list[str], tmp_path: Path) -> None:
    references, answers = tmp_path / "REFERENCE.csv", tmp_path / "answers.txt"
    answers.write_text("x,N\n\nz,O\n")
    pair = both("cinc2017", references, answers)
    assert pair.report.values["F1n"] == 1.0
    assert pair.official is None
    assert any("the organisers' program stops with an error" in note for note in pair.notes)
    assert as_json(pair)["official"] is None
    assert as_text(pair).splitlines()[1].split() == ["F1", "1.0000", "-"]


def test_results_are_tables_when_they_are_printed(tmp_path: Path) -> None:
    truth = [f"A{i},{'NAO~'[i % 4]}\n" for i in range(40)]
    files = tmp_path / "REFERENCE.csv", tmp_path / "answers.txt"
    for file, lines in zip(files, (truth, truth[:30]), strict=True):
        file.write_text("".join(lines))
    pair = both("cinc2017", *files)
    report, (low, high) = pair.report, pair.intervals.of["F1"]
    head, first, *_ = str(report).splitlines()
    assert (head.split(), first.split()) == (["cinc2017", "corrected"], ["F1", f"{report.values['F1']:.4f}"])
    assert "note: 10 of 40 records have no answer" in str(report)
    assert str(rank({"a": report, "b": report})).splitlines()[1].split()[:2] == ["1", "a"]
    assert str(compare(report, report)).startswith("F1: difference +0.0000, 95 % interval -0.063 to 0.063, p = 1.000")
    assert f"{low:.3f} to {high:.3f}" in str(pair) and "official" in str(pair)


def test_a_scoring_without_an_organisers_program_has_no_column_of_it(tmp_path: Path) -> None:
    for name in ("r", "a"):
        (tmp_path / name).write_text("record,label\n" + "".join(f"r{i},{'ab'[i % 2]}\n" for i in range(9)))
    body = "return ScoreReport(metric='own', rules=rules, primary='x', values={'x': 1.0})"
    (tmp_path / "own.py").write_text(OWN.replace("BODY", body))
    for metric in ('{"measure": "classification.f1"}', str(tmp_path / "own.py")):
        assert "official" not in str(both(metric, tmp_path / "r", tmp_path / "a"))


def test_infinite_values_are_no_json_either() -> None:
    report = ScoreReport(metric="m", rules="corrected", primary="a", values={"a": math.inf, "b": 1})
    printed = as_json(ScoredPair(report=report, official=None, official_error=AnswerError("x")))
    assert printed["values"] == {"a": None, "b": 1.0}
    json.dumps(printed, allow_nan=False)
