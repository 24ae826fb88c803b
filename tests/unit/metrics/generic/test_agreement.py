from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from metrics.adapters import score_arrays
from metrics.base import AnswerError, ReferenceDataError
from metrics.generic import SpecError, make
from metrics.generic.regression import RSquared
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


# Shrout and Fleiss's formulas for two raters, by an analysis of variance written out
def anova(pairs: Any) -> dict[str, float]:
    n = len(pairs)
    rows = 2 * pairs.mean(axis=1).var(ddof=1)
    raters = n * pairs.mean(axis=0).var(ddof=1)
    within = pairs.var(axis=1, ddof=1).mean()
    error = (((pairs - pairs.mean(axis=1)[:, None] - pairs.mean(axis=0) + pairs.mean()) ** 2).sum()) / (n - 1)
    return {
        "1,1": (rows - within) / (rows + within),
        "2,1": (rows - error) / (rows + error + 2 * (raters - error) / n),
        "3,1": (rows - error) / (rows + error),
        "1,k": (rows - within) / rows,
        "2,k": (rows - error) / (rows + (raters - error) / n),
        "3,k": (rows - error) / rows,
    }


@pytest.mark.parametrize("form", ["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"])
def test_six_forms_of_the_intraclass_correlation(form: str) -> None:
    r = np.random.default_rng(2)
    for n in (2, 5, 40):
        truth = r.normal(size=n)
        answers = truth + 0.5 + r.normal(0, 0.4, n)
        assert of("icc", truth, answers, form=form) == pytest.approx(anova(np.stack([truth, answers], 1))[form])


def test_limits_of_agreement_by_hand(tmp_path: Path) -> None:
    # differences 1, 0, 2, 1: mean 1, standard deviation sqrt(2 / 3)
    report = scored(
        tmp_path, {"measure": "regression.bland_altman"}, column("value", [1, 2, 3, 4]), column("value", [2, 2, 5, 5])
    )
    half = 1.96 * math.sqrt(2 / 3)
    expected = {"widest_limit": 1 + half, "bias": 1, "lower_limit": 1 - half, "upper_limit": 1 + half}
    assert report.values == pytest.approx({"neg_widest_limit": -1 - half} | expected)
    one = scored(tmp_path, {"measure": "regression.bland_altman"}, column("value", [1]), column("value", [2]))
    assert one.values["bias"] == 1
    assert math.isnan(one.values["widest_limit"])


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


def test_crps_by_hand(tmp_path: Path) -> None:
    # members 1 and 3 of 2: mean distance 1, half of the mean distance of two members 1 / 2; members 5, 5 of 4: 1
    assert of("crps", [2, 4], [[1, 3], [5, 5]]) == pytest.approx(-(0.5 + 1) / 2)
    # of a normal distribution at its mean: sd (sqrt 2 - 1) / sqrt pi; without width the distance
    answers = "record,mean,sd\nr0,2,1\nr1,5,0"
    spec = {"measure": "regression.crps", "forecast": "normal"}
    report = scored(tmp_path, spec, column("value", [2, 4]), answers)
    assert report.values["crps"] == pytest.approx(((math.sqrt(2) - 1) / math.sqrt(math.pi) + 1) / 2)
    with pytest.raises(AnswerError, match="expected columns x_1, x_2"):
        scored(tmp_path, {"measure": "regression.crps"}, column("value", [2, 4]), answers)
    negative = scored(tmp_path, spec, column("value", [2, 4]), "record,mean,sd\nr0,2,-1\nr1,5,0")
    assert "from 0 as sd" in negative.unusable["r0"]


@pytest.mark.parametrize("name", ["ccc", "pearson", "spearman", "icc", "mape", "bland_altman"])
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


def test_what_does_not_vary_has_no_correlation(tmp_path: Path) -> None:
    for name in ("ccc", "pearson", "spearman"):
        report = scored(
            tmp_path, {"measure": f"regression.{name}"}, column("value", [3, 3, 3]), column("value", [3, 3, 3])
        )
        assert math.isnan(report.values[report.primary])
        assert any("undefined" in note for note in report.notes)
    assert RSquared.measure == "regression.r2"
