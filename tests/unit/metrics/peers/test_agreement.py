from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metrics.adapters import score_arrays
from metrics.generic.agreement import _crps_normal
from tests.support.peers import of_peer

STORED: dict[tuple[str, float], list[float]] = {
    ("icc", 0.0): [
        0.8629291532164967,
        0.8625993150402264,
        0.8584677953386155,
        0.9264218681924433,
        0.9262317537377565,
        0.9238446826916379,
    ],
    ("icc", 0.7): [
        0.6401999827956062,
        0.678015467063364,
        0.8584677953386157,
        0.7806364949528046,
        0.8081158730317727,
        0.923844682691638,
    ],
    ("crps", 0.0): [0.5965687504018816, 0.8268814845425453, 1.6330605030664314, 1.5204293564726052],
    ("ccc", 0.0): [0.8896771729129568],
}
"""Figures of pingouin 0.6, properscoring 0.1 and torchmetrics 1.9."""
FORMS = ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k")


@pytest.mark.parametrize("bias", [0.0, 0.7])
def test_intraclass_correlations_are_those_of_pingouin(bias: float) -> None:
    r = np.random.default_rng(1)
    truth = r.normal(size=25)
    answers = truth + bias + r.normal(0, 0.5, 25)

    def theirs() -> Any:
        import pandas
        import pingouin

        table = pandas.DataFrame(
            {"record": np.tile(np.arange(25), 2), "rater": np.repeat(["a", "b"], 25), "value": [*truth, *answers]}
        )
        found = pingouin.intraclass_corr(table, targets="record", raters="rater", ratings="value")
        return found["ICC"].to_numpy(float)

    ours = [score_arrays({"measure": "regression.icc", "form": form}, truth, answers) for form in FORMS]
    # the library rounds in some versions
    assert ours == pytest.approx(of_peer("pingouin", theirs, STORED["icc", bias], close=1e-5), abs=1e-5)


def test_crps_is_that_of_properscoring() -> None:
    r = np.random.default_rng(2)
    truth, members = r.normal(size=30), r.normal(size=(30, 7)).round(1)
    mean, sd = r.normal(size=30), r.uniform(0.1, 3, 30)

    def theirs() -> Any:
        import properscoring

        normal = properscoring.crps_gaussian(truth, mean, sd)
        return [properscoring.crps_ensemble(truth, members).mean(), normal.mean(), normal[0], normal[7]]

    normal = _crps_normal(truth, mean, sd)
    ours = [-score_arrays({"measure": "regression.crps"}, truth, members), normal.mean(), normal[0], normal[7]]
    assert ours == pytest.approx(of_peer("properscoring", theirs, STORED["crps", 0.0]), abs=1e-9)


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
    assert ours == pytest.approx(of_peer("torchmetrics", theirs, STORED["ccc", 0.0], close=1e-6), abs=1e-3)
