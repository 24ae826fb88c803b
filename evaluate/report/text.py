"""An evaluation as text for a terminal, and in the forms of CI services: JUnit XML and Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from evaluate.core.model import Refusal, StageResult, Usage, Verdict
from evaluate.report.audience import View
from evaluate.report.words import advice, beside_refusals, conclusion, how_it_ran, lines_to_change, origin, usage_line

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


# An evaluation as JUnit XML, for CI: one test case per stage, and one for every record that the audience may see.
#
# A failure is counted once: where the record that failed has a case of its own, that of the stage has none.


def to_junit(view: View) -> str:
    """A test suite."""
    evaluation = view.evaluation
    suite = ET.Element("testsuite", name=f"evaluate {evaluation.challenge}")
    for stage in evaluation.stages:
        failed = [outcome for outcome in stage.records if not outcome.verdict.passed]
        of_record = not stage.verdict.passed and any(outcome.verdict is stage.verdict for outcome in failed)
        verdict = Verdict.OK if of_record else stage.verdict
        _case(suite, stage.stage.value, verdict, stage.message, stage.usage, stage.diagnostics)
        for outcome in stage.records:
            text = stage.diagnostics if of_record and outcome is failed[-1] else ""
            counted = outcome.verdict if of_record else Verdict.OK
            _case(suite, f"{stage.stage.value} {outcome.record}", counted, outcome.message, outcome.usage, text)
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ET.Element, name: str, verdict: Verdict, message: str, usage: Usage, text: str = "") -> None:
    attributes = {"name": name, "classname": suite.get("name", ""), "time": f"{usage.wall_seconds:.3f}"}
    case = ET.SubElement(suite, "testcase", attributes)
    if not verdict.passed:
        failure = ET.SubElement(case, "failure", type=verdict.value, message=message)
        failure.text = text


# An evaluation as Markdown: the summary that a CI service shows beside a job


def to_markdown(view: View) -> str:
    """The verdict, what to do, and the report as text."""
    evaluation = view.evaluation
    mark = "✅" if evaluation.passed else "❌" if evaluation.decided else "⏳"
    verdict, meaning = conclusion(evaluation)
    lines = [
        f"## {mark} {_plain(evaluation.entry.name)}: {verdict}, {meaning}",
        "",
        f"**What to do:** {_plain(advice(evaluation))}",
        "",
        *(f"    {line}" for line in to_text(view).splitlines()),  # indented: no fence that an entry could close
    ]
    return "\n".join([*lines, ""])


def _plain(text: str) -> str:
    """Text that means nothing in Markdown or HTML, in one line."""
    return re.sub(r"([\\`*_{}\[\]<>#|!~])", r"\\\1", " ".join(text.split()))
