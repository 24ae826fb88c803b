from __future__ import annotations

import numpy as np
import pytest

from metrics.adapters import score_arrays


@pytest.mark.parametrize("at", [0.3, 0.8, 0.95])
def test_operating_points_are_those_of_torchmetrics(at: float) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    peers = pytest.importorskip("torchmetrics.functional.classification", reason="torchmetrics is not installed")
    r = np.random.default_rng(1)
    for round_to in (1, 3):
        scores, truth = r.random(80).round(round_to), (np.arange(80) % 3 == 0).astype(int)
        pair = torch.tensor(scores), torch.tensor(truth)
        for name, peer, of in (
            ("sensitivity_at_specificity", peers.binary_sensitivity_at_specificity, "min_specificity"),
            ("specificity_at_sensitivity", peers.binary_specificity_at_sensitivity, "min_sensitivity"),
            ("ppv_at_sensitivity", peers.binary_precision_at_fixed_recall, "min_recall"),
            ("sensitivity_at_ppv", peers.binary_recall_at_fixed_precision, "min_precision"),
        ):
            theirs = float(peer(*pair, **{of: at})[0])
            ours = score_arrays({"measure": f"classification.{name}", "at": at}, truth, scores)
            assert (0.0 if np.isnan(ours) else ours) == pytest.approx(theirs, abs=1e-6), name


@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.7])
@pytest.mark.filterwarnings("ignore")  # the library's own
def test_net_benefit_is_that_of_dcurves(threshold: float) -> None:
    dcurves = pytest.importorskip("dcurves", reason="dcurves is not installed")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    r = np.random.default_rng(2)
    truth, chance = r.integers(0, 2, 60), r.random(60)
    table = dcurves.dca(
        data=pandas.DataFrame({"truth": truth, "chance": chance}), outcome="truth", modelnames=["chance"],
        thresholds=[threshold],
    )  # fmt: skip
    theirs = table.set_index("model")["net_benefit"]
    ours = score_arrays({"measure": "classification.net_benefit", "threshold": threshold}, truth, chance)
    assert ours == pytest.approx(float(theirs["chance"]), abs=1e-9)
