from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metrics.generic import make
from metrics.generic.tables import table_of

peers = pytest.importorskip("sksurv.metrics", reason="scikit-survival is not installed")

TIMES = [2.0, 4.0, 8.0]


def records(ties: bool) -> tuple[Any, Any, Any, Any]:
    r = np.random.default_rng(4)
    death, end = r.exponential(10, 80), r.exponential(15, 80)
    time, event, risk = np.minimum(death, end), death <= end, r.normal(0, 8, 80) - death
    return (np.ceil(time), event, risk.round(-1), r) if ties else (time, event, risk, r)


def ours(spec: dict[str, Any], time: Any, event: Any, answers: dict[str, Any]) -> Any:
    truth = table_of("references", {}, {"time": time, "event": event.astype(float)})
    return make(spec).score_tables(truth, table_of("answers", {}, answers)).values  # type: ignore[attr-defined]


@pytest.mark.parametrize("ties", [False, True])
def test_unos_c_is_that_of_scikit_survival(ties: bool) -> None:
    time, event, risk, _ = records(ties)
    truth = np.array(list(zip(event, time, strict=True)), dtype=[("event", "?"), ("time", "<f8")])
    for until in (None, 8.0):
        theirs = peers.concordance_index_ipcw(truth, truth, risk, tau=until)[0]
        found = ours({"measure": "survival.unos_c", "until": until}, time, event, {"risk": risk})
        assert found["unos_c"] == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_areas_are_those_of_scikit_survival(ties: bool) -> None:
    time, event, risk, _ = records(ties)
    truth = np.array(list(zip(event, time, strict=True)), dtype=[("event", "?"), ("time", "<f8")])
    areas, mean = peers.cumulative_dynamic_auc(truth, truth, risk, TIMES)
    found = ours({"measure": "survival.auc", "times": TIMES}, time, event, {"risk": risk})
    assert list(found.values()) == pytest.approx([mean, *areas], abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_brier_scores_are_those_of_scikit_survival(ties: bool) -> None:
    time, event, _, r = records(ties)
    truth = np.array(list(zip(event, time, strict=True)), dtype=[("event", "?"), ("time", "<f8")])
    chances = np.sort(r.random((80, 3)), axis=1)[:, ::-1]
    answers = {f"s_{moment:g}": np.ascontiguousarray(chances[:, k]) for k, moment in enumerate(TIMES)}
    found = ours({"measure": "survival.brier", "times": TIMES}, time, event, answers)
    assert found["ibs"] == pytest.approx(peers.integrated_brier_score(truth, truth, chances, TIMES), abs=1e-12)
    theirs = peers.brier_score(truth, truth, chances, TIMES)[1]
    assert [found[f"brier[{moment:g}]"] for moment in TIMES] == pytest.approx(theirs, abs=1e-12)
