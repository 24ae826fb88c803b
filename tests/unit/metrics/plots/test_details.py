"""The numbers of pictures of single records."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.base import AnswerError
from metrics.plots import af_timeline, details_of, frame_landmarks
from tests.unit.metrics.challenges.test_cpsc2021 import AFP, COMMENTS, PAROXYSMAL, Bench, N


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A record with an episode from sample 650 to 1250 and beats every 100 samples, and one without."""
    bench = Bench(tmp_path)
    bench.add_record("p", COMMENTS[AFP], PAROXYSMAL)
    bench.add_record("n", COMMENTS[N])
    return bench


def test_timeline_in_seconds_with_windows_and_what_each_start_and_end_earned(bench: Bench) -> None:
    bench.add_answer("p", [[549, 1250], [1500, 1600]])
    plot = af_timeline(bench.references, bench.answers, "p")
    assert plot.seconds == 10.5
    assert plot.reference == ((3.25, 6.25),)
    assert plot.answered == ((2.745, 6.25), (7.5, 8.0))
    assert set(plot.start_windows) == {(2.25, 2.75, 0.5), (2.75, 4.25, 1.0), (4.25, 4.75, 0.5)}
    assert set(plot.end_windows) == {(4.75, 5.25, 0.5), (5.25, 6.75, 1.0), (6.75, 7.25, 0.5)}
    assert plot.earned == ((0.5, 1.0), (0.0, 0.0))
    # Ue = 1.5 times one reference episode over two answered
    assert plot.title == "cpsc2021, record p: U = 1.75 (Ur 1, Ue 0.75), corrected rules"


def test_timeline_tells_no_answer_from_an_answer_without_episode(bench: Bench) -> None:
    bench.add_answer("p", [])
    with_file = af_timeline(bench.references, bench.answers, "p")
    (bench.answers / "p.json").unlink()
    without = af_timeline(bench.references, bench.answers, "p")
    assert (with_file.has_answer, without.has_answer) == (True, False)
    assert with_file.answered == without.answered == ()


def test_timeline_refuses_two_answers_and_positions_outside(bench: Bench) -> None:
    bench.add_answer("p", [[0, 5000]])
    with pytest.raises(AnswerError, match=r"expected positions from 0 to 2099"):
        af_timeline(bench.references, bench.answers, "p")
    bench.add_mat("p", np.array([[1, 2]]))
    with pytest.raises(AnswerError, match=r"p\.mat, record p: expected one answer file for the record, found p\.json"):
        af_timeline(bench.references, bench.answers, "p")


def test_timeline_of_a_record_without_fibrillation_has_no_windows(bench: Bench) -> None:
    bench.add_answer("n", [[100, 200]])
    plot = af_timeline(bench.references, bench.answers, "n")
    assert plot.reference == plot.start_windows == plot.end_windows == ()
    assert plot.earned == ((0.0, 0.0),)


def frame(root: Path, name: str, *points: tuple[float, float]) -> None:
    file = root / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"points": [{"x": x, "y": y} for x, y in points]}))


@pytest.fixture
def frames(tmp_path: Path) -> tuple[Path, Path]:
    """Labels and answers of four frames: a has one of each, b is right, c has no answer, d one false point."""
    labels, answers = tmp_path / "labels", tmp_path / "answers"
    frame(labels, "p/v/a", (10, 10), (50, 50))
    frame(answers, "p/v/a", (13, 14), (90, 20))
    for name in ("b", "d"):
        frame(labels, f"p/v/{name}", (5, 5))
    frame(answers, "p/v/b", (5, 5))
    frame(answers, "p/v/d", (5, 5), (70, 70))
    frame(labels, "p/v/c", (1, 1), (2, 2), (30, 30))
    return labels, answers


def test_landmarks_of_a_frame_are_found_missed_or_false(frames: tuple[Path, Path]) -> None:
    plot = frame_landmarks(*frames, "p/v/a")
    assert plot.matched == (((10.0, 10.0), (13.0, 14.0)),)
    assert (plot.missed, plot.false) == (((50.0, 50.0),), ((90.0, 20.0),))
    assert plot.title == "adaptor2021, frame p/v/a: 1 found, 1 false, 1 missed"
    assert frame_landmarks(*frames, "p/v/c").missed == ((1.0, 1.0), (2.0, 2.0), (30.0, 30.0))


def test_frames_with_most_errors_are_shown_first(frames: tuple[Path, Path]) -> None:
    report = metrics.get("adaptor2021").score(*frames)
    assert [plot.subject for plot in details_of(report, *frames)] == ["p/v/c", "p/v/a", "p/v/d"]
