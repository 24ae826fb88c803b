"""An evaluation as JSON values: the contract with outside programs (design, section 11)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from evaluate.core.model import Evaluation, RecordOutcome, Refusal, Score, Stage, StageResult, Usage
from evaluate.report.audience import Feedback, View


def to_json(view: View) -> dict[str, Any]:
    """The report; ``records`` of a stage are absent where the audience may not see them."""
    evaluation = view.evaluation
    machine = evaluation.machine
    counter = machine.counter if machine else None
    report: dict[str, Any] = {
        "verdict": evaluation.verdict.value if evaluation.decided else "",
        **({} if evaluation.decided else {"state": evaluation.state}),
        "entry": _entry(evaluation),
        "challenge": evaluation.challenge,
        "accelerator": machine.accelerator if machine else "none",
        "image": machine.image if machine else "",
        "isolation": (machine.isolation if machine else "") or "none",
        "counter": {"kind": counter.kind, "mode": machine.mode, "calibration_error": counter.calibration_error}
        if machine and counter
        else None,
        "stages": [stage_json(stage) for stage in evaluation.stages],
        "score": score_json(evaluation.score) if evaluation.score else None,
        "team": evaluation.team,
        "submitted": _moment(evaluation.submitted),
        "judged": _moment(evaluation.judged),
        "version": evaluation.version,
    }
    report |= {"processors": machine.processors} if machine and machine.processors > 1 else {}
    return {**report, "feedback": _feedback(view.feedback)} if view.feedback is not None else report


def _feedback(feedback: Feedback) -> dict[str, Any]:
    """Return what the report tells of a hidden exam."""
    return {
        "attempt": feedback.number,
        "show": feedback.show.value,
        "digits": feedback.digits,
        "rule": feedback.sentence,
    }


def _moment(at: float | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def score_json(score: Score) -> dict[str, Any]:
    """The numbers of the score stage as values of JSON."""
    return {
        "primary": score.primary,
        "values": _numbers(score.values),
        "official": _numbers(score.official),
        "intervals": {key: list(bounds) for key, bounds in score.intervals.items()},
        "notes": [note.text for note in score.notes],
    }


def stage_json(stage: StageResult) -> dict[str, Any]:
    """Values of a stage, with its records if the audience may see any."""
    values: dict[str, Any] = {
        "stage": stage.stage.value,
        "verdict": stage.verdict.value,
        "message": stage.message,
        "usage": _usage(stage.usage),
    }
    if stage.model is not None:
        values["model"] = {"sha256": stage.model.sha256, "files": stage.model.files, "bytes": stage.model.bytes}
    if stage.installed:
        values["installed"] = list(stage.installed)
    if stage.refusals:
        values["refusals"] = [refusal_json(refusal) for refusal in stage.refusals]
    if stage.diagnostics:
        values["diagnostics"] = stage.diagnostics
    if stage.stage is Stage.QUIZ or (stage.stage is Stage.EXAM and stage.records):
        values["records"] = [_record(outcome) for outcome in stage.records]
    return values


def refusal_json(refusal: Refusal) -> dict[str, Any]:
    """Values of a line of an entry that cannot be evaluated as it is; ``line`` is null where it is the whole file."""
    return {
        "file": refusal.file,
        "line": refusal.line or None,
        "kind": refusal.kind.value,
        "found": refusal.found,
        "expected": refusal.expected,
        "way_out": refusal.way_out,
        "exit_code": refusal.exit_code,
        "printed": list(refusal.printed),
    }


def _entry(evaluation: Evaluation) -> dict[str, Any]:
    entry = evaluation.entry
    values = {"name": entry.name, "sha256": entry.sha256, "bytes": entry.size}
    return {**values, "commit": entry.commit} if entry.commit else values


def _numbers(values: Mapping[str, float]) -> dict[str, float | None]:
    """NaN and infinities as null, since JSON has neither."""
    return {key: value if math.isfinite(value) else None for key, value in values.items()}


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "instructions": usage.instructions,
        "wall_seconds": round(usage.wall_seconds, 3),
        "memory_bytes": usage.memory_bytes,
    }


def _record(outcome: RecordOutcome) -> dict[str, Any]:
    values = {
        "record": outcome.record,
        "verdict": outcome.verdict.value,
        **_usage(outcome.usage),
        "answer": outcome.answer,
    }
    return {**values, "message": outcome.message} if outcome.message else values
