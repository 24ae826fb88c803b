"""A multiset of records scores as a data set in which they stand several times, for every measure."""

from __future__ import annotations

import itertools
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metrics
from metrics import products
from metrics.base import AnswerError, MetricError, ReferenceDataError
from metrics.generic import make, measures
from metrics.plots import plots_of
from metrics.products import product
from metrics.statistics.uncertainty import compare, intervals
from tests.support.score_tables import write
from tests.support.volume_files import write_volume
from tests.unit.metrics.test_notes import CHALLENGES

N = 8
RANDOM = np.random.default_rng(11)
Rows = dict[str, list[str]]


def numbers(*columns: Any) -> Rows:
    """Rows of each record, of as many columns."""
    return {f"r{i}": [",".join(map(str, row))] for i, row in enumerate(zip(*columns, strict=True))}


def labels(kinds: str) -> list[str]:
    return RANDOM.choice(list(kinds), N).tolist()


def many(make_row: Callable[[], str]) -> Rows:
    return {f"r{i}": [make_row() for _ in range(int(RANDOM.integers(0, 4)))] for i in range(N)}


def point() -> str:
    x, y, score = RANDOM.integers(0, 6, 3)
    return f"{x},{y},{score / 5}"


def event() -> str:
    onset = RANDOM.integers(0, 30)
    return f"{onset},{onset + RANDOM.integers(1, 6)}"


OF_AB, OF_A = {"labels": ["A", "B"]}, {"positive": "A", "at": 0.4}
REWARDS = {"A": {"A": 1, "B": 0.5}, "B": {"A": 0.25, "B": 1}}
CLASSES = numbers(labels("AAB")), numbers(labels("ABB"))
SETS = numbers(RANDOM.choice(["A", "B", "A|B", ""], N)), numbers(RANDOM.choice(["A", "B", "A|B", ""], N))
CHANCES = numbers(labels("ABC")), numbers(*RANDOM.dirichlet([1, 1, 1], N).T.round(6))
HOSPITALS = numbers(labels("AB"), labels("XY")), numbers(RANDOM.integers(0, 6, N) / 5)
VALUES = numbers(RANDOM.integers(0, 9, N)), numbers(RANDOM.integers(0, 9, N))
TIMES = numbers(RANDOM.integers(0, 9, N), RANDOM.integers(0, 2, N)), numbers(RANDOM.integers(0, 9, N))
POINTS = many(lambda: point().rpartition(",")[0]), many(point)
EVENTS = many(event), many(event)
NAMED = tuple({f"r{i}": [f"{name},{RANDOM.integers(9)},{i}" for name in "ab"] for i in range(N)} for _ in range(2))

OF_ABC = "label", "p_A,p_B,p_C"
KINDS: list[tuple[str, dict[str, Any], tuple[Rows, Rows], tuple[str, str]]] = [
    ("classification.accuracy balanced_accuracy f1 mcc", {}, CLASSES, ("label",) * 2),
    ("classification.cost", {"costs": {"A": {"B": 3}, "B": {"A": 1}}}, CLASSES, ("label",) * 2),
    ("classification.sensitivity specificity ppv npv youden weighted_kappa", OF_AB, CLASSES, ("label",) * 2),
    ("classification.weighted_accuracy", {"weights": {"A": 5, "B": 1}}, CLASSES, ("label",) * 2),
    ("classification.auroc", {"average": "weighted"}, CHANCES, OF_ABC),
    ("classification.auprc", {"average": "macro"}, CHANCES, OF_ABC),
    ("classification.log_loss brier", {}, CHANCES, OF_ABC),
    ("classification.sensitivity_at_specificity specificity_at_sensitivity", OF_A, CHANCES, OF_ABC),
    ("classification.ppv_at_sensitivity npv_at_specificity sensitivity_at_ppv", OF_A, CHANCES, OF_ABC),
    ("classification.top_fraction", {"positive": "A", "fraction": 0.4}, CHANCES, OF_ABC),
    ("multilabel.f1 exact_match", OF_AB, SETS, ("labels",) * 2),
    ("multilabel.auroc auprc", {"labels": ["A", "B", "C"]}, (SETS[0], CHANCES[1]), ("labels", "p_A,p_B,p_C")),
    ("multilabel.reward", {"normal": "A", "rewards": REWARDS}, SETS, ("labels",) * 2),
    ("physionet.cost2022", OF_AB, CLASSES, ("label",) * 2),
    ("physionet.outcome2023", {**OF_AB, "most": 0.5}, HOSPITALS, ("label,hospital", "score")),
    ("physionet.prioritised2025", {**OF_AB, "fraction": 0.4}, HOSPITALS, ("label,hospital", "score")),
    ("regression.mae rmse r2 ccc pearson spearman", {}, VALUES, ("value",) * 2),
    ("survival.c_index", {}, TIMES, ("time,event", "risk")),
    ("detection.f1 froc", {"distance": 1.5}, POINTS, ("x,y", "x,y,score")),
    ("detection.map", {"distance": 1.5, "interpolation": "all"}, POINTS, ("x,y", "x,y,score")),
    ("events.f1", {"onset_tolerance_seconds": 2, "offset_tolerance_seconds": 3}, EVENTS, ("onset,offset",) * 2),
    ("events.overlap", {"least_overlap": 0.3}, EVENTS, ("onset,offset",) * 2),
    ("events.beats", {"window_seconds": 2}, EVENTS, ("onset,offset",) * 2),
    ("events.duration", {}, EVENTS, ("onset,offset",) * 2),
    ("landmarks.mre sdr tre", {"worst_mm": 9}, NAMED, ("landmark,x,y",) * 2),
]
TABLES = {
    f"{family}.{name}": kind
    for family_and_names, *kind in KINDS
    for family, names in [family_and_names.split(".")]
    for name in names.split()
}
DRAWN = ("classification", "regression", "physionet", "landmarks")
MASKS = tuple(f"segmentation.{name}" for name in ("dice", "iou", "nsd", "hd95", "assd", "lesion_dice"))
MULTISETS = RANDOM.integers(0, 4, (12, N))


def text(rows: Rows, header: str, counts: list[int]) -> str:
    """The table with each record as often as it counts, under a name of its own each time."""
    blank = "," * header.count(",")
    lines = [
        f"{name}x{copy},{row}"
        for (name, each), count in zip(rows.items(), counts, strict=True)
        for copy in range(count)
        for row in each or [blank]
    ]
    return f"record,{header}\n" + "\n".join(lines)


def test_every_measure_is_tried() -> None:
    alone = {
        "physionet.reward2026",  # whose rewards depend on the whole table
        "physionet.snr2024",  # of signals
        "events.szcore",  # whose references have a duration
    }
    assert {*TABLES, *MASKS, *alone} == set(measures())


@pytest.mark.parametrize("measure", TABLES)
def test_multiset_of_rows_scores_as_repeated_records_and_gives_an_interval(measure: str, tmp_path: Path) -> None:
    options, (references, answers), headers = TABLES[measure]
    metric = make({"measure": measure, **options})

    def score(counts: list[int]) -> Any:
        pair = text(references, headers[0], counts), text(answers, headers[1], counts)
        return metric.score(write(tmp_path / "references.csv", pair[0]), write(tmp_path / "answers.csv", pair[1]))

    once = score([1] * N)
    assert plots_of(once) or not measure.startswith(DRAWN), "no picture"
    values = once.resampler.values(MULTISETS)
    assert list(values) == list(once.values)
    low, high = intervals(once).of[once.primary]
    assert low <= once.values[once.primary] <= high
    assert compare(once, once).difference == 0
    for i, counts in enumerate(MULTISETS.tolist()):
        repeated = score(counts)
        for key, value in repeated.values.items():
            if key in values:  # a class may be absent
                assert values[key][i] == pytest.approx(value, nan_ok=True, abs=1e-9), (key, counts)


@pytest.mark.parametrize("measure", MASKS)
def test_multiset_of_masks_scores_as_repeated_records(measure: str, tmp_path: Path) -> None:
    random = np.random.default_rng(12)
    for side in ("references", "answers"):
        for i in range(4):
            write_volume(tmp_path / side / f"r{i}.nii", (random.random((4, 4, 2)) < 0.3).astype(np.uint8))
    metric = make({"measure": measure})
    once = metric.score(tmp_path / "references", tmp_path / "answers")
    assert once.resampler is not None
    assert plots_of(once), "no picture"
    for side in ("references", "answers"):
        shutil.copy(tmp_path / side / "r1.nii", tmp_path / side / "r1again.nii")
        (tmp_path / side / "r3.nii").unlink()
    again = metric.score(tmp_path / "references", tmp_path / "answers")
    values = once.resampler.values(np.array([[1, 2, 1, 0]]))
    assert {key: value[0] for key, value in values.items()} == pytest.approx(dict(again.values), nan_ok=True)


@pytest.mark.parametrize("rules", ["official", "corrected"])
@pytest.mark.parametrize(("metric", "make_files"), CHALLENGES)
def test_every_record_once_gives_the_values_of_the_report(
    metric: str, make_files: Any, rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    try:
        report = metrics.get(metric).score(*make_files(tmp_path), rules=rules)
    except AnswerError:
        return  # other tests say when
    assert report.resampler is not None
    n = len(report.resampler.records)
    assert set(report.per_record) <= set(report.resampler.records)
    for count in (1, 0):
        resampled = report.resampler.values(np.ones((count, n), np.int64))
        assert list(resampled) == [key for key in report.values if key != "target_reached"]
        for key, values in resampled.items():
            assert values == pytest.approx([report.values[key]] * count, abs=1e-15, nan_ok=True)


NASTY = {
    "empty file": "",
    "blank lines": "\n\n\n",
    "words": "lorem ipsum\ndolor\n",
    "a long line": "r0x0," + "9" * 5000,
    "a NUL": "record,{header}\nr0x0,\0\0\n",
    "many columns": "record," + ",".join(f"c{i}" for i in range(500)) + "\nr0x0" + ",1" * 500,
    "NaN": "record,{header}\nr0x0{nan}",
    "infinite": "record,{header}\nr0x0{inf}",
    "others' records": "record,{header}\nstranger{one}",
    "the same record again": "record,{header}\nr0x0{one}\nr0x0{one}",
    "blank cells": "record,{header}\nr0x0{blank}",
    "only a quote": '"',
    "blanks around": " record , {header} \n r0x0 {one}",
}


@pytest.mark.parametrize("measure", TABLES)
def test_any_answer_is_scored_or_an_answer_error_and_any_reference_a_reference_error(
    measure: str, tmp_path: Path
) -> None:
    options, (references, answers), headers = TABLES[measure]
    metric = make({"measure": measure, **options})
    good = [text(rows, header, [1] * N) for rows, header in zip((references, answers), headers, strict=True)]
    cells = {"nan": ",nan", "inf": ",inf", "one": ",1", "blank": ","}
    for (name, nasty), (side, error) in itertools.product(NASTY.items(), enumerate((ReferenceDataError, AnswerError))):
        count = headers[side].count(",") + 1
        texts = list(good)
        texts[side] = nasty.format(header=headers[side], **{key: cell * count for key, cell in cells.items()})
        paths = write(tmp_path / "references.csv", texts[0]), write(tmp_path / "answers.csv", texts[1])
        try:
            report = metric.score(*paths)
        except MetricError as reason:
            # an organiser's mistake may first show where the answers are compared with it, never the reverse
            assert isinstance(reason, error) or side == 0, (name, reason)
            assert reason.file or reason.record or "positive" in str(reason), name
        else:
            assert list(report.per_record) or measure == "detection.map", name
            intervals(report)
            for value in report.values.values():
                assert math.isfinite(value) or any("undefined" in note for note in report.notes), name


@pytest.mark.parametrize("alone", [1, 3, 7, 1 << 18])
def test_products_in_parts_are_products(alone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few multiplications are made at a time; whole numbers are exact."""
    r = np.random.default_rng(1)
    weights, rows = r.integers(0, 9, (5, 11)), r.integers(0, 9, (11, 3)).astype(np.float64)
    monkeypatch.setattr(products, "_ALONE", alone)
    assert (product(weights, rows) == weights @ rows).all()
    assert product(weights[:, :0], rows[:0]).tolist() == np.zeros((5, 3)).tolist()
