"""Forms of an evaluation for CI services: JUnit XML and Markdown."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from evaluate.core.model import Usage, Verdict
from evaluate.report.audience import View
from evaluate.report.text import to_text
from evaluate.report.words import advice, conclusion

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
