"""What people hand in by mistake: each is refused with its place, or the report says what was done with it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from metrics.base import MetricError
from metrics.generic import make

LABELS = "record,label\n001,A\n002,B\n003,A\n004,B\n"
F1 = {"measure": "classification.f1"}
SCORES = "record,label\n1,1\n2,0\n"
AUROC = {"measure": "classification.auroc"}
NUMBERS = "record,value\n1,1\n2,2\n"
MAE = {"measure": "regression.mae"}
TIMES = "record,time,event\n1,2,1\n2,3,0\n"
SURVIVAL = {"measure": "survival.c_index"}
BOXES = {"measure": "detection.f1", "match": "iou"}

REFUSED: list[tuple[dict[str, Any], str, str | bytes, str]] = [
    (F1, LABELS, LABELS.replace("00", ""), "leading zeros are missing"),
    (F1, SCORES, "record,label\n1.0,1\n2.0,0\n", "numbers are written with decimals"),
    (F1, LABELS, LABELS.replace(",A", ".png,A").replace(",B", ".png,B"), "suffix of a file"),
    (F1, "record,label\na,A\nb,B\n", "record,label\nA,A\nB,B\n", "capital and small letters"),
    (F1, LABELS, LABELS + "001,A\n", "line 6: expected every record once"),
    (F1, LABELS + "001,A\n", LABELS, "line 6: expected every record once"),
    (F1, "", LABELS, "at least one record"),
    (F1, LABELS, LABELS.encode("utf-16"), "expected UTF-8 text"),
    (F1, LABELS, LABELS.replace("A", "Ä").encode("latin-1"), "expected UTF-8 text, found byte 0xc4 in line 2"),
    (F1, LABELS, LABELS.replace(",", ";"), "line 1: expected record,label, found 'record;label'"),
    (F1, LABELS, LABELS.replace(",", "\t"), "line 1: expected record,label"),
    (F1, LABELS, "A,001\nB,002\nA,003\nB,004\n", "expected every record once"),
    (F1, LABELS, LABELS.replace("label", "class"), "expected a column 'label', found class"),
    (F1, LABELS, LABELS + "005,A,x\n", "line 6: expected 2 cells"),
    (F1, LABELS, LABELS.replace("001,A", "001,"), "line 2: expected one of the labels A, B, found ''"),
    (F1, LABELS, LABELS.replace("001,A", '"001,A'), "expected CSV"),
    (F1 | {"labels": ["A", "B"]}, LABELS, LABELS.replace("A", "C"), "expected one of the labels A, B, found 'C'"),
    (AUROC, SCORES, "record,score\n1,nan\n2,0.4\n", "line 2: expected a finite number as score, found 'nan'"),
    (AUROC, SCORES, "record,score\n1,inf\n2,0.4\n", "line 2: expected a finite number as score, found 'inf'"),
    (AUROC, SCORES, "record,score\n1,30%\n2,40%\n", "line 2: expected a finite number as score, found '30%'"),
    (AUROC, SCORES, "record;score\n1;0,3\n2;0,4\n", "expected record,score, found 'record;score'"),
    (AUROC, SCORES, SCORES, "expected a column 'score', found label"),
    (AUROC, "record,label\n1,True\n2,False\n", "record,score\n1,0.3\n2,0.4\n", "expected labels 0 and 1"),
    ({"measure": "classification.brier"}, SCORES, "record,score\n1,30\n2,4\n", "from 0 to 1 as score, found '30'"),
    ({"measure": "classification.log_loss"}, SCORES, "record,p_0,p_1\n1,.5,.6\n2,0,1\n", "sum to 1, found 1.1"),
    (MAE, NUMBERS, 'record,value\n1,"1,000"\n2,2\n', "found '1,000'"),
    (MAE, NUMBERS, "record,value\n1,1_5\n2,2\n", "found '1_5'"),
    (MAE, NUMBERS, "record,value\n1,one\n2,2\n", "found 'one'"),
    (SURVIVAL, TIMES.replace("3,0", "3,2"), "record,risk\n1,1\n2,2\n", "line 3: expected a finite number from 0 to 1"),
    (SURVIVAL, TIMES.replace("2,1", "-2,1"), "record,risk\n1,1\n2,2\n", "from 0 as time, found '-2'"),
    ({"measure": "multilabel.f1"}, "record,labels\n1,a|b\n2,c\n", "record,labels\n1,a;b\n2,c\n", "found 'a;b'"),
    ({"measure": "multilabel.f1"}, "record,labels\n1,a|b\n2,c\n", "record,labels\n1,a|a\n2,c\n", "once, '|' between"),
    ({"measure": "multilabel.f1"}, "record,labels\n1,a|b\n2,c\n", "record,labels\n1,a||b\n2,c\n", "found 'a||b'"),
    ({"measure": "events.overlap"}, "record,onset,offset\n1,2,3\n", "record,onset,offset\n1,3,2\n", "3 to 2"),
    (BOXES, "record,x0,y0,x1,y1\n1,0,0,2,2\n", "record,x0,y0,x1,y1\n1,2,2,0,0\n", "expected x0 < x1 and y0 < y1"),
]
JSON = [
    (F1, LABELS, '{"001": "A", "001": "B"}', "expected every name of an object once, found '001' again"),
    (F1, LABELS, "[1, 2, 3]", "expected an object with label, found 1"),
    (F1, LABELS, '{"001": null}', "expected an object with label, found None"),
    (F1, LABELS, LABELS, "expected JSON"),
    (MAE, NUMBERS, '{"1": true, "2": 2}', "expected a finite number as value, found true"),
]


def _files(folder: Path, references: str, answers: str | bytes, suffix: str = ".csv") -> tuple[Path, Path]:
    paths = folder / "references.csv", folder / f"answers{suffix}"
    paths[0].write_text(references)
    paths[1].write_bytes(answers if isinstance(answers, bytes) else answers.encode())
    return paths


@pytest.mark.parametrize(
    ("spec", "references", "answers", "message", "suffix"),
    [(*case, ".csv") for case in REFUSED] + [(*case, ".json") for case in JSON],
)
def test_wrong_input_is_refused_with_what_was_expected(
    tmp_path: Path, spec: dict[str, Any], references: str, answers: str | bytes, message: str, suffix: str
) -> None:
    with pytest.raises(MetricError) as found:
        make(spec).score(*_files(tmp_path, references, answers, suffix))
    assert message in str(found.value)


@pytest.mark.parametrize(
    ("spec", "references", "answers", "note"),
    [
        (F1, LABELS, "", "4 of 4 records have no answer"),
        (F1, LABELS, "record,label\n", "4 of 4 records have no answer"),
        (F1, LABELS, LABELS.replace("001", "x1"), "1 answers for records outside the list are ignored"),
        (F1, LABELS, LABELS.replace("record", "id"), "answers for records outside the list are ignored: id"),
        (F1, LABELS, "record,label\n1,A\n2,B\n3,A\n004,B\n", "only 1 of 4 answers name a record of the list"),
        (F1, LABELS, LABELS.lower(), "4 answers outside the classes count as wrong (probably capital and small"),
        (F1, LABELS, LABELS.replace(",A", ",nan"), "2 answers outside the classes count as wrong"),
        (
            AUROC,
            "record,label\n1,1\n2,0\n3,1\n4,0\n",
            "record,score\n1,1\n2,0\n3,0\n4,0\n",
            "all scores are 0 or 1: labels are no scores",
        ),
        (
            {"measure": "landmarks.mre"},
            "record,landmark,x,y,z\nr,a,1,2,3\n",
            "record,landmark,x,y\nr,a,1,2\n",
            "the column z is not used: the option coordinates is x, y",
        ),
        (
            {"measure": "events.stage_kappa"},
            "record,epoch,stage\na,0,W\na,1,R\n",
            "record,epoch,stage\na,0,w\na,1,r\n",
            "2 answered stages that no reference has agree with nothing (probably capital and small letters",
        ),
        (MAE, NUMBERS, "record,value\n1,1\n", "1 of 2 records have no answer, given the largest error"),
    ],
)
def test_what_is_scored_in_spite_of_it_is_said_in_a_note(
    tmp_path: Path, spec: dict[str, Any], references: str, answers: str, note: str
) -> None:
    report = make(spec).score(*_files(tmp_path, references, answers))
    assert any(note in text for text in report.notes)


@pytest.mark.parametrize(
    ("spec", "references", "answers"),
    [
        (AUROC, "record,label\n1,1\n2,1\n", "record,score\n1,0.3\n2,0.4\n"),
        (SURVIVAL, TIMES.replace("2,1", "2,0"), "record,risk\n1,1\n2,2\n"),
        ({"measure": "regression.r2"}, "record,value\n1,1\n2,1\n", "record,value\n1,1\n2,1\n"),
        ({"measure": "regression.pearson"}, NUMBERS, "record,value\n1,1\n2,1\n"),
    ],
)
def test_what_has_no_value_is_nan_with_a_note(
    tmp_path: Path, spec: dict[str, Any], references: str, answers: str
) -> None:
    report = make(spec).score(*_files(tmp_path, references, answers))
    assert math.isnan(report.values[report.primary])
    assert any("undefined" in text for text in report.notes)


@pytest.mark.parametrize(
    "answers",
    [
        LABELS.replace("\n", "\r\n"),
        LABELS.replace("\n", "\r"),
        b"\xef\xbb\xbf" + LABELS.encode(),
        LABELS.replace(",", " , ") + "\n   \n",
        LABELS.replace("001", "001\u00a0"),
        "label,record\nA,001\nB,002\nA,003\nB,004\n",
    ],
    ids=["CRLF", "CR", "byte order mark", "blanks", "hard blank", "columns by name"],
)
def test_forms_that_mean_the_same_score_the_same(tmp_path: Path, answers: str | bytes) -> None:
    report = make(F1).score(*_files(tmp_path, LABELS, answers))
    assert (report.values["f1_macro"], report.notes) == (1.0, ())
