from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.adapters import score_arrays
from metrics.base import ScoreReport
from metrics.generic import make
from metrics.generic.tables import table_of
from tests.support.score_tables import column, scored

sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")

REFERENCES = column("value", [1, 2, 3, 6])
ANSWERS = column("value", [1, 3, 3, 4])


def report_of(tmp_path: Path, measure: str, references: str, answers: str, **options: Any) -> ScoreReport:
    return scored(tmp_path, {"measure": f"regression.{measure}", **options}, references, answers)


def test_numbers_by_hand(tmp_path: Path) -> None:
    assert report_of(tmp_path, "mae", REFERENCES, ANSWERS).values == {"neg_mae": -0.75, "mae": 0.75}
    assert report_of(tmp_path, "rmse", REFERENCES, ANSWERS).values["rmse"] == pytest.approx(math.sqrt(5 / 4))
    # mean 3: deviations 4 + 1 + 0 + 9
    assert report_of(tmp_path, "r2", REFERENCES, ANSWERS).values["r2"] == pytest.approx(1 - 5 / 14)
    # six pairs, one of them a tie of answers
    assert report_of(tmp_path, "concordance", REFERENCES, ANSWERS).values["concordance"] == pytest.approx(5.5 / 6)


def test_missing_answer_has_the_largest_error_there_can_be(tmp_path: Path) -> None:
    answers = column("value", [1, 3, 3])
    # 6 is 5 from the farther end of the references
    assert report_of(tmp_path, "mae", REFERENCES, answers).values["mae"] == pytest.approx((1 + 5) / 4)
    assert report_of(tmp_path, "mae", REFERENCES, answers, range=[0, 10]).values["mae"] == pytest.approx((1 + 6) / 4)
    # at least the largest error made anywhere: silence is never better than an answer
    wild = column("value", [1, 3, 33])
    assert report_of(tmp_path, "mae", REFERENCES, wild).values["mae"] == pytest.approx((1 + 30 + 30) / 4)
    left = report_of(tmp_path, "mae", REFERENCES, answers, missing="exclude-with-note")
    assert left.values["mae"] == pytest.approx(1 / 3)
    assert left.notes == ("1 of 4 records have no answer, left out",)
    # the missing record loses its three pairs
    assert report_of(tmp_path, "concordance", REFERENCES, answers).values["concordance"] == pytest.approx(2.5 / 6)
    left = report_of(tmp_path, "concordance", REFERENCES, answers, missing="exclude-with-note")
    assert left.values["concordance"] == pytest.approx(2.5 / 3)
    left = report_of(tmp_path, "r2", REFERENCES, answers, missing="exclude-with-note")
    assert left.values["r2"] == pytest.approx(1 - 1 / 2)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    ("measure", "options"),
    [("mae", {}), ("rmse", {}), ("r2", {}), ("mape", {}), ("ccc", {}), ("pinball", {"quantile": 0.3})],
)
def test_sums_of_many_records_are_those_of_their_rows(measure: str, options: dict[str, Any], missing: bool) -> None:
    """They are added some thousands at a time, resamples as products with all rows."""
    random, n = np.random.default_rng(3), 40_001
    truth = random.normal(50, 10, n)
    answers = truth + random.normal(0, 5, n)
    reference = table_of("references", {"value": truth})
    given = table_of("answers", {"value": answers})
    if missing:
        reference, given = (replace(each, names=list(map(str, range(n)))) for each in (reference, given))
        given = replace(given, names=[*given.names[:-3], "x", "y", "z"])
    spec = {"measure": f"regression.{measure}", "missing": "exclude-with-note", **options}
    report = make(spec).score_tables(reference, given)  # type: ignore[attr-defined]
    by_rows = report.resampler.values(np.ones((1, n), np.int64))
    assert {key: values[0] for key, values in by_rows.items()} == pytest.approx(dict(report.values), rel=1e-12)


def test_errors_that_are_too_large_are_infinite_not_the_largest_number() -> None:
    with pytest.warns(UserWarning, match="neg_mae, mae infinite: numbers are too large"):
        assert score_arrays({"measure": "regression.mae"}, [1e308, 0.0], [-1e308, 0.0]) == -math.inf
