"""Which measures fit what a challenge asks: a few questions, and proposals with reasons.

The questions are those that decide in Metrics Reloaded (Maier-Hein et al., Nature Methods 21 (2024) 195): what is
answered, how often each answer occurs, how small what is looked for is, what an error costs in the clinic, and what
ties mean.  A proposal is a measure of `metrics.generic` with options, as ``metric`` in challenge.yaml.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evaluate.core.errors import UsageError

TASKS: Mapping[str, str] = {
    "classification": "one of a few labels for each record",
    "scores": "how likely or severe one condition is, for each record",
    "grades": "ordered labels, such as stages",
    "multilabel": "any number of labels for each record",
    "number": "a number for each record",
    "survival": "which record has its event earlier",
    "segmentation": "which voxels or pixels belong to a structure",
    "detection": "where objects are, with a confidence",
    "landmarks": "where named points are",
    "events": "from when to when something happens in a signal",
}
"""What is answered -> in words."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question that is answered by yes or no."""

    key: str
    text: str
    tasks: tuple[str, ...]
    """For what it matters."""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A measure, and why."""

    spec: Mapping[str, Any]
    reason: str

    @property
    def line(self) -> str:
        """As in challenge.yaml."""
        return "metric: {" + ", ".join(f"{key}: {_yaml(value)}" for key, value in self.spec.items()) + "}"


def _yaml(value: Any) -> str:
    return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, list) else str(value)


QUESTIONS = (
    Question(
        key="imbalance",
        text="Is one label (or answer) much rarer than another?",
        tasks=("classification", "scores", "multilabel"),
    ),
    Question(
        key="prevalence",
        text="Do labels occur as often in the data as where the entries are to be used?",
        tasks=("classification", "scores"),
    ),
    Question(
        key="operating_point",
        text="Is there a clinical operating point, such as a sensitivity that must be reached?",
        tasks=("scores",),
    ),
    Question(key="decision", text="Is somebody treated from a certain probability on?", tasks=("scores",)),
    Question(
        key="probabilities", text="Must probabilities be right, and not only in the right order?", tasks=("scores",)
    ),
    Question(key="costs", text="Do some confusions cost much more than others?", tasks=("classification",)),
    Question(key="ties", text="Will many records have equal scores?", tasks=("scores", "survival")),
    Question(
        key="small", text="Are structures or objects small (a few voxels across)?", tasks=("segmentation", "detection")
    ),
    Question(key="tubes", text="Are structures thin and branched, such as vessels?", tasks=("segmentation",)),
    Question(key="many", text="Are there several objects in a record, each of which counts?", tasks=("segmentation",)),
    Question(key="border", text="Does the place of the border matter, as for radiotherapy?", tasks=("segmentation",)),
    Question(key="volume", text="Is the volume what is used in the end?", tasks=("segmentation",)),
    Question(key="empty", text="Do some records have nothing to find?", tasks=("segmentation", "detection", "events")),
    Question(key="alarms", text="Is it known how many false alarms per record are acceptable?", tasks=("detection",)),
    Question(key="boxes", text="Are objects marked by boxes, and not by points?", tasks=("detection",)),
    Question(key="outliers", text="Is one large error much worse than many small ones?", tasks=("number",)),
    Question(key="agreement", text="Is the answer to replace another measurement?", tasks=("number",)),
    Question(key="censored", text="Are many records censored (followed for a shorter time)?", tasks=("survival",)),
    Question(key="moments", text="Is only the moment of an event asked for, and not its end?", tasks=("events",)),
)


def questions_of(task: str) -> tuple[Question, ...]:
    """The questions that matter for a task. Raises UsageError if there is no such task."""
    if task not in TASKS:
        raise UsageError(f"expected what is answered to be one of {', '.join(TASKS)}, found {task!r}")
    return tuple(question for question in QUESTIONS if task in question.tasks)


def proposals(task: str, answers: Mapping[str, bool]) -> tuple[Proposal, ...]:
    """The measures that fit, the one to rank by first; the others are worth reporting.

    Raises UsageError if there is no such task.

    ``answers``: a question without an answer counts as no.
    """
    questions_of(task)
    rules = {
        "classification": _classification,
        "scores": _scores,
        "grades": _grades,
        "multilabel": _multilabel,
        "number": _number,
        "survival": _survival,
        "segmentation": _segmentation,
        "detection": _detection,
        "landmarks": _landmarks,
        "events": _events,
    }
    found = [Proposal(spec=spec, reason=reason) for spec, reason in rules[task](lambda key: answers.get(key, False))]
    return tuple(found)


_Yes = Callable[[str], bool]
_Found = Iterator[tuple[dict[str, Any], str]]


def _classification(yes: _Yes) -> _Found:
    if yes("costs"):
        costs = "{healthy: {ill: 1}, ill: {healthy: 10}}"
        yield (
            {"measure": "classification.cost", "costs": costs},
            "errors cost as you say; write your own labels and costs",
        )
    if yes("imbalance"):
        yield {"measure": "classification.f1", "average": "macro"}, "every label counts the same, however rare it is"
        yield (
            {"measure": "classification.mcc"},
            "one number of the whole table, high only if all labels are answered well",
        )
    if not yes("prevalence"):
        reason = "does not depend on how often labels occur, which is not as in use"
        yield {"measure": "classification.balanced_accuracy"}, reason
    if not yes("imbalance"):
        yield (
            {"measure": "classification.accuracy"},
            "labels are about equally frequent, so the share of right answers says all",
        )


def _scores(yes: _Yes) -> _Found:
    if yes("operating_point"):
        measure = "classification.sensitivity_at_specificity"
        yield {"measure": measure, "at": 0.95}, "compares entries where they will be used; write your specificity"
    if yes("decision"):
        spec = {"measure": "classification.net_benefit", "threshold": 0.2}
        yield spec, "weighs false against true treatments by the probability from which one treats; write yours"
    half = "; equal scores count one half" if yes("ties") else ""
    one = "; equal scores are one threshold" if yes("ties") else ""
    if yes("imbalance") and yes("prevalence"):
        yield {"measure": "classification.auprc"}, f"looks at the rare label, as rare as it is in use{one}"
    yield {"measure": "classification.auroc"}, f"whether scores are in the right order, whatever the threshold{half}"
    if not yes("prevalence"):
        reason = "looks at the positive label, but depends on how frequent it is, which is not as in use: to report"
        yield {"measure": "classification.auprc"}, f"{reason}{one}"
    if yes("probabilities"):
        yield {"measure": "classification.brier"}, "order and calibration in one number"
        yield (
            {"measure": "classification.calibration_error"},
            "calibration alone, with slope and intercept: to report, not to rank by",
        )


def _grades(yes: _Yes) -> _Found:
    del yes
    spec = {"measure": "classification.weighted_kappa", "weights": "quadratic"}
    yield spec, "a confusion counts by how far apart the grades are"
    yield {"measure": "classification.balanced_accuracy"}, "every grade counts the same"


def _multilabel(yes: _Yes) -> _Found:
    average = "macro" if yes("imbalance") else "micro"
    reason = "every label counts the same, however rare it is" if yes("imbalance") else "every answer counts the same"
    yield {"measure": "multilabel.f1", "average": average}, reason
    yield {"measure": "multilabel.auroc"}, "whether each label's scores are in the right order"


def _number(yes: _Yes) -> _Found:
    if yes("agreement"):
        yield {"measure": "regression.bland_altman"}, "how far the answer may be off in 95 % of records"
        yield {"measure": "regression.ccc"}, "agreement in one number: correlation, less for bias and scale"
    if yes("outliers"):
        yield {"measure": "regression.rmse"}, "squares: large errors dominate"
    yield {"measure": "regression.mae"}, "the mean error, in the unit of the numbers"


def _survival(yes: _Yes) -> _Found:
    ties = "; equal risks count one half" if yes("ties") else ""
    if yes("censored"):
        yield {"measure": "survival.unos_c"}, f"the share of pairs in the right order, weighed against censoring{ties}"
    yield {"measure": "survival.c_index"}, f"the share of comparable pairs in the right order{ties}"


def _segmentation(yes: _Yes) -> _Found:
    empty = ", both_empty: perfect or exclude-with-note decides about records without any" if yes("empty") else ""
    if yes("many"):
        yield (
            {"measure": "segmentation.lesion_dice"},
            "every lesion counts, missed and false ones too: Dice alone is decided by the largest",
        )
        yield (
            {"measure": "segmentation.panoptic_quality", "instances": "components"},
            "detection and outline of instances in one number",
        )
    if yes("tubes"):
        yield {"measure": "segmentation.cldice"}, "centre lines: connected vessels matter more than their width"
    if yes("border") or yes("small"):
        why = (
            "Dice of small structures changes much by one voxel"
            if yes("small")
            else "the share of the border that is right"
        )
        yield (
            {"measure": "segmentation.nsd", "tolerance_mm": 2},
            f"{why}; write the disagreement between experts as tolerance{empty}",
        )
    if yes("volume"):
        yield {"measure": "segmentation.volume_error"}, "the error of the volume itself"
    yield {"measure": "segmentation.dice"}, f"overlap, which most of the field knows{empty}"
    if yes("border"):
        yield {"measure": "segmentation.hd95"}, "how far the worst twentieth of the border is off: to report"


def _detection(yes: _Yes) -> _Found:
    match: dict[str, Any] = {"match": "centre", "distance": 5}
    why = "an object is found by a point near it; write your distance"
    if yes("boxes"):
        match = {"match": "iou", "iou": 0.1 if yes("small") else 0.5}
        why = "boxes of small objects overlap little" if yes("small") else "boxes match from this overlap on"
    if yes("alarms"):
        yield (
            {"measure": "detection.froc", **match, "rates": [0.25, 1, 4]},
            f"sensitivity at the false alarms per record that are acceptable; {why}",
        )
    yield {"measure": "detection.map", **match}, f"all thresholds in one number; {why}"
    if yes("empty"):
        yield (
            {"measure": "detection.f1", **match, "threshold": 0.5},
            "at one threshold; records without an object count by their false alarms",
        )


def _landmarks(yes: _Yes) -> _Found:
    del yes
    yield {"measure": "landmarks.mre"}, "the mean distance in mm, with the shares within 2, 2.5, 3 and 4 mm"


def _events(yes: _Yes) -> _Found:
    if yes("moments"):
        yield {"measure": "events.f1", "onset_tolerance_seconds": 0.15}, "events match if their onsets are this near"
        return
    yield {"measure": "events.overlap"}, "every episode counts the same, found if any of it is answered"
    also = "; records without any count by the false ones" if yes("empty") else ""
    yield {"measure": "events.duration"}, f"every second counts the same{also}"
