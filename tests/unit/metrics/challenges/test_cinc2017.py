import math
from collections.abc import Callable
from pathlib import Path

import pytest

import metrics
from metrics.base import AnswerError, ReferenceDataError, ScoreReport

Score = Callable[..., ScoreReport]


@pytest.fixture
def score(tmp_path: Path) -> Score:
    """Scores the texts of a reference and an answer file."""

    def scored(references: str | bytes, answers: str | bytes, **options: object) -> ScoreReport:
        for name, content in (("REFERENCE.csv", references), ("answers.txt", answers)):
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return metrics.get("cinc2017").score(tmp_path / "REFERENCE.csv", tmp_path / "answers.txt", **options)  # type: ignore[arg-type]

    return scored


# Four records of each class.  By hand: N 3 right, 1 of N called O; A 2 right, 2 called N; O 4 right; ~ 2 right,
# 2 called O.  F1n = 2*3/(4+5), F1a = 2*2/(4+2), F1o = 2*4/(4+7), F1p = 2*2/(4+2).
REFERENCES = "".join(f"{label}{i},{name}\n" for label, name in zip("naop", "NAO~", strict=True) for i in range(1, 5))
ANSWERS = (
    "n1,N\nn2,N\nn3,N\nn4,O\n"
    "a1,A\na2,A\na3,N\na4,N\n"
    "o1,O\no2,O\no3,O\no4,O\n"
    "p1,~\np2,~\np3,O\np4,O\n"
)  # fmt: skip
BY_HAND = {"F1n": 6 / 9, "F1a": 4 / 6, "F1o": 8 / 11, "F1p": 4 / 6}


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_f1_of_a_table_counted_by_hand_whose_folder_may_stand_for_it(score: Score, rules: str, tmp_path: Path) -> None:
    report = score(REFERENCES, ANSWERS, rules=rules)
    assert list(report.values) == ["F1", "F1n", "F1a", "F1o", "F1p", "F1_phase1_mean_of_four"]
    for key, value in BY_HAND.items():
        assert report.values[key] == pytest.approx(value, abs=1e-15)
    assert report.values["F1"] == pytest.approx(sum(list(BY_HAND.values())[:3]) / 3, abs=1e-15)
    assert report.values["F1_phase1_mean_of_four"] == pytest.approx(sum(BY_HAND.values()) / 4, abs=1e-15)
    assert report.per_record["n4"] == {"reference": "N", "answer": "O", "correct": 0.0}
    assert report.per_record["a1"] == {"reference": "A", "answer": "A", "correct": 1.0}
    assert report.curves["confusion"] == [3, 0, 1, 0, 2, 2, 0, 0, 0, 0, 4, 0, 0, 0, 2, 2]
    assert report.notes == ()
    assert metrics.get("cinc2017").score(tmp_path, tmp_path, rules=rules).values == report.values


# ------------------------------------------------------------------------------------------------- official


def test_official_name_without_label_at_the_end_stops_only_if_it_is_looked_up(score: Score) -> None:
    assert score("x,N\ny,O\n", "x,N\ny,O\nz", rules="official").values["F1n"] == 1.0
    with pytest.raises(AnswerError, match="record y"):
        score("x,N\ny,O\n", "x,N\ny", rules="official")


def test_official_byte_order_mark_hides_the_first_record(score: Score) -> None:
    report = score("x,N\ny,O\n", b"\xef\xbb\xbfx,N\ny,O\n", rules="official")
    assert report.per_record["x"]["answer"] == "~"
    assert "byte order mark" in report.notes[0]


# ------------------------------------------------------------------------------------------------ corrected


def test_missing_answer_is_a_miss_also_of_a_noisy_record(score: Score) -> None:
    report = score("x,~\ny,~\nz,N\nw,N\n", "y,~\nz,N\n")
    assert report.values["F1n"] == 2 / 3
    assert report.values["F1p"] == 2 / 3
    assert report.per_record["x"] == {"reference": "~", "answer": "", "correct": 0.0}
    assert report.curves["unanswered"] == [1, 0, 0, 1]
    assert "2 of 4 records have no answer" in report.notes[0]


@pytest.mark.parametrize(
    ("references", "answers", "same", "notes"),
    [
        (REFERENCES, ANSWERS + "more,N\n", ANSWERS, ("1 answers for records outside the list are ignored",)),
        ("A1,N\nA10,A\n", "A10,A\nA1,N\n", "A1,N\nA10,A\n", ()),  # names are compared whole
        (REFERENCES, "\ufeff" + ANSWERS.replace(",", " , ").replace("\n", " \n\n"), ANSWERS, ()),
    ],
)
def test_other_names_order_blanks_and_marks_do_not_matter(
    score: Score, references: str, answers: str, same: str, notes: tuple[str, ...]
) -> None:
    report = score(references, answers)
    assert report.values == pytest.approx(dict(score(references, same).values), nan_ok=True)
    assert report.notes[: len(notes)] == notes


def test_an_unusable_line_is_a_missing_answer_of_its_record(score: Score) -> None:
    references, good = "x,N\ny,O\nz,A\n", "x,N\ny,O\n"
    for line, reason in (
        ("z,AF", "line 3: expected one of N A O ~, found 'AF'"),
        ("z,a", "found 'a' (probably capital and small letters differ)"),
        ("z,A,0.9", "found 'A,0.9'"),
        ("z", "line 3: expected 'record,label', found 'z'"),
        ("z,A\nz,A", "line 4: expected every record once"),
    ):
        report = score(references, f"{good}{line}\n")
        assert report.values == pytest.approx(dict(score(references, good).values), nan_ok=True)
        assert reason in report.unusable["z"]
        assert any(reason in note and note.record == "z" for note in report.notes)
    header = score(references, "record,label\n" + good + "z,A\n")
    assert header.values["F1"] == 1
    assert any("for no record of the list and ignored: record: answers.txt: line 1" in note for note in header.notes)
    assert "1 answers that cannot be used are for no record of the list and ignored" in header.notes


def test_the_record_list_decides_which_records_count(score: Score) -> None:
    records = ["n1", "n4", "a1", "o1"]
    for rules in ("official", "corrected"):
        report = score(REFERENCES, ANSWERS, records=records, rules=rules)
        assert set(report.per_record) == set(records)
        assert report.values["F1n"] == 2 / 3
        with pytest.raises(ReferenceDataError, match=r"record other.*expected a label"):
            score(REFERENCES, ANSWERS, records=[*records, "other"], rules=rules)
    with pytest.raises(ReferenceDataError, match="once"):
        score(REFERENCES, ANSWERS, records=["n1", "n1"])


OFFICIAL = (
    "x,N\nother,AF\n",  # an illegal label of a record not asked for
    "x,n\n",
    "x,N \n",  # the blank belongs to the label
    "x\n",
    "x,N,0.9\n",
    "x,N\n\ny,O\n",  # the blank line takes the place of a name
    "record,label\nx,N\n",
)
CORRECTED: tuple[tuple[str | bytes, str], ...] = (
    ("", "expected lines 'record,label'.*found none"),
    ("x,n\ny,o\n", r"no answer can be used; .*found 'n' \(probably capital and small letters differ\)"),
    ("x;N\n", r"line 1: expected 'record,label', found 'x;N'; semicolons are between its cells"),
    (",N\n", r"line 1: expected 'record,label'"),
    ("x,N,0.9\n", r"found 'N,0.9'"),
    (b"x,N\n\xff,N\n", r"expected UTF-8 text, found byte 0xff in line 2"),
    ("x\tN\n", r"found 'x\\tN'; tabs are between its cells"),
)
REFERENCE = (("x,Q\n", "found 'Q'"), ("x,N\nx,N\n", "once"), ("x\n", "record,label"), ("", "at least one record"))


@pytest.mark.parametrize(
    ("rules", "references", "answers", "message"),
    [
        *(("official", "x,N\ny,O\n", answers, "expected one of N A O ~") for answers in OFFICIAL),
        *(("corrected", "x,N\ny,O\n", answers, message) for answers, message in CORRECTED),
        *(("corrected", references, "x,N\n", message) for references, message in REFERENCE),
        ("official", "x,N\ny", "x,N\n", "expected lines 'record,label', found one without"),
    ],
)
def test_bad_files_are_rejected_with_record_wish_and_value(
    score: Score, rules: str, references: str, answers: str | bytes, message: str
) -> None:
    error = AnswerError if references == "x,N\ny,O\n" else ReferenceDataError
    with pytest.raises(error, match=message):
        score(references, answers, rules=rules)


def test_class_that_never_occurs_is_left_out_of_the_mean(score: Score) -> None:
    report = score("x,N\ny,O\nz,O\n", "x,N\ny,O\nz,N\n")
    assert report.values["F1"] == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert math.isnan(report.values["F1a"])
    assert any("mean over the classes that occur" in note for note in report.notes)
    # an answer makes the class occur
    assert score("x,N\ny,O\nz,O\n", "x,N\ny,O\nz,A\n").values["F1a"] == 0.0
