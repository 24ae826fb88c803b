from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.base import AnswerError, ScoreReport
from metrics.generic import make
from metrics.generic.physionet_signals import aligned, snr_db
from metrics.plots import plots_of
from metrics.scoring import both

FS = 500
TIME = np.arange(2 * FS) / FS
SINE = np.sin(2 * np.pi * 5 * TIME)


def write_record(folder: Path, name: str, fs: int = FS, units: str = "mV", **channels: Any) -> None:
    """Values in steps of 1/20000 mV; NaN is the format's mark of a sample that is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    digital = np.stack([np.nan_to_num(np.round(20000 * np.asarray(x)), nan=-32768) for x in channels.values()], axis=1)
    (folder / f"{name}.dat").write_bytes(digital.astype("<i2").tobytes())
    lines = [f"{name} {len(channels)} {fs} {len(digital)}"]
    lines += [f"{name}.dat 16 20000(0)/{units} 16 0 {int(digital[0, k])} 0 0 {c}" for k, c in enumerate(channels)]
    (folder / f"{name}.hea").write_text("\n".join(lines) + "\n")


def scored(folder: Path, rules: str = "corrected", **options: Any) -> ScoreReport:
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
    ratio = scored(tmp_path, rules, align="none").values["snr_db"]
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
    assert snr_db(wave, aligned(wave, noisy, FS)) == pytest.approx(OFFICIAL, abs=1e-9)
    early = np.roll(wave, -30)
    kept = aligned(wave, early, FS, official=True)
    assert (kept.size, int(np.isfinite(kept).sum())) == (60, 30)  # as in the official program
    assert int(np.isfinite(aligned(wave, early, FS)).sum()) == 970


OFFICIAL = 36.273110408743506


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
    assert scored(tmp_path, align="none").per_record["a"] == {"I": 100, "II": 0}


def test_answer_may_not_name_the_references_files(tmp_path: Path) -> None:
    write_record(tmp_path / "references", "a", I=SINE)
    write_record(tmp_path / "answers", "a", I=SINE)
    header = tmp_path / "answers" / "a.hea"
    for elsewhere in ("../references/a.dat", str(tmp_path / "references" / "a.dat"), "no.dat"):
        header.write_text(header.read_text().replace("a.dat", elsewhere))
        with pytest.raises(AnswerError, match="beside the header"):
            scored(tmp_path)
        write_record(tmp_path / "answers", "a", I=SINE)
    (tmp_path / "answers" / "a.dat").unlink()
    (tmp_path / "answers" / "a.dat").symlink_to(tmp_path / "references" / "a.dat")
    with pytest.raises(AnswerError, match=r"beside the header"):
        scored(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fs": 250}, "expected 500 samples a second, found 250"),
        ({"units": "uV"}, "expected signals in mV, found 'uV'"),
        ({"i": SINE}, "every channel once"),
    ],
)
def test_other_signals_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_record(tmp_path / "references", "a", I=SINE)
    write_record(tmp_path / "answers", "a", **{"I": SINE, **change})
    with pytest.raises(AnswerError, match=message):
        scored(tmp_path)
    for text in ("", "a 1 500 99999999999\na.dat 16\n", "a 1\n", "a 1 x 10\na.dat 16 1\n", "a 1 500 10\na.dat 7 1\n"):
        (tmp_path / "answers" / "a.hea").write_text(text)
        with pytest.raises(AnswerError):
            scored(tmp_path)
