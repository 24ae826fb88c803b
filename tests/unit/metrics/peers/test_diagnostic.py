from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metrics.adapters import score_arrays
from tests.support.peers import of_peer

STORED = {
    0.3: [0.5555556, 0.6603774, 0.3375, 1.0, 0.7407407, 0.5660378, 0.3611111, 1.0],
    0.8: [0.1851852, 0.0943396, 0.3375, 0.0, 0.1481481, 0.2264151, 0.3611111, 0.0],
    0.95: [0.0, 0.0, 0.3375, 0.0, 0.0, 0.1320755, 0.3611111, 0.0],
}
"""Figures of torchmetrics 1.9."""
POINTS = (
    ("sensitivity_at_specificity", "binary_sensitivity_at_specificity", "min_specificity"),
    ("specificity_at_sensitivity", "binary_specificity_at_sensitivity", "min_sensitivity"),
    ("ppv_at_sensitivity", "binary_precision_at_fixed_recall", "min_recall"),
    ("sensitivity_at_ppv", "binary_recall_at_fixed_precision", "min_precision"),
)


@pytest.mark.parametrize("at", [0.3, 0.8, 0.95])
def test_operating_points_are_those_of_torchmetrics(at: float) -> None:
    r = np.random.default_rng(1)
    truth = (np.arange(80) % 3 == 0).astype(int)
    rounded = [r.random(80).round(digits) for digits in (1, 3)]

    def theirs() -> Any:
        import torch
        from torchmetrics.functional import classification as peers

        return [
            float(getattr(peers, peer)(torch.tensor(scores), torch.tensor(truth), **{of: at})[0])
            for scores in rounded
            for _, peer, of in POINTS
        ]

    ours = [
        score_arrays({"measure": f"classification.{name}", "at": at}, truth, scores)
        for scores in rounded
        for name, _, _ in POINTS
    ]
    assert np.nan_to_num(ours) == pytest.approx(of_peer("torchmetrics", theirs, STORED[at], close=1e-6), abs=1e-6)
