"""Forms of an evaluation for CI services: annotations of files, JUnit XML and Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from evaluate.core.model import Stage, Usage, Verdict
from evaluate.report.audience import View
from evaluate.report.text import to_text
from evaluate.report.words import MEANING, advice, conclusion

# What went wrong, at the line of the entry's own file where it did, as CI services show it beside the file


_HOME = "/home/challenge/"
_PLACES = (
    re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)'),  # Python
    re.compile(r"(?P<file>[\w./+-]+): line (?P<line>\d+):"),  # bash
    re.compile(r"(?P<file>[\w./+-]+): ?(?P<line>\d+):"),  # sh, compilers, Octave
)
_STARTS = {Stage.PREP: "setup.sh", Stage.QUIZ: "next.sh", Stage.EXAM: "next.sh"}


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """A remark for one file, or for none."""

    text: str
    file: str = ""
    """Path in the entry."""
    line: int = 0
    """From 1; 0: the whole file."""


def remarks(view: View, files: Sequence[str]) -> tuple[Annotation, ...]:
    """Annotation of each line that is to be changed, or of the stage that was not passed.

    Where it goes is looked up in what the command printed, which only the entry itself decides on; it is a hint.

    ``files``: the entry's own files, relative to its folder; a place in another file is not shown.
    """
    evaluation = view.evaluation
    last = evaluation.stages[-1]
    if last.verdict.passed:
        return ()
    text = f"{last.stage}: {last.verdict}, {MEANING[last.verdict]}. {last.message} {advice(evaluation)}"
    own_files = set(files)
    if last.refusals:
        return tuple(
            Annotation(text=str(refusal), file=refusal.file, line=refusal.line)
            if refusal.file in own_files
            else Annotation(text=str(refusal))
            for refusal in last.refusals
        )
    for printed in reversed(last.diagnostics.splitlines()):
        for pattern in _PLACES:
            for match in pattern.finditer(printed):
                file = match["file"].removeprefix(_HOME).removeprefix("./")
                if file in own_files:
                    return (Annotation(text=f"{text}\n{printed.strip()}", file=file, line=int(match["line"])),)
    start = _STARTS.get(last.stage, "")
    return (Annotation(text=text, file=start if start in own_files else ""),)


def to_github(annotations: Sequence[Annotation], folder: str = "") -> str:
    """Workflow commands of GitHub, a line each, to be printed; ``folder`` is where the entry is in the repository."""
    lines = []
    for annotation in annotations:
        path = "/".join(part for part in (folder, annotation.file) if part and part != ".") if annotation.file else ""
        properties = f" file={_property(path)}" if path else ""
        properties += f",line={annotation.line}" if path and annotation.line else ""
        lines.append(f"::error{properties}::{_data(annotation.text)}\n")
    return "".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


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
