from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metrics.generic import make
from metrics.generic.tables import table_of
from tests.support.peers import of_peer

TIMES = [2.0, 4.0, 8.0]
STORED: dict[tuple[str, bool], list[float]] = {
    ("c", False): [0.7604570758348848, 0.7478144673055592],
    ("c", True): [0.7647269552376296, 0.7868114428009713],
    ("auc", False): [0.8085527583881128, 0.7996633232176764, 0.7764892806361035, 0.8262134956740104],
    ("auc", True): [0.8170522348681887, 0.8102529532614279, 0.8023716234425855, 0.8271864610182693],
    ("brier", False): [0.2541708434151124, 0.15193196481679042, 0.2486016100391994, 0.31364413277814307],
    ("brier", True): [0.25768768746588144, 0.15518989066886038, 0.2513394389487756, 0.31845895864005075],
}
"""Figures of scikit-survival 0.28."""


def records(ties: bool) -> tuple[Any, Any, Any, Any]:
    r = np.random.default_rng(4)
    death, end = r.exponential(10, 80), r.exponential(15, 80)
    time, event, risk = np.minimum(death, end), death <= end, r.normal(0, 8, 80) - death
    return (np.ceil(time), event, risk.round(-1), r) if ties else (time, event, risk, r)


def structured(time: Any, event: Any) -> Any:
    return np.array(list(zip(event, time, strict=True)), dtype=[("event", "?"), ("time", "<f8")])


def ours(spec: dict[str, Any], time: Any, event: Any, answers: dict[str, Any]) -> Any:
    truth = table_of("references", {}, {"time": time, "event": event.astype(float)})
    return make(spec).score_tables(truth, table_of("answers", {}, answers)).values  # type: ignore[attr-defined]


@pytest.mark.parametrize("ties", [False, True])
def test_unos_c_is_that_of_scikit_survival(ties: bool) -> None:
    time, event, risk, _ = records(ties)

    def theirs() -> Any:
        from sksurv.metrics import concordance_index_ipcw

        truth = structured(time, event)
        return [concordance_index_ipcw(truth, truth, risk, tau=until)[0] for until in (None, 8.0)]

    found = [
        ours({"measure": "survival.unos_c", "until": until}, time, event, {"risk": risk})["unos_c"]
        for until in (None, 8.0)
    ]
    assert found == pytest.approx(of_peer("sksurv", theirs, STORED["c", ties]), abs=1e-9)


@pytest.mark.parametrize("ties", [False, True])
def test_areas_are_those_of_scikit_survival(ties: bool) -> None:
    time, event, risk, _ = records(ties)

    def theirs() -> Any:
        from sksurv.metrics import cumulative_dynamic_auc

        truth = structured(time, event)
        areas, mean = cumulative_dynamic_auc(truth, truth, risk, TIMES)
        return [mean, *areas]

    found = ours({"measure": "survival.auc", "times": TIMES}, time, event, {"risk": risk})
    assert list(found.values()) == pytest.approx(of_peer("sksurv", theirs, STORED["auc", ties]), abs=1e-9)


@pytest.mark.parametrize("ties", [False, True])
def test_brier_scores_are_those_of_scikit_survival(ties: bool) -> None:
    time, event, _, r = records(ties)
    chances = np.sort(r.random((80, 3)), axis=1)[:, ::-1]

    def theirs() -> Any:
        from sksurv.metrics import brier_score, integrated_brier_score

        truth = structured(time, event)
        each = brier_score(truth, truth, chances, TIMES)[1]
        return [integrated_brier_score(truth, truth, chances, TIMES), *each]

    answers = {f"s_{moment:g}": np.ascontiguousarray(chances[:, k]) for k, moment in enumerate(TIMES)}
    found = ours({"measure": "survival.brier", "times": TIMES}, time, event, answers)
    scores = [found["ibs"], *(found[f"brier[{moment:g}]"] for moment in TIMES)]
    assert scores == pytest.approx(of_peer("sksurv", theirs, STORED["brier", ties]), abs=1e-9)
