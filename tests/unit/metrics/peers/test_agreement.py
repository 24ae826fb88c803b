from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metrics.adapters import score_arrays
from tests.support.peers import of_peer


def test_concordance_correlation_is_that_of_torchmetrics() -> None:
    r = np.random.default_rng(3)
    truth = r.normal(size=200)
    answers = 0.8 * truth + 0.3 + r.normal(0, 0.3, 200)

    def theirs() -> Any:
        import torch
        from torchmetrics.functional import concordance_corrcoef

        return [float(concordance_corrcoef(torch.tensor(answers), torch.tensor(truth)))]

    ours = [score_arrays({"measure": "regression.ccc"}, truth, answers)]
    # the library divides by n - 1, which changes the bias's share only
    assert ours == pytest.approx(of_peer("torchmetrics", theirs, [0.8896771729129568], close=1e-6), abs=1e-3)
