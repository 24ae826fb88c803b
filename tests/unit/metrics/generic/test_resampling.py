"""A multiset of records scores as a data set in which they stand several times, for every measure."""

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
from tests.support.score_tables import column, scored
from tests.support.volume_files import write_pairs
from tests.unit.metrics.generic.test_by_hand import AAB, BY_HAND, LETTERS, NUMBERS, TOP, Options
from tests.unit.metrics.test_notes import CHALLENGES

CHANCES = column("label", "ABCBA"), column("p_A,p_B,p_C", [".7,.2,.1", ".3,.4,.3", ".2,.2,.6", ".5,.3,.2", ".2,.4,.4"])
SETS = column("labels", ["A", "", "A|B", "B"]), column("p_A,p_B", [".9,.2", ".8,.1", ".3,.6", ".4,.6"])
HOSPITALS = column("label,hospital", ["1,A", "0,A", "1,B", "0,B", "0,B"])
CASES: list[tuple[str, Options, str, str]] = [
    *((measure, options, references, answers) for measure, options, references, answers, _ in BY_HAND),
    ("classification.accuracy", {}, *LETTERS),
    ("classification.auprc", {"average": "macro"}, *CHANCES),
    ("classification.auroc", {"average": "weighted"}, *CHANCES),
    ("classification.log_loss", {}, *CHANCES),
    ("multilabel.auprc", {}, *SETS),
    ("multilabel.exact_match", {}, SETS[0], column("labels", ["A", "", "B"])),
    ("physionet.cost2022", {"labels": ["A", "B"]}, AAB, column("label", "ABA")),
    ("physionet.outcome2023", {"most": 0.5}, HOSPITALS, column("score", [0.9, 0.4, 0.6, 0.6, 0.1])),
    ("physionet.prioritised2025", {"fraction": 0.4}, *TOP),
    *((f"regression.{name}", {}, *NUMBERS) for name in ("pearson", "r2", "spearman")),
]
TABLES = {case[0]: case for case in reversed(CASES)}
DRAWN = ("classification", "regression", "physionet", "landmarks")
MASKS = tuple(f"segmentation.{name}" for name in ("dice", "iou", "nsd", "hd95", "assd", "lesion_dice"))


def text(table: str, times: Callable[[str], int]) -> str:
    """The table with each record so many times, under a name of its own each time."""
    header, *rows = table.split()
    cells = [row.partition(",") for row in rows]
    return "\n".join([header, *(f"{name}x{copy},{rest}" for name, _, rest in cells for copy in range(times(name)))])


def test_every_measure_is_tried() -> None:
    alone = {
        "physionet.reward2026",  # whose rewards depend on the whole table
        "physionet.snr2024",  # of signals
        "events.szcore",  # whose references have a duration
    }
    assert {*TABLES, *MASKS, *alone} == set(measures())


@pytest.mark.parametrize(("measure", "options", "references", "answers"), CASES)
def test_multiset_of_rows_scores_as_repeated_records_and_gives_an_interval(
    measure: str, options: Options, references: str, answers: str, tmp_path: Path
) -> None:
    spec = {"measure": measure, **options}
    pair = [text(table, lambda _: 6) for table in (references, answers)]
    once = scored(tmp_path, spec, *pair)
    assert once.resampler is not None
    undefined = math.isnan(once.values[once.primary])
    assert plots_of(once) or undefined or not measure.startswith(DRAWN), "no picture"
    multisets = np.random.default_rng(11).integers(0, 4, (6, len(once.resampler.records)))
    values = once.resampler.values(multisets)
    assert list(values) == list(once.values)
    if not undefined:
        low, high = intervals(once).of[once.primary]
        assert low <= once.values[once.primary] <= high
        assert compare(once, once).difference == 0
    for i, counts in enumerate(multisets.tolist()):
        times = dict(zip(once.resampler.records, counts, strict=True)).get
        repeated = scored(tmp_path, spec, *(text(table, times) for table in pair))
        for key, value in repeated.values.items():
            if key in values:  # a class may be absent
                assert values[key][i] == pytest.approx(value, nan_ok=True, abs=1e-9), (key, counts)


@pytest.mark.parametrize("measure", MASKS)
def test_multiset_of_masks_scores_as_repeated_records(measure: str, tmp_path: Path) -> None:
    random = np.random.default_rng(12)
    metric = make({"measure": measure})
    pairs = {f"r{i}": list((random.random((2, 4, 4, 2)) < 0.3).astype(np.uint8)) for i in range(4)}
    once = metric.score(*write_pairs(tmp_path, pairs))
    assert once.resampler is not None
    assert plots_of(once), "no picture"
    for side in ("references", "answers"):
        shutil.copy(tmp_path / side / "r1.nii.gz", tmp_path / side / "r1again.nii.gz")
        (tmp_path / side / "r3.nii.gz").unlink()
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
    "a long line": "{r}," + "9" * 5000,
    "a NUL": "{header}\n{r},\0\0\n",
    "many columns": "record," + ",".join(f"c{i}" for i in range(500)) + "\n{r}" + ",1" * 500,
    "NaN": "{header}\n{r}{nan}",
    "infinite": "{header}\n{r}{inf}",
    "others' records": "{header}\nstranger{one}",
    "the same record again": "{header}\n{r}{one}\n{r}{one}",
    "blank cells": "{header}\n{r}{blank}",
    "only a quote": '"',
    "blanks around": " {header} \n {r} {one}",
}


@pytest.mark.parametrize("measure", TABLES)
def test_any_answer_is_scored_or_an_answer_error_and_any_reference_a_reference_error(
    measure: str, tmp_path: Path
) -> None:
    _, options, *tables = TABLES[measure]
    good = [text(table, lambda _: 6) for table in tables]
    cells = {"nan": ",nan", "inf": ",inf", "one": ",1", "blank": ","}
    for (name, nasty), (side, error) in itertools.product(NASTY.items(), enumerate((ReferenceDataError, AnswerError))):
        header, row = good[side].split()[:2]
        filled = {key: cell * header.count(",") for key, cell in cells.items()}
        texts = list(good)
        texts[side] = nasty.format(header=header, r=row.partition(",")[0], **filled)
        try:
            report = scored(tmp_path, {"measure": measure, **options}, *texts)
            plots_of(report)
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
