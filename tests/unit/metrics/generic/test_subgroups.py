from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.display import group_lines
from metrics.generic import make
from metrics.statistics.uncertainty import compare, intervals
from tests.support.score_tables import scored, write

SPEC: dict[str, Any] = {"measure": "classification.accuracy", "subgroups": ["sex"]}


def tables() -> tuple[str, str]:
    """Women are answered rightly in 3 of 4 records, men always; ages 0, 1, 2, …"""
    rows = [(f"r{i}", "AB"[i // 2 % 2], "FM"[i % 2], i) for i in range(40)]
    truth = "record,label,sex,age\n" + "".join(f"{r},{label},{sex},{age}\n" for r, label, sex, age in rows)
    answers = "record,label\n" + "".join(
        f"{r},{label if sex == 'M' or age % 8 else 'BA'['AB'.index(label)]}\n" for r, label, sex, age in rows
    )
    return truth, answers


def test_groups_by_hand(tmp_path: Path) -> None:
    report = scored(tmp_path, SPEC, *tables())
    assert report.metric == "classification.accuracy by sex"
    assert report.values["accuracy"] == pytest.approx(35 / 40)
    assert report.values["accuracy[sex=F]"] == pytest.approx(15 / 20)
    assert report.values["accuracy[sex=M]"] == 1
    assert report.values["accuracy[sex=F] difference"] == pytest.approx(-0.25)
    assert report.values["accuracy[worst sex]"] == pytest.approx(0.75)
    bounds = intervals(report).of
    low, high = bounds["accuracy[sex=F] difference"]
    assert -0.6 < low < -0.25 < high < 0
    # the value of a group is that of its records alone, resampled as the records of all
    rows = group_lines("accuracy", report.values, bounds)
    assert [(line.group, line.value, line.worst) for line in rows] == [("F", 0.75, True), ("M", 1.0, False)]
    assert rows[0].difference_interval == (low, high)


def test_bands_of_numbers_and_records_without_a_group(tmp_path: Path) -> None:
    truth, answers = tables()
    truth = truth.replace("r39,B,M,39", "r39,B,M,")
    report = scored(tmp_path, {**SPEC, "subgroups": {"age": [3, 20]}}, truth, answers)
    assert set(report.values) == {
        "accuracy",
        "accuracy[age=from 3 to 20]",
        "accuracy[age=from 3 to 20] difference",
        "accuracy[age=from 20]",
        "accuracy[age=from 20] difference",
        "accuracy[worst age]",
    }
    assert report.values["accuracy[age=from 3 to 20]"] == pytest.approx(15 / 17)
    assert report.values["accuracy[age=from 20]"] == pytest.approx(17 / 19)
    assert "1 groups of age have fewer than 5 records or patients" in report.notes
    assert "1 records have no age and are in no group of it" in report.notes


def test_groups_of_masks_and_objects_come_from_a_table_or_rows(tmp_path: Path) -> None:
    truth = "record,x,y,site\n" + "".join(f"r{i},{i},0,{'ab'[i % 2]}\n" for i in range(12))
    answers = "record,x,y,score\n" + "".join(f"r{i},{i},{50 * (i % 2)},0.5\n" for i in range(12))
    for measure in ("detection.f1", "detection.froc", "detection.map"):
        report = scored(tmp_path, {"measure": measure, "distance": 1, "subgroups": "site"}, truth, answers)
        assert report.values[f"{report.primary}[site=a]"] == 1
        assert report.values[f"{report.primary}[site=b]"] == 0
        assert report.values[f"{report.primary}[worst site]"] == 0


def test_metric_of_a_challenge_has_groups_by_a_table_beside_its_references(tmp_path: Path) -> None:
    names = [f"A{i:05}" for i in range(20)]
    write(tmp_path / "references" / "REFERENCE.csv", "\n".join(f"{name},N" for name in names))
    write(tmp_path / "references" / "subgroups.csv", "record,site\n" + "\n".join(f"{n},{n[-1] > '5'}" for n in names))
    write(tmp_path / "answers.txt", "\n".join(f"{name},{'NA'[name[-1] > '5']}" for name in names))
    metric = make({"measure": "cinc2017", "subgroups": ["site"]})
    report = metric.score(tmp_path / "references", tmp_path / "answers.txt")
    assert report.values["F1[site=False]"] > report.values["F1[site=True]"] == 0


def test_entries_are_compared_as_without_groups(tmp_path: Path) -> None:
    truth, _ = tables()
    r = np.random.default_rng(1)
    spec: dict[str, Any] = {"measure": "classification.auroc", "positive": "B"}
    texts = ["record,score\n" + "".join(f"r{i},{x:.4f}\n" for i, x in enumerate(r.random(40))) for _ in range(2)]
    plain = [scored(tmp_path, spec, truth, text) for text in texts]
    split = [scored(tmp_path, {**spec, "subgroups": "sex"}, truth, text) for text in texts]
    assert compare(*split) == compare(*plain)
    assert intervals(split[0]).of["auroc"] == intervals(plain[0]).of["auroc"]
