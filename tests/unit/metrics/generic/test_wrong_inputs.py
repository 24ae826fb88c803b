"""What people hand in by mistake: each is refused with its place, or the report says what was done with it."""

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.base import AnswerError, ReferenceDataError
from metrics.generic import make
from metrics.generic.tables import Table
from tests.support.volume_files import write_pairs

LABELS = "record,label\n001,A\n002,B\n003,A\n004,B\n"
SEXES = LABELS.replace("\n", ",M\n").replace("label,M", "label,sex")
F1: dict[str, Any] = {"measure": "classification.f1"}
SCORES = "record,label\n1,1\n2,0\n"
AUROC = {"measure": "classification.auroc"}
CONSTANT = "record,value\n1,3\n2,3\n"
NUMBERS = "record,value\n1,1\n2,2\n"
MAE = {"measure": "regression.mae"}
TIMES = "record,time,event\n1,2,1\n2,3,0\n"
SURVIVAL = {"measure": "survival.c_index"}
BOXES = {"measure": "detection.f1", "match": "iou"}

TIMED, LONG = "record,onset,offset\n", "record,onset,offset,duration\n"
OVERLAP, SZCORE = {"measure": "events.overlap"}, {"measure": "events.szcore"}
DURATION = {"measure": "events.duration"}
MRE, POINTS = {"measure": "landmarks.mre"}, "record,landmark,x,y\n"
SETS = {"measure": "multilabel.f1"}
BRIER, FROC = {"measure": "classification.brier"}, {"measure": "detection.froc", "distance": 1}
BOXED, SCORED = "record,x0,y0,x1,y1\n", "record,x0,y0,x1,y1,score\n"
MAP, OF_CLASSES = {"measure": "detection.map", "match": "iou"}, {"match": "iou", "class_column": "c"}
PETS = "record,x0,y0,x1,y1,c\n1,0,0,2,2,Cat\n", "record,x0,y0,x1,y1,score,c\n1,0,0,2,2,1,cat\n"
THREE = "record,x,y,score\n2,0,0,1\n" + "1,0,0,1\n" * 3
ONSET, XYZ, TIPS = "record,onset\n", "record,x,y,z\n", "record,landmark,x,y,z\n"
ONSETS = {"measure": "events.f1", "onset_tolerance_seconds": 1}
NAMELESS = "Patient,Rhythm\na,A\nb,B\nc,A\n"
BETWEEN = "no answered event lies between the first and the last event of its record's references: is the unit"
ELSEWHERE = "no detection lies where the references have objects: are the coordinates x, y in the same unit and order"
RECALL, AREAS = {"measure": "classification.balanced_accuracy"}, {"measure": "multilabel.auroc", "labels": ["a", "d"]}
COST = {"measure": "classification.cost", "costs": {"A": {"C": 1}, "C": {"A": 10}}}
COSTLY = {"measure": "classification.cost", "costs": {"A": {"B": 1e308}, "B": {"A": 1}}}
TWO, AB = {"labels": ["A", "B"]}, "record,labels\n1,a|b\n2,c\n"

OF_ANSWERS: list[tuple[dict[str, Any], str, str | bytes, str]] = [
    (F1, LABELS, LABELS.replace("00", ""), "leading zeros are missing"),
    (F1, LABELS, LABELS.encode("utf-16")[:-1], "found UTF-16, as PowerShell writes"),
    (F1, LABELS, LABELS.replace("A", "Ä").encode("latin-1"), "expected UTF-8 text, found byte 0xc4 in line 2"),
    (F1, LABELS, "A,001\nB,002\nA,003\nB,004\n", "expected every record once"),
    (F1, LABELS, LABELS.replace("label", "class"), "expected a column 'label', found class"),
    (AUROC, SCORES, "record,score\n1,30%\n2,40%\n", "line 2: expected a finite number as score, found '30%'"),
    (AUROC, SCORES, SCORES, "expected a column 'score', found label"),
    (BRIER, SCORES, "record,score\n1,30\n2,4\n", "from 0 to 1 as score, found '30'"),
    (MRE, POINTS + "1,a,0,0\n", POINTS + "1,a,0,1e308\n", "expected a finite number from -1e+100 to 1e+100 as y"),
    (F1, LABELS, LABELS.replace("label", "label,label"), "expected every column once"),
    (BRIER | {"labels": ["A", "B", "C"]}, LABELS, "record,p_A\n001,1\n", "expected a column 'p_B', found p_A"),
    (MRE, POINTS + "1,a,0,0\n", POINTS + "1,a,0,0\n1,a,1,1\n", "every landmark once, found 'a' again"),
    (FROC, "record,x,y\n1,0,0\n", "record,x,y,score\n1,nan,0,1\n", "line 2: expected a finite number as x"),
    (FROC, "record,x,y\n1,0,0\n", "record,x,score\n1,0,1\n", "expected a column 'y'"),
    (FROC, "record,x,y\n1,0,0\n", "record,x,y\n1,0,0\n", "expected a column 'score'"),
]
OF_REFERENCES: list[tuple[dict[str, Any], str, str | bytes, str]] = [
    (F1, LABELS + "001,A\n", LABELS, "line 6: expected every record once"),
    (F1, "", LABELS, "at least one record"),
    (F1, LABELS.replace("record,label", "Patient ID,Rhythm"), LABELS, "line 1: expected a record, or a header"),
    (AUROC, "record,label\n1,True\n2,False\n", "record,score\n1,0.3\n2,0.4\n", "expected labels 0 and 1"),
    (AUROC, SCORES.replace("1,1", "1,ill"), "record,score\n1,1\n2,0\n", "an option 'positive'"),
    (AUROC | {"positive": "sick"}, SCORES, "record,score\n1,1\n2,0\n", "positive class 'sick'"),
    (SURVIVAL, TIMES.replace("3,0", "3,2"), "record,risk\n1,1\n2,2\n", "line 3: expected a finite number from 0 to 1"),
    (SURVIVAL, TIMES.replace("2,1", "-2,1"), "record,risk\n1,1\n2,2\n", "from 0 as time, found '-2'"),
    (SZCORE, LONG + "1,0,1e12,60\n", TIMED + "1,1,2\n", "references.csv, record 1: expected at most"),
    (SZCORE, LONG + "1,1,2,60\n1,3,4,90\n", TIMED + "1,1,2\n", "expected one duration of each record, found 60 and 90"),
    (MRE, POINTS + "1,,0,0\n", POINTS + "1,a,0,0\n", "line 2: expected the name of a landmark, found none"),
    (F1, LABELS + ",B\n", LABELS, "line 6: expected the name of a record"),
    (MAE | {"range": [0, 1.5]}, NUMBERS, NUMBERS, "references.csv, record 2: line 3: expected a finite"),
    (MRE, POINTS + "1,a,0,0\n1,a,0,0\n", POINTS + "1,a,0,0\n", "references.csv, record 1: line 3: expected every"),
    (OVERLAP, TIMED + "1,1,nan\n", TIMED + "1,1,2\n", "references.csv, record 1: line 2: expected a finite number"),
    (FROC, "record,x,y\n", "record,x,y,score\n1,0,0,1\n", "at least one record"),
    (F1 | TWO, LABELS.replace("003,A", "003,C"), LABELS, "line 4: expected one of the labels A, B, found 'C'"),
    (COST, LABELS, LABELS, "expected one of the labels A, C, found 'B'"),
    (SETS, "record,labels\n1,\n2,\n", AB, "at least one label"),
    (
        SETS | {"measure": "multilabel.reward", "rewards": {"d": {"d": 1}}},
        AB,
        AB,
        "expected labels of d in the references",
    ),
    (F1 | {"subgroups": "site"}, LABELS, LABELS, "site"),
    *(
        (F1 | {"subgroups": {"sex": [1]}}, SEXES.replace("M", sex), LABELS, "expected a number as sex")
        for sex in ("M", "1_0", "1e400")
    ),
    (
        F1 | {"subgroups": "sex"},
        SEXES + "".join(f"s{i},A,{i}\n" for i in range(60)),
        LABELS,
        "at most 50 groups in sex",
    ),
    (SETS, "record,a,b\n1,0.5,1\n", "record,a,b\n1,1,1\n", "expected 0 or 1 as a, found 0.5"),
]
JSON: list[tuple[dict[str, Any], str, str | bytes, str]] = [
    (F1, LABELS, '{"001": "A", "001": "B"}', "expected every name of an object once, found '001' again"),
    (F1, LABELS, "[1, 2, 3]", "expected an object with label, found 1"),
    (F1, LABELS, '{"001": null}', "expected an object with label, found None"),
    (F1, LABELS, LABELS, "expected JSON"),
    (F1, LABELS, "3", "expected a JSON list or object"),
    (F1, LABELS, '[{"label": "A"}]', "expected 'record' in every row"),
    (F1, LABELS, '[{"record": "", "label": "A"}]', "row 1: expected the name of a record"),
]
UNUSABLE: list[tuple[dict[str, Any], str, str, str, str]] = [
    (F1, LABELS, LABELS + "001,A\n", "001", "line 6: expected every record once"),
    (F1, LABELS, LABELS.replace("001,A", "001,A,x"), "001", "line 2: expected 2 cells"),
    (F1, LABELS[13:], LABELS[13:].replace("001,A", "001"), "001", "line 1: expected 2 cells"),
    (F1, LABELS, LABELS.replace("001,A", "001,"), "001", "line 2: expected one of the labels A, B, found ''"),
    (F1, LABELS, LABELS.replace("001,A", '"001,A'), "001", "expected CSV"),
    (F1 | TWO, LABELS, LABELS.replace("1,A", "1,a"), "001", "of the labels A, B, found 'a' (probably capital"),
    (
        F1 | {"unknown": "reject"},
        LABELS,
        LABELS.replace("1,A", "1,X"),
        "001",
        "line 2: expected one of the labels A, B",
    ),
    (AUROC, SCORES, "record,score\n1,nan\n2,0.4\n", "1", "line 2: expected a finite number as score, found 'nan'"),
    ({"measure": "classification.log_loss"}, SCORES, "record,p_0,p_1\n1,.5,.6\n2,0,1\n", "1", "sum to 1, found 1.1"),
    (MAE, NUMBERS, 'record,value\n1,"1,000"\n2,2\n', "1", "found '1,000'"),
    (MAE, NUMBERS, "record,value\n1,1_5\n2,2\n", "1", "found '1_5'"),
    (MAE, NUMBERS, "record,value\n1,\u0661\u0662\n2,2\n", "1", "found '\u0661\u0662'"),
    (MAE, NUMBERS, "record,value\n1,one\n2,2\n", "1", "found 'one'"),
    (MAE, NUMBERS, "record,value\n1,-1e308\n2,2\n", "1", "from -1e+100 to 1e+100 as value, found '-1e308'"),
    (DURATION, TIMED + "1,1,2\n2,1,2\n", TIMED + "1,-1e308,1e308\n2,1,2\n", "1", "as onset, found '-1e308'"),
    (MAE | {"range": [0, 2]}, NUMBERS, "record,value\n1,3\n2,2\n", "1", "from 0 to 2 as value, found '3'"),
    (MAE, NUMBERS, '{"1": true, "2": 2}', "1", "expected a finite number as value, found true"),
    (MAE, NUMBERS, '{"1": {"value": [1]}, "2": 2}', "1", "expected text or a number as value, found [1]"),
    (MAE, NUMBERS, '[{"record": "1"}, {"record": "2", "value": 2}]', "1", "found ''"),
    (SETS, AB, "record,labels\n1,a|d\n2,c\n", "1", "line 2: expected labels of a, b, c, found 'd'"),
    (SETS, AB, "record,labels\n1,a|a\n2,c\n", "1", "once, '|' between"),
    (SETS, AB, "record,labels\n1,a||b\n2,c\n", "1", "found 'a||b'"),
    (SETS, "record,a,b\n1,1,0\n2,0,1\n", "record,a,b\n1,2,0\n2,0,1\n", "1", "from 0 to 1 as a, found '2'"),
    (OVERLAP, TIMED + "1,1,2\n2,1,2\n", TIMED + "1,1,2\n1,5,4\n2,1,2\n", "1", "line 3: expected an offset after the"),
    (SZCORE, LONG + "1,1,2,60\n2,1,2,60\n", TIMED + "1,0,1e12\n2,1,2\n", "1", "expected at most"),
    (BOXES, BOXED + "1,0,0,2,2\n2,0,0,2,2\n", BOXED + "1,2,2,0,0\n2,0,0,2,2\n", "1", "expected x0 < x1 and y0 < y1"),
    (MRE | {"worst_mm": 9.0}, POINTS + "1,a,0,0\n2,a,0,0\n", POINTS + "1,a,0,x\n2,a,0,1\n", "1", "as y, found 'x'"),
    (SURVIVAL, TIMES, "record,risk\n1,high\n2,1\n", "1", "expected a finite number as risk, found 'high'"),
]


def _files(folder: Path, references: str, answers: str | bytes, suffix: str = ".csv") -> tuple[Path, Path]:
    paths = folder / "references.csv", folder / f"answers{suffix}"
    paths[0].write_text(references)
    paths[1].write_bytes(answers if isinstance(answers, bytes) else answers.encode())
    return paths


@pytest.mark.parametrize(
    ("error", "spec", "references", "answers", "message"),
    [(AnswerError, *case) for case in OF_ANSWERS + JSON] + [(ReferenceDataError, *case) for case in OF_REFERENCES],
)
def test_wrong_input_is_refused_with_what_was_expected(
    tmp_path: Path, error: type, spec: dict[str, Any], references: str, answers: str | bytes, message: str
) -> None:
    suffix = ".json" if (spec, references, answers, message) in JSON else ".csv"
    with pytest.raises(error, match=re.escape(message)):
        make(spec).score(*_files(tmp_path, references, answers, suffix))


def _without(answers: str, record: str) -> str:
    """The same answers without those of a record."""
    if answers[0] == "{":
        return json.dumps({name: each for name, each in json.loads(answers).items() if name != record})
    if answers[0] == "[":
        return json.dumps([row for row in json.loads(answers) if row["record"] != record])
    return "".join(line for line in answers.splitlines(keepends=True) if line.strip('"\n').split(",")[0] != record)


@pytest.mark.parametrize("missing", ["", "exclude-with-note"])
@pytest.mark.parametrize(("spec", "references", "answers", "record", "reason"), UNUSABLE)
def test_an_unusable_answer_is_a_missing_one_of_its_record(
    tmp_path: Path, spec: dict[str, Any], references: str, answers: str, record: str, reason: str, missing: str
) -> None:
    if missing:
        spec = {**spec, "missing": missing}
    suffix = ".json" if answers[0] in "[{" else ".csv"
    report = make(spec).score(*_files(tmp_path, references, answers, suffix))
    without = make(spec).score(*_files(tmp_path, references, _without(answers, record), suffix))
    assert report.values == pytest.approx(dict(without.values), nan_ok=True)
    assert list(report.unusable) == [record]
    assert reason in report.unusable[record]
    assert "1 answers cannot be used and count as missing" in [note for note in report.notes if note.record is None]
    assert any(reason in note and note.record == record for note in report.notes)


@pytest.mark.parametrize(
    ("spec", "references", "answers", "cause"),
    [
        (F1, LABELS, "record,label\n", "expected an answer to a record of the list, found none"),
        (F1, LABELS, "", "found an empty file: was the upload cut off"),
        (OVERLAP, TIMED + "1,1,2\n", "\n", "found an empty file: was the upload cut off"),
        (F1, LABELS, LABELS.lower(), "probably capital and small letters differ"),
        (F1, SCORES, "record,label\n1,1.0\n2,0.0\n", "written with decimals"),
        (F1 | TWO, LABELS, LABELS.replace(",A", ",xA").replace(",B", ",xB"), "no answer can be used"),
        (SETS | {"unknown": "ignore"}, AB, "record,labels\n1,A\n2,C|B\n", "capital and small"),
        (MAP | OF_CLASSES, *PETS, "capital and small letters differ"),
        (MRE | {"worst_mm": 9.0}, POINTS + "1,tip,0,0\n", POINTS + "1,Tip,0,0\n", "capital and small letters differ"),
    ],
)
def test_answers_of_which_none_can_be_used_are_no_score_of_zero(
    tmp_path: Path, spec: dict[str, Any], references: str, answers: str, cause: str
) -> None:
    with pytest.raises(AnswerError, match=cause):
        make(spec).score(*_files(tmp_path, references, answers))


UNDEFINED: list[tuple[dict[str, Any], str, str]] = [
    (AUROC, "record,label\n1,1\n2,1\n", "record,score\n1,0.3\n2,0.4\n"),
    (AUROC, "record,label\n1,0\n2,0\n", "record,score\n1,0.3\n2,0.4\n"),
    ({"measure": "classification.sensitivity"}, "record,label\n1,0\n2,0\n", "record,label\n1,0\n2,1\n"),
    ({"measure": "classification.specificity"}, "record,label\n1,1\n2,1\n", "record,label\n1,0\n2,1\n"),
    (SURVIVAL, TIMES.replace("2,1", "2,0"), "record,risk\n1,1\n2,2\n"),
    ({"measure": "regression.r2"}, CONSTANT, NUMBERS),
    ({"measure": "regression.pearson"}, NUMBERS, "record,value\n1,1\n2,1\n"),
    *(({"measure": f"regression.{name}"}, CONSTANT, CONSTANT) for name in ("spearman", "ccc")),
    *(
        ({"measure": f"detection.{name}", "distance": 1}, "record,x,y\n1,,\n", "record,x,y,score\n1,,,\n")
        for name in ("f1", "froc", "map")
    ),
    (MAP | OF_CLASSES, PETS[0].replace("0,0,2,2,Cat", ",,,,"), PETS[1]),
    *((spec, TIMED + "1,,\n", TIMED + "1,,\n") for spec in (OVERLAP, DURATION, ONSETS)),
]


@pytest.mark.parametrize(
    ("spec", "references", "answers", "note"),
    [
        (F1, NAMELESS, NAMELESS, "first line of the references, 'Patient,Rhythm', is scored as a record: is it"),
        (F1, LABELS, LABELS.replace("001", "x1"), "1 answers for records outside the list are ignored"),
        (F1, LABELS, LABELS.replace("record", "id"), "answers for records outside the list are ignored: id"),
        (F1, LABELS, "record,label\n1,A\n2,B\n3,A\n004,B\n", "only 1 of 4 answers name a record of the list"),
        (F1, LABELS, LABELS[:-4] + "4,b\n", "1 answers outside the classes count as wrong (probably capital and small"),
        (F1, LABELS, LABELS.replace(",A", ",nan"), "2 answers outside the classes count as wrong"),
        (F1 | {"labels": [*"ABC"]}, LABELS, LABELS, "neither reference nor answer"),
        (RECALL | {"labels": [*"ABC"]}, LABELS, LABELS, "classes with no reference, left out of the mean: C"),
        (
            AREAS,
            "record,labels\n1,a\n2,\n",
            "record,p_a,p_d\n1,.9,.2\n2,.8,.1\n",
            "labels that no record has",
        ),
        (AUROC, SCORES + "3,1\n4,0\n", "record,score\n1,1\n2,0\n3,0\n4,0\n", "all scores are 0 or 1: labels are no"),
        (MRE, TIPS + "r,a,1,2,3\n", POINTS + "r,a,1,2\n", "the column z is not used: the option coordinates is x, y"),
        (MAE, NUMBERS, "record,value\n1,1\n", "1 of 2 records have no answer, given the largest error"),
        (COSTLY, LABELS, LABELS.replace("A", "B"), "neg_cost, cost, normalised_cost infinite: numbers are too large"),
        (OVERLAP, TIMED + "1,1,2\n1,8,9\n", TIMED + "1,1000,2000\n1,8000,9000\n", BETWEEN),
        ({"measure": "events.beats"}, ONSET + "1,1\n1,2\n", ONSET + "1,360\n1,720\n", BETWEEN),
        (OVERLAP, TIMED + "1,1,2\n", TIMED + "1,1000,2000\n", BETWEEN),
        (BOXES, BOXED + "1,10,10,50,50\n", BOXED + "1,0.1,0.1,0.5,0.5\n", ELSEWHERE),
        (SZCORE, LONG + "1,1,2,60\n", TIMED + "1,1,2\n1,99,100\n", "1 answered events reach beyond the end of"),
        (SZCORE, LONG + "1,1,99,60\n", TIMED + "1,1,2\n", "1 events of the references reach beyond the end of their"),
        (ONSETS, ONSET + "1,1\n1,1\n", ONSET + "1,1\n", "1 rows of the references are there more than once"),
        (MAP | OF_CLASSES, PETS[0], PETS[1] + "1,0,0,2,2,0,Cat\n", "1 answered classes that no reference has (prob"),
        (MAP, BOXED + "1,10,10,50,50\n", SCORED + "1,0.1,0.1,0.5,0.5,1\n1,0.4,0.4,0.9,0.9,1\n", ELSEWHERE),
        (FROC, XYZ + "1,0,0,0\n", "record,x,y,z,score\n1,0,0,99,1\n", "the column z is not used"),
        (MAP, BOXED + "1,0,0,2,2\n", SCORED + "1,0,0,2,2,1\n" * 4, "all scores are equal: there is one operating"),
        *((*case, "undefined") for case in UNDEFINED),
    ],
)
def test_what_is_scored_in_spite_of_it_is_said_in_a_note(
    tmp_path: Path, spec: dict[str, Any], references: str, answers: str, note: str
) -> None:
    report = make(spec).score(*_files(tmp_path, references, answers))
    assert any(note in text for text in report.notes)
    assert math.isnan(report.values[report.primary]) == (note == "undefined")


def test_more_pairs_than_can_be_matched_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.generic.detection.MAX_PAIRS", 2)
    monkeypatch.setattr("metrics.generic.events.MAX_PAIRS", 1)
    for spec, references, answers, reason in (
        (FROC, "record,x,y\n1,0,0\n2,0,0\n", THREE, "2 detections of this record, found 3"),
        (ONSETS, ONSET + "1,1\n1,2\n2,1\n", ONSET + "1,1\n2,1\n", "1 pairs of events with near onsets, found 2"),
    ):
        report = make(spec).score(*_files(tmp_path, references, answers))
        assert list(report.unusable) == ["1"]
        assert f"expected at most {reason}" in report.unusable["1"]


def test_columns_are_read_as_often_for_many_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To read those of landmarks again for each record took minutes for some hundred records."""
    reads: list[str] = []
    column = Table.column
    monkeypatch.setattr(Table, "column", lambda table, name: reads.append(name) or column(table, name))
    before = "record,landmark,x,y,x_before,y_before\n"
    for number in (1, 9):
        rows = "".join(f"{record},a,0,0,1,1\n" for record in range(number))
        make({"measure": "landmarks.tre"}).score(*_files(tmp_path, before + rows, before + rows))
    assert reads[: len(reads) // 2] == reads[len(reads) // 2 :]


def test_record_list_that_is_a_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReferenceDataError, match="expected a list of names, found the text 'a'"):
        make(F1).score(*_files(tmp_path, LABELS.replace("001", "a"), LABELS), records="a")
    with pytest.raises(ReferenceDataError, match="expected every record of the list"):
        make(FROC).score(*_files(tmp_path, "record,x,y\n1,0,0\n", "record,x,y,score\n1,0,0,1\n"), records=["1", "7"])


def test_structure_that_nobody_has_is_named(tmp_path: Path) -> None:
    """It would be perfect in every record."""
    folders = write_pairs(tmp_path, {"a": [np.ones((2, 3, 4), np.uint8)] * 2})
    spec = {"measure": "segmentation.dice", "labels": {"liver": [1], "tumour": [7]}}
    report = make(spec).score(*folders)
    assert any("no reference has the structure tumour" in text for text in report.notes)
