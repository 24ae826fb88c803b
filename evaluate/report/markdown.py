"""An evaluation as Markdown: the summary that a CI service shows beside a job."""

from __future__ import annotations

import re

from evaluate.core.model import Score, StageResult
from evaluate.report.audience import View
from evaluate.report.words import advice, conclusion, how_it_ran, lines_to_change, seconds, usage_line

_SHOWN_LINES = 20
_SHOWN_RECORDS = 20


def to_markdown(view: View) -> str:
    """The report, short: verdict, what to do, stages, score, what failed."""
    evaluation = view.evaluation
    mark = "✅" if evaluation.passed else "❌" if evaluation.decided else "⏳"
    verdict, meaning = conclusion(evaluation)
    lines = [
        f"## {mark} {_plain(evaluation.entry.name)}: {verdict}, {meaning}",
        "",
        f"**What to do:** {_plain(advice(evaluation))}",
        "",
        "| stage | verdict | time | |",
        "|---|---|---|---|",
        *(_stage(stage) for stage in evaluation.stages),
        "",
    ]
    if evaluation.score:
        lines += _score(evaluation.score)
    for stage in evaluation.stages:
        lines += _details(stage, usage_line(stage, view.limits))
    return "\n".join([*lines, f"{_plain(evaluation.challenge)}; {_plain(how_it_ran(evaluation))}", ""])


def _stage(stage: StageResult) -> str:
    taken = seconds(stage.usage.wall_seconds) if stage.usage.wall_seconds else ""
    said = lines_to_change(stage.refusals) if stage.refusals else stage.message.partition("\n")[0]
    return f"| {stage.stage} | {stage.verdict} | {taken} | {_plain(said)} |"


def _score(score: Score) -> list[str]:
    also = bool(score.official)
    lines = [
        "| measure | score | 95 % interval |" + (" organisers' program |" if also else ""),
        "|---" * (3 + also) + "|",
    ]
    for key, value in score.values.items():
        bounds = score.intervals.get(key)
        between = f"{bounds[0]:.3f} to {bounds[1]:.3f}" if bounds else ""
        official = f"{score.official[key]:.4f}" if key in score.official else ""
        lines.append(f"| {_plain(key)} | {value:.4f} | {between} |" + (f" {official} |" if also else ""))
    return [*lines, "", *(f"* {_plain(note.text)}" for note in score.notes), ""]


def _details(stage: StageResult, usage: str) -> list[str]:
    failed = stage.failed
    lines = [f"* {_plain(one.record)}: {one.verdict} {_plain(one.message)}".rstrip() for one in failed[:_SHOWN_RECORDS]]
    if len(failed) > _SHOWN_RECORDS:
        lines.append(f"* and {len(failed) - _SHOWN_RECORDS} more")
    lines += [
        f"* **{_plain(one.place)}** {_plain(one.found)}: {_plain(one.expected)}"
        + (f"<br>**Do:** {_plain(one.way_out)}" if one.way_out else "")
        for one in stage.refusals
    ]
    if stage.diagnostics:
        printed = stage.diagnostics.splitlines()[-_SHOWN_LINES:]
        lines += ["", *(f"    {line}" for line in printed)]  # indented: no fence that an entry could close
    if not lines and not usage:
        return []
    return [f"**{stage.stage}** {_plain(usage)}", "", *lines, ""]


def _plain(text: str) -> str:
    """Text that means nothing in Markdown or HTML, in one line."""
    return re.sub(r"([\\`*_{}\[\]<>#|!~])", r"\\\1", " ".join(text.split()))
