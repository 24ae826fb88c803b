from __future__ import annotations

import numpy as np
import pytest

from metrics.adapters import score_arrays


@pytest.mark.parametrize("bias", [0.0, 0.7])
@pytest.mark.filterwarnings("ignore")  # the library's own
def test_intraclass_correlations_are_those_of_pingouin(bias: float) -> None:
    pingouin = pytest.importorskip("pingouin", reason="pingouin is not installed")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    r = np.random.default_rng(1)
    truth = r.normal(size=25)
    answers = truth + bias + r.normal(0, 0.5, 25)
    table = pandas.DataFrame(
        {"record": np.tile(np.arange(25), 2), "rater": np.repeat(["a", "b"], 25), "value": [*truth, *answers]}
    )
    theirs = pingouin.intraclass_corr(table, targets="record", raters="rater", ratings="value")
    for form, value in zip(("1,1", "2,1", "3,1", "1,k", "2,k", "3,k"), theirs["ICC"], strict=True):
        ours = score_arrays({"measure": "regression.icc", "form": form}, truth, answers)
        assert ours == pytest.approx(float(value), abs=2e-6), form


def test_crps_is_that_of_properscoring() -> None:
    peers = pytest.importorskip("properscoring", reason="properscoring is not installed")
    r = np.random.default_rng(2)
    truth, members = r.normal(size=30), r.normal(size=(30, 7)).round(1)
    ours = score_arrays({"measure": "regression.crps"}, truth, members)
    assert ours == pytest.approx(-float(peers.crps_ensemble(truth, members).mean()), abs=1e-12)
    from metrics.generic.agreement import _crps_normal

    mean, sd = r.normal(size=30), r.uniform(0.1, 3, 30)
    assert _crps_normal(truth, mean, sd) == pytest.approx(peers.crps_gaussian(truth, mean, sd), abs=1e-12)


def test_concordance_correlation_is_that_of_torchmetrics() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    peers = pytest.importorskip("torchmetrics.functional", reason="torchmetrics is not installed")
    r = np.random.default_rng(3)
    truth = r.normal(size=200)
    answers = 0.8 * truth + 0.3 + r.normal(0, 0.3, 200)
    theirs = float(peers.concordance_corrcoef(torch.tensor(answers), torch.tensor(truth)))
    # the library divides by n - 1, which changes the bias's share only
    ours = score_arrays({"measure": "regression.ccc"}, truth, answers)
    assert ours == pytest.approx(theirs, abs=1e-3)
