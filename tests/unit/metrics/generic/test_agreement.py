from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from metrics.adapters import score_arrays
from metrics.base import ReferenceDataError
from metrics.generic import SpecError, make
from tests.support.score_tables import column, scored


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


def test_concordance_correlation_by_hand_differs_from_the_share_of_pairs() -> None:
    # means 2.5 and 3.5, both variances 1.25, covariance 1.25
    assert of("ccc", [1, 2, 3, 4], [2, 3, 4, 5]) == pytest.approx(2 * 1.25 / (1.25 + 1.25 + 1))
    assert of("concordance", [1, 2, 3, 4], [2, 3, 4, 5]) == 1
    assert of("pearson", [1, 2, 3, 4], [2, 3, 4, 5]) == pytest.approx(1)


def test_losses_as_scikit_learn() -> None:
    peers = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    r = np.random.default_rng(3)
    truth, answers = r.normal(5, 1, 30), r.normal(5, 1, 30)
    assert of("mape", truth, answers) == pytest.approx(-peers.mean_absolute_percentage_error(truth, answers))
    for quantile in (0.1, 0.5, 0.9):
        theirs = peers.mean_pinball_loss(truth, answers, alpha=quantile)
        assert of("pinball", truth, answers, quantile=quantile) == pytest.approx(-theirs)
    with pytest.raises(ReferenceDataError, match="references other than 0"):
        of("mape", [1, 0], [1, 1])
    with pytest.raises(SpecError, match="quantile"):
        make({"measure": "regression.pinball"})


@pytest.mark.parametrize("name", ["ccc", "pearson", "spearman", "mape"])
def test_missing_answer_lies_at_the_farther_end(tmp_path: Path, name: str) -> None:
    truth = column("value", [1, 2, 3, 5])
    spec = {"measure": f"regression.{name}"}
    missing = scored(tmp_path, spec, truth, column("value", [1, 2, 3], ["r0", "r1", "r2"]))
    filled = scored(tmp_path, spec, truth, column("value", [1, 2, 3, 1]))
    assert missing.values == pytest.approx(dict(filled.values))
    left = scored(
        tmp_path, {**spec, "missing": "exclude-with-note"}, truth, column("value", [1, 2, 3], ["r0", "r1", "r2"])
    )
    assert left.values[left.primary] > missing.values[left.primary]
