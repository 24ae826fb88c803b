"""A metric of one's own: what its report contains decides what comes with the score."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics import ScoreReport
from metrics.plots import plots_of, save_plots
from metrics.plots.data import Confusion, RecordValues, RocCurve
from metrics.uncertainty import compare, intervals, resampled, tied_groups

Rows = Mapping[str, Mapping[str, float | str]]


def report(rows: Rows, **other: Any) -> ScoreReport:
    given: dict[str, Any] = {"metric": "mine", "rules": "corrected", "primary": "ease", "per_record": rows}
    values = [row["ease"] for row in rows.values() if "ease" in row]
    return ScoreReport(**{**given, "values": {"ease": math.fsum(map(float, values)) / len(values)}, **other})


def rows(values: list[float]) -> dict[str, dict[str, float | str]]:
    return {f"r{i:02d}": {"ease": value} for i, value in enumerate(values)}


LOW = [0.1 + 0.01 * (i % 7) for i in range(30)]
HIGH = [0.6 + 0.01 * (i % 5) for i in range(30)]


def test_values_for_each_record_give_intervals_comparisons_and_ties() -> None:
    low, high, same = report(rows(LOW)), report(rows(HIGH)), report(rows([*HIGH[1:], HIGH[0]]))
    lower, upper = intervals(low).of["ease"]
    assert 0.1 < lower < low.values["ease"] < upper < 0.17
    assert compare(high, low).p_value < 0.01
    drawn = np.array([resampled(case)["ease"] for case in (high, same, low)])
    assert tied_groups(["high", "same", "low"], drawn) == (("high", "same"), ("low",))


def test_patients_are_drawn_where_the_report_names_them() -> None:
    scored = report({name: {**row, "patient": f"p{i % 6}"} for i, (name, row) in enumerate(rows(LOW).items())})
    assert intervals(scored).clusters == 6


@pytest.mark.parametrize(
    "change",
    [
        {"values": {"ease": 0.5}},
        {"values": {"ease": math.nan}},
        {"per_record": {**rows(LOW), "r99": {}}},
        {"per_record": {**rows(LOW), "r99": {"ease": math.nan}}},
        {"per_record": {}},
        {"primary": "other", "values": {"other": 1.0, "ease": math.fsum(LOW) / 30}},
    ],
)
def test_what_is_no_mean_of_records_is_not_resampled(change: dict[str, Any]) -> None:
    assert report(rows(LOW), **change).resampler is None


def test_pictures_are_those_of_which_the_report_has_the_numbers(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    (values,) = plots_of(report(rows(LOW)))
    assert isinstance(values, RecordValues)
    assert values.series["ease"] == tuple(sorted(LOW))
    named = {name: {**row, "reference": "A", "answer": "B"} for name, row in rows(LOW).items()}
    curves = {"roc_false_positive_rate": [0.0, 1.0], "roc_true_positive_rate": [0.0, 1.0]}
    scored = report(named, curves=curves)
    assert [type(plot) for plot in plots_of(scored)] == [Confusion, RocCurve, RecordValues]
    assert all(file.stat().st_size for file in save_plots(scored, tmp_path / "pictures"))
    assert plots_of(report(rows(LOW), per_record={})) == ()
