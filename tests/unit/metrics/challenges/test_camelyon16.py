"""CAMELYON16: reading answers, both rules, names, slide scores and resampling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from metrics import AnswerError, ReferenceDataError, ScoreReport
from metrics.challenges.camelyon16 import KEYS, Camelyon16
from metrics.measures.auc import delong_test
from metrics.readers.detections import MAX_DETECTIONS, Detections, parse_detections
from metrics.statistics.uncertainty import compare

FILE = Path("Tumor_001.csv")
TUMOUR = (np.s_[60:100], np.s_[60:100])
"""Rows and columns of the one lesion of every tumour slide below, in level-5 pixels."""
HIT, MISS, OUTSIDE, NEGATIVE = "2560,2560", "320,320", "100000,320", "-640,-640"
"""X,Y in the lesion, beside it, right of the slide, and 20 pixels before both its edges."""


class Challenge:
    """Folders of references and answers that a test fills."""

    def __init__(self, root: Path) -> None:
        self.references, self.answers = root / "references", root / "answers"
        self.metric = Camelyon16(cache=root / "cache")
        self.references.mkdir()
        self.answers.mkdir()

    def mask(self, slide: str, *, inside: int = 255, name: str = "{}_Mask.png", itc: bool = False) -> None:
        raster = np.zeros((120, 110), np.uint8)
        raster[TUMOUR] = inside
        if itc:
            raster[20:22, 20:22] = inside
        Image.fromarray(raster).save(self.references / name.format(slide))

    def sheet(self, slide: str, *lines: str) -> None:
        (self.answers / f"{slide}.csv").write_text("".join(f"{line}\n" for line in lines))

    def score(self, rules: str, records: list[str] | None = None) -> ScoreReport:
        return self.metric.score(self.references, self.answers, records=records, rules=rules)


@pytest.fixture
def challenge(tmp_path: Path) -> Challenge:
    return Challenge(tmp_path)


def parsed(text: str, *, finite: bool = True) -> Detections:
    return parse_detections(text, file=FILE, record="Tumor_001", finite=finite)


def test_coordinates_become_level_5_pixels_rounded_down() -> None:
    found = parsed("0.5,64,31\n1e-1, 63 ,-1,more\n")
    assert found.confidences.tolist() == [0.5, 0.1]
    assert list(zip(found.rows.tolist(), found.columns.tolist(), strict=True)) == [(0, 2), (-1, 1)]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("confidence,X,Y\n0.5,1,2\n", 1, "confidence,X,Y' (the file must"),
        ("0.5,1,2\n\n", 2, ""),
        ("0.5,1.0,2\n", 1, "0.5,1.0,2"),
        ("0.5,1\n", 1, "0.5,1"),
        ("0.5;1;2\n", 1, "0.5;1;2"),
        ("\ufeff0.5,1,2\n", 1, "\\ufeff0.5"),
        ("0,5,1,2\n0.5,x,2\n", 2, "0.5,x,2"),
        ("0.5," + "9" * 5000 + ",1\n", 1, "0.5,999"),
    ],
)
def test_line_that_is_no_detection_is_named(text: str, line: int, found: str) -> None:
    with pytest.raises(AnswerError, match=f"in line {line}, found") as caught:
        parsed(text)
    assert found in str(caught.value)
    assert caught.value.record == "Tumor_001"


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
def test_confidence_that_is_not_finite_is_refused_only_on_request(value: str) -> None:
    assert len(parsed(f"{value},1,2\n", finite=False).confidences) == 1
    with pytest.raises(AnswerError, match="finite confidence in line 1"):
        parsed(f"{value},1,2\n")


def test_astronomic_coordinates_stay_outside() -> None:
    found = parsed(f"0.5,{10**30},-{10**30}\n")
    assert found.columns[0] > 1 << 30
    assert found.rows[0] < -1 << 30


def test_more_detections_than_a_slide_can_have_are_refused() -> None:
    with pytest.raises(AnswerError, match=f"at most {MAX_DETECTIONS:,} lines"):
        parsed("0.5,1,2\n" * (MAX_DETECTIONS + 1))


def test_byte_order_mark_stops_officially_and_is_dropped_when_corrected(challenge: Challenge) -> None:
    challenge.mask("Tumor_001")
    (challenge.answers / "Tumor_001.csv").write_text(f"\ufeff0.5,{HIT}\n")
    with pytest.raises(AnswerError, match="line 1"):
        challenge.score("official")
    assert challenge.score("corrected").values["froc"] == 1


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_froc_counted_by_hand(challenge: Challenge, rules: str) -> None:
    for slide in ("Tumor_001", "Tumor_002"):
        challenge.mask(slide)
    challenge.sheet("Tumor_001", f"0.9,{HIT}", f"0.8,{HIT}", f"0.7,{MISS}", f"0.3,{MISS}")
    challenge.sheet("Tumor_002", f"0.6,{MISS}")
    challenge.sheet("Normal_001", f"0.5,{HIT}")
    challenge.sheet("Normal_002")
    report = challenge.score(rules)
    # one of two lesions found before any of the four false positives on four slides
    assert report.values == pytest.approx(dict.fromkeys(KEYS, 0.5))
    assert report.curves["total_FPs"] == [1.0, 0.75, 0.5, 0.25, 0, 0]
    assert report.curves["total_sensitivity"] == [0.5] * 5 + [0]
    assert report.per_record["Tumor_001"] == {
        "tumour": 1, "lesions": 1, "itc": 0, "found": 1, "false_positives": 2,
    }  # fmt: skip
    assert report.primary == next(iter(report.values)) == "froc"


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_detection_in_isolated_tumour_cells_counts_for_nothing(challenge: Challenge, rules: str) -> None:
    challenge.mask("Tumor_001", itc=True)
    challenge.sheet("Tumor_001", "0.9,672,672", f"0.5,{HIT}")
    report = challenge.score(rules)
    assert report.values["froc"] == 1
    assert report.per_record["Tumor_001"]["itc"] == 1
    assert report.per_record["Tumor_001"]["false_positives"] == 0


def test_missing_csv_is_not_counted_officially_and_a_miss_when_corrected(challenge: Challenge) -> None:
    for slide in ("Tumor_001", "Tumor_002"):
        challenge.mask(slide)
    challenge.sheet("Tumor_001", f"0.9,{HIT}", f"0.5,{MISS}")
    assert challenge.score("official").values["froc"] == 1
    report = challenge.score("corrected")
    assert report.values["froc"] == 0.5
    assert report.curves["total_FPs"][0] == 0.5
    assert any("no CSV file" in note and "Tumor_002" in note for note in report.notes)


def test_negative_coordinate_wraps_officially_and_is_a_false_positive_when_corrected(challenge: Challenge) -> None:
    challenge.mask("Tumor_001")
    # 20 pixels before the edges of 120 x 110 is (100, 90): one pixel below the tumour, within its margin
    challenge.sheet("Tumor_001", f"0.9,{NEGATIVE}", f"0.1,{MISS}")
    assert challenge.score("official").per_record["Tumor_001"]["found"] == 1
    report = challenge.score("corrected")
    assert report.per_record["Tumor_001"]["found"] == 0
    assert report.per_record["Tumor_001"]["false_positives"] == 2
    assert any("1 detections outside the slide" in note for note in report.notes)


def test_detection_beyond_the_slide_stops_officially_and_is_a_false_positive_when_corrected(
    challenge: Challenge,
) -> None:
    challenge.mask("Tumor_001")
    challenge.sheet("Tumor_001", f"0.9,{OUTSIDE}")
    with pytest.raises(AnswerError, match="3520 x 3840 pixels"):
        challenge.score("official")
    assert challenge.score("corrected").per_record["Tumor_001"]["false_positives"] == 1


def test_hit_of_no_confidence_counts_only_when_corrected(challenge: Challenge) -> None:
    challenge.mask("Tumor_001")
    challenge.sheet("Tumor_001", f"0,{HIT}", f"-1,{MISS}")
    assert challenge.score("official").per_record["Tumor_001"]["found"] == 0
    report = challenge.score("corrected")
    assert report.per_record["Tumor_001"]["found"] == 1
    assert report.values["froc"] == 1


def test_ties_are_exact_when_corrected(challenge: Challenge) -> None:
    challenge.mask("Tumor_001")
    challenge.mask("Tumor_002")
    third = repr(1 / 3)
    challenge.sheet("Tumor_001", f"{third},{HIT}", f"{third},{MISS}")
    challenge.sheet("Tumor_002")
    # single precision rounds the hit above the false positive that it ties with
    assert challenge.score("official").values["sensitivity_at_0.25"] == 0.5
    assert challenge.score("corrected").values["sensitivity_at_0.25"] == 0.25


@pytest.mark.parametrize("where", [HIT, MISS])
def test_nan_confidence_is_noted_officially_and_refused_when_corrected(challenge: Challenge, where: str) -> None:
    challenge.mask("Tumor_001")
    challenge.sheet("Tumor_001", f"0.9,{HIT}", f"nan,{where}")
    report = challenge.score("official")
    assert report.per_record["Tumor_001"]["false_positives"] == (where == MISS)
    assert any("NaN" in note for note in report.notes) == (where == MISS)
    with pytest.raises(AnswerError, match="finite"):
        challenge.score("corrected")


def test_mask_of_ones_is_tumour_and_of_nothing_a_normal_slide_when_corrected(challenge: Challenge) -> None:
    challenge.mask("Tumor_001", inside=1)
    challenge.mask("Tumor_002", inside=0)
    for slide in ("Tumor_001", "Tumor_002"):
        challenge.sheet(slide, f"0.9,{HIT}")
    report = challenge.score("corrected")
    assert report.values["sensitivity_at_0.5"] == 1
    assert report.per_record["Tumor_002"]["tumour"] == 0
    assert any("Tumor_002" in note and "no tumour" in note for note in report.notes)


def test_only_names_with_a_capital_tumor_are_tumour_slides_officially(challenge: Challenge) -> None:
    for slide in ("tumor_001", "Tumor_002"):
        challenge.mask(slide)
        challenge.sheet(slide, f"0.9,{HIT}", f"0.5,{MISS}")
    official, corrected = challenge.score("official"), challenge.score("corrected")
    assert official.per_record["tumor_001"]["false_positives"] == 2
    assert corrected.per_record["tumor_001"]["false_positives"] == 1
    assert corrected.values["froc"] == 1


@pytest.mark.parametrize("answered", ["Test_001", "test_001", "TEST_001"])
def test_test_slides_are_told_apart_by_the_organisers_list(challenge: Challenge, answered: str) -> None:
    challenge.mask("test_001", name="{}_mask.png")
    (challenge.references / "reference.csv").write_text("test_001,Tumor,IDC,Macro\r\ntest_002,Normal,None,None\r\n")
    challenge.sheet(answered, f"0.9,{HIT}")
    challenge.sheet("test_002", f"0.4,{HIT}")
    report = challenge.score("corrected")
    assert list(report.per_record) == ["test_001", "test_002"]
    assert report.values["froc"] == 1
    assert report.curves["total_FPs"] == [0.5, 0, 0]
    assert report.notes == ("auc is not computed: the answers have no slides.csv",)


def test_record_list_decides_and_other_answers_are_ignored_with_a_note(challenge: Challenge) -> None:
    challenge.mask("Tumor_001")
    challenge.sheet("tumor_001", f"0.9,{HIT}")
    challenge.sheet("Normal_777", f"0.95,{HIT}")
    report = challenge.score("corrected", records=["Tumor_001", "Normal_001"])
    assert list(report.per_record) == ["Tumor_001", "Normal_001"]
    assert report.curves["total_FPs"] == [0, 0]
    assert any("Normal_777" in note for note in report.notes)


def test_without_a_list_normal_slides_are_those_answered_and_it_is_said(challenge: Challenge) -> None:
    challenge.mask("Tumor_001")
    challenge.sheet("normal_001", f"0.4,{HIT}")
    challenge.sheet("test_001", f"0.4,{HIT}")
    report = challenge.score("corrected")
    assert sorted(report.per_record) == ["Tumor_001", "normal_001"]
    assert any("no list of slides" in note for note in report.notes)


def test_an_unusable_sheet_is_a_missing_one(challenge: Challenge) -> None:
    for slide in ("Tumor_001", "Tumor_002", "Tumor_003"):
        challenge.mask(slide)
        challenge.sheet(slide, f"0.9,{HIT}")
    challenge.sheet("TUMOR_001")
    challenge.sheet("Tumor_002", f"0.9,{HIT}", "nan,1,1")
    report = challenge.score("corrected")
    assert "found two" in report.unusable["Tumor_001"]
    assert "expected a finite confidence in line 2" in report.unusable["Tumor_002"]
    assert report.values["froc"] == pytest.approx(1 / 3)


def test_mistakes_in_lists_and_masks_are_the_organisers(challenge: Challenge) -> None:
    challenge.mask("Tumor_001")
    challenge.sheet("Tumor_001", f"0.9,{HIT}")
    for text, message in (
        ("Tumor_001,Normal\n", "no tumour as reference.csv says"),
        ("Tumor_001,Tumor\nTumor_002,Tumor\n", "expected tumour as reference.csv says"),
        ("Tumor_001,Macro\n", "expected a slide and Tumor or Normal, such as Test_001,Tumor, in line 1"),
        ("Tumor_001,Tumor\nTumor_001,Tumor\n", "found it twice"),
    ):
        (challenge.references / "reference.csv").write_text(text)
        with pytest.raises(ReferenceDataError, match=message):
            challenge.score("corrected")
    (challenge.references / "reference.csv").unlink()
    for records in ([], ["Tumor_001", "tumor_001"]):
        with pytest.raises(ReferenceDataError):
            challenge.score("corrected", records=records)
    (challenge.references / "Tumor_001_Mask.png").write_bytes(b"\x89PNG broken")
    with pytest.raises(ReferenceDataError, match="Tumor_001"):
        challenge.score("official")


def test_official_program_stops_without_a_mask_or_without_answers(challenge: Challenge) -> None:
    with pytest.raises(AnswerError, match="at least one"):
        challenge.score("official")
    challenge.sheet("Tumor_009", f"0.9,{HIT}")
    with pytest.raises(AnswerError, match="Tumor_009_Mask"):
        challenge.score("official")
    with pytest.raises(ReferenceDataError, match="Tumor_009_Mask"):
        challenge.score("official", records=["Tumor_009"])


def test_outlines_serve_as_references_next_to_masks(challenge: Challenge) -> None:
    challenge.mask("Tumor_001")
    (challenge.references / "Tumor_002.json").write_text(
        '{"positive": [{"name": "a", "vertices": [[1920, 1920], [3200, 1920], [3200, 3200], [1920, 3200]]}]}'
    )
    for slide in ("Tumor_001", "Tumor_002"):
        challenge.sheet(slide, f"0.9,{HIT}", f"0.1,{MISS}", f"0.05,{NEGATIVE}")
    for rules in ("official", "corrected"):
        report = challenge.score(rules)
        assert report.per_record["Tumor_002"]["found"] == 1
        assert report.per_record["Tumor_002"]["false_positives"] == 2
    assert any("size" in note for note in challenge.score("official").notes)


def slide_scores(challenge: Challenge, text: str) -> None:
    for slide in ("Tumor_001", "Tumor_002"):
        challenge.mask(slide)
        challenge.sheet(slide, f"0.9,{HIT}")
    for slide in ("Normal_001", "Normal_002"):
        challenge.sheet(slide)
    (challenge.answers / "slides.csv").write_text(text)


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_slide_scores_give_the_roc_area(challenge: Challenge, rules: str) -> None:
    slide_scores(challenge, "Tumor_001,0.9\nTumor_002,0.5\nNormal_001,0.5\nNormal_002,0.1\n")
    report = challenge.score(rules)
    assert report.values["auc"] == 3.5 / 4
    assert report.per_record["Tumor_002"]["score"] == 0.5
    assert "slides" not in report.per_record


def test_slide_without_a_score_loses_every_comparison_when_corrected(challenge: Challenge) -> None:
    slide_scores(challenge, "Tumor_001,0.9\nNormal_002,0.1\n")
    assert challenge.score("official").values["auc"] == 1
    report = challenge.score("corrected")
    assert report.values["auc"] == 1 / 4
    assert any("ranked worst" in note for note in report.notes)


def test_areas_of_two_entries_are_compared_by_delong(challenge: Challenge) -> None:
    tumour = [f"Tumor_{i:03d}" for i in range(6)]
    slides = tumour + [f"Normal_{i:03d}" for i in range(6)]
    for slide in tumour:
        challenge.mask(slide)
    scored = []
    for numbers in (range(12, 0, -1), (1, 12, 3, 9, 8, 7, 6, 5, 4, 10, 2, 11)):
        text = "".join(f"{slide},{number / 12}\n" for slide, number in zip(slides, numbers, strict=True))
        (challenge.answers / "slides.csv").write_text(text)
        scored.append(challenge.score("corrected", slides))
    scores = [np.array([one.per_record[slide]["score"] for slide in slides], np.float64) for one in scored]
    difference, *expected = delong_test(*scores, np.arange(12) < 6)
    found = compare(*scored, "auc")
    assert found.difference == pytest.approx(difference)
    assert [found.low, found.high, found.p_value] == expected
    assert 0 < found.p_value < 0.05
    assert compare(*scored).key == "froc"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Tumor_001,nan\n", "finite number, such as Test_001,0.93, in line 1"),
        ("slide,probability\n", "finite number, such as Test_001,0.93, in line 1"),
        ("Tumor_001\n", "finite number, such as Test_001,0.93, in line 1"),
        ("Tumor_001,0.1\nTumor_001,0.1\n", "again in line 2"),
    ],
)
def test_bad_slide_scores_are_refused(challenge: Challenge, text: str, message: str) -> None:
    slide_scores(challenge, text)
    for rules in ("official", "corrected"):
        with pytest.raises(AnswerError, match=message):
            challenge.score(rules)


def test_slide_scored_twice_under_names_that_differ_in_case_is_refused(challenge: Challenge) -> None:
    slide_scores(challenge, "Tumor_001,0.1\ntumor_001,0.1\n")
    with pytest.raises(AnswerError, match="found two"):
        challenge.score("corrected")
