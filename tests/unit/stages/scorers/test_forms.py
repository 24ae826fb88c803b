"""Every form on fixtures that are written to the letter of its contract, with the numbers of the official programs."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from evaluate.config.challenge.scorer import CONTRACTS, Computed, Form, Scorer
from evaluate.config.challenge.types import RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Limits, Program, StageOutcome, User, Verdict
from evaluate.images.squashfs import Link
from evaluate.protocol.guest import INVOKE
from evaluate.stages.contracts import grand_challenge
from evaluate.stages.contracts.grand_challenge import read_numbers as read_grand_challenge
from evaluate.stages.contracts.physionet_years import scores_of, unrounded
from evaluate.stages.scorers.adapter import NotShown, ScoreRequest, ScorerTask, Step, UnreadableScores
from evaluate.stages.scorers.codabench import read as read_codabench
from evaluate.stages.scorers.scorer_output import FORMS, NO_INTERVAL
from tests.support.scorers import LIMITS, scored, written


def task(tmp: Path, form: Form, answers: Path, *, program: Program | None = None, **keys: Any) -> ScorerTask:
    """What a form is asked to lay out."""
    records = keys.pop("records", RecordSet(folder=tmp, records=("r",), inputs=(), references=None))
    scorer = Scorer(form=form, limits=LIMITS, program=keys.pop("scored_by", None), **keys)
    return ScorerTask(
        scorer=scorer,
        records=records,
        references=written(tmp / "references", {"truth.csv": "1"}),
        answers=answers,
        outputs=tmp / "outputs",
        program=program,
    )


def values(outcome: Any) -> dict[str, float]:
    assert outcome.score is not None, outcome.result
    return dict(outcome.score.values)


def test_each_form_has_an_adapter_and_the_version_of_its_contract() -> None:
    assert set(FORMS) == set(CONTRACTS) == set(Form)


# codabench

SCORING = """
import json, os, sys
from pathlib import Path
where, output = Path(sys.argv[1]), Path(sys.argv[2])
assert Path.cwd() == Path("/app/program") and os.environ["PYTHONUNBUFFERED"] == "1"
truth = (where / "ref" / "truth.txt").read_text().split()
given = (where / "res" / "answer.txt").read_text().split()
right = sum(a == b for a, b in zip(truth, given)) / len(truth)
(output / "scores.json").write_text(json.dumps({"accuracy": right, "duration": 3}))
"""
METADATA = "command: python3 score.py $input $output\n"
TRUTH = {"truth.txt": "a b c d"}


PROGRAM = {"metadata.yaml": METADATA, "score.py": SCORING}


def codabench(tmp: Path, answers: Any, program: dict[str, str] = PROGRAM, **keys: Any) -> Any:
    return scored(tmp, Form.CODABENCH, program, TRUTH, answers, **{"primary": "accuracy", **keys})


@pytest.mark.parametrize(
    ("metadata", "keys", "numbers"),
    [
        ({"metadata.yaml": METADATA}, {}, {"accuracy": 0.75, "duration": 3.0}),
        ({"metadata.yaml": METADATA.replace("python3", "python")}, {}, {"accuracy": 0.75, "duration": 3.0}),
        ({"metadata": METADATA}, {"values": ("accuracy",)}, {"accuracy": 0.75}),
    ],
    ids=["results", "python by its short name", "keys without a column"],
)
def test_codabench_scores_results(
    tmp_path: Path, metadata: dict[str, str], keys: dict[str, Any], numbers: dict[str, float]
) -> None:
    outcome = codabench(tmp_path, {"answer.txt": "a b c x"}, {**metadata, "score.py": SCORING}, **keys)
    assert values(outcome) == numbers


INGESTION = """
import sys
sys.path.insert(0, "/app/ingested_program")
from pathlib import Path
assert not Path("/app/input/ref").exists()
from entry import answer
Path(sys.argv[2], "answer.txt").write_text(answer(Path(sys.argv[1], "data.txt").read_text()))
"""


def test_codabench_runs_code_by_its_ingestion_program_which_never_sees_the_references(tmp_path: Path) -> None:
    ingestion = {
        "metadata.yaml": "command: python3 ingest.py $input $output $submission_program",
        "ingest.py": INGESTION,
    }
    keys: dict[str, Any] = {
        "ingestion": written(tmp_path / "ingestion", ingestion),
        "records": {"input_data": written(tmp_path / "data", {"data.txt": "A B C C"})},
    }
    entry = {"entry.py": "def answer(text):\n    return text.lower()\n"}
    assert values(codabench(tmp_path, entry, **keys))["accuracy"] == 0.75
    (tmp_path / "answers" / "entry.py").write_text("def answer(text):\n    raise OSError('no file')\n")
    outcome = codabench(tmp_path, tmp_path / "answers", **keys)
    assert outcome.score is None and outcome.result.verdict is Verdict.RUNTIME_ERROR  # the team's
    said = "the ingestion program, which runs what was uploaded, ended with exit code 1: "  # either may have failed
    assert outcome.result.message == f"{said}OSError: no file (/app/ingested_program/entry.py, line 2)"


def test_codabench_scores_an_upload_of_results_though_the_ingestion_program_fails_with_it(tmp_path: Path) -> None:
    ingestion = {"metadata.yaml": "command: python3 ingest.py $input $output", "ingest.py": INGESTION}
    outcome = codabench(tmp_path, {"answer.txt": "a b c c"}, ingestion=written(tmp_path / "ingestion", ingestion))
    assert values(outcome)["accuracy"] == 0.75
    assert outcome.score is not None
    (note,) = (note.text for note in outcome.score.notes if "as on Codabench" in note.text)
    assert "ModuleNotFoundError: No module named 'entry' (/app/program/ingest.py, line 6)" in note


def test_codabench_runs_uploaded_programs_that_have_a_command(tmp_path: Path) -> None:
    code = "import sys\nopen(sys.argv[1] + '/answer.txt', 'w').write(open(sys.argv[2] + '/data.txt').read())\n"
    entry = {"metadata": "command: python3 $program/run.py $output $input", "run.py": code}
    data = {"input_data": written(tmp_path / "data", {"data.txt": "a b c d"})}
    assert values(codabench(tmp_path, entry, records=data))["accuracy"] == 1.0


@pytest.mark.parametrize(
    "metadata",
    [
        "command: [a, b]",
        "command: {of: a mapping}",
        "made: 2001-99-99",
        "[" * 5000,
        "a0: &a0 {k: v}\n" + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 60)),
    ],
    ids=["list", "mapping", "no date", "deep", "merged without end"],
)
def test_codabench_metadata_of_an_upload_is_refused_or_no_command_and_ends_nothing(
    tmp_path: Path, metadata: str
) -> None:
    given = task(tmp_path, Form.CODABENCH, written(tmp_path / "answers", {"metadata": metadata}), command="run")
    try:
        (step,) = FORMS[Form.CODABENCH].steps(replace(given, scorer=replace(given.scorer, program=tmp_path)))
        assert not step.runs_entry
    except NotShown as e:
        assert str(e).startswith("reading the command of metadata")


def test_codabench_wants_scores_of_json_or_else_of_scores_txt_and_no_metadata_in_the_output(tmp_path: Path) -> None:
    with pytest.raises(UnreadableScores, match="Could not find scores file"):
        read_codabench(tmp_path, ScoreRequest(primary="accuracy"))
    folder = written(tmp_path, {"scores.txt": "accuracy: 0.5\nloss: 1e-5\n"})
    assert read_codabench(folder, ScoreRequest(primary="accuracy")).values == {"accuracy": 0.5, "loss": 1e-5}
    written(tmp_path, {"scores.json": '{"accuracy": 0.75}'})
    assert read_codabench(folder, ScoreRequest(primary="accuracy")).values == {"accuracy": 0.75}
    written(tmp_path, {"scores.json": "{"})
    with pytest.raises(UnreadableScores, match=r"scores\.json: expected JSON"):
        read_codabench(folder, ScoreRequest(primary="accuracy"))
    with pytest.raises(UnreadableScores, match="a file called metadata"):
        read_codabench(written(tmp_path, {"metadata": "", "scores.json": "{}"}), ScoreRequest(primary="accuracy"))


def test_codabench_replaces_each_name(tmp_path: Path) -> None:
    names = "$input $output $program $ingestion_program $hidden $shared $submission_program $tmp $predictions"
    program = written(tmp_path / "program", {"metadata.yaml": f"command: run {names}"})
    given = task(tmp_path, Form.CODABENCH, written(tmp_path / "answers", {"a": ""}), scored_by=program)
    (step,) = FORMS[Form.CODABENCH].steps(given)
    places = "input output program program input/ref shared ingested_program output input/res"
    assert list(step.argv)[-9:] == [f"/app/{place}" for place in places.split()]
    assert step.files["/app/output"] == Link("/output")


def test_codabench_calculates_columns_of_others(tmp_path: Path) -> None:
    ways = ("avg", "sum", "min", "max")
    computed = {way: Computed(by=way, of=("accuracy", "duration")) for way in ways}
    keys: dict[str, Any] = {"primary": "avg", "computed": computed, "values": ways}
    outcome = codabench(tmp_path, {"answer.txt": "a b c d"}, **keys)
    assert values(outcome) == {"avg": 2.0, "sum": 4.0, "min": 1.0, "max": 3.0}
    keys["computed"] = {"avg": Computed(by="avg", of=("accuracy", "other"))}
    with pytest.raises(ChallengeError, match="avg needs the numbers other, which it did not write"):
        codabench(tmp_path, tmp_path / "answers", **keys)


# physionet

YEAR = """
import sys
def evaluate_model(labels, outputs):
    assert open(labels + "/truth.txt").read() == "1" and open(outputs + "/a.txt").read() == "1"
    return 0.16725, 0.609375, [0.31666666666666665], 0.825, 0.36363636363636365
def run(arguments):
    score, auroc, (auprc,), accuracy, f = evaluate_model(arguments[1], arguments[3])
    text = f"Challenge score: {score:.3f}\\nAUROC: {auroc:.3f}\\nAUPRC: {auprc:.3f}\\n"
    text += f"Accuracy: {accuracy:.3f}\\nF-measure: {f:.3f}\\n"
    open(arguments[5], "w").write(text)
if __name__ == '__main__':
    run(sys.argv[1:])
"""


def test_physionet_calls_the_program_of_the_year_and_keeps_all_digits(tmp_path: Path) -> None:
    with pytest.raises(ChallengeError, match=r"expected evaluate_12ECG_score\.py, the program of 2020"):
        scored(tmp_path / "2020", Form.PHYSIONET, {"a.py": ""}, {"t": ""}, {"a": ""}, primary="x", year=2020)
    outcome = scored(
        tmp_path,
        Form.PHYSIONET,
        {"evaluate_model.py": YEAR},
        {"truth.txt": "1"},
        {"a.txt": "1"},
        primary="Challenge score",
        year=2025,
    )
    assert values(outcome) == {
        "Challenge score": 0.16725,
        "AUROC": 0.609375,
        "AUPRC": 0.31666666666666665,
        "Accuracy": 0.825,
        "F-measure": 0.36363636363636365,
    }


def test_physionet_of_2026_takes_no_name_of_a_file_for_further_arguments(tmp_path: Path) -> None:
    """The team chooses the name: with quotes in it, its own labels would take the place of the organiser's."""
    program = written(tmp_path / "program", {"evaluate_model.py": ""})
    name = "a' -d '$answers/own.csv' -p '$answers/own.csv' -o 'b.csv"
    answers = written(tmp_path / "answers", {name: "", "own.csv": ""})
    references = written(tmp_path / "references", {"labels.csv": ""})
    given = task(tmp_path, Form.PHYSIONET, answers, scored_by=program, year=2026, primary="Reward")
    given = replace(given, references=references)
    (step,) = FORMS[Form.PHYSIONET].steps(given)
    assert list(step.argv[4:]) == [
        *("-d", "/scorer/references/labels.csv"),
        *("-o", f"/scorer/answers/{name}"),
        *("-p", "/scorer/references/labels.csv", "-s", "/output/scores.csv"),
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "AUROC,AUPRC,Challenge metric\n0.5,0.25,0.375\n",
            {"AUROC": "0.5", "AUPRC": "0.25", "Challenge metric": "0.375"},
        ),
        (
            "#Murmur scores\nAUROC,Weighted Accuracy\n0.500,0.625\n\n#Outcome scores\nAUROC,Cost\n0.500,12176.667\n\n"
            "#Murmur scores (per class)\nClasses,Present,Absent\nAccuracy,0.5,nan\n",
            {
                "Murmur scores.AUROC": "0.500",
                "Murmur scores.Weighted Accuracy": "0.625",
                "Outcome scores.AUROC": "0.500",
                "Outcome scores.Cost": "12176.667",
                "Murmur scores (per class).Accuracy.Present": "0.5",
                "Murmur scores (per class).Accuracy.Absent": "nan",
            },
        ),
        ("Challenge Score: 0.955\nHospital: A\n", {"Challenge Score": "0.955"}),
    ],
)
def test_physionet_files_of_scores_are_read(text: str, wanted: dict[str, str]) -> None:
    assert scores_of(text) == wanted


def test_a_number_is_unrounded_only_by_one_that_is_printed_so() -> None:
    texts = {"a": "0.625", "b": "0.625", "c": "0.100", "d": "nan"}
    numbers = unrounded(texts, [0.62504, 7.0, 0.6251, float("nan")])
    assert repr(numbers) == repr({"a": 0.62504, "b": 0.6251, "c": 0.1, "d": float("nan")})


# grand-challenge

SOCKETS = {
    "inputs": [{"slug": "ct", "relative_path": "images/ct", "super_kind": "Image", "kind": "Image"}],
    "outputs": [
        {"slug": "answer", "relative_path": "answer.json", "super_kind": "Value", "kind": "Anything"},
        {"slug": "mask", "relative_path": "images/mask", "super_kind": "Image", "kind": "Segmentation"},
    ],
}
ENTRY_POINT = Program(
    argv=("/bin/evaluate",),
    env={"A": "1", "Grand_Challenge_X": "2", "LOG_LEVEL": "DEBUG"},
    cwd="/opt",
    user=User(uid=1, gid=1),
)


def evaluation(tmp: Path, files: dict[str, str]) -> Step:
    (tmp / "sockets.json").write_text(json.dumps(SOCKETS))
    written(tmp / "data", {"r1.mha": "", "r2.mha": ""})
    records = RecordSet(folder=tmp / "data", records=("r1", "r2"), inputs=("{record}.mha",), references=None)
    keys: dict[str, Any] = {"sockets": tmp / "sockets.json", "program": ENTRY_POINT, "records": records}
    given = task(tmp, Form.GRAND_CHALLENGE, written(tmp / "answers", files), **keys)
    (step,) = FORMS[Form.GRAND_CHALLENGE].steps(given)
    return step


OUTPUTS = {f"r{i}/{name}": "0.5" for i in (1, 2) for name in ("answer.json", "images/mask/any.mha")}


def test_grand_challenge_lists_jobs(tmp_path: Path) -> None:
    step = evaluation(tmp_path, OUTPUTS)
    jobs = json.loads(step.files["/input/predictions.json"])
    assert [job["status"] for job in jobs] == ["Succeeded", "Succeeded"]
    (given,), (answer, mask) = jobs[0]["inputs"], jobs[0]["outputs"]
    assert (
        given["image"]["name"] == "r1.mha" and given["socket"]["slug"] == "ct" and given["interface"] == given["socket"]
    )
    assert answer["value"] == 0.5 and answer["image"] is None
    assert mask["image"]["name"] == "any.mha" and mask["value"] is None
    base = f"/input/{jobs[0]['pk']}/output"
    assert step.files[f"{base}/images/mask"] == tmp_path / "answers/r1/images/mask"
    assert step.files[f"{base}/answer.json"] == tmp_path / "answers/r1/answer.json"
    assert step.files["/opt/ml/input/data/ground_truth"] == tmp_path / "references"
    assert step.argv == ("/bin/evaluate",) and step.cwd == "/opt"
    assert step.env == {"A": "1", "LOG_LEVEL": "INFO", "PYTHONUNBUFFERED": "1", "no_proxy": "amazonaws.com"}


def test_grand_challenge_evaluates_only_if_every_record_is_answered_by_values_that_are_not_too_deep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotShown, match=r"there is no r2/images/mask"):
        evaluation(tmp_path, {name: "1" for name in OUTPUTS if not name.startswith("r2/images")})
    # it depends on Python and on the callers how deep it reads and writes
    monkeypatch.setattr(grand_challenge, "json", Mock(wraps=json, dumps=Mock(side_effect=RecursionError)))
    with pytest.raises(NotShown, match="brackets too deep in each other"):
        evaluation(tmp_path, OUTPUTS)


def test_grand_challenge_prediction_uploads_lie_in_input_and_a_server_is_invoked(tmp_path: Path) -> None:
    answers = written(tmp_path / "answers", {"predictions.csv": ""})
    program = replace(ENTRY_POINT, labels={"org.grand-challenge.api-method": "invoke"})
    given = task(tmp_path, Form.GRAND_CHALLENGE, answers, program=program)
    (step,) = FORMS[Form.GRAND_CHALLENGE].steps(given)
    assert step.files["/input"] == answers
    assert list(step.argv) == [INVOKE, "once", "300", "/bin/evaluate"]


def test_grand_challenge_numbers_have_paths_and_cases_are_records(tmp_path: Path) -> None:
    metrics = {"results": [{"dice": 0.5, "pk": "x"}, {"dice": 0.7}], "aggregates": {"dice": {"mean": 0.6}, "n": 2}}
    found = read_grand_challenge(
        written(tmp_path, {"metrics.json": json.dumps(metrics)}), ScoreRequest(primary="aggregates.dice.mean")
    )
    assert found.values == {"aggregates.dice.mean": 0.6, "aggregates.n": 2}
    assert found.records == {"1": {"aggregates.dice.mean": 0.5}, "2": {"aggregates.dice.mean": 0.7}}


COMMAND = "python3 score.py $references $answers $output"
REFERENCES = {"r0.txt": "0", "r1.txt": "1"}


def run(tmp: Path, program: str, **keys: object) -> StageOutcome:
    keys.setdefault("primary", "accuracy")
    keys.setdefault("command", COMMAND)
    return scored(tmp, Form.COMMAND, {"score.py": program}, REFERENCES, REFERENCES, **keys)  # type: ignore[arg-type]


def says(value: str) -> str:
    """A program that writes this as its scores."""
    return f"import sys\nfrom pathlib import Path\n(Path(sys.argv[3]) / 'scores.json').write_text({value!r})\n"


def test_numbers_of_records_give_an_interval_and_without_them_the_report_says_that_there_is_none(
    tmp_path: Path,
) -> None:
    rows = {f"r{n}": {"accuracy": float(n > 0)} for n in range(6)}
    outcome = run(tmp_path, says(json.dumps({"values": {"accuracy": 5 / 6, "n": 6}, "records": rows})))
    score = outcome.score
    assert score is not None and outcome.result.verdict is Verdict.OK
    assert (score.primary, dict(score.values)) == ("accuracy", {"accuracy": 5 / 6, "n": 6.0})
    assert score.values == score.official  # it is the organisers' own program
    low, high = score.intervals["accuracy"]
    assert low < 5 / 6 <= high and score.clusters == 6 and score.resampled
    assert NO_INTERVAL not in [note.text for note in score.notes]
    score = run(tmp_path, says('{"accuracy": 0.5}')).score
    assert score is not None and not score.intervals
    assert NO_INTERVAL in [note.text for note in score.notes]


@pytest.mark.parametrize("before", ["", "print('loading 6 records')\nprint('{}')\n"])
def test_a_program_may_print_its_numbers_in_the_last_line(before: str, tmp_path: Path) -> None:
    score = run(tmp_path, before + "print('{\"accuracy\": 0.25}')").score
    assert score is not None and score.values == {"accuracy": 0.25}


def test_of_an_error_the_negative_ranks(tmp_path: Path) -> None:
    score = run(tmp_path, says('{"mae": 2.5}'), primary="mae", direction="smaller").score
    assert score is not None and score.primary == "neg_mae"
    assert dict(score.values) == {"neg_mae": -2.5, "mae": 2.5}


def test_team_reads_refusals_and_the_organiser_the_output(tmp_path: Path) -> None:
    text = "line 3 of r1.txt: expected 0 or 1"
    outcome = run(tmp_path, "print('the secret is 7')\n" + says(json.dumps({"refused": text})))
    assert outcome.score is None and outcome.result.verdict is Verdict.BAD_ANSWER
    assert outcome.result.message == text and "the secret is 7" in outcome.result.diagnostics


@pytest.mark.parametrize(
    ("program", "wish"),
    [
        ("raise ValueError('shape (3,) of r1')", r"ended with exit code 1: ValueError: shape \(3,\) of r1 .*line 1"),
        ("import sys; sys.exit(3)", "ended with exit code 3"),
        ("raise LookupError('\\n*****\\n  Words not found.\\n*****')", r"code 1: LookupError: Words not found\. \("),
        ("raise ValueError('rows differ\\nhere: 1\\nthere: 2')", r"code 1: ValueError: rows differ \("),
        ("import sys; sys.exit('no table\\n-----')", "code 1: no table$"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by signal 9"),
        ("import time; time.sleep(1000)", "ran for more than 2 s"),
        ("while True: print('x' * 65536)", "printed more than 1 MiB"),
        ("print('hello')", r'expected JSON such as {"accuracy": 0.5} in \$output/scores.json.*standard output: hello$'),
        ("import sys; print('0.7'); print('of 6', file=sys.stderr)", "output: 0.7; of its standard error: of 6$"),
        ("", "expected JSON"),
        (says('{"accuracy": 0.5, "other": "text"}'), "other: expected a number"),
        (says('{"values": {"accuracy": 1}, "records": [1]}'), "records: expected an object"),
        ("import os, sys\nos.symlink('/etc/passwd', sys.argv[3] + '/scores.json')", "expected JSON"),
    ],
)
def test_failure_of_a_scorer_is_the_organisers_fault(tmp_path: Path, program: str, wish: str) -> None:
    limits = Limits(instructions=10**12, wall_seconds=2 if "sleep" in program else 300, output_bytes=1 << 20)
    with pytest.raises(ChallengeError, match=wish):
        run(tmp_path, program, limits=limits)


def test_values_that_are_not_declared_are_its_fault_and_those_that_are_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ChallengeError, match="wrote values that the challenge does not declare: extra"):
        run(tmp_path, says('{"accuracy": 1, "extra": 2}'), values=("accuracy",))
    with pytest.raises(ChallengeError, match="wrote no F1"):
        run(tmp_path, says('{"accuracy": 1}'), values=("accuracy", "F1"))
    with pytest.raises(ChallengeError, match="cannot be split into words"):
        run(tmp_path, "", command="python3 'score.py")


def test_numbers_that_change_and_that_no_rank_depends_on_are_noticed(tmp_path: Path) -> None:
    program = "import json, time\nprint(json.dumps({'accuracy': 0.5, 'seconds': time.monotonic()}))"
    score = run(tmp_path, program, again=True).score
    assert score is not None
    (note,) = (text.text for text in score.notes if text.text != NO_INTERVAL)
    assert note.startswith("when the scorer runs again it gives other numbers that no rank depends on: seconds ")


def test_neither_its_files_nor_the_answers_are_changed(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\n"
        "for folder in sys.argv[1:3]:\n    for path in Path(folder).iterdir():\n        path.write_text('2')\n"
        "Path('score.py').write_text('')\n" + says('{"accuracy": 1}')
    )
    assert run(tmp_path, program).score is not None
    assert (tmp_path / "references" / "r1.txt").read_text() == "1"
    assert (tmp_path / "answers" / "r1.txt").read_text() == "1"
    assert (tmp_path / "program" / "score.py").read_text() == program
    assert list((tmp_path / "means").iterdir()) == []  # and nothing is left behind


def test_place_of_an_error_is_in_the_scorers_own_files(tmp_path: Path) -> None:
    printed = (
        "Traceback (most recent call last):\n"
        '  File "/home/challenge/score.py", line 6, in <module>\n'
        f'  File "/home/a/state/plain/{"0a" * 16}/pandas/frame.py", line 9, in f\n'
        "KeyError: 'label'\n"
    )
    with pytest.raises(ChallengeError, match=r"exit code 1: KeyError: 'label' \(/home/challenge/score.py, line 6\)$"):
        run(tmp_path, f"import sys\nsys.stderr.write({printed!r})\nsys.exit(1)\n")
