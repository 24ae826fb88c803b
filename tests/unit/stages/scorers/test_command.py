"""Form ``command``, and rules of every form: faults are the organiser's, nothing is shown to a team."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluate.config.challenge.scorer import Form
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Limits, StageOutcome, Verdict
from evaluate.stages.scorers.run import RANDOM
from evaluate.stages.scorers.scorer_output import NO_INTERVAL
from tests.support.scorers import scored

COMMAND = "python3 score.py $references $answers $output"
REFERENCES = {f"r{i}.txt": str(i % 2) for i in range(6)}
ACCURACY = """
import json, sys
from pathlib import Path
references, answers, output = map(Path, sys.argv[1:])
rows = {}
for path in sorted(references.iterdir()):
    rows[path.stem] = {"accuracy": float(path.read_text() == (answers / path.name).read_text())}
mean = sum(row["accuracy"] for row in rows.values()) / len(rows)
(output / "scores.json").write_text(json.dumps({"values": {"accuracy": mean, "n": len(rows)}, "records": rows}))
"""


def run(tmp: Path, program: str, **keys: object) -> StageOutcome:
    keys.setdefault("primary", "accuracy")
    keys.setdefault("command", COMMAND)
    answers = REFERENCES | {"r0.txt": "1"}
    return scored(tmp, Form.COMMAND, {"score.py": program}, REFERENCES, answers, **keys)  # type: ignore[arg-type]


def says(value: str) -> str:
    """A program that writes this as its scores."""
    return f"import sys\nfrom pathlib import Path\n(Path(sys.argv[3]) / 'scores.json').write_text({value!r})\n"


def test_numbers_of_records_give_an_interval(tmp_path: Path) -> None:
    outcome = run(tmp_path, ACCURACY)
    score = outcome.score
    assert score is not None and outcome.result.verdict is Verdict.OK
    assert (score.primary, dict(score.values)) == ("accuracy", {"accuracy": 5 / 6, "n": 6.0})
    assert score.values == score.official  # it is the organisers' own program
    low, high = score.intervals["accuracy"]
    assert low < 5 / 6 <= high and score.clusters == 6 and score.resampled
    assert NO_INTERVAL not in [note.text for note in score.notes]


def test_without_them_the_report_says_that_there_is_none(tmp_path: Path) -> None:
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
        ("import urllib.request; urllib.request.urlopen('http://192.0.2.1/', timeout=2)", "urlopen error"),
        ("open('/usr/here', 'w')", "PermissionError|Read-only file system"),
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


@pytest.mark.parametrize(
    ("program", "note"),
    [
        ("print(json.dumps({'accuracy': int.from_bytes(os.urandom(4), 'big') / 2**32}))", f"{RANDOM}: accuracy "),
        (
            "print(json.dumps({'accuracy': 0.5, 'seconds': time.monotonic()}))",
            "when the scorer runs again it gives other numbers that no rank depends on: seconds ",
        ),
        ("print(json.dumps({'accuracy': 0.5}))", ""),
    ],
)
def test_results_that_change_are_noticed(tmp_path: Path, program: str, note: str) -> None:
    score = run(tmp_path, f"import json, os, time\n{program}", again=True).score
    assert score is not None
    notes = [text.text for text in score.notes if text.text != NO_INTERVAL]
    assert len(notes) == bool(note) and all(text.startswith(note) for text in notes)


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
