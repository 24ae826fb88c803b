"""The scoring process and its replies."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import metrics
from evaluate.config.challenge.cache import load_challenge
from evaluate.core.codec import to_json
from evaluate.core.errors import ChallengeError, Fault
from evaluate.core.model import Score
from evaluate.stages.confined import CHALLENGE_ERROR, SCORE, Reply, answer
from evaluate.stages.score import alone, in_lines, score, score_answers
from metrics.command import Outcome, Task
from tests.fuzz.replies import answered, of
from tests.support.scorers import written
from tests.unit.metrics.challenges.test_label_maps import cohort
from tests.unit.metrics.generic.test_physionet import SINE, write_record


@pytest.fixture
def request_of(tmp_path: Path) -> dict[str, Any]:
    lines = [f"secret{i:02d},{'NAO'[i % 3]}\n" for i in range(30)]
    (tmp_path / "REFERENCE.csv").write_text("".join(lines))
    (tmp_path / "answers.txt").write_text("".join(lines[:28]))
    references, answers = tmp_path / "REFERENCE.csv", tmp_path / "answers.txt"
    return {"name": "cinc2017", "references": references, "answers": answers, "records": None, "rules": "corrected"}


def test_reply_has_intervals_pictures_and_both_rules_and_nothing_of_a_record(request_of: dict[str, Any]) -> None:
    reply = answer(**request_of)
    value = reply.score
    assert reply.kind == SCORE and value is not None
    low, high = value.intervals["F1"]
    assert low < value.values["F1"] < high
    assert (value.clusters, len(value.resampled)) == (30, 1000)
    assert [picture.name for picture in value.pictures] == ["confusion"]
    assert value.official["F1"] is not None
    assert "secret" not in repr(replace(value, notes=()))
    other = answer(**{**request_of, "name": json.dumps({"measure": "classification.accuracy"})}).score
    assert other is not None and other.values and other.official == {}, "it has no official program to agree with"


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ({"FP": "A", "FN": 2.0}, "A1: FN 2"),
        ({"FP": "A"}, None),
        ({"reference": "N", "answer": "\x1b[2J\nA"}, "A1: answered \N{REPLACEMENT CHARACTER}[2J A, the reference is N"),
        ({"FP": float("nan")}, "A1: FP nan"),
    ],
)
def test_row_that_a_taken_over_metric_gives_becomes_a_line_at_most(
    row: dict[str, float | str], line: str | None
) -> None:
    assert in_lines({"A1": row}) == (() if line is None else (line,))
    assert len(in_lines({"A" * 10_000: {"FP": 1.0}})[0]) < 1000


OWN = """
from metrics.base import AnswerError, ReferenceDataError, ScoreReport

class Own:
    def score(self, references, answers, *, records=None, rules="corrected"):
        BODY

METRIC = Own()
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (OWN.replace("BODY", "return {}['hearts']"), "own.py, line 6: KeyError: 'hearts'"),
        (OWN.replace("BODY", "return 1 / 0"), "own.py, line 6: ZeroDivisionError: division by zero"),
        (OWN.replace("BODY", "raise SystemExit(3)"), "own.py, line 6: SystemExit: 3"),
        (OWN.replace("BODY", "raise ReferenceDataError('no truth')"), "no truth"),
        ("METRIC = (", "own.py, line 1: SyntaxError: '(' was never closed"),
        ("import nothing_of_this_name", "own.py, line 1: ModuleNotFound"),
    ],
)
def test_error_that_an_organisers_metric_does_not_foresee_is_the_organisers(
    request_of: dict[str, Any], tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "own.py").write_text(text)
    reply = answer(**{**request_of, "name": str(tmp_path / "own.py")})
    assert reply.kind == CHALLENGE_ERROR and message in reply.message


def test_unknown_metric_is_the_organisers_and_a_key_error_within_one_of_ours_is_not(
    request_of: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = answer(**{**request_of, "name": "hearts"})
    assert (reply.kind, "no metric is called 'hearts'" in reply.message) == (CHALLENGE_ERROR, True)

    def broken(*_: object, **__: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(type(metrics.get("cinc2017")), "score", broken)
    with pytest.raises(KeyError, match="a bug"):
        answer(**request_of)


def own(tmp_path: Path, body: str) -> tuple[str, Path, Path]:
    """An organiser's own metric, references and answers; a file of another entry is next to them."""
    files = dict.fromkeys(("references/a.csv", "answers/a.csv", "other/a.csv"), "a,1\n")
    written(tmp_path, {**files, "own.py": OWN.replace("BODY", body)})
    return str(tmp_path / "own.py"), tmp_path / "references", tmp_path / "answers"


def test_references_may_be_links_to_large_files_elsewhere(tmp_path: Path) -> None:
    metric, references, answers = own(
        tmp_path, "raise ReferenceDataError((references / 'large').read_text() + (references / 'deep/x').read_text())"
    )
    large = written(tmp_path / "elsewhere", {"large": "large", "x": "x"})
    (references / "large").symlink_to(large / "large")
    (references / "deep").mkdir()
    (references / "deep" / "x").symlink_to("../../elsewhere/x")
    with pytest.raises(ChallengeError, match=r"^largex$"):
        score(metric, references, answers, None)
    (answers / "link").symlink_to(tmp_path / "other" / "a.csv")
    (tmp_path / "own.py").write_text(OWN.replace("BODY", "raise ReferenceDataError((answers / 'link').read_text())"))
    with pytest.raises(ChallengeError, match="FileNotFoundError"):
        score(metric, references, answers, None)


def test_threads_share_the_cases_of_a_metric_and_keep_nobody_waiting(tmp_path: Path) -> None:
    body = "import threading; threading.Thread(target=threading.Event().wait).start(); raise ReferenceDataError('end')"
    with pytest.raises(ChallengeError, match=r"^end$"):
        score(*own(tmp_path, body), None)
    references, answers = cohort(tmp_path / "cases")
    first, second = (alone(Task(metric="kits19", references=references, answers=answers, workers=n)) for n in (1, 2))
    assert first.values == second.values != "{}"


def test_unusable_answers_are_records_of_the_result(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    (answers / "prediction_00001.nii.gz").write_bytes(b"")
    result = score("kits19", references, answers, None).result
    assert result.verdict.passed
    assert [(one.record, one.verdict.value) for one in result.records] == [("case_00001", "BAD_ANSWER")]
    assert result.records[0].message == "prediction_00001.nii.gz: expected a NIfTI header, found an empty file"


@pytest.mark.parametrize(
    "outcome",
    [Outcome(values="[" * 100_000), Outcome(values="x"), Outcome(pictures=("{}", "[" * 100_000))],
    ids=("nested", "text", "picture"),
)
def test_numbers_that_are_no_json_are_refused(outcome: Outcome, tmp_path: Path) -> None:
    (tmp_path / "answers").touch()
    with answered([of(outcome)]), pytest.raises(Fault, match="metric cinc2017 gave numbers that are no JSON"):
        alone(Task(metric="cinc2017", references=tmp_path, answers=tmp_path / "answers"))


_NO_PRIMARY = json.dumps(to_json(Score(primary="F1", values={"F1n": 0.5}, official={})))


@pytest.mark.parametrize("given", ["null", pytest.param(_NO_PRIMARY, id="without its primary value")])
def test_reply_that_a_metric_forges_is_at_most_a_wrong_score(tmp_path: Path, given: str) -> None:
    forged = f"""b'{{"value": {{"kind": "score", "score": {given}}}}}'"""
    body = f"""import contextlib, os
        for fd in range(3, 9):
            with contextlib.suppress(OSError):
                os.write(fd, {forged})
        os._exit(0)"""
    with pytest.raises(ChallengeError, match="gave no score"):
        score(*own(tmp_path, body), None)


@pytest.mark.parametrize("name", ["F\0", "\ud800", "F" * 201, ""])
def test_name_of_a_value_that_no_report_can_contain_is_the_metrics_fault(name: str) -> None:
    cinc = load_challenge("cinc2017")
    forged = Score(primary=name, values={name: 0.5}, official={})
    with answered([of(Reply(kind="score", score=forged))]), pytest.raises(Fault, match="that no report can contain"):
        score_answers(cinc, cinc.exam, cinc.folder / "sample_entry")


def test_infinities_that_a_scorer_replies_with_are_on_no_board() -> None:
    ends, drawn = {"F1": (-math.inf, 0.5), "other": (0.1, 0.2)}, (math.inf, 0.5)
    forged = Score(primary="F1", values={"F1": 0.5}, official={}, intervals=ends, resampled=drawn)
    cinc = load_challenge("cinc2017")
    with answered([of(Reply(kind="score", score=forged))]):
        found = score_answers(cinc, cinc.exam, cinc.folder / "sample_entry").score
    assert found is not None and found.intervals == {"other": (0.1, 0.2)}
    json.dumps(to_json(found), allow_nan=False)


def test_pictures_that_cannot_be_made_are_a_note_and_the_score_stays(
    request_of: dict[str, Any], tmp_path: Path
) -> None:
    body = "return ScoreReport(metric='own', rules='corrected', primary='x', values={'x': 1.0}, curves=CURVES)"
    curves = "{'roc_false_positive_rate': [0, 'one'], 'roc_true_positive_rate': 7}"
    (tmp_path / "own.py").write_text(OWN.replace("BODY", body.replace("CURVES", curves)))
    found = answer(**request_of | {"name": str(tmp_path / "own.py")}).score
    assert found is not None
    assert (found.values, found.pictures) == ({"x": 1.0}, ())
    assert [note.record for note in found.notes if re.match(r"no pictures: \w*TypeError", note.text)] == [""]


def test_signals_are_read_where_no_file_can_be_written(tmp_path: Path) -> None:
    for folder in ("references", "answers"):
        write_record(tmp_path / folder, "a", I=SINE)
    found = score("physionet.snr2024", tmp_path / "references", tmp_path / "answers", ["a"])
    assert found.score is not None and found.score.values["snr_db"] == 100
