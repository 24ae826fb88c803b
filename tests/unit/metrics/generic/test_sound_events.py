from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from metrics.base import AnswerError, ReferenceDataError
from metrics.plots import plots_of
from metrics.statistics.uncertainty import intervals
from tests.support.peers import of_peer
from tests.support.score_tables import scored

Event = tuple[str, float, float, str]
FILES, SECONDS = 25, 60.0
OPTIONS: tuple[dict[str, float], ...] = (
    {},
    {"detection_share": 0.7, "truth_share": 0.7, "spread_weight": 1.0},  # DCASE's first scenario
    {"detection_share": 0.1, "truth_share": 0.1, "cross_weight": 0.5, "spread_weight": 1.0},  # and its second
    {"detection_share": 0.0, "truth_share": 0.0, "cross_share": 0.0, "cross_weight": 1.0, "most_per_hour": 50.0},
)
STORED = [0.5639406207827261, 0.347769308190453, 0.5144638686373542, 0.46759331164459006]
"""Of psds_eval 0.5.3."""


def apart(events: list[Event]) -> list[Event]:
    """Those that no earlier one of their class overlaps: psds_eval and we refuse others."""
    kept: list[Event] = []
    for name, on, off, kind in sorted(events):
        if not any(one[0] == name and one[3] == kind and one[2] > on for one in kept):
            kept.append((name, on, off, kind))
    return kept


def sounds() -> tuple[list[Event], dict[str, list[Event]]]:
    """Events of minutes, and of ever fewer of them what is detected at each of six points, with others beside."""
    r = np.random.default_rng(12)
    names = [f"f{i}" for i in range(FILES)]
    every = [
        (name, float(onset), float(min(SECONDS, onset + r.uniform(1, 15))), "abc"[r.integers(3)])
        for name in names
        for onset in r.uniform(0, 55, int(r.integers(0, 5)))
    ]
    truth = apart(every)
    points: dict[str, list[Event]] = {}
    for point in range(6):
        rows = [
            (name, max(0.0, on + float(r.normal(0, 1.5))), off + float(r.normal(0, 1.5)), kind)
            for name, on, off, kind in truth
            if r.random() < 0.9 - 0.13 * point
        ]
        rows = [(name, on, max(on + 0.2, off), kind if r.random() < 0.8 else "c") for name, on, off, kind in rows]
        rows += [
            (names[r.integers(FILES)], float(on), float(on + r.uniform(0.5, 9)), "abc"[r.integers(3)])
            for on in r.uniform(0, 62, 25 - 4 * point)
        ]
        points[str(point)] = apart(rows)
    return truth, points


def tables(truth: list[Event], points: dict[str, list[Event]], names: list[str] | None = None) -> tuple[str, str]:
    names = [f"f{i}" for i in range(FILES)] if names is None else names
    own = "record,onset,offset,class,duration\n"
    for name in names:
        rows = [event for event in truth if event[0] == name]
        own += "".join(f"{name},{on!r},{off!r},{kind},{SECONDS}\n" for _, on, off, kind in rows)
        own += "" if rows else f"{name},,,,{SECONDS}\n"
    other = "record,onset,offset,class,point\n" + "".join(
        f"{name},{on!r},{off!r},{kind},{point}\n" for point, rows in points.items() for name, on, off, kind in rows
    )
    return own, other


def theirs() -> list[float]:
    import pandas
    from psds_eval import PSDSEval

    truth, points = sounds()
    columns = ["filename", "onset", "offset", "event_label"]
    lengths = pandas.DataFrame({"filename": [f"f{i}" for i in range(FILES)], "duration": SECONDS})
    found = []
    for options in OPTIONS:
        shares = ("detection_share", "truth_share", "cross_share")
        limits = [options.get(key, default) for key, default in zip(shares, (0.5, 0.5, 0.3), strict=True)]
        peer = PSDSEval(*limits, ground_truth=pandas.DataFrame(truth, columns=columns), metadata=lengths)
        for rows in points.values():
            peer.add_operating_point(pandas.DataFrame(rows, columns=columns))
        weights = options.get("cross_weight", 0.0), options.get("spread_weight", 0.0)
        found.append(float(peer.psds(*weights, max_efpr=options.get("most_per_hour", 100.0)).value))
    return found


def test_areas_are_those_of_psds_eval(tmp_path: Path) -> None:
    own, other = tables(*sounds())
    ours = [scored(tmp_path, {"measure": "events.psds", **options}, own, other).values["psds"] for options in OPTIONS]
    assert ours == pytest.approx(of_peer("psds_eval", theirs, STORED), abs=1e-9)


def test_a_resample_is_the_score_of_repeated_records_and_has_an_interval(tmp_path: Path) -> None:
    truth, points = sounds()
    spec = {"measure": "events.psds", **OPTIONS[2]}
    report = scored(tmp_path, spec, *tables(truth, points))
    assert report.resampler is not None
    names = list(report.resampler.records)
    counts = np.random.default_rng(4).integers(0, 3, len(names))
    often = [(name, f"{name}x{copy}") for name, n in zip(names, counts, strict=True) for copy in range(n)]

    def repeated(events: list[Event]) -> list[Event]:
        return [(copy, *event[1:]) for name, copy in often for event in events if event[0] == name]

    again = {point: repeated(rows) for point, rows in points.items()}
    whole = scored(tmp_path, spec, *tables(repeated(truth), again, [copy for _, copy in often]))
    found = report.resampler.values(counts[None])
    assert {key: float(value[0]) for key, value in found.items()} == pytest.approx(whole.values)
    low, high = intervals(report).of["psds"]
    assert low < report.values["psds"] < high
    assert len(plots_of(report)) == 1


def test_areas_by_hand(tmp_path: Path) -> None:
    truth = "record,onset,offset,class,duration\na,10,20,x,3600\na,30,40,x,3600\nb,5,9,y,3600\n"
    answers = (
        # first one event of x and none of y; then both of x, that of y, and a false detection of each
        "record,onset,offset,class,point\na,10,20,x,0.9\na,10,20,x,0.5\na,30,36,x,0.5\n"
        "a,100,110,x,0.5\nb,5,9,y,0.5\nb,100,110,y,0.5\n"
    )
    spec = {"measure": "events.psds", "most_per_hour": 2}
    report = scored(tmp_path, spec, truth, answers)
    # a false detection in two hours is a rate of 0.5 of at most 2: a quarter of the axis
    assert report.values == pytest.approx({"psds": (0.875 + 0.75) / 2, "area[x]": 0.875, "area[y]": 0.75})
    assert report.per_record["a"] == {"TP": 2, "FP": 1, "FN": 0}
    spread = scored(tmp_path, {**spec, "spread_weight": 1}, truth, answers)
    assert spread.values["psds"] == pytest.approx(0.25 * (0.25 - 0.25) + 0.75)
    none = scored(tmp_path, spec, truth, "record,onset,offset,class,point\na,,,,\nb,,,,\n")
    assert none.values["psds"] == 0


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a,1,2,z,1", r"expected a class of the references \(x\), found 'z'"),
        ("a,1,2,x,1\na,1.5,3,x,1", "an onset after the end of the event before of its class, at 2 s, found 1.5 s"),
    ],
)
def test_answers_that_have_no_meaning_are_refused(row: str, message: str, tmp_path: Path) -> None:
    truth = "record,onset,offset,class,duration\na,10,20,x,60\n"
    with pytest.raises(AnswerError, match=message):
        scored(tmp_path, {"measure": "events.psds"}, truth, f"record,onset,offset,class,point\n{row}\n")
    two = "record,onset,offset,class,point\na,1,2,x,1\na,1.5,3,x,2\n"
    assert scored(tmp_path, {"measure": "events.psds"}, truth, two).values["psds"] == 0
    many = "record,onset,offset,class,point\n" + "".join(f"a,1,2,x,{point}\n" for point in range(65537))
    with pytest.raises(AnswerError, match="expected at most 65,536 operating points, found 65,537"):
        scored(tmp_path, {"measure": "events.psds"}, truth, many)


def test_references_without_an_event_or_a_length_are_refused(tmp_path: Path) -> None:
    answers = "record,onset,offset,class,point\na,1,2,x,1\n"
    with pytest.raises(ReferenceDataError, match="expected an event in the references, found none"):
        scored(tmp_path, {"measure": "events.psds"}, "record,onset,offset,class,duration\na,,,,60\n", answers)
    with pytest.raises(ReferenceDataError, match="duration"):
        scored(tmp_path, {"measure": "events.psds"}, "record,onset,offset,class\na,1,2,x\n", answers)
