from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metrics.adapters import score_arrays
from tests.support.peers import of_peer

STORED: dict[tuple[str, float], list[float]] = {
    ("points", 0.3): [
        0.5555555820465088,
        0.6603773832321167,
        0.3375000059604645,
        1.0,
        0.7407407164573669,
        0.5660377740859985,
        0.3611111044883728,
        1.0,
    ],
    ("points", 0.8): [
        0.18518517911434174,
        0.09433960914611816,
        0.3375000059604645,
        0.0,
        0.14814814925193787,
        0.22641509771347046,
        0.3611111044883728,
        0.0,
    ],
    ("points", 0.95): [0.0, 0.0, 0.3375000059604645, 0.0, 0.0, 0.1320754885673523, 0.3611111044883728, 0.0],
}
"""Figures of torchmetrics 1.9 and dcurves 1.1."""
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
    assert np.nan_to_num(ours) == pytest.approx(
        of_peer("torchmetrics", theirs, STORED["points", at], close=1e-6), abs=1e-6
    )
