from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from metrics.adapters import score_arrays
from metrics.base import ScoreReport
from tests.support.score_tables import column, scored

sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")

REFERENCES = column("value", [1, 2, 3, 6])
ANSWERS = column("value", [1, 3, 3, 4])


def report_of(tmp_path: Path, measure: str, references: str, answers: str, **options: Any) -> ScoreReport:
    return scored(tmp_path, {"measure": f"regression.{measure}", **options}, references, answers)


def test_numbers_by_hand(tmp_path: Path) -> None:
    assert report_of(tmp_path, "mae", REFERENCES, ANSWERS).values == {"neg_mae": -0.75, "mae": 0.75}
    assert report_of(tmp_path, "rmse", REFERENCES, ANSWERS).values["rmse"] == pytest.approx(math.sqrt(5 / 4))
    # mean 3: deviations 4 + 1 + 0 + 9
    assert report_of(tmp_path, "r2", REFERENCES, ANSWERS).values["r2"] == pytest.approx(1 - 5 / 14)


def test_errors_that_are_too_large_are_infinite_not_the_largest_number() -> None:
    with pytest.warns(UserWarning, match="neg_mae, mae infinite: numbers are too large"):
        assert score_arrays({"measure": "regression.mae"}, [1e308, 0.0], [-1e308, 0.0]) == -math.inf


def of(name: str, truth: Any, answers: Any, **options: Any) -> float:
    return score_arrays({"measure": f"regression.{name}", **options}, truth, answers)


def test_correlations_as_scipy_with_ties() -> None:
    r = np.random.default_rng(1)
    for _ in range(5):
        truth = r.integers(0, 9, 40).astype(float)
        answers = truth + r.integers(-3, 4, 40)
        assert of("pearson", truth, answers) == pytest.approx(stats.pearsonr(truth, answers).statistic, abs=1e-12)
        assert of("spearman", truth, answers) == pytest.approx(stats.spearmanr(truth, answers).statistic, abs=1e-12)
    far = truth + 1e9
    assert of("pearson", far, answers) == pytest.approx(stats.pearsonr(truth, answers).statistic, abs=1e-6)


def test_concordance_correlation_by_hand() -> None:
    # means 2.5 and 3.5, both variances 1.25, covariance 1.25
    assert of("ccc", [1, 2, 3, 4], [2, 3, 4, 5]) == pytest.approx(2 * 1.25 / (1.25 + 1.25 + 1))
    assert of("pearson", [1, 2, 3, 4], [2, 3, 4, 5]) == pytest.approx(1)
