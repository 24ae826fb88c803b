"""The vectors that the official programs of the PhysioNet Challenges gave."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.base import AnswerError, ReferenceDataError, ScoreReport
from metrics.generic import make
from metrics.generic.physionet_signals import aligned, snr_db
from metrics.plots import plots_of
from metrics.scoring import both
from tests.support.score_tables import check, column, scored, write
from tests.unit.metrics.generic.test_by_hand import OF_N, TOP, Options

COST = {"measure": "physionet.cost2022", "labels": ["An", "Ab"]}
OUTCOME, REWARD = {"measure": "physionet.outcome2023"}, {"measure": "physionet.reward2026"}


HOSPITALS = {
    "A": ([1] * 20 + [0] * 4, [round(0.99 - 0.01 * i, 2) for i in range(20)] + [0.985, 0.2, 0.1, 0.05]),
    "B": ([1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.2, 0.1]),
}
ROWS = [(h, y, p) for h, (truth, scores) in HOSPITALS.items() for y, p in zip(truth, scores, strict=True)]
OF_HOSPITALS = "record,label,hospital\n" + "".join(f"r{i},{y},{h}\n" for i, (h, y, _) in enumerate(ROWS))
SCORES = [p for _, _, p in ROWS]
AGES = [60, 61, 62, 70, 71, 75]
TRUTH = "record,label,age\n" + "".join(f"r{i},{i % 2},{age}\n" for i, age in enumerate(AGES))
ANSWERS = "record,label,score\nr0,0,0.2\nr1,1,0.7\nr2,1,0.8\nr3,0,0.3\nr4,0,0.3"
ABNORMAL, CALLED = column("label", ["Ab"] * 3 + ["An"] * 3), ["Ab", "An"] * 3
COSTS = {"neg_cost": -12176.666666666666, "cost": 12176.666666666666}
# a missed positive is -1 by either rules
REWARDS = {
    **{"reward": 1 / 12, "auroc_by_age": 0.5, "auroc_weighted": 21 / 46, "auroc": 7 / 18},
    **{"auprc": 0.5, "accuracy": 0.5, "f1": 0.4},
}
BY_RULES: list[tuple[Options, str, str, dict[str, Any] | str, dict[str, Any]]] = [
    # values of the official programs, or where they stop, and those of the corrected rules
    (COST, ABNORMAL, column("label", CALLED), COSTS, COSTS),
    (COST, ABNORMAL, column("label", CALLED[:-1]), r"record r5.*answer for each", {"neg_cost": -13434.086419753085}),
    (OUTCOME, OF_HOSPITALS, column("score", SCORES), {"sensitivity": 21 / 22}, {"sensitivity": 2 / 22}),
    # the missing one of hospital B comes before all others, and is no positive record
    (OUTCOME, OF_HOSPITALS, column("score", SCORES[:-1]), "record r29", {"sensitivity": 1 / 22}),
    # as many orders are drawn as by the official program
    (
        {"measure": "physionet.prioritised2025"},
        *TOP,
        {"prioritised2025": 0.16725, "notes": ()},
        {"prioritised2025": 1 / 6},
    ),
    (REWARD, TRUTH, ANSWERS, REWARDS, REWARDS),
]


@pytest.mark.parametrize(("spec", "references", "answers", "official", "corrected"), BY_RULES)
def test_values_by_both_rules(
    tmp_path: Path, spec: Options, references: str, answers: str, official: Any, corrected: dict[str, Any]
) -> None:
    if isinstance(official, str):
        with pytest.raises(AnswerError, match=official):
            scored(tmp_path, spec, references, answers, rules="official")
    else:
        check(scored(tmp_path, spec, references, answers, rules="official"), official)
    check(scored(tmp_path, spec, references, answers, rules="corrected"), corrected)


def test_missing_answer_of_2026_is_no_officially(tmp_path: Path) -> None:
    fewer = ANSWERS.replace("\nr0,0,0.2", "")
    missing = [scored(tmp_path, REWARD, TRUTH, fewer, rules=rules).values for rules in ("official", "corrected")]
    assert missing[0]["accuracy"] - missing[1]["accuracy"] == pytest.approx(1 / 6)  # r0 is negative, as the official 0
    assert missing[0]["auroc"] > missing[1]["auroc"]


def test_prevalence_of_2026_may_come_from_another_table(tmp_path: Path) -> None:
    write(tmp_path / "prevalence.csv", "record,label,age\np0,1,60\np1,0,61\np2,0,62\np3,0,62")
    reference, answer = "record,label,age\nr0,1,61\nr1,0,61", "record,label,score\nr0,1,0.9\nr1,0,0.1"
    report = scored(tmp_path, {**REWARD, "prevalence_file": "prevalence.csv"}, reference, answer, rules="official")
    assert report.values["reward"] == pytest.approx((1 / 0.25 - 1 + 1 / 0.75 - 1) / 2)


def test_rewards_of_2021_may_stand_in_a_table_beside_the_references(tmp_path: Path) -> None:
    truth, answers = column("labels", ["N", "B", "A"]), column("labels", ["N", "A", "A|N|unscored"])
    write(tmp_path / "weights.csv", ",N,A|B\nN,1,0.5\nA|B,0.3,1")
    write(tmp_path / "bad.csv", ",N,A\nN,1,0.5\n")
    report, same = (
        scored(tmp_path, {"measure": "multilabel.reward", **options}, truth, answers)
        for options in (OF_N, {"normal": "N", "matrix": "weights.csv"})
    )
    assert same.values == report.values
    for options, message in (({**OF_N, "normal": "X"}, "label normal: X"), ({"matrix": "bad.csv"}, "square table")):
        with pytest.raises(ReferenceDataError, match=message):
            scored(tmp_path, {"measure": "multilabel.reward", **options}, truth, answers)


def test_measures_of_physionet_resample_what_they_are(tmp_path: Path) -> None:
    report = scored(tmp_path, REWARD, TRUTH, ANSWERS, rules="corrected")
    assert report.resampler is not None
    values = report.resampler.values(np.array([[1, 1, 1, 1, 1, 1], [0, 2, 0, 0, 1, 0]]))
    assert values["reward"][0] == pytest.approx(report.values["reward"])
    assert values["auroc"][1] == 1
    assert math.isnan(values["auroc_by_age"][1])  # 61 and 71 are no pair


FS = 500
TIME = np.arange(2 * FS) / FS
SINE = np.sin(2 * np.pi * 5 * TIME)


def write_record(
    folder: Path, name: str, fs: int = FS, units: str = "mV", gain: str = "20000", **channels: Any
) -> None:
    """Values in steps of 1/20000 mV; NaN is the format's mark of a sample that is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    digital = np.stack([np.nan_to_num(np.round(20000 * np.asarray(x)), nan=-32768) for x in channels.values()], axis=1)
    (folder / f"{name}.dat").write_bytes(digital.astype("<i2").tobytes())
    lines = [f"{name} {len(channels)} {fs} {len(digital)}"]
    lines += [f"{name}.dat 16 {gain}(0)/{units} 16 0 {int(digital[0, k])} 0 0 {c}" for k, c in enumerate(channels)]
    (folder / f"{name}.hea").write_text("\n".join(lines) + "\n")


def snr(folder: Path, rules: str = "corrected", **options: Any) -> ScoreReport:
    metric = make({"measure": "physionet.snr2024", **options})
    return metric.score(folder / "references", folder / "answers", rules=rules)


@pytest.mark.parametrize("rules", ["official", "corrected"])
@pytest.mark.parametrize(
    ("answer", "expected"),
    [  # of the official program
        (SINE + 0.1 * np.cos(2 * np.pi * 5 * TIME), 20.0),
        (np.where(TIME < 1, SINE + 0.1 * np.cos(2 * np.pi * 5 * TIME), math.nan), 10.0),
        (np.full(SINE.size, math.nan), 0.0),
    ],
)
def test_ratios_are_those_of_the_official_program(tmp_path: Path, rules: str, answer: Any, expected: float) -> None:
    write_record(tmp_path / "references", "a", I=SINE)
    write_record(tmp_path / "answers", "a", i=answer)
    ratio = snr(tmp_path, rules, align="none").values["snr_db"]
    assert ratio == pytest.approx(expected, abs=2e-3)  # samples are whole numbers
    assert snr_db(SINE, answer) == pytest.approx(expected, abs=1e-9)


def test_answers_are_moved_in_time_and_level_if_not_too_far() -> None:
    r = np.random.default_rng(1)
    wave = np.cumsum(r.normal(0, 0.05, 1000))
    late = np.concatenate([np.full(100, wave[0]), wave[:-100]])
    assert snr_db(wave, late) < 10
    assert snr_db(wave, aligned(wave, late + 0.5, FS)) > 25
    too_late = np.concatenate([np.full(300, wave[0]), wave[:-300]])
    assert aligned(wave, too_late, FS) is too_late
    assert aligned(wave, late + 1.5, FS) is not late
    # figures of the official program, with the same input
    noisy = np.roll(wave, 40) + r.normal(0, 0.02, 1000) + 0.3
    assert snr_db(wave, aligned(wave, noisy, FS)) == pytest.approx(36.273110408743506, abs=1e-9)
    early = np.roll(wave, -30)
    kept = aligned(wave, early, FS, official=True)
    assert (kept.size, int(np.isfinite(kept).sum())) == (60, 30)  # as in the official program
    assert int(np.isfinite(aligned(wave, early, FS)).sum()) == 970


def test_equal_signals_and_missing_ones_by_both_rules(tmp_path: Path) -> None:
    for name in "ab":
        write_record(tmp_path / "references", name, I=SINE, II=SINE)
    write_record(tmp_path / "answers", "a", I=SINE, II=SINE + 0.1 * np.cos(2 * np.pi * 5 * TIME))
    metric = '{"measure": "physionet.snr2024", "align": "none"}'
    pair = both(metric, tmp_path / "references", tmp_path / "answers")
    assert pair.report.values["snr_db"] == pytest.approx((100 + 20 + 0 + 0) / 4, abs=2e-3)
    assert pair.official is not None
    assert pair.official.values["snr_db"] == pytest.approx((20 + 0 + 0) / 3, abs=2e-3)
    assert len(plots_of(pair.report)) == 1
    assert pair.report.per_record["b"] == {"I": 0, "II": 0}
    write_record(tmp_path / "answers", "a", I=SINE)
    assert snr(tmp_path, align="none").per_record["a"] == {"I": 100, "II": 0}


def test_few_samples_neither_leave_a_channel_out_nor_make_it_perfect(tmp_path: Path) -> None:
    write_record(tmp_path / "references", "a", I=SINE)
    for sample, ratio in ((0, 0), (25, 0.1)):  # of a reference of 0 at first
        write_record(tmp_path / "answers", "a", I=np.where(np.arange(1000) == sample, SINE, math.nan))
        assert snr(tmp_path, align="none").values["snr_db"] == pytest.approx(ratio)


def test_answer_may_not_name_the_references_files(tmp_path: Path) -> None:
    write_record(tmp_path / "references", "a", I=SINE)
    write_record(tmp_path / "answers", "a", I=SINE)
    header = tmp_path / "answers" / "a.hea"
    for elsewhere in ("../references/a.dat", str(tmp_path / "references" / "a.dat"), "no.dat"):
        header.write_text(header.read_text().replace("a.dat", elsewhere))
        with pytest.raises(AnswerError, match="beside the header"):
            snr(tmp_path)
        write_record(tmp_path / "answers", "a", I=SINE)
    (tmp_path / "answers" / "a.dat").unlink()
    (tmp_path / "answers" / "a.dat").symlink_to(tmp_path / "references" / "a.dat")
    with pytest.raises(AnswerError, match=r"beside the header"):
        snr(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fs": 250}, "expected 500 samples a second, found 250"),
        ({"units": "uV"}, "expected signals in mV, found 'uV'"),
        ({"i": SINE}, "every channel once"),
        ({"units": "mV", "gain": "1e-150"}, "expected signals up to 1e.100 mV"),
        ({"I": np.zeros(4001)}, "expected at most 4,000 samples, found 4,001"),
    ],
)
def test_other_signals_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_record(tmp_path / "references", "a", I=SINE)
    write_record(tmp_path / "answers", "a", **{"I": SINE, **change})
    with pytest.raises(AnswerError, match=message):
        snr(tmp_path)
    for text in (
        "",
        "a 1 500 99999999999\na.dat 16\n",
        "a 1\n",
        "a 1 x 10\na.dat 16 1\n",
        "a 1 500 10\na.dat 7 1\n",
        "a 1 500 10\na.dat 16:999999999 20000(0)/mV 16 0 0 0 0 I\n",
    ):
        (tmp_path / "answers" / "a.hea").write_text(text)
        with pytest.raises(AnswerError):
            snr(tmp_path)
