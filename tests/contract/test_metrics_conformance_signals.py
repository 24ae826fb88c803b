"""The metrics of labels, events and points against vectors made by the organisers' programs, and real data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics.base import AnswerError, MetricError, ReferenceDataError, ScoreReport

TOLERANCE = 1e-9


def _score(name: str, references: Path, answers: Path, rules: str = "official") -> ScoreReport | MetricError:
    try:
        return metrics.get(name).score(references, answers, rules=rules)
    except (AnswerError, ReferenceDataError) as error:
        return error


def _differences(values: Mapping[str, Any], expected: Mapping[str, float | None], case: str) -> list[str]:
    """One line for each value that is another; None stands for NaN."""
    lines = []
    for key, wish in expected.items():
        value = values[key]
        same = math.isnan(value) if wish is None else math.isclose(value, wish, rel_tol=0, abs_tol=TOLERANCE)
        if not same:
            lines.append(f"{case}: {key} is {value}, the official program gives {wish}")
    return lines


def _disagreement(case: str, report: ScoreReport | MetricError, stops: bool) -> list[str]:
    if stops and isinstance(report, ScoreReport):
        return [f"{case}: the official program stops, here is {report.values}"]
    if not stops and isinstance(report, MetricError):
        return [f"{case}: the official program gives a number, here is {report!r}"]
    return []


def _cases(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}")
    cases = [(file.parent, json.loads(file.read_text())) for file in sorted(folder.glob("*/expected.json"))]
    assert cases, f"no case in {folder}"
    return cases


def test_cinc2017_agrees_with_the_official_program(shared: Path) -> None:
    wrong = []
    for folder, expected in _cases(shared / "conformance" / "cinc2017"):
        report = _score("cinc2017", folder / "validation" / "REFERENCE.csv", folder / "answers.txt")
        wrong += _disagreement(folder.name, report, "error" in expected)
        if isinstance(report, ScoreReport) and "error" not in expected:
            keys = ("F1", "F1n", "F1a", "F1o", "F1p", "F1_phase1_mean_of_four")
            wrong += _differences(report.values, {key: expected[key] for key in keys}, folder.name)
            if list(report.curves["confusion"]) != [n for row in expected["confusion"] for n in row]:
                wrong.append(f"{folder.name}: another confusion matrix")
            if any(map(math.isnan, report.values.values())) and not report.notes:
                wrong.append(f"{folder.name}: NaN without a note")
    assert wrong == []


@pytest.mark.parametrize(("cases", "records"), [("cases", "records"), ("real_cases", "real_records")])
def test_cpsc2021_agrees_with_the_official_program(shared: Path, cases: str, records: str) -> None:
    root = shared / "conformance" / "cpsc2021"
    wrong = []
    for folder, expected in _cases(root / cases):
        report = _score("cpsc2021", root / records, folder / "answers")
        wrong += _disagreement(folder.name, report, "error" in expected)
        if "error" in expected:
            blamed = ReferenceDataError if expected["kind"] == "bad_references" else AnswerError
            assert isinstance(report, blamed), folder.name
        if isinstance(report, ScoreReport) and "error" not in expected:
            wrong += _differences(report.values, {"U": expected["score"]}, folder.name)
            twice = len({name.split(".")[0] for name in expected["records"]}) < len(expected["records"])
            for name, row in expected["records"].items():
                key = name if twice else name.split(".")[0]
                wrong += _differences(report.per_record[key], row, f"{folder.name}/{name}")
    assert wrong == []


def _grow_tree(root: Path, frames: list[dict[str, Any]], side: str) -> Path:
    for frame in frames:
        if frame[side] is not None:
            file = root / side / frame["path"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"points": frame[side]}))
    (root / side).mkdir(parents=True, exist_ok=True)
    return root / side


def test_adaptor2021_agrees_with_the_official_program(shared: Path, tmp_path: Path) -> None:
    files = sorted((shared / "conformance" / "adaptor2021").glob("*.json"))
    assert files
    wrong = []
    for file in files:
        case = json.loads(file.read_text())
        labels, answers = (_grow_tree(tmp_path / file.stem, case["frames"], side) for side in ("labels", "predictions"))
        report = _score("adaptor2021", labels, answers)
        # in the documented order the program has the roles exchanged
        printed = case["expected"]["cli_documented_order"]
        wrong += _disagreement(file.stem, report, "error" in printed)
        if isinstance(report, MetricError) or "error" in printed:
            continue
        expected = {
            "F1": printed["f1"], "precision": printed["sensitivity"], "recall": printed["precision"],
            "TP": printed["true_positive"], "FP": printed["false_negative"], "FN": printed["false_positive"],
        }  # fmt: skip
        wrong += _differences(report.values, expected, file.stem)
        for frame, counts in zip(case["frames"], case["expected"]["frames"], strict=True):
            name = frame["path"].replace("point_labels/", "").removesuffix(".json")
            if (name in report.per_record) != (counts is not None):
                wrong.append(f"{file.stem}: {name} counts or not")
            elif counts is not None and list(report.per_record[name].values()) != counts:
                wrong.append(f"{file.stem}: {name} has {report.per_record[name]}, not {counts}")
    assert wrong == []


# ------------------------------------------------------------------------------------- published real data


@pytest.mark.parametrize("rules", ["official", "corrected"])
@pytest.mark.parametrize(
    ("team", "revision", "f1", "f1n", "f1a", "f1o", "f1p"),
    [
        ("sample2017", "v0", "0.4402", "0.6972", "0.6234", "0.0000", "0.0000"),
        ("sample2017", "v3", "0.4323", "0.6916", "0.6053", "0.0000", "0.0000"),
        ("blackswan", "v3", "0.9728", "0.9783", "0.9787", "0.9615", "0.9744"),
        ("encase", "v3", "0.9866", "1.0000", "0.9787", "0.9811", "1.0000"),
        ("rubin", "v3", "0.8399", "0.8989", "0.8936", "0.7273", "0.8205"),
        ("schwab", "v3", "0.8502", "0.9032", "0.8837", "0.7636", "0.8718"),
    ],
)
def test_cinc2017_known_scores_of_real_entries(
    shared: Path, rules: str, team: str, revision: str, f1: str, f1n: str, f1a: str, f1o: str, f1p: str
) -> None:
    data = shared / "data" / "cinc2017"
    report = _score("cinc2017", data / f"REFERENCE-{revision}.csv", data / f"answers-{team}.txt", rules)
    assert isinstance(report, ScoreReport)
    printed = {key: f"{report.values[key]:.4f}" for key in ("F1", "F1n", "F1a", "F1o", "F1p")}
    assert printed == {"F1": f1, "F1n": f1n, "F1a": f1a, "F1o": f1o, "F1p": f1p}


@pytest.mark.parametrize("rules", ["official", "corrected"])
@pytest.mark.parametrize(("entry", "paroxysmal"), [("baseline", 2.5), ("labroskokkalas", 6.5), ("hhhh59", 4.5)])
def test_cpsc2021_known_scores_of_real_entries(shared: Path, rules: str, entry: str, paroxysmal: float) -> None:
    data = shared / "data" / "cpsc2021"
    report = _score("cpsc2021", data, data / f"answers-{entry}", rules)
    assert isinstance(report, ScoreReport)
    assert {record: row["u"] for record, row in report.per_record.items()} == {
        "data_0_2": 1.0,
        "data_25_24": paroxysmal,
    }
    assert report.resampler is not None
    assert report.resampler.clusters == ("patient 0", "patient 25")
