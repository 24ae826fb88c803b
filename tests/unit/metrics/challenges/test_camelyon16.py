"""CAMELYON16: reading answers, both rules, names, slide scores and resampling."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics import AnswerError, ReferenceDataError
from metrics.measures.auc import delong_test
from metrics.statistics.uncertainty import compare
from tests.support.challenge_files import Slides

HIT, MISS, OUTSIDE, NEGATIVE = "1792,2560", " 1791 ,2560,more", f"{10**30},-{10**30}", "-513,-513"
"""X,Y just in the margin of the lesion, just beside it, far outside the slide, and 17 pixels before both its edges."""


@pytest.fixture
def challenge(tmp_path: Path) -> Slides:
    return Slides(tmp_path)


ONE, TWO = "Tumor_001", "Tumor_002"
THIRD = repr(1 / 3)
TUMOURS: dict[str, Any] = {ONE: {}, TWO: {}}
SHEETS = {ONE: [f"0.9,{HIT}"], TWO: [f"0.9,{HIT}"], "Normal_001": [], "Normal_002": []}
"""Two slides of each kind, and perfect answers."""
Wish = str | dict[str, Any]
"""An error, or values, numbers of slides, and a part of a note."""
RULES: dict[str, tuple[dict[str, Any], dict[str, list[str]], *tuple[Wish, ...]]] = {
    "a byte order mark": ({ONE: {}}, {ONE: [f"\ufeff0.5,{HIT}"]}, "line 1", {"froc": 1}),
    "isolated tumour cells": (
        {ONE: {"itc": True}},
        {ONE: ["0.9,672,672", f"0.5,{HIT}"]},
        {"froc": 1, ONE: {"lesions": 1, "itc": 1, "false_positives": 0}},
        {"froc": 1, ONE: {"lesions": 1, "itc": 1, "false_positives": 0}},
    ),
    "a missing CSV": (
        {ONE: {}, TWO: {}},
        {ONE: [f"0.9,{HIT}", f"0.5,{MISS}"]},
        {"froc": 1},
        {"froc": 0.5, "note": "1 slides have no CSV file and count as without detections: Tumor_002"},
    ),
    # 17 pixels before the edges of 120 x 110 is (103, 93): the last row of the margin of the tumour
    "a negative coordinate": (
        {ONE: {}},
        {ONE: [f"0.9,{NEGATIVE}", f"0.1,{MISS}"]},
        {ONE: {"found": 1}},
        {ONE: {"found": 0, "false_positives": 2}, "note": "1 detections outside the slide"},
    ),
    "beyond the slide": ({ONE: {}}, {ONE: [f"0.9,{OUTSIDE}"]}, "3520 x 3840 pixels", {ONE: {"false_positives": 1}}),
    "a hit of no confidence": (
        {ONE: {}},
        {ONE: [f"0,{HIT}", f"-1,{MISS}"]},
        {ONE: {"found": 0}},
        {ONE: {"found": 1}, "froc": 1},
    ),
    # single precision rounds the hit above the false positive that it ties with
    "a tie": (
        {ONE: {}, TWO: {}},
        {ONE: [f"{THIRD},{HIT}", f"{THIRD},{MISS}"], TWO: []},
        {"sensitivity_at_0.25": 0.5},
        {"sensitivity_at_0.25": 0.25},
    ),
    "NaN on a lesion": ({ONE: {}}, {ONE: [f"0.9,{HIT}", f"nan,{HIT}"]}, {ONE: {"false_positives": 0}}, "finite"),
    "NaN beside it": (
        {ONE: {}},
        {ONE: [f"0.9,{HIT}", f"nan,{MISS}"]},
        {ONE: {"false_positives": 1}, "note": "NaN"},
        "finite",
    ),
    "masks of ones and of nothing": (
        {ONE: {"inside": 1}, TWO: {"inside": 0}},
        {ONE: [f"0.9,{HIT}"], TWO: [f"0.9,{HIT}"]},
        {"note": "undefined: there is no lesion to find"},
        {"sensitivity_at_0.5": 1, TWO: {"tumour": 0}, "note": "Tumor_002: its reference shows no tumour"},
    ),
    "a name in small letters": (
        {"tumor_001": {}, TWO: {}},
        {slide: [f"0.9,{HIT}", f"0.5,{MISS}"] for slide in ("tumor_001", TWO)},
        {"tumor_001": {"false_positives": 2}},
        {"tumor_001": {"false_positives": 1}, "froc": 1},
    ),
    "scores of slides": (
        TUMOURS,
        {**SHEETS, "slides": [f"{ONE},0.9", f"{TWO},0.5", "Normal_001,0.5", "Normal_002,0.1"]},
        *[{"auc": 3.5 / 4, TWO: {"score": 0.5}}] * 2,
    ),
    # which loses every comparison by the corrected rules
    "a slide without a score": (
        TUMOURS,
        {**SHEETS, "slides": [f"{ONE},0.9", "Normal_002,0.1"]},
        {"auc": 1},
        {"auc": 1 / 4, "note": "ranked worst"},
    ),
    "names of slides that differ in case": (
        TUMOURS,
        {**SHEETS, "slides": [f"{ONE},0.1", "tumor_001,0.1"]},
        {},
        "found two",
    ),
    "a slide twice": (TUMOURS, {**SHEETS, "slides": [f"{ONE},0.1"] * 2}, *["again in line 2"] * 2),
    **{
        f"scores '{line}'": (
            TUMOURS,
            {**SHEETS, "slides": [line]},
            *["finite number, such as Test_001,0.93, in line 1"] * 2,
        )
        for line in (f"{ONE},nan", f"{ONE},0.9_3", f"{ONE},\u0660.\u0669", "slide,probability", ONE)
    },
}


@pytest.mark.parametrize("name", RULES)
def test_rules_differ(challenge: Slides, name: str) -> None:
    masks, sheets, *wishes = RULES[name]
    for slide, options in masks.items():
        challenge.mask(slide, **options)
    for slide, lines in sheets.items():
        challenge.sheet(slide, *lines)
    for rules, wish in zip(("official", "corrected"), wishes, strict=True):
        if isinstance(wish, str):
            with pytest.raises(AnswerError, match=wish):
                challenge.score(rules)
            continue
        report = challenge.score(rules)
        for key, value in wish.items():
            if isinstance(value, dict):
                assert value.items() <= report.per_record[key].items()
            elif key == "note":
                assert any(value in note for note in report.notes)
            else:
                assert report.values[key] == value


@pytest.mark.parametrize("answered", ["Test_001", "test_001", "TEST_001"])
def test_test_slides_are_told_apart_by_the_organisers_list(challenge: Slides, answered: str) -> None:
    challenge.mask("test_001", name="{}_mask.png")
    (challenge.references / "reference.csv").write_text("test_001,Tumor,IDC,Macro\r\ntest_002,Normal,None,None\r\n")
    challenge.sheet(answered, f"0.9,{HIT}")
    challenge.sheet("test_002", f"0.4,{HIT}")
    report = challenge.score("corrected")
    assert list(report.per_record) == ["test_001", "test_002"]
    assert report.values["froc"] == 1
    assert report.curves["total_FPs"] == [0.5, 0, 0]
    assert report.notes == ("auc is not computed: the answers have no slides.csv",)


def test_record_list_decides_and_other_answers_are_ignored_with_a_note(challenge: Slides) -> None:
    challenge.mask("Tumor_001")
    challenge.sheet("tumor_001", f"0.9,{HIT}")
    challenge.sheet("Normal_777", f"0.95,{HIT}")
    report = challenge.score("corrected", records=["Tumor_001", "Normal_001"])
    assert list(report.per_record) == ["Tumor_001", "Normal_001"]
    assert report.curves["total_FPs"] == [0, 0]
    assert any("Normal_777" in note for note in report.notes)


def test_without_a_list_normal_slides_are_those_answered_and_it_is_said(challenge: Slides) -> None:
    challenge.mask("Tumor_001")
    challenge.sheet("normal_001", f"0.4,{HIT}")
    challenge.sheet("test_001", f"0.4,{HIT}")
    report = challenge.score("corrected")
    assert sorted(report.per_record) == ["Tumor_001", "normal_001"]
    assert any("no list of slides" in note for note in report.notes)


def test_an_unusable_sheet_is_a_missing_one(challenge: Slides) -> None:
    for slide in ("Tumor_001", "Tumor_002", "Tumor_003"):
        challenge.mask(slide)
        challenge.sheet(slide, f"0.9,{HIT}")
    challenge.sheet("TUMOR_001")
    challenge.sheet("Tumor_002", f"0.9,{HIT}", "nan,1,1")
    report = challenge.score("corrected")
    assert "found two" in report.unusable["Tumor_001"]
    assert "expected a finite confidence in line 2" in report.unusable["Tumor_002"]
    assert report.values["froc"] == pytest.approx(1 / 3)


def test_mistakes_in_lists_and_masks_are_the_organisers(challenge: Slides) -> None:
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


def test_official_program_stops_without_a_mask_or_without_answers(challenge: Slides) -> None:
    with pytest.raises(AnswerError, match="at least one"):
        challenge.score("official")
    challenge.sheet("Tumor_009", f"0.9,{HIT}")
    with pytest.raises(AnswerError, match="Tumor_009_Mask"):
        challenge.score("official")
    with pytest.raises(ReferenceDataError, match="Tumor_009_Mask"):
        challenge.score("official", records=["Tumor_009"])


def test_outlines_serve_as_references_next_to_masks(challenge: Slides) -> None:
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


def test_areas_of_two_entries_are_compared_by_delong(challenge: Slides) -> None:
    for slide, lines in SHEETS.items():
        challenge.sheet(slide, *lines)
    for slide in TUMOURS:
        challenge.mask(slide)
    numbers = np.array([[4.0, 2, 3, 1], [1, 4, 3, 2]])
    scored = []
    for row in numbers:
        challenge.sheet("slides", *(f"{slide},{number}" for slide, number in zip(SHEETS, row, strict=True)))
        scored.append(challenge.score("corrected"))
    difference, *expected = delong_test(*numbers, np.arange(4) < 2)
    comparison = compare(*scored, "auc")
    assert comparison.difference == pytest.approx(difference)
    assert [comparison.low, comparison.high, comparison.p_value] == pytest.approx(expected)
    assert compare(*scored).key == "froc"
