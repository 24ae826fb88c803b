"""Written form of the outcome of a stage: in its folder, and in the tables.

One flat object of JSON: the result, what the stage ran on (``machine``), and who ran it (``executor``, ``version``).  A
score stage has its numbers under ``score`` in its folder; in the tables they have a separate row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluate import __version__
from evaluate.core.model import MachineInfo, Score, StageOutcome, StageResult


def to_row(outcome: StageOutcome, executor: str = "") -> dict[str, Any]:
    """The outcome without its score, as values of JSON."""
    from evaluate.core.codec import to_json  # noqa: PLC0415  # most commands read no outcome

    run = {"machine": to_json(outcome.machine), "executor": executor, "version": __version__}
    return {**to_json(outcome.result), **run}


def from_row(values: Mapping[str, Any], score: Mapping[str, Any] | None = None) -> StageOutcome:
    """Restore the outcome that `to_row` wrote, with the score, if there is one."""
    from evaluate.core.codec import from_json  # noqa: PLC0415

    machine = values.get("machine")
    return StageOutcome(
        result=from_json(StageResult, values),
        machine=from_json(MachineInfo, machine) if machine else None,
        score=from_json(Score, score) if score else None,
    )
