"""An evaluation as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from evaluate.core.model import Refusal, StageResult
from evaluate.report.audience import View
from evaluate.report.words import beside_refusals, conclusion, how_it_ran, lines_to_change, origin, usage_line

_INDENT = " " * 26
_SHOWN_LINES = 40


def to_text(view: View) -> str:
    """The report, a line or two per stage."""
    evaluation = view.evaluation
    lines = [f"{evaluation.entry.name} · challenge {evaluation.challenge}", *filter(None, [origin(evaluation)])]
    for stage in evaluation.stages:
        lines.append(f"  {stage.stage.value:<6}{stage.verdict.value:<18}{_message(stage)}".rstrip())
        lines += refusals_in_text(stage.refusals)
        if usage := usage_line(stage, view.limits):
            lines.append(f"{_INDENT}{usage}")
        lines += [f"    | {line}" for line in stage.diagnostics.splitlines()[-_SHOWN_LINES:]]
    if evaluation.score:
        score = evaluation.score
        from metrics.display import table  # noqa: PLC0415  # numpy is not what most commands wait for

        notes = [note.text for note in score.notes]
        shown = table(evaluation.challenge, "score", score.values, score.official or None, score.intervals, notes)
        lines += [f"{'':8}{line}" for line in shown.splitlines()]
    lines.append(how_it_ran(evaluation))
    if view.feedback is not None:
        lines.append(view.feedback.sentence)
    if evaluation.entry.commit:
        lines.append(f"commit {evaluation.entry.commit}")
    lines.append(f"verdict: {', '.join(conclusion(evaluation))}")
    return "\n".join(lines)


def _message(stage: StageResult) -> str:
    lines = list(beside_refusals(stage))
    if stage.refusals:
        lines.insert(0, f"{lines_to_change(stage.refusals)}:")
    return f"\n{_INDENT}".join(lines)


def refusals_in_text(refusals: Sequence[Refusal]) -> list[str]:
    """Each with its place, what was found there, what was expected, and the way out."""
    lines = []
    for refusal in refusals:
        lines += [f"    {refusal.place}", f"      found     {refusal.found}", f"      because   {refusal.expected}"]
        lines += [f"      do        {refusal.way_out}"] if refusal.way_out else []
        lines += [f"      printed   {line}" for line in refusal.printed]
    return lines
