from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from wfdb.processing import compare_annotations

from metrics.base import ReferenceDataError
from metrics.generic.events import beat_pairs, covered, matches, union
from metrics.statistics.uncertainty import intervals
from tests.support.score_tables import scored


def test_most_pairs_are_matched_as_by_assignment() -> None:
    random = np.random.default_rng(7)
    for _ in range(30):
        sizes = random.integers(0, 8, 2)
        expected, answered = (np.sort(random.integers(0, 12, (n, 2)), axis=1).astype(float) for n in sizes)
        allowed = (abs(expected[:, None] - answered) <= [2, 3]).all(axis=2)
        assert matches(expected, answered, 2, 3) == allowed[linear_sum_assignment(allowed, maximize=True)].sum()


def test_covered_time_as_by_counting_seconds() -> None:
    random = np.random.default_rng(8)
    for _ in range(30):
        events, others = (np.sort(random.choice(40, (4, 2), replace=False), axis=1).astype(float) for _ in range(2))
        busy = np.zeros(40, np.bool_)
        for onset, offset in others:
            busy[int(onset) : int(offset)] = True
        assert covered(events, others).tolist() == [busy[int(a) : int(b)].sum() for a, b in events]
        merged = union(others)
        assert (merged[1:, 0] > merged[:-1, 1]).all()
        assert (merged[:, 1] - merged[:, 0]).sum() == busy.sum()


def seizures(r: Any) -> list[list[tuple[float, float]]]:
    """Events of an hour, in order, for both sides."""
    sides = []
    for _ in range(2):
        events: list[tuple[float, float]] = []
        for onset in np.sort(r.integers(0, 36000, int(r.integers(0, 9)))) / 10:
            if not events or onset > events[-1][1]:
                events.append((float(onset), float(onset + r.integers(1, 8000) / 10)))
        sides.append([event for event in events if event[1] <= 3600])
    return sides


def test_seizures_by_hand(tmp_path: Path) -> None:
    truth = "record,onset,offset,duration\na,1000,1400,86400\nb,,,86400\n"
    # 1000 to 1300 and 1300 to 1400: an answer half a minute before finds the first, one a minute after the second, and
    # one in the half minute before 1300 both; one that reaches into a margin by more than a tenth of a second is right
    for answers, values in (
        ("a,970,975\na,1459,1470\n", (1, 1, 1, 0)),
        ("a,960,970\na,1460,1470\n", (0, 0, 0, 1)),
        ("a,1271,1272\n", (1, 1, 1, 0)),
        ("a,969,970.3\n", (2 / 3, 1 / 2, 1, 0)),
        ("a,900,972\nb,5,9\nb,98,99\nb,300,310\n", (2 / 5, 1 / 2, 1 / 3, 1)),
    ):
        report = scored(tmp_path, {"measure": "events.szcore"}, truth, "record,onset,offset\n" + answers)
        assert list(report.values.values())[:4] == pytest.approx(values, nan_ok=True)
    assert report.per_record["b"] == {"TP": 0, "FP": 2, "FN": 0, "seconds": 86400}
    with pytest.raises(ReferenceDataError, match="duration"):
        scored(tmp_path, {"measure": "events.szcore"}, "record,onset,offset\na,1,2\n", "record,onset,offset\na,1,2\n")


def subjects() -> list[list[list[list[tuple[int, int]]]]]:
    """Of seven subjects up to three hours of both sides in whole seconds; the last has no seizure."""
    r = np.random.default_rng(14)
    drawn = []
    for subject in range(7):
        hours = [
            [[(int(on), int(off) + 1) for on, off in side] for side in seizures(r)] for _ in range(1 + subject % 3)
        ]
        drawn.append([[[] if subject == 6 else events, other[: 9 if subject % 2 else 1]] for events, other in hours])
    return drawn


def test_means_over_subjects_are_those_of_szcore(tmp_path: Path) -> None:
    texts = ["record,onset,offset,duration,patient\n", "record,onset,offset\n"]
    for subject, hours in enumerate(subjects()):
        for hour, sides in enumerate(hours):
            for side, end in enumerate((f",3601,p{subject}\n", "\n")):
                rows = [f"{on},{off}" for on, off in sides[side]] or [","]
                texts[side] += "".join(f"s{subject}h{hour},{row}{end}" for row in rows)
    report = scored(tmp_path, {"measure": "events.szcore"}, *texts)
    assert [report.values[key] for key in SUBJECTS] == pytest.approx(list(SUBJECTS.values()))
    low, high = intervals(report).of["mean_f1"]
    assert low < report.values["mean_f1"] < high
    assert report.resampler is not None
    # a subject that is drawn twice counts twice, and one that is not drawn does not
    twice = np.array([[2 if name[:2] == "s1" else name[:2] == "s2" for name in report.resampler.records]], np.int64)
    each = [report.resampler.values((twice == n).astype(np.int64))["mean_f1"][0] for n in (2, 1)]
    assert report.resampler.values(twice)["mean_f1"][0] == pytest.approx((2 * each[0] + each[1]) / 3)


SUBJECTS = {
    "mean_sensitivity": 0.2726190476190476,
    "mean_ppv": 0.16326530612244897,
    "mean_f1": 0.14523809523809522,
    "mean_false_alarms_per_day": 51.985559566786996,
}
"""Of szcore-evaluation a3708b83 with timescoring 0.0.7, events by subject."""


def test_beats_are_paired_as_by_wfdb() -> None:
    r = np.random.default_rng(9)
    pairs = []
    for _ in range(50):
        beats = np.cumsum(r.integers(60, 400, 200))
        moved = (beats + r.integers(-70, 70, 200))[r.random(200) < 0.95]
        pairs.append((beats, np.unique(np.concatenate([moved, r.integers(0, beats[-1], 10)]))))

    ours = [int((beat_pairs(beats.astype(float), other.astype(float), 53) >= 0).sum()) for beats, other in pairs]
    assert ours == [compare_annotations(beats, other, 54).tp for beats, other in pairs]  # less than 54 samples
