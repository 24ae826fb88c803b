"""Pictures of single records, of those with the lowest scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from metrics.base import AnswerError, ScoreReport
from metrics.challenges.adaptor2021 import match_points, points_of_frame
from metrics.challenges.cpsc2021 import N, Window, earned, load_endpoints, load_reference, score_corrected, windows
from metrics.plots.data import AfTimeline, FrameLandmarks, Plot

SAMPLES_PER_SECOND = 200.0
"""Sampling frequency of every CPSC 2021 record."""
_DETAILED = 3
"""Longer side: pages show pictures 600 pixels wide, axes included."""


def details_of(report: ScoreReport, references: Path, answers: Path) -> tuple[Plot, ...]:
    """Pictures of the few records with the lowest scores, where a metric has some; arguments as they were scored."""
    makers: Mapping[str, tuple[Callable[[Path, Path, str], Plot], Callable[[Mapping[str, float | str]], float]]] = {
        "cpsc2021": (af_timeline, lambda row: float(row["u"])),
        "adaptor2021": (frame_landmarks, lambda row: -float(row["FP"]) - float(row["FN"])),
    }
    if report.metric not in makers:
        return ()
    draw, goodness = makers[report.metric]
    order = sorted(report.per_record, key=lambda record: (goodness(report.per_record[record]), record))
    return tuple(draw(references, answers, record) for record in order[:_DETAILED])


def frame_landmarks(references: Path, answers: Path, frame: str) -> FrameLandmarks:
    """The landmarks of one frame of AdaptOR as labelled and as answered, by the corrected rules.

    Parameters
    ----------
    references, answers : Path
        Folders as for the metric ``adaptor2021``; without an answer file for this frame all its landmarks are missed.

    Raises
    ------
    AnswerError, ReferenceDataError
        A file is missing or malformed, or there are two answers.
    """
    labels, points = points_of_frame(references, answers, frame)
    pairs = match_points(labels, points)
    label_points, answered_points = ([(x, y) for x, y in each.tolist()] for each in (labels, points))
    found_labels, used_points = {label for label, _, _ in pairs}, {point for _, point, _ in pairs}
    missed = tuple(xy for i, xy in enumerate(label_points) if i not in found_labels)
    false = tuple(xy for i, xy in enumerate(answered_points) if i not in used_points)
    return FrameLandmarks(
        subject=frame,
        title=f"adaptor2021, frame {frame}: {len(pairs)} found, {len(false)} false, {len(missed)} missed",
        matched=tuple((label_points[label], answered_points[point]) for label, point, _ in pairs),
        missed=missed,
        false=false,
    )


def af_timeline(references: Path, answers: Path, record: str) -> AfTimeline:
    """The episodes of one record of CPSC 2021 as annotated and as answered, by the corrected rules.

    Parameters
    ----------
    references, answers : Path
        Folders as for the metric ``cpsc2021``; without an answer file for this record no answer is shown.

    Raises
    ------
    AnswerError, ReferenceDataError
        A file is missing or malformed, or there are two answers.
    """
    truth = load_reference(references, record, "corrected")
    files = [path for path in (answers / f"{record}.json", answers / f"{record}.mat") if path.is_file()]
    if len(files) > 1:
        raise AnswerError(
            f"expected one answer file for the record, found {files[0].name} too", file=files[1], record=record
        )
    file = files[0] if files else None
    endpoints = None if file is None else load_endpoints(file, record, "corrected")
    score = score_corrected(truth, endpoints, file)
    episodes = [] if endpoints is None else [(int(start), int(end)) for start, end in endpoints.reshape(-1, 2)]
    samples = truth.annotation_samples

    def inside(index: int) -> int:
        return 0 if index < 0 else truth.n_samples if index >= len(samples) else samples[index]

    starts, ends = ([], []) if truth.class_true == N else windows(truth, inside)
    return AfTimeline(
        subject=record,
        title=f"cpsc2021, record {record}: U = {score.u:g} (Ur {score.ur:g}, Ue {score.ue:g}), corrected rules",
        seconds=_seconds(truth.n_samples),
        reference=tuple(
            (_seconds(samples[start]), _seconds(samples[end]))
            for start, end in zip(truth.onsets, truth.offsets, strict=True)
        ),
        answered=tuple((_seconds(start), _seconds(end)) for start, end in episodes),
        has_answer=file is not None,
        start_windows=_in_seconds(starts),
        end_windows=_in_seconds(ends),
        earned=tuple(
            (earned(starts, [start], truth.n_samples), earned(ends, [end], truth.n_samples)) for start, end in episodes
        ),
    )


def _seconds(sample: int) -> float:
    return sample / SAMPLES_PER_SECOND


def _in_seconds(rewards: Sequence[Window]) -> tuple[tuple[float, float, float], ...]:
    return tuple((_seconds(first), _seconds(stop), reward) for first, stop, reward in rewards if stop > first)
