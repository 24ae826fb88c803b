"""Numbers that scoring programs of other platforms printed for small inputs: ours are the same.

Those of the PhysioNet years are beside their measures, those of forms of scorers beside the forms.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from metrics.adapters import score_arrays
from tests.support.score_tables import column, scored

TRUTH = [int(i % 5 == 0) for i in range(40)]
PROBABILITY = [0.9 if i in (0, 5, 1) else 0.1 for i in range(40)]
POSITIVE = [int(p > 0.5) for p in PROBABILITY]


@pytest.mark.parametrize(
    ("spec", "answers", "wanted"),
    [
        ({"measure": "classification.auroc"}, PROBABILITY, 0.609375),
        ({"measure": "classification.auprc"}, PROBABILITY, 0.31666666666666665),
        ({"measure": "classification.accuracy"}, POSITIVE, 0.825),
        ({"measure": "classification.f1", "average": "binary", "positive": "1"}, POSITIVE, 0.36363636363636365),
    ],
    ids=["auroc", "auprc", "accuracy", "f1"],
)
def test_further_numbers_of_physionet_2025(spec: dict[str, str], answers: list[float], wanted: float) -> None:
    assert score_arrays(spec, TRUTH, answers) == pytest.approx(wanted, abs=1e-12)


def test_labels_of_2024_that_are_all_the_same(tmp_path: Path) -> None:
    """What the example of that year answers to images of noise."""
    truth = column("labels", ["NORM", "MI", "NORM", "STTC", "HYP", "NORM"])
    report = scored(tmp_path, {"measure": "multilabel.f1"}, truth, column("labels", ["STTC"] * 6))
    assert report.values["f1_macro"] == pytest.approx(2 / 7 / 4)
    assert f"{report.values['f1_macro']:.3f}" == "0.071"


def test_metrics_of_the_chest_tutorial_of_medperf() -> None:
    columns = [[(i >> (j % 3)) & 1 for i in range(8)] for j in range(14)]
    scores = [[((3 * i + 5 * j) % 8) / 8 for i in range(8)] for j in range(14)]

    def mean(measure: str, answers: list[list[float]]) -> float:
        each = zip(columns, answers, strict=True)
        return sum(score_arrays({"measure": measure}, truth, given) for truth, given in each) / len(columns)

    assert mean("classification.auroc", scores) == pytest.approx(0.5625, abs=1e-12)
    chosen = [[float(score > 0.5) for score in given] for given in scores]
    assert mean("classification.accuracy", chosen) == pytest.approx(0.5357142857142857, abs=1e-12)
