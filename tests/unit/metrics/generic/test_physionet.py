"""The vectors that the official programs of the PhysioNet Challenges gave."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.base import AnswerError, ReferenceDataError, ScoreReport
from metrics.generic import make
from metrics.scoring import both
from tests.support.score_tables import column, scored, write


def of(tmp_path: Path, name: str, references: str, answers: str, *, rules: str, **options: Any) -> ScoreReport:
    paths = write(tmp_path / "references.csv", references), write(tmp_path / "answers.csv", answers)
    return make({"measure": f"physionet.{name}", **options}).score(*paths, rules=rules)


def test_cost_of_2022_is_that_of_the_official_program(tmp_path: Path) -> None:
    truth, answers = (column("label", [f"A{x}" for x in word]) for word in ("bbbnnn", "bnbnbn"))
    options = {"labels": ["An", "Ab"]}
    for rules in ("official", "corrected"):
        report = of(tmp_path, "cost2022", truth, answers, rules=rules, **options)
        assert report.values["cost"] == pytest.approx(12176.666666666666, abs=1e-9)
        assert report.primary == "neg_cost"
    fewer = "\n".join(answers.splitlines()[:-1])
    with pytest.raises(AnswerError, match=r"record r5.*answer for each record"):
        of(tmp_path, "cost2022", truth, fewer, rules="official", **options)
    assert of(tmp_path, "cost2022", truth, fewer, rules="corrected", **options).values["cost"] > 12176


HOSPITALS = {
    "A": ([1] * 20 + [0] * 4, [round(0.99 - 0.01 * i, 2) for i in range(20)] + [0.985, 0.2, 0.1, 0.05]),
    "B": ([1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.2, 0.1]),
}


def test_outcome_of_2023_by_both_denominators(tmp_path: Path) -> None:
    rows = [(h, y, p) for h, (truth, scores) in HOSPITALS.items() for y, p in zip(truth, scores, strict=True)]
    truth = "record,label,hospital\n" + "".join(f"r{i},{y},{h}\n" for i, (h, y, _) in enumerate(rows))
    answers = column("score", [p for _, _, p in rows])
    official = of(tmp_path, "outcome2023", truth, answers, rules="official")
    assert official.values["sensitivity"] == pytest.approx(0.9545454545454546, abs=1e-12)
    corrected = of(tmp_path, "outcome2023", truth, answers, rules="corrected")
    assert corrected.values["sensitivity"] == pytest.approx(0.09090909090909091, abs=1e-12)
    fewer = "\n".join(answers.splitlines()[:-1])
    with pytest.raises(AnswerError, match="record r29"):
        of(tmp_path, "outcome2023", truth, fewer, rules="official")
    # the missing one of hospital B comes before all others, and is no positive record
    missing = of(tmp_path, "outcome2023", truth, fewer, rules="corrected")
    assert missing.values["sensitivity"] == pytest.approx(1 / 22)


def test_prioritisation_of_2025_draws_as_the_official_program(tmp_path: Path) -> None:
    truth = column("label", [int(i % 5 == 0) for i in range(40)])
    answers = column("score", [0.9 if i in (0, 5, 1) else 0.1 for i in range(40)])
    pair = both(
        '{"measure": "physionet.prioritised2025"}', write(tmp_path / "r.csv", truth), write(tmp_path / "a.csv", answers)
    )
    assert pair.report.values["prioritised2025"] == pytest.approx(1 / 6)
    assert pair.official is not None
    assert pair.official.values["prioritised2025"] == pytest.approx(0.16725, abs=1e-12)
    assert pair.official.notes == ()


AGES = [60, 61, 62, 70, 71, 75]
TRUTH = "record,label,age\n" + "".join(f"r{i},{i % 2},{age}\n" for i, age in enumerate(AGES))
ANSWERS = "record,label,score\nr0,0,0.2\nr1,1,0.7\nr2,1,0.8\nr3,0,0.3\nr4,0,0.3"


def test_reward_of_2026_is_that_of_the_official_program(tmp_path: Path) -> None:
    report = of(tmp_path, "reward2026", TRUTH, ANSWERS, rules="official")
    expected = {
        "reward": 0.0833333,
        "auroc_by_age": 0.5,
        "auroc_weighted": 0.4565217,
        "auroc": 0.3888889,
        "auprc": 0.5,
        "accuracy": 0.5,
        "f1": 0.4,
    }
    assert report.values == pytest.approx(expected, abs=1e-7)
    corrected = of(tmp_path, "reward2026", TRUTH, ANSWERS, rules="corrected")
    assert corrected.values["reward"] == pytest.approx(report.values["reward"])  # a missed positive is -1 either way
    fewer = ANSWERS.replace("\nr0,0,0.2", "")
    missing = [of(tmp_path, "reward2026", TRUTH, fewer, rules=rules).values for rules in ("official", "corrected")]
    assert missing[0]["accuracy"] - missing[1]["accuracy"] == pytest.approx(1 / 6)  # r0 is negative, as the official 0
    assert missing[0]["auroc"] > missing[1]["auroc"]


def test_prevalence_of_2026_may_come_from_another_table(tmp_path: Path) -> None:
    write(tmp_path / "prevalence.csv", "record,label,age\np0,1,60\np1,0,61\np2,0,62\np3,0,62")
    reference, answer = "record,label,age\nr0,1,61\nr1,0,61", "record,label,score\nr0,1,0.9\nr1,0,0.1"
    report = of(tmp_path, "reward2026", reference, answer, rules="official", prevalence_file="prevalence.csv")
    assert report.values["reward"] == pytest.approx((1 / 0.25 - 1 + 1 / 0.75 - 1) / 2)


def test_rewards_of_2021_may_stand_in_a_table_beside_the_references(tmp_path: Path) -> None:
    truth, answers = column("labels", ["N", "B", "A"]), column("labels", ["N", "A", "A|N|unscored"])
    rewards = {"N": {"N": 1, "A": 0.5}, "A|B": {"N": 0.3, "A|B": 1}}
    write(tmp_path / "weights.csv", ",N,A|B\nN,1,0.5\nA|B,0.3,1")
    write(tmp_path / "bad.csv", ",N,A\nN,1,0.5\n")
    report, same = (
        scored(tmp_path, {"measure": "multilabel.reward", "normal": "N", **option}, truth, answers)
        for option in ({"rewards": rewards}, {"matrix": "weights.csv"})
    )
    assert same.values == report.values
    with pytest.raises(ReferenceDataError, match="label normal: X"):
        scored(tmp_path, {"measure": "multilabel.reward", "normal": "X", "rewards": rewards}, truth, answers)
    with pytest.raises(ReferenceDataError, match="square table"):
        scored(tmp_path, {"measure": "multilabel.reward", "matrix": "bad.csv"}, truth, answers)


def test_measures_of_physionet_resample_what_they_are(tmp_path: Path) -> None:
    report = of(tmp_path, "reward2026", TRUTH, ANSWERS, rules="corrected")
    assert report.resampler is not None
    values = report.resampler.values(np.array([[1, 1, 1, 1, 1, 1], [0, 2, 0, 0, 1, 0]]))
    assert values["reward"][0] == pytest.approx(report.values["reward"])
    assert values["auroc"][1] == 1
    assert math.isnan(values["auroc_by_age"][1])  # 61 and 71 are no pair
